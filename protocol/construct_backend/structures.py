"""Arrays, nullable structures and tagged fields as constructs, in JSON form."""

from __future__ import annotations

from typing import Any, Final  # Any: construct has no type information

from construct import Adapter, Construct, Int8sb, Struct, stream_read, stream_tell
from construct import stream_write as write_stream

from .primitives import LayoutError, bytes_left, uvarint

UNKNOWN_TAGS_MAX: Final = 64  # ENV-11
UNKNOWN_TAG_BYTES_MAX: Final = 128 * 1024  # ENV-11


class Sequence(Construct):  # type: ignore[misc]  # construct has no type information
    """A count, then so many elements; count -1 is null where that is allowed.

    A count that the bytes left cannot hold is refused before the first element is read
    (ENV-06); elements of no bytes at all are bounded by a fixed number.
    """

    EMPTY_ELEMENTS_MAX: Final = 100_000

    def __init__(self, element: Any, count: Any, *, nullable: bool) -> None:
        super().__init__()
        self.element = element
        self.count = count
        self.nullable = nullable

    def _parse(self, stream: Any, context: Any, path: str) -> list[Any] | None:
        count = self.count._parsereport(stream, context, path)
        if count == -1 and self.nullable:
            return None
        if count < 0:
            raise LayoutError(f"count {count}", path=path)
        if count > max(bytes_left(stream), self.EMPTY_ELEMENTS_MAX):
            raise LayoutError(f"{count} elements in {bytes_left(stream)} bytes", path=path)
        return [
            self.element._parsereport(stream, context, f"{path}[{index}]") for index in range(count)
        ]

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if obj is None:
            if not self.nullable:
                raise LayoutError("null is not allowed", path=path)
            self.count._build(-1, stream, context, path)
            return None
        if not isinstance(obj, list):
            raise LayoutError(f"{obj!r} is no array", path=path)
        self.count._build(len(obj), stream, context, path)
        for index, item in enumerate(obj):
            self.element._build(item, stream, context, f"{path}[{index}]")
        return obj


class Presence(Construct):  # type: ignore[misc]  # construct has no type information
    """A nullable structure: 1 and the structure, or -1; in a tagged field 0 instead of -1."""

    def __init__(self, subcon: Any, byte: Any = Int8sb, null: int = -1) -> None:
        super().__init__()
        self.subcon = subcon
        self.byte = byte
        self.null = null

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        byte = self.byte._parsereport(stream, context, path)
        if byte == self.null:
            return None
        if byte != 1:
            raise LayoutError(f"presence byte {byte}", path=path)
        return self.subcon._parsereport(stream, context, path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        self.byte._build(self.null if obj is None else 1, stream, context, path)
        if obj is not None:
            self.subcon._build(obj, stream, context, path)
        return obj


class Tagged(Construct):  # type: ignore[misc]  # construct has no type information
    """A section of tagged fields: known ones by name, unknown ones skipped (ENV-07, ENV-11)."""

    def __init__(
        self, known: dict[int, tuple[str, Any, Any]], number: Any = uvarint, skipped: Any = None
    ) -> None:
        super().__init__()
        self.known = known
        """Tag -> name, construct, default in JSON form."""
        self.number = number
        self.skipped = skipped
        """Told of each unknown tag: a function of stream, context, path, tag, size."""

    def _parse(self, stream: Any, context: Any, path: str) -> dict[str, Any]:
        count = self.number._parsereport(stream, context, f"{path} -> tagged fields")
        if count * 2 > bytes_left(stream):
            raise LayoutError(f"{count} tagged fields in {bytes_left(stream)} bytes", path=path)
        found: dict[str, Any] = {}
        previous, unknown = -1, 0
        for _ in range(count):
            tag = self.number._parsereport(stream, context, f"{path} -> tag")
            size = self.number._parsereport(stream, context, f"{path} -> tag size")
            if tag <= previous:
                raise LayoutError(f"tag {tag} after tag {previous}", path=path)
            if size > bytes_left(stream):
                raise LayoutError(f"tag {tag} has {size} bytes, fewer are left", path=path)
            previous = tag
            if tag in self.known:
                self._parse_known(tag, size, found, stream, context, path)
                continue
            unknown += 1
            if unknown > UNKNOWN_TAGS_MAX or size > UNKNOWN_TAG_BYTES_MAX:
                raise LayoutError(f"unknown tag {tag}: too many or too large", path=path)
            if self.skipped is not None:
                self.skipped(stream, context, path, tag, size)
            stream_read(stream, size, path)
        return found

    def _parse_known(
        self, tag: int, size: int, found: dict[str, Any], stream: Any, context: Any, path: str
    ) -> None:
        name, subcon, default = self.known[tag]
        start = stream_tell(stream, path)
        value = subcon._parsereport(stream, context, f"{path} -> {name}")
        if stream_tell(stream, path) - start != size:
            raise LayoutError(f"tag {tag} is not as long as it says", path=path)
        if value != default:
            found[name] = value

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        present = [
            (tag, name, subcon)
            for tag, (name, subcon, default) in sorted(self.known.items())
            if name in obj and obj[name] != default
        ]
        uvarint._build(len(present), stream, context, path)
        for tag, name, subcon in present:
            data = subcon.build(obj[name])
            uvarint._build(tag, stream, context, path)
            uvarint._build(len(data), stream, context, path)
            write_stream(stream, data, len(data), path)
        return obj


class Fields(Adapter):  # type: ignore[misc]  # construct has no type information
    """A structure: its fields in wire order, tagged ones folded in, as a plain dict."""

    TAGS: Final = "_tagged"

    def __init__(self, subcons: list[Any], tagged: Tagged | None) -> None:
        parts = list(subcons)
        if tagged is not None:
            parts.append(self.TAGS / tagged)
        super().__init__(Struct(*parts))
        self.tagged_names = (
            frozenset(name for name, _, _ in tagged.known.values()) if tagged else frozenset[str]()
        )
        self.names = frozenset(subcon.name for subcon in subcons)

    def _decode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        found = {name: value for name, value in obj.items() if name != "_io"}
        tags = found.pop(self.TAGS, {})
        return {**found, **tags}

    def _encode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        if not isinstance(obj, dict):
            raise LayoutError("a structure is a JSON object", path=path)
        for name in sorted(obj.keys() - self.names - self.tagged_names):
            raise LayoutError(f"this version has no field {name!r}", path=path)
        for name in sorted(self.names - obj.keys()):
            raise LayoutError(f"field {name!r} is missing", path=path)
        tags = {name: value for name, value in obj.items() if name in self.tagged_names}
        return {**{name: obj[name] for name in self.names}, self.TAGS: tags}

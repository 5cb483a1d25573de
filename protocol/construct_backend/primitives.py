"""Kafka's primitive types as constructs; parsed values are in JSON form."""

from __future__ import annotations

from base64 import b64decode, b64encode
from io import SEEK_END
from typing import Any, Final  # Any: construct has no type information

from construct import (
    Adapter,
    Byte,
    Bytes,
    Construct,
    ConstructError,
    ExprAdapter,
    Float64b,
    Int8sb,
    Int16sb,
    Int16ub,
    Int32sb,
    Int32ub,
    Int64sb,
    stream_read,
    stream_tell,
    stream_write,
)

UVARINT_BYTES_MAX: Final = 5
STRING_BYTES_MAX: Final = 32767


class LayoutError(ConstructError):  # type: ignore[misc]  # construct has no type information
    """Bytes or a value that the layout does not allow."""


def bytes_left(stream: Any) -> int:
    """How many bytes are behind the stream's position."""
    here: int = stream_tell(stream, None)
    end: int = stream.seek(0, SEEK_END)
    stream.seek(here)
    left: int = end - here
    return left


class UnsignedVarint(Construct):  # type: ignore[misc]  # construct has no type information
    """Seven bits a byte, lowest first, at most 32 bits in five bytes."""

    def _parse(self, stream: Any, context: Any, path: str) -> int:
        value = 0
        for position in range(UVARINT_BYTES_MAX):
            byte: int = stream_read(stream, 1, path)[0]
            value |= (byte & 0x7F) << (7 * position)
            if byte < 0x80:
                if value >= 1 << 32:
                    break
                return value
        raise LayoutError("an unsigned varint of more than 32 bits", path=path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, int) or not 0 <= obj < 1 << 32:
            raise LayoutError(f"{obj!r} is no unsigned varint", path=path)
        rest = obj
        while rest >= 0x80:
            stream_write(stream, bytes([rest & 0x7F | 0x80]), 1, path)
            rest >>= 7
        stream_write(stream, bytes([rest]), 1, path)
        return obj


class PlusOne(Adapter):  # type: ignore[misc]  # construct has no type information
    """Compact lengths and counts are stored one larger, so that 0 can mean null."""

    def _decode(self, obj: int, context: Any, path: str) -> int:
        return obj - 1

    def _encode(self, obj: int, context: Any, path: str) -> int:
        return obj + 1


uvarint = UnsignedVarint()
compact_length = PlusOne(uvarint)


class Sized(Construct):  # type: ignore[misc]  # construct has no type information
    """A length, then so many bytes; length -1 is null where that is allowed."""

    def __init__(self, length: Any, *, nullable: bool, limit: int | None = None) -> None:
        super().__init__()
        self.length = length
        self.nullable = nullable
        self.limit = limit

    def _parse(self, stream: Any, context: Any, path: str) -> bytes | None:
        size = self.length._parsereport(stream, context, path)
        if size == -1 and self.nullable:
            return None
        if size < 0:
            raise LayoutError(f"length {size}", path=path)
        if self.limit is not None and size > self.limit:
            raise LayoutError(f"{size} bytes, at most {self.limit} go", path=path)
        data: bytes = stream_read(stream, size, path)
        return data

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if obj is None:
            if not self.nullable:
                raise LayoutError("null is not allowed", path=path)
            self.length._build(-1, stream, context, path)
            return None
        if self.limit is not None and len(obj) > self.limit:
            raise LayoutError(f"{len(obj)} bytes, at most {self.limit} go", path=path)
        self.length._build(len(obj), stream, context, path)
        stream_write(stream, obj, len(obj), path)
        return obj


class Text(Adapter):  # type: ignore[misc]  # construct has no type information
    """UTF-8, strictly; None stays None."""

    def _decode(self, obj: bytes | None, context: Any, path: str) -> str | None:
        try:
            return None if obj is None else obj.decode("utf-8")
        except UnicodeDecodeError as error:
            raise LayoutError(f"not UTF-8: {error}", path=path) from None

    def _encode(self, obj: Any, context: Any, path: str) -> bytes | None:
        if obj is not None and not isinstance(obj, str):
            raise LayoutError(f"{obj!r} is no string", path=path)
        return None if obj is None else obj.encode("utf-8")


class Base64(Adapter):  # type: ignore[misc]  # construct has no type information
    """Bytes, as base64 in the JSON form; None stays None."""

    def _decode(self, obj: bytes | None, context: Any, path: str) -> str | None:
        return None if obj is None else b64encode(obj).decode("ascii")

    def _encode(self, obj: Any, context: Any, path: str) -> bytes | None:
        if obj is None:
            return None
        try:
            return b64decode(obj, validate=True)
        except (TypeError, ValueError) as error:
            raise LayoutError(f"no base64: {error}", path=path) from None


class UuidText(Adapter):  # type: ignore[misc]  # construct has no type information
    """Sixteen bytes, as 22 letters of url-safe base64 in the JSON form."""

    def _decode(self, obj: bytes, context: Any, path: str) -> str:
        return b64encode(obj, altchars=b"-_").decode("ascii")[:22]

    def _encode(self, obj: Any, context: Any, path: str) -> bytes:
        try:
            value = b64decode(obj + "==", altchars=b"-_", validate=True)
        except (TypeError, ValueError) as error:
            raise LayoutError(f"no uuid: {error}", path=path) from None
        if len(value) != 16 or len(obj) != 22:
            raise LayoutError(f"{obj!r} is no uuid", path=path)
        return value


class Checked(Adapter):  # type: ignore[misc]  # construct has no type information
    """Refuses to build a number from something else; construct would take True for 1."""

    def __init__(self, subcon: Any, kinds: tuple[type, ...]) -> None:
        super().__init__(subcon)
        self.kinds = kinds

    def _decode(self, obj: Any, context: Any, path: str) -> Any:
        return obj

    def _encode(self, obj: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, self.kinds) or (isinstance(obj, bool) and bool not in self.kinds):
            raise LayoutError(f"{obj!r} is no {self.kinds[0].__name__}", path=path)
        return obj


FIXED: Final[dict[str, Any]] = {
    "bool": Checked(ExprAdapter(Byte, lambda obj, _: obj != 0, lambda obj, _: int(obj)), (bool,)),
    "int8": Checked(Int8sb, (int,)),
    "int16": Checked(Int16sb, (int,)),
    "uint16": Checked(Int16ub, (int,)),
    "int32": Checked(Int32sb, (int,)),
    "uint32": Checked(Int32ub, (int,)),
    "int64": Checked(Int64sb, (int,)),
    "float64": Checked(Float64b, (float, int)),
    "uuid": UuidText(Bytes(16)),
}
"""Types of one width, by their names in the schema grammar."""


def text(*, compact: bool, nullable: bool) -> Any:
    """A string of the schema grammar."""
    length = compact_length if compact else Int16sb
    return Text(Sized(length, nullable=nullable, limit=STRING_BYTES_MAX))


def octets(*, compact: bool, nullable: bool) -> Any:
    """`bytes` and `records` of the schema grammar."""
    return Base64(Sized(compact_length if compact else Int32sb, nullable=nullable))

"""One explained run of bytes, and a cursor that reads and explains at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple  # Any: a value of any field

from ..errors import DecodeError

HEX_BYTES_MAX = 16
"""Longer runs are shown by their first bytes."""


class Row(NamedTuple):
    """What stands at one place."""

    offset: int
    """Of the first byte; -1 for bytes that are not in the file (decompressed ones)."""
    data: bytes
    path: str
    value: str
    is_problem: bool = False

    @property
    def hex(self) -> str:
        """The bytes, cut after a few."""
        more = "…" if len(self.data) > HEX_BYTES_MAX else ""
        return self.data[:HEX_BYTES_MAX].hex(" ") + more

    def to_json(self) -> dict[str, Any]:
        """All of it, the bytes whole."""
        return {
            "offset": self.offset,
            "hex": self.data.hex(),
            "path": self.path,
            "value": self.value,
            **({"problem": True} if self.is_problem else {}),
        }


class Cursor:
    """Reads primitives of `data` and notes a row for each.

    `base` is the offset of data[0] in the file, None when the bytes are not in the file as such.
    """

    def __init__(
        self, data: bytes, rows: list[Row], position: int = 0, base: int | None = 0
    ) -> None:
        self.data = data
        self.rows = rows
        self.position = position
        self.base = base

    @property
    def left(self) -> int:
        return len(self.data) - self.position

    def where(self, position: int) -> int:
        """Offset in the file of a position in `data`."""
        return -1 if self.base is None else self.base + position

    def take(self, size: int, path: str) -> bytes:
        """The next bytes, without a row; DecodeError when there are fewer."""
        if size < 0 or size > self.left:
            raise DecodeError(f"{path}: {size} bytes wanted, {self.left} are left")
        found = self.data[self.position : self.position + size]
        self.position += size
        return found

    def note(self, start: int, path: str, value: object) -> None:
        """A row for what was read since `start`."""
        data = self.data[start : self.position]
        self.rows.append(Row(self.where(start), data, path, str(value)))

    def integer(self, size: int, path: str, *, signed: bool = True, say: Any = str) -> int:
        """A big-endian number; `say` turns it into the row's text."""
        start = self.position
        value = int.from_bytes(self.take(size, path), "big", signed=signed)
        self.note(start, path, say(value))
        return value

    def octets(self, size: int, path: str, say: Any = None) -> bytes:
        """So many bytes as they are."""
        start = self.position
        data = self.take(size, path)
        self.note(start, path, say(data) if say else text_of(data))
        return data

    def uvarint(self, path: str) -> int:
        """An unsigned varint with a row."""
        start = self.position
        value = self._raw_varint(path, 5)
        self.note(start, path, value)
        return value

    def varint(self, path: str, say: Any = str) -> int:
        """A zigzag varint of up to 64 bits with a row."""
        start = self.position
        raw = self._raw_varint(path, 10)
        value = (raw >> 1) ^ -(raw & 1)
        self.note(start, path, say(value))
        return value

    def _raw_varint(self, path: str, bytes_max: int) -> int:
        value = 0
        for position in range(bytes_max):
            byte = self.take(1, path)[0]
            value |= (byte & 0x7F) << (7 * position)
            if byte < 0x80:
                return value
        raise DecodeError(f"{path}: a varint of more than {bytes_max} bytes")

    def problem(self, path: str, text: str, size: int = 0) -> None:
        """A row that says what is wrong here; `size` bytes belong to it."""
        size = min(size, self.left)
        data = self.data[self.position : self.position + size]
        self.rows.append(Row(self.where(self.position), data, path, text, is_problem=True))


def text_of(data: bytes | None) -> str:
    """Bytes for a reader: text where they are text, else their hex, cut."""
    if data is None:
        return "null"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if text and text.isprintable():
        return repr(text if len(text) <= 120 else text[:120] + "…")
    more = "…" if len(data) > HEX_BYTES_MAX else ""
    return f"{len(data)} bytes {data[:HEX_BYTES_MAX].hex()}{more}" if data else "empty"


def time_of(milliseconds: int) -> str:
    """Milliseconds since 1970 for a reader."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return str(milliseconds)
    return f"{milliseconds} ({moment:%Y-%m-%d %H:%M:%S}.{milliseconds % 1000:03d} UTC)"

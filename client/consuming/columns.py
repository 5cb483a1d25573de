"""Records as columns: one list of offsets, one of keys, one of values, … for a whole batch.

A row object for each record costs more than decoding it, so rows are made only where a program
asks for them. The layout of one record (magic 2), all numbers zigzag varints:

    length | attributes (1 byte) | timestamp delta | offset delta
    | key length or -1 | key | value length or -1 | value
    | header count, each: name length | name | value length or -1 | value
"""

from __future__ import annotations

from functools import partial
from itertools import repeat
from typing import Any

from barnabas.protocol.errors import DecodeError
from barnabas.protocol.varints import read_uvarint_rest, read_varint, read_varlong_rest

from ..errors import CorruptMessageError
from ..structs import ConsumerRecord, Header

NO_HEADERS: tuple[Header, ...] = ()
make_record: Any = partial(tuple.__new__, ConsumerRecord)
"""`ConsumerRecord(*fields)` for fields that are a tuple already, without its Python frame."""


class RecordColumns:
    """Records of one batch; all lists are of one length, in order of offsets."""

    __slots__ = (
        "headers",
        "keys",
        "leader_epoch",
        "offsets",
        "timestamp_type",
        "timestamps",
        "values",
    )

    def __init__(self, timestamp_type: int = 0, leader_epoch: int = -1) -> None:
        self.offsets: list[int] = []
        self.timestamps: list[int] = []
        self.keys: list[bytes | None] = []
        self.values: list[bytes | None] = []
        self.headers: list[tuple[Header, ...]] = []
        self.timestamp_type = timestamp_type
        self.leader_epoch = leader_epoch

    def __len__(self) -> int:
        return len(self.offsets)

    def part(self, start: int, stop: int) -> RecordColumns:
        """The records from index `start` up to, not including, `stop`."""
        if start == 0 and stop >= len(self.offsets):
            return self
        columns = RecordColumns(self.timestamp_type, self.leader_epoch)
        columns.offsets = self.offsets[start:stop]
        columns.timestamps = self.timestamps[start:stop]
        columns.keys = self.keys[start:stop]
        columns.values = self.values[start:stop]
        columns.headers = self.headers[start:stop]
        return columns

    def rows(self, topic: str, partition: int) -> list[ConsumerRecord]:
        """The same as a list of records."""
        return list(
            map(
                make_record,
                zip(
                    repeat(topic),
                    repeat(partition),
                    self.offsets,
                    self.timestamps,
                    repeat(self.timestamp_type),
                    self.keys,
                    self.values,
                    self.headers,
                    repeat(self.leader_epoch),
                    strict=False,
                ),
            )
        )


# One flat loop: every call that it would make costs as much as reading three fields.
def decode_columns(  # noqa: C901, PLR0912, PLR0915  # flat on purpose, see above
    columns: RecordColumns, data: bytes, count: int, base_offset: int, base_timestamp: int
) -> None:
    """Append `count` records, whose bytes are all of `data`, to `columns`.

    Raises:
        CorruptMessageError: the bytes do not hold exactly so many records.
    """
    add_offset = columns.offsets.append
    add_timestamp = columns.timestamps.append
    add_key = columns.keys.append
    add_value = columns.values.append
    add_headers = columns.headers.append
    at = 0
    try:
        for _ in range(count):
            number = data[at]
            at += 1
            if number > 127:
                number, at = read_uvarint_rest(data, at, number)
            record_end = at + (number >> 1)
            at += 1
            number = data[at]
            at += 1
            if number > 127:
                number, at = read_varlong_rest(data, at, number)
                add_timestamp(base_timestamp + number)
            else:
                add_timestamp(base_timestamp + ((number >> 1) ^ -(number & 1)))
            number = data[at]
            at += 1
            if number > 127:
                number, at = read_uvarint_rest(data, at, number)
            add_offset(base_offset + ((number >> 1) ^ -(number & 1)))
            number = data[at]
            at += 1
            if number > 127:
                number, at = read_uvarint_rest(data, at, number)
            if number & 1:
                add_key(None)
            else:
                end = at + (number >> 1)
                add_key(data[at:end])
                at = end
            number = data[at]
            at += 1
            if number > 127:
                number, at = read_uvarint_rest(data, at, number)
            if number & 1:
                add_value(None)
            else:
                end = at + (number >> 1)
                add_value(data[at:end])
                at = end
            if data[at]:
                headers, at = decode_headers(data, at)
                add_headers(headers)
            else:
                at += 1
                add_headers(NO_HEADERS)
            if at != record_end:
                raise CorruptMessageError("a record whose fields do not fill its length")
    except IndexError:
        raise CorruptMessageError("a record that ends beyond its batch") from None
    except DecodeError as error:
        raise CorruptMessageError(str(error)) from None
    if at != len(data):
        raise CorruptMessageError(f"{len(data) - at} bytes left over after {count} records")


def decode_headers(data: bytes, at: int) -> tuple[tuple[Header, ...], int]:
    """The headers of a record, from their count on."""
    count, at = read_varint(data, at)
    # A header takes two bytes at least, so a count beyond that is a lie about what follows.
    if not 0 <= count <= (len(data) - at) // 2 + 1:
        raise CorruptMessageError(f"a record with {count} headers")
    headers: list[Header] = []
    for _ in range(count):
        size, at = read_varint(data, at)
        if size < 0:
            raise CorruptMessageError("a record header without a name")
        name = data[at : at + size].decode(errors="replace")
        at += size
        size, at = read_varint(data, at)
        if size < 0:
            headers.append((name, None))
        else:
            headers.append((name, data[at : at + size]))
            at += size
    return tuple(headers), at

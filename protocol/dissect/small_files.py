"""Indexes, producer snapshots, checkpoints and the other small files of a log directory."""

from __future__ import annotations

import json

from ..checksum import crc32c
from ..errors import DecodeError
from .messages import dissect_message
from .rows import Cursor, time_of


def dissect_offset_index(cursor: Cursor, base_offset: int) -> None:
    """`.index`: entries of relative offset and position; zeros behind the last are not used."""
    number = 0
    while cursor.left >= 8:
        if number and not any(cursor.data[cursor.position :]):
            break
        cursor.integer(4, f"entry[{number}].offset", say=_absolute(base_offset))
        cursor.integer(4, f"entry[{number}].position")
        number += 1
    _rest(cursor)


def dissect_time_index(cursor: Cursor, base_offset: int) -> None:
    """`.timeindex`: entries of timestamp and relative offset."""
    number = 0
    while cursor.left >= 12:
        if number and not any(cursor.data[cursor.position :]):
            break
        cursor.integer(8, f"entry[{number}].timestamp", say=time_of)
        cursor.integer(4, f"entry[{number}].offset", say=_absolute(base_offset))
        number += 1
    _rest(cursor)


def dissect_transaction_index(cursor: Cursor, base_offset: int) -> None:
    """`.txnindex`: one entry an aborted transaction."""
    del base_offset
    number = 0
    while cursor.left >= 34:
        path = f"aborted[{number}]"
        cursor.integer(2, f"{path}.version")
        for name in ("producerId", "firstOffset", "lastOffset", "lastStableOffset"):
            cursor.integer(8, f"{path}.{name}")
        number += 1
    _rest(cursor)


def _absolute(base_offset: int) -> object:
    return lambda relative: f"{base_offset + relative} (base {base_offset} + {relative})"


def _rest(cursor: Cursor) -> None:
    if not cursor.left:
        return
    if any(cursor.data[cursor.position :]):
        cursor.problem("end", f"{cursor.left} bytes are no whole entry", cursor.left)
    else:
        cursor.octets(cursor.left, "end", lambda data: f"{len(data)} zero bytes, not used yet")


def dissect_producer_snapshot(cursor: Cursor, base_offset: int) -> None:
    """`.snapshot`: what is known of each producer id at the offset in the file's name."""
    del base_offset
    version = cursor.integer(2, "version")
    computed = crc32c(cursor.data[6:])
    dissect_message(cursor, "ProducerSnapshot", version)
    stored = int.from_bytes(cursor.data[2:6], "big")
    if stored != computed:
        cursor.problem("ProducerSnapshot.crc", f"0x{stored:08x} WRONG: is 0x{computed:08x}")
    _rest(cursor)


def dissect_text(cursor: Cursor, kind: str) -> None:
    """A file of lines: checkpoints, `partition.metadata`, `meta.properties`, `quorum-state`."""
    number = 0
    while cursor.left:
        newline = cursor.data.find(b"\n", cursor.position)
        end = len(cursor.data) if newline < 0 else newline + 1
        line = cursor.data[cursor.position : end].decode("utf-8", "replace").strip()
        for_reader = _meaning(kind, number, line)
        cursor.octets(end - cursor.position, f"line[{number}]", lambda _, text=for_reader: text)
        number += 1


def _meaning(kind: str, number: int, line: str) -> str:
    if kind == "json":
        try:
            return ", ".join(f"{name} = {value!r}" for name, value in json.loads(line).items())
        except (ValueError, AttributeError) as error:
            raise DecodeError(f"line {number}: not a JSON object: {error}") from None
    if kind == "properties" or not line:
        return line
    if number < 2:
        return f"{'version' if number == 0 else 'entries'} {line}"
    words = line.split()
    if kind == "leader-epochs" and len(words) == 2:
        return f"leader epoch {words[0]} starts at offset {words[1]}"
    if kind == "offsets" and len(words) == 3:
        return f"partition {words[0]}-{words[1]}: offset {words[2]}"
    raise DecodeError(f"line {number}: {line!r} is no entry of this checkpoint")

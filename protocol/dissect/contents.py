"""What kind of bytes it is, by the bytes themselves, where no name says it."""

from __future__ import annotations

import json
from typing import Final

from ..apis import APIS
from ..checksum import crc32c
from ..control_records import ControlType, read_control_type
from ..errors import DecodeError
from ..record import Record
from ..record_batch import BatchError, iter_batch_headers
from ..records import decode_batch
from ..stored import decode_metadata_record

_LOGS: Final[dict[int, str]] = {
    ControlType.LEADER_CHANGE: "metadata-segment",
    ControlType.SNAPSHOT_HEADER: "snapshot",
}
_TEXT_BYTES_MAX: Final = 1 << 20
_LEADER_EPOCH_WORDS: Final = 2
_OFFSET_WORDS: Final = 3
_SNAPSHOT_CRC_AT: Final = 2
_SNAPSHOT_CRC_END: Final = 6


def kind_of_contents(data: bytes) -> str | None:
    """The kind of file or frame that `data` looks like; None when nothing speaks for any.

    Indexes have nothing that they could be known by.
    """
    if not data:
        return None
    return _kind_of_batches(data) or _kind_of_bytes(data) or _kind_of_text(data)


def _kind_of_batches(data: bytes) -> str | None:
    """A segment of some log; what the first records are about tells which."""
    try:
        first = next(iter_batch_headers(data), None)
        if first is None:
            return None
        header = first[1]
        records = decode_batch(data)
        if header.magic < 2 or not records:
            return "segment"
        if header.is_control:
            return _LOGS.get(read_control_type(records[0].key), "segment")
        return "metadata-segment" if all(map(_is_metadata, records)) else "segment"
    except BatchError:
        return None


def _is_metadata(record: Record) -> bool:
    if record.key is not None or record.value is None:
        return False
    try:
        decode_metadata_record(record.value)
    except DecodeError:
        return False
    return True


def _kind_of_bytes(data: bytes) -> str | None:
    if len(data) >= _SNAPSHOT_CRC_END and data[:_SNAPSHOT_CRC_AT] == b"\0\1":
        crc = int.from_bytes(data[_SNAPSHOT_CRC_AT:_SNAPSHOT_CRC_END], "big")
        if crc == crc32c(data[_SNAPSHOT_CRC_END:]):
            return "producer-snapshot"
    if len(data) >= 12 and int.from_bytes(data[:4], "big") == len(data) - 4:
        api = APIS.get(int.from_bytes(data[4:6], "big"))
        if api is not None:
            version = int.from_bytes(data[6:8], "big")
            return "request" if api.min_version <= version <= api.max_version else None
    return None


def _kind_of_text(data: bytes) -> str | None:
    if len(data) > _TEXT_BYTES_MAX:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    lines = text.splitlines()
    if text.startswith("{"):
        return "json" if _is_json(text) else None
    if all(line.startswith("#") or "=" in line or ": " in line for line in lines):
        return "properties"
    return _kind_of_checkpoint(lines)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _kind_of_checkpoint(lines: list[str]) -> str | None:
    """A version, a count, then as many lines: two numbers each, or topic, partition, offset."""
    if len(lines) < 2 or lines[0] != "0" or not lines[1].isdecimal():
        return None
    words = {len(line.split()) for line in lines[2:]}
    if words == {_LEADER_EPOCH_WORDS}:
        return "leader-epochs"
    return "offset-checkpoint" if words <= {_OFFSET_WORDS} else None

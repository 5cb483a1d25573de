"""Records of the metadata log as stored: frame version, type, version, then the body.

All three are unsigned varints; the frame version is 1 (the only one that Kafka ever wrote).
"""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter

from .apis import message_class
from .errors import DecodeError
from .message import Message
from .messages.index import METADATA_RECORDS
from .varints import read_uvarint, write_uvarint

METADATA_FRAME_VERSION: Final = 1

_classes: dict[int, type[Message]] = {}


def metadata_record_class(api_key: int) -> type[Message]:
    """The class of a metadata record by its type; DecodeError when the type is not known."""
    found = _classes.get(api_key)
    if found is None:
        name = METADATA_RECORDS.get(api_key)
        if name is None:
            raise DecodeError(f"a metadata record of unknown type {api_key}")
        found = _classes[api_key] = message_class(name)
    return found


def encode_metadata_record(record: Message, version: int) -> bytes:
    """The value of a record of `__cluster_metadata`."""
    assert record.KIND == "metadata" and record.API_KEY is not None
    writer = BytesWriter()
    write_uvarint(writer, METADATA_FRAME_VERSION)
    write_uvarint(writer, record.API_KEY)
    write_uvarint(writer, version)
    record.encode_into(writer, version)
    return writer.getvalue()


def decode_metadata_record(data: bytes) -> Message:
    """The message in the value of a record of `__cluster_metadata`.

    Raises DecodeError for another frame version, an unknown type or version, and trailing bytes.
    """
    record, _ = decode_metadata_record_version(data)
    return record


def decode_metadata_record_version(data: bytes) -> tuple[Message, int]:
    """Like `decode_metadata_record`, with the version that the record was written in."""
    try:
        frame_version, i = read_uvarint(data, 0)
        api_key, i = read_uvarint(data, i)
        version, i = read_uvarint(data, i)
    except IndexError:
        raise DecodeError("a metadata record cut within its first three numbers") from None
    if frame_version != METADATA_FRAME_VERSION:
        raise DecodeError(f"a metadata record of frame version {frame_version}")
    record, end = metadata_record_class(api_key).decode_at(data, i, version)
    if end != len(data):
        raise DecodeError(f"{record.NAME}: {len(data) - end} bytes too many")
    return record, version

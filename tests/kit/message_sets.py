"""Message sets of magic 0 and 1, the formats before record batches."""

from __future__ import annotations

from struct import pack
from zlib import crc32

from barnabas.protocol.compression import Codec, compress

from .raw_batches import NOW


def message(
    offset: int,
    value: bytes | None,
    *,
    key: bytes | None = None,
    magic: int = 1,
    attributes: int = 0,
    timestamp: int = NOW,
) -> bytes:
    """An entry of a message set of magic 0 or 1."""
    body = pack(">bb", magic, attributes)
    if magic == 1:
        body += pack(">q", timestamp)
    for part in (key, value):
        body += pack(">i", -1) if part is None else pack(">i", len(part)) + part
    return pack(">qiI", offset, len(body) + 4, crc32(body)) + body


def wrapper(
    codec: Codec,
    inner: bytes,
    offset: int,
    *,
    magic: int = 1,
    attributes: int = 0,
    timestamp: int = NOW,
) -> bytes:
    """A compressed message set inside an entry."""
    packed = compress(codec, inner)
    return message(offset, packed, magic=magic, attributes=attributes | codec, timestamp=timestamp)

"""How large a compressed batch can become at most, told by its framing without decompressing.

The hot path lets a batch through whose bound is below `max.decompressed.message.bytes` (ENV-13);
only what might be a bomb is decompressed, with a cap, before it is appended. Each codec's format
sets a bound: gzip yields at most 1,032 bytes a byte, snappy 22, lz4 255 and no more per block than
its frame announces, zstd no more than 128 KiB a block.
"""

from __future__ import annotations

GZIP, SNAPPY, LZ4, ZSTD = 1, 2, 3, 4
"""Codecs as the attributes of a batch number them."""

UNKNOWN = 1 << 62
"""No bound can be told: the framing is not what it should be."""

_GZIP_RATIO = 1032
_SNAPPY_RATIO = 22
_LZ4_RATIO = 255
_SLACK = 1024

_LZ4_MAGIC = b"\x04\x22\x4d\x18"
_LZ4_BLOCK_SIZES = {4: 65_536, 5: 262_144, 6: 1_048_576, 7: 4_194_304}
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_BLOCK_MAX = 131_072
_ZSTD_SMALLEST_BLOCK = 4
_RLE_BLOCK = 1
_RESERVED_BLOCK = 3


def inflation_bound(codec: int, data: memoryview) -> int:
    """Largest size in bytes that `data` (the records of a batch) can decompress to."""
    size = len(data)
    if codec == GZIP:
        return size * _GZIP_RATIO + _SLACK
    if codec == SNAPPY:
        return size * _SNAPPY_RATIO + _SLACK
    if codec == LZ4:
        return min(size * _LZ4_RATIO + _SLACK, _lz4_bound(data))
    if codec == ZSTD:
        return min((size // _ZSTD_SMALLEST_BLOCK + 1) * _ZSTD_BLOCK_MAX, _zstd_bound(data))
    return UNKNOWN


def _lz4_bound(data: memoryview) -> int:
    """Blocks of the frame times their announced maximum."""
    if len(data) < 7 or data[:4] != _LZ4_MAGIC:
        return UNKNOWN
    flags = data[4]
    block_max = _LZ4_BLOCK_SIZES.get(data[5] >> 4 & 7)
    if block_max is None:
        return UNKNOWN
    at = 7 + (8 if flags & 0x08 else 0) + (4 if flags & 0x01 else 0)
    checksum = 4 if flags & 0x10 else 0
    blocks = 0
    while at + 4 <= len(data):
        length = int.from_bytes(data[at : at + 4], "little") & 0x7FFF_FFFF
        if length == 0:
            # A second frame behind the first could hold anything.
            rest = len(data) - at - 4 - (4 if flags & 0x04 else 0)
            return blocks * block_max if rest <= 0 else UNKNOWN
        at += 4 + length + checksum
        blocks += 1
    return blocks * block_max


def _zstd_bound(data: memoryview) -> int:
    """Blocks of the frame times 128 KiB; a run-length block says its size itself."""
    if len(data) < 6 or data[:4] != _ZSTD_MAGIC:
        return UNKNOWN
    descriptor = data[4]
    is_single_segment = bool(descriptor & 0x20)
    content_size_bytes = (1 if is_single_segment else 0, 2, 4, 8)[descriptor >> 6]
    dictionary_bytes = (0, 1, 2, 4)[descriptor & 3]
    at = 5 + (0 if is_single_segment else 1) + dictionary_bytes + content_size_bytes
    bound = 0
    while at + 3 <= len(data):
        header = data[at] | data[at + 1] << 8 | data[at + 2] << 16
        kind, length = header >> 1 & 3, header >> 3
        if kind == _RESERVED_BLOCK:
            return UNKNOWN
        at += 3 + (1 if kind == _RLE_BLOCK else length)
        bound += max(length, _ZSTD_BLOCK_MAX)
        if header & 1:
            rest = len(data) - at - (4 if descriptor & 4 else 0)
            return bound if rest <= 0 else UNKNOWN
    return bound

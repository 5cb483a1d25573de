"""The codecs of record batches over cramjam, with a cap on what comes out.

Nothing that the compressed bytes say about their size is believed: the output grows step by step
towards the cap, and what does not fit into the cap is refused (ENV-13). Sizes that are declared
only help to refuse early. The library is imported with the first use.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Final

import cramjam
from cramjam import snappy

from .batch_errors import InvalidBatchError, UnsupportedCodecError
from .buffer import Buffer

__all__ = ["DECOMPRESSED_BYTES_MAX", "Codec", "codec_of", "compress", "decompress"]

DECOMPRESSED_BYTES_MAX: Final = 64 * 1024 * 1024
"""Default of `max.decompressed.message.bytes`: the records of one compressed batch (ENV-13)."""


class Codec(IntEnum):
    """Compression of a batch, with the numbers of its attributes field."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4


_FIRST_OUTPUT: Final = 4096
_FIRST_RATIO: Final = 16
_BELIEVED_RATIO: Final = 64
_GROWTH: Final = 8
_OUTPUT_FULL: Final = "failed to write whole buffer"

ZSTD_LEVEL: Final = 3
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW_MAX: Final = 1 << 27

_LZ4_MAGIC: Final = b"\x04\x22\x4d\x18"
_LZ4_HAS_CONTENT_SIZE: Final = 0x08
_LZ4_HAS_DICTIONARY_ID: Final = 0x01

_XERIAL_MAGIC: Final = b"\x82SNAPPY\x00"
_XERIAL_HEADER: Final = _XERIAL_MAGIC + b"\x00\x00\x00\x01\x00\x00\x00\x01"
_XERIAL_BLOCK: Final = 32 * 1024
_SNAPPY_RATIO_MAX: Final = 22
"""A copy of 64 bytes takes three."""


def codec_of(number: int) -> Codec:
    """The codec of an attributes field; UnsupportedCodecError(76) when there is none."""
    if number > Codec.ZSTD:
        raise UnsupportedCodecError(f"codec {number} is unknown")
    return Codec(number)


# ---------------------------------------------------------------------------- compressing


def compress(codec: Codec, data: Buffer, level: int | None = None) -> bytes:
    """The bytes that Kafka's clients read; `level` means something for gzip, lz4 and zstd."""
    if codec == Codec.NONE:
        return bytes(data)
    if codec == Codec.SNAPPY:
        return _compress_xerial(data)
    if codec == Codec.LZ4:
        # Kafka's Java reader refuses blocks that refer to the block before.
        writer = cramjam.lz4.Compressor(level=level, content_checksum=False, block_linked=False)
        writer.compress(data)
        return bytes(writer.finish())
    if codec == Codec.GZIP:
        return bytes(cramjam.gzip.compress(data, level))
    return bytes(cramjam.zstd.compress(data, ZSTD_LEVEL if level is None else level))


def _compress_xerial(data: Buffer) -> bytes:
    """Snappy in the framing of snappy-java: a header, then blocks, each behind its int32 length."""
    view = memoryview(data)
    parts = [_XERIAL_HEADER]
    for start in range(0, len(view), _XERIAL_BLOCK):
        block = bytes(snappy.compress_raw(view[start : start + _XERIAL_BLOCK]))
        parts += (len(block).to_bytes(4, "big"), block)
    return b"".join(parts)


# ---------------------------------------------------------------------------- decompressing


def decompress(codec: Codec, data: Buffer, limit: int) -> bytes:
    """What was compressed, of at most `limit` bytes.

    Raises InvalidBatchError(87) when it is more, when `data` is cut or garbage, and for a zstd
    window above 2^27 bytes. Uncompressed bytes are not subject to the limit.
    """
    if codec == Codec.NONE:
        return bytes(data)
    if codec == Codec.SNAPPY:
        return _decompress_snappy(data, limit)
    view = memoryview(data)
    if codec == Codec.GZIP:
        return _grow(cramjam.gzip.decompress_into, codec, view, limit, None)
    if codec == Codec.LZ4:
        return _grow(cramjam.lz4.decompress_into, codec, view, limit, _lz4_size(view))
    return _grow(cramjam.zstd.decompress_into, codec, view, limit, _zstd_size(view))


def _grow(
    into: Callable[[memoryview, bytearray], int],
    codec: Codec,
    data: memoryview,
    limit: int,
    declared: int | None,
) -> bytes:
    """Decompress into ever larger buffers until all fits, or `limit` is not enough."""
    if declared is not None and declared > limit:
        raise _too_large(codec, limit)
    size = max(_FIRST_OUTPUT, _FIRST_RATIO * len(data))
    if declared is not None and declared <= max(size, _BELIEVED_RATIO * len(data)):
        size = max(declared, 1)
    while True:
        size = min(size, limit)
        output = bytearray(size)
        try:
            written = into(data, output)
        except Exception as error:  # of cramjam: it has one class for all that may be wrong
            if _OUTPUT_FULL not in str(error):
                raise InvalidBatchError(f"{codec.name.lower()}: {error}") from None
        else:
            return bytes(memoryview(output)[:written])
        if size >= limit:
            raise _too_large(codec, limit)
        del output
        size *= _GROWTH


def _too_large(codec: Codec, limit: int) -> InvalidBatchError:
    return InvalidBatchError(f"{codec.name.lower()}: more than {limit} bytes when decompressed")


def _zstd_size(data: memoryview) -> int | None:
    """The content size of the first frame, if its header says it; refuses a giant window."""
    if len(data) < 6 or bytes(data[:4]) != _ZSTD_MAGIC:
        return None  # let the library say what is wrong
    flags = data[4]
    at = 5
    single_segment = flags & 0x20
    if not single_segment:
        exponent, mantissa = data[5] >> 3, data[5] & 7
        window = (8 + mantissa) << (exponent + 7)
        if window > _ZSTD_WINDOW_MAX:
            raise InvalidBatchError(
                f"zstd: a window of {window} bytes, at most {_ZSTD_WINDOW_MAX} go"
            )
        at = 6
    at += (0, 1, 2, 4)[flags & 3]
    length = (1 if single_segment else 0, 2, 4, 8)[flags >> 6]
    if length == 0 or len(data) < at + length:
        return None
    size = int.from_bytes(data[at : at + length], "little")
    return size + 256 if length == 2 else size


def _lz4_size(data: memoryview) -> int | None:
    """The content size of the first frame, if its header says it."""
    if len(data) < 15 or bytes(data[:4]) != _LZ4_MAGIC or not data[4] & _LZ4_HAS_CONTENT_SIZE:
        return None
    return int.from_bytes(data[6:14], "little")


# ---------------------------------------------------------------------------- snappy


def _decompress_snappy(data: Buffer, limit: int) -> bytes:
    view = memoryview(data)
    if bytes(view[:8]) != _XERIAL_MAGIC:
        return _snappy_block(view, limit, limit)
    parts = []
    left = limit
    at = len(_XERIAL_HEADER)
    end = len(view)
    if end < at:
        raise InvalidBatchError("snappy: cut within the header of the framing")
    while at < end:
        if end - at >= len(_XERIAL_HEADER) and bytes(view[at : at + 8]) == _XERIAL_MAGIC:
            at += len(_XERIAL_HEADER)  # one stream behind another
            continue
        size = int.from_bytes(view[at : at + 4], "big")
        at += 4
        if size > end - at:
            raise InvalidBatchError(f"snappy: a block of {size} bytes, {end - at} are left")
        block = _snappy_block(view[at : at + size], left, limit)
        parts.append(block)
        left -= len(block)
        at += size
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _snappy_block(block: memoryview, left: int, limit: int) -> bytes:
    """One raw block; it begins with its size, which is checked before anything is allocated."""
    try:
        size = snappy.decompress_raw_len(block)
        if size > left:
            raise _too_large(Codec.SNAPPY, limit)
        if size > _SNAPPY_RATIO_MAX * len(block):
            raise InvalidBatchError(f"snappy: {len(block)} bytes cannot become {size}")
        return bytes(snappy.decompress_raw(block))
    except InvalidBatchError:
        raise
    except Exception as error:  # of cramjam, see `_grow`
        raise InvalidBatchError(str(error)) from None


# ---------------------------------------------------------------------------- lz4 of magic 0


def with_lz4_header_checksum(data: Buffer) -> bytes:
    """The frame with the header checksum of the LZ4 specification.

    Messages of magic 0 have one that covers the frame's magic number as well: a fault of Kafka's
    first LZ4 writer that stayed (KAFKA-3160). Bytes that are no frame are returned as they are.
    """
    frame = bytearray(data)
    if len(frame) < 7 or frame[:4] != _LZ4_MAGIC:
        return bytes(frame)
    end = 6
    end += 8 if frame[4] & _LZ4_HAS_CONTENT_SIZE else 0
    end += 4 if frame[4] & _LZ4_HAS_DICTIONARY_ID else 0
    if end < len(frame):
        frame[end] = _xxh32(bytes(frame[4:end])) >> 8 & 0xFF
    return bytes(frame)


_PRIME1: Final = 0x9E3779B1
_PRIME2: Final = 0x85EBCA77
_PRIME3: Final = 0xC2B2AE3D
_PRIME4: Final = 0x27D4EB2F
_PRIME5: Final = 0x165667B1
_U32: Final = 0xFFFFFFFF


def _xxh32(data: bytes) -> int:
    """XXH32 with seed 0, of fewer than 16 bytes: the descriptor of a frame has no more."""
    assert len(data) < 16
    value = _PRIME5 + len(data)
    whole = len(data) & ~3
    for at in range(0, whole, 4):
        value = value + int.from_bytes(data[at : at + 4], "little") * _PRIME3 & _U32
        value = _rotated(value, 17) * _PRIME4 & _U32
    for byte in data[whole:]:
        value = value + byte * _PRIME5 & _U32
        value = _rotated(value, 11) * _PRIME1 & _U32
    value = (value ^ value >> 15) * _PRIME2 & _U32
    value = (value ^ value >> 13) * _PRIME3 & _U32
    return value ^ value >> 16


def _rotated(value: int, bits: int) -> int:
    return (value << bits | value >> (32 - bits)) & _U32

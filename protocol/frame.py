"""Frames: an int32 length, then that many bytes (ENV-01)."""

# librt's index parameters are typed as its C integers, which pyright does not take for int.
# pyright: reportArgumentType=false
from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from librt.strings import BytesWriter, read_i32_be, write_i32_be

from .errors import EncodeError, ProtocolError

SIZE_BYTES: Final = 4
FRAME_BYTES_MAX: Final = 100 * 1024 * 1024  # Kafka's `socket.request.max.bytes`


def read_frame_size(data: bytes, offset: int, limit: int = FRAME_BYTES_MAX) -> int:
    """Length of the frame whose four length bytes are at `offset`.

    ProtocolError when it is negative or above `limit`: close, and allocate nothing (ENV-01).
    """
    size = read_i32_be(data, offset)
    if size < 0 or size > limit:
        raise ProtocolError(f"a frame of {size} bytes, at most {limit} go")
    return size


def split_frames(data: bytes, limit: int = FRAME_BYTES_MAX) -> Iterator[tuple[int, int]]:
    """Where the content of each whole frame in `data` begins and ends; stops at a cut one."""
    start = 0
    while start + SIZE_BYTES <= len(data):
        end = start + SIZE_BYTES + read_frame_size(data, start, limit)
        if end > len(data):
            return
        yield start + SIZE_BYTES, end
        start = end


def start_frame() -> BytesWriter:
    """A writer that has room for the length in front."""
    writer = BytesWriter()
    write_i32_be(writer, 0)
    return writer


def finish_frame(writer: BytesWriter) -> bytes:
    """The whole frame, its length put in; `writer` came from `start_frame`."""
    size = len(writer) - SIZE_BYTES
    if size > 0x7FFFFFFF:
        raise EncodeError(f"a frame of {size} bytes")
    writer[0] = size >> 24
    writer[1] = size >> 16 & 0xFF
    writer[2] = size >> 8 & 0xFF
    writer[3] = size & 0xFF
    return writer.getvalue()

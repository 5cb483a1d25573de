"""Frames out of a byte stream, with a cap (ENV-01); and what else may have answered instead."""

# librt's index parameters are typed as its C integers, which pyright does not take for int.
# pyright: reportArgumentType=false
from __future__ import annotations

from collections.abc import Iterator

from librt.strings import read_i32_be

from ..errors import ProtocolError
from ..header import SIZE_BYTES

CHUNKS_MAX = 4096
"""Pieces of one frame kept apart before they are joined, so that tiny pieces stay cheap."""

SHOWN_BYTES = 48
TLS_ALERT = b"\x15\x03"
KNOWN_GREETINGS = (
    (b"HTTP/", "an HTTP server"),
    (TLS_ALERT, "is this a TLS port?"),
    (b"SSH-", "an SSH server"),
    (b"220", "a mail or FTP server"),
    (b"+OK", "a mail server"),
    (b"* OK", "a mail server"),
    (b"-ERR", "a Redis server"),
    (b"ERROR", "a memcached server"),
    (b"AMQP", "an AMQP broker"),
    (b"RFB ", "a VNC server"),
)


class FrameSizeError(ProtocolError):
    """The four bytes where a length must be hold none that a broker sends; `seen` begins there."""

    def __init__(self, size: int, limit: int, seen: bytes) -> None:
        what = f"response frame of {size} bytes: is this a TLS port?"
        if not seen.startswith(TLS_ALERT):
            what = f"response frame of {size} bytes (at most {limit} are allowed)"
        super().__init__(what)
        self.size = size
        self.seen = seen


class FrameReader:
    """Cuts a stream into frames. Holds only bytes that came, whatever length was announced."""

    __slots__ = ("_chunks", "_held", "_limit", "_wanted")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._chunks: list[bytes] = []
        self._held = 0
        self._wanted = SIZE_BYTES

    @property
    def held(self) -> bytes:
        """The bytes that came after the last whole frame."""
        return b"".join(self._chunks)

    def feed(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        """The frames that are whole with `data`: bytes, and where in them the content starts.

        The content goes to the end of the bytes. The iterator must be used up before the next call.
        Raises FrameSizeError for a length that is negative or beyond the cap: the stream is lost.
        """
        self._held += len(data)
        if self._held < self._wanted:
            self._keep(data)
            return
        if self._chunks:
            self._chunks.append(data)
            data = b"".join(self._chunks)
            self._chunks = []
        start, total = 0, len(data)
        self._wanted = SIZE_BYTES
        while total - start >= SIZE_BYTES:
            size = read_i32_be(data, start)
            if not 0 <= size <= self._limit:
                raise FrameSizeError(size, self._limit, data[start : start + SHOWN_BYTES])
            end = start + SIZE_BYTES + size
            if end > total:
                self._wanted = SIZE_BYTES + size
                break
            if start == 0 and end == total:
                yield data, SIZE_BYTES  # the usual case, and the one of large answers: no copy
            else:
                yield data[start + SIZE_BYTES : end], 0
            start = end
        self._held = total - start
        if self._held:
            self._chunks = [data[start:]]

    def _keep(self, data: bytes) -> None:
        self._chunks.append(data)
        if len(self._chunks) > CHUNKS_MAX:
            self._chunks = [b"".join(self._chunks)]


def describe_greeting(seen: bytes) -> str:
    """In words, what a peer that is no broker seems to be, with the first bytes that it sent."""
    if not seen:
        return "it sent nothing"
    shown = repr(seen[:SHOWN_BYTES])[1:]
    for start, name in KNOWN_GREETINGS:
        if seen.startswith(start):
            return f"it sent {shown} ({name})"
    return f"it sent {shown}"

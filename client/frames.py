"""Response frames out of a byte stream, with a cap; and what else may have answered instead."""

from __future__ import annotations

from collections.abc import Iterator

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


class FrameSizeError(Exception):
    """The four bytes where a length must be hold none that a broker sends."""

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
        self._wanted = 4

    @property
    def held(self) -> bytes:
        """The bytes that came after the last whole frame."""
        return b"".join(self._chunks)

    def feed(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        """Frames that are whole with `data`, as (bytes, where the content starts); each ends
        with its bytes.

        Raises:
            FrameSizeError: a length that is negative or beyond the cap; the stream is lost.
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
        while total - start >= 4:
            size = int.from_bytes(data[start : start + 4], "big", signed=True)
            if not 0 <= size <= self._limit:
                raise FrameSizeError(size, self._limit, data[start : start + SHOWN_BYTES])
            end = start + 4 + size
            if end > total:
                break
            if start == 0 and end == total:
                yield data, 4
            else:
                yield data[start + 4 : end], 0
            start = end
        self._held = total - start
        self._wanted = 4
        if self._held:
            rest = data[start:]
            self._chunks = [rest]
            if self._held >= 4:
                self._wanted = 4 + int.from_bytes(rest[:4], "big")

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

"""One request over HTTP/1.1 and its answer: what keys and tokens of OAUTHBEARER are fetched by.

It goes to the place that it was given and nowhere else: an answer that points elsewhere is an
answer like others. Sizes and times are bounded, whatever the server does.

Why not `http.client` in a thread: its timeout is for each read, so that a server which sends a byte
now and then would keep the thread for ever; and a thread cannot be cancelled when whoever waits for
the answer gives up, or the node stops.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, cast
from urllib.parse import urlsplit

from barnabas.dialling import address_text, dial
from barnabas.tls import reason_of

_HEAD_BYTES_MAX: Final = 32_768
_LINE_BYTES_MAX: Final = 128
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: |\r|$)")
_TARGET: Final = re.compile(r"[\x21-\x7e]*")
_PORTS: Final = {"http": 80, "https": 443}


class HttpError(Exception):
    """No answer came, or none that is one. The text names the host, and tells no secret."""


class Place(NamedTuple):
    """Where to ask."""

    host: str
    port: int
    target: str
    has_tls: bool

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Answer(NamedTuple):
    """What came: status and body."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask; with a `body` it is a POST, else a GET."""

    place: Place
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = field(default=None, repr=False)

    def encoded(self) -> bytes:
        """As it is sent."""
        place = self.place
        lines = [
            f"{'GET' if self.body is None else 'POST'} {place.target} HTTP/1.1",
            f"Host: {address_text(place.host, place.port)}",
            "Accept: application/json",
            "Connection: close",
            *(f"{name}: {value}" for name, value in self.headers.items()),
        ]
        if self.body is not None:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join((*lines, "", "")).encode("latin-1") + (self.body or b"")


class Limits(NamedTuple):
    """How long connecting and answering may take, and how long an answer may be."""

    connect_s: float
    answer_s: float
    body_bytes_max: int


def parse_url(url: str) -> Place:
    """A URL of https, or of http on this machine alone. Raises ValueError, which says what it must
    be and does not repeat it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError("is no URL") from None
    if parts.scheme not in _PORTS or not host:
        raise ValueError("must be an https:// URL")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise ValueError("must have neither user nor password nor fragment")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not _TARGET.fullmatch(target) or not _TARGET.fullmatch(host):
        raise ValueError("has characters that no URL has")
    if parts.scheme == "http" and not _is_this_machine(host):
        raise ValueError("must be https://, for http:// is taken of this machine alone")
    return Place(host, port or _PORTS[parts.scheme], target, parts.scheme == "https")


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def ask(question: Question, limits: Limits, tls: ssl.SSLContext | None) -> Answer:
    """Connect, ask, and read the answer; `tls` is for places that have it. Raises HttpError."""
    place = question.place
    ends = _Ends(asyncio.StreamReader(limit=_HEAD_BYTES_MAX))
    try:
        async with asyncio.timeout(limits.connect_s):
            await dial(lambda: ends, place.host, place.port, tls if place.has_tls else None)
    except TimeoutError:
        raise HttpError(f"{place} took no connection within {limits.connect_s:g} s") from None
    except ssl.SSLError as error:
        raise HttpError(f"{place}: the TLS handshake failed: {reason_of(error)}") from None
    except (OSError, ValueError) as error:
        raise HttpError(f"cannot connect to {place}: {error}") from None
    assert ends.transport is not None
    try:
        async with asyncio.timeout(limits.answer_s):
            ends.transport.write(question.encoded())
            return await _read_answer(ends.reader, limits.body_bytes_max)
    except TimeoutError:
        raise HttpError(f"{place} did not answer within {limits.answer_s:g} s") from None
    except (OSError, EOFError, asyncio.LimitOverrunError, ValueError) as error:
        what = str(error) if type(error) is ValueError else "it ended too early, or is too long"
        raise HttpError(f"the answer of {place} is none of HTTP: {what}") from None
    finally:
        ends.transport.abort()


class _Ends(asyncio.StreamReaderProtocol):
    """Both directions of one connection."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        super().__init__(reader)
        self.reader = reader
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports have the methods of asyncio.Transport, but do not inherit from it.
        self.transport = cast("asyncio.Transport", transport)
        super().connection_made(transport)


async def _read_answer(reader: asyncio.StreamReader, most: int) -> Answer:
    """Raises ValueError, EOFError, LimitOverrunError, OSError."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = _STATUS.match(head)
    if status is None:
        raise ValueError("no status")
    headers: dict[bytes, bytes] = {}
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        headers[name.strip().lower()] = value.strip().lower()
    return Answer(int(status[1]), await _read_body(reader, headers, most))


async def _read_body(
    reader: asyncio.StreamReader, headers: Mapping[bytes, bytes], most: int
) -> bytes:
    coding, length = headers.get(b"transfer-encoding"), headers.get(b"content-length")
    if coding == b"chunked":
        return await _read_chunks(reader, most)
    if coding is not None or headers.get(b"content-encoding", b"identity") != b"identity":
        raise ValueError("a coding that was not asked for")
    if length is not None:
        if not length.isdigit() or len(length) > 9 or int(length) > most:
            raise ValueError(f"longer than {most} bytes")
        return await reader.readexactly(int(length))
    body = b""
    while piece := await reader.read(_HEAD_BYTES_MAX):
        body += piece
        if len(body) > most:
            raise ValueError(f"longer than {most} bytes")
    return body


async def _read_chunks(reader: asyncio.StreamReader, most: int) -> bytes:
    body = bytearray()
    while True:
        line = await reader.readuntil(b"\r\n")
        digits = line.partition(b";")[0].strip()
        if len(line) > _LINE_BYTES_MAX or not re.fullmatch(rb"[0-9a-fA-F]{1,8}", digits):
            raise ValueError("a chunk without its length")
        size = int(digits, 16)
        if not size:
            return bytes(body)
        if len(body) + size > most:
            raise ValueError(f"longer than {most} bytes")
        body += (await reader.readexactly(size + 2))[:size]

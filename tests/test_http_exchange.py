"""The small HTTP client: places it goes to, answers it takes, and its bounds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from barnabas.http_exchange import Answer, HttpError, Limits, Place, Question, ask, parse_url

LIMITS = Limits(5.0, 5.0, 100)
OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://a.example", Place("a.example", 443, "/", True)),
        ("https://a.example:8443/b/c?d=e", Place("a.example", 8443, "/b/c?d=e", True)),
        ("http://localhost/b", Place("localhost", 80, "/b", False)),
        ("http://127.0.0.2:81", Place("127.0.0.2", 81, "/", False)),
        ("https://[::1]:1/", Place("::1", 1, "/", True)),
    ],
)
def test_places(url: str, place: Place) -> None:
    """SASL-46: https anywhere, http on this machine."""
    assert parse_url(url) == place


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a.example",
        "ftp://a.example/",
        "file:///a",
        "http://a.example/",
        "http://10.0.0.1/",
        "http://localhost.example/",
        "https:///a",
        "https://a@b.example/",
        "https://a.example/#b",
        "https://a.example:99999/",
        "https://a.example/ b",
        "https://a.example/\u00e4",
        "https://[::1/",
    ],
)
def test_what_is_no_place(url: str) -> None:
    """SASL-46: other schemes, hosts elsewhere without TLS, secrets in a URL."""
    with pytest.raises(ValueError, match=r"is|must|has"):
        parse_url(url)


@asynccontextmanager
async def saying(*pieces: bytes, is_open: bool = False) -> AsyncIterator[tuple[Place, list[bytes]]]:
    """A server that reads a request, sends these pieces, and closes unless it stays open."""
    asked: list[bytes] = []
    over = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        if is_open:
            await over.wait()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield Place("127.0.0.1", server.sockets[0].getsockname()[1], "/x", False), asked
    finally:
        over.set()
        server.close()


@pytest.mark.parametrize(
    ("pieces", "body"),
    [
        ([OK + b"Content-Length: 3\r\n\r\nabc"], b"abc"),
        ([b"HTTP/1.1 ", b"200\r\n", b"content-LENGTH:3\r\n\r\na", b"bc"], b"abc"),
        ([OK + b"\r\nabc"], b"abc"),
        ([OK + b"Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\n\r\n"], b"abc"),
        ([OK + b"Content-Length: 0\r\n\r\n"], b""),
    ],
)
async def test_answers(pieces: list[bytes], body: bytes) -> None:
    """SASL-48: by a length, in chunks, or to the end."""
    async with saying(*pieces) as (place, asked):
        assert await ask(Question(place), LIMITS, None) == Answer(200, body)
        assert asked[0].startswith(b"GET /x HTTP/1.1\r\nHost: 127.0.0.1:")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"", "ended too early"),
        (b"\x15\x03\x01\x00\x02\r\n\r\n", "no status"),
        (b"HTTP/2 200\r\n\r\n", "no status"),
        (OK + b"x: " + b"y" * 40_000, "too long"),
        (OK + b"Content-Length: 101\r\n\r\n", "longer than 100"),
        (OK + b"Content-Length: -1\r\n\r\n", "longer than 100"),
        (OK + b"Content-Length: 5\r\n\r\nabc", "ended too early"),
        (OK + b"\r\n" + b"a" * 101, "longer than 100"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n", "longer than 100"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nx\r\n", "without its length"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", "ended too early"),
        (OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n", "not asked for"),
        (OK + b"Content-Encoding: gzip\r\n\r\n", "not asked for"),
    ],
)
async def test_what_is_no_answer(said: bytes, why: str) -> None:
    """SASL-48: told as such, with nothing held beyond the bounds."""
    async with saying(said) as (place, _):
        with pytest.raises(HttpError, match=why):
            await ask(Question(place), LIMITS, None)


async def test_a_server_that_does_not_go_on() -> None:
    """SASL-48: it has its time, all in all."""
    async with saying(OK, is_open=True) as (place, _):
        with pytest.raises(HttpError, match="did not answer within"):
            await ask(Question(place), Limits(5.0, 0.05, 100), None)


async def test_nobody_there() -> None:
    """SASL-48: and the place is named."""
    async with saying() as (place, _):
        pass
    with pytest.raises(HttpError, match=f"cannot connect to 127.0.0.1:{place.port}"):
        await ask(Question(place), LIMITS, None)


def test_a_body_is_not_shown() -> None:
    """SEC-04: it may be a secret."""
    question = Question(Place("a", 1, "/", True), {}, b"hidden")
    assert "hidden" not in repr(question)
    assert question.encoded().startswith(b"POST / HTTP/1.1\r\nHost: a:1\r\n")

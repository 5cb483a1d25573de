"""Goal: frames come out whole however the stream is cut, and nothing is believed (F-7, F-18)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.frames import framed

from barnabas.protocol.connection.frames import FrameReader, FrameSizeError, describe_greeting

LIMIT = 100 * 1024 * 1024


@given(st.lists(st.binary(max_size=40), max_size=8), st.data())
def test_any_cut_gives_the_same_frames(contents: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(framed(each) for each in contents)
    reader = FrameReader(LIMIT)
    found = []
    at = 0
    while at < len(stream):
        size = data.draw(st.integers(1, len(stream) - at))
        for frame, offset in reader.feed(stream[at : at + size]):
            found.append(frame[offset:])
        at += size
    assert found == contents
    assert reader.held == b""


def test_one_byte_at_a_time() -> None:
    """More pieces than are kept apart are joined on the way."""
    content = bytes(range(256)) * 40
    reader = FrameReader(LIMIT)
    found = [
        frame[offset:] for byte in framed(content) for frame, offset in reader.feed(bytes([byte]))
    ]
    assert found == [content]


@pytest.mark.parametrize(
    "start",
    [b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"HTTP", b"\x06\x40\x00\x01", b"\x80\x00\x00\x00"],
)
def test_a_length_beyond_the_cap_is_refused_at_once(start: bytes) -> None:
    reader = FrameReader(LIMIT)
    with pytest.raises(FrameSizeError):
        list(reader.feed(start))


def test_a_tls_alert_is_recognised() -> None:
    """KAFKA-4090: an alert read as a length is 352,518,912 bytes."""
    with pytest.raises(FrameSizeError) as caught:
        list(FrameReader(LIMIT).feed(b"\x15\x03\x03\x00\x02\x02\x16"))
    assert "is this a TLS port?" in str(caught.value)
    alert = (352518912).to_bytes(4, "big")
    with pytest.raises(FrameSizeError) as caught:
        list(FrameReader(LIMIT).feed(alert))
    assert str(caught.value) == "response frame of 352518912 bytes: is this a TLS port?"


def test_an_announced_length_takes_no_memory() -> None:
    reader = FrameReader(LIMIT)
    assert list(reader.feed(LIMIT.to_bytes(4, "big") + b"abc")) == []
    assert reader.held == LIMIT.to_bytes(4, "big") + b"abc"


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "an HTTP server"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "an SSH server"),
        (b"-ERR unknown command", "a Redis server"),
        (b"", "it sent nothing"),
        (b"\x00\x01zz", "it sent '\\x00\\x01zz'"),
    ],
)
def test_other_servers_are_named(seen: bytes, expected: str) -> None:
    assert expected in describe_greeting(seen)

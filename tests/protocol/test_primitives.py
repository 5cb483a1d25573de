"""Varints and uuids, by Hypothesis and at their edges."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt.strings import BytesWriter

from barnabas.protocol.errors import DecodeError
from barnabas.protocol.primitives import uuid_from_text, uuid_to_text
from barnabas.protocol.varints import (
    read_uvarint,
    read_varint,
    read_varlong,
    write_uvarint,
    write_varint,
)


def _written(value: int, *, zigzag: bool) -> bytes:
    writer = BytesWriter()
    (write_varint if zigzag else write_uvarint)(writer, value)
    return writer.getvalue()


@given(st.integers(0, 2**32 - 1))
def test_unsigned_varints(value: int) -> None:
    """Goal: seven bits a byte, the lowest first, as few bytes as it takes."""
    data = _written(value, zigzag=False)
    assert read_uvarint(b"x" + data + b"x", 1) == (value, 1 + len(data))
    assert len(data) == max(1, -(-value.bit_length() // 7))


@given(st.integers(-(2**31), 2**31 - 1))
def test_varints(value: int) -> None:
    """Goal: zigzag, so that small negative numbers are short too."""
    data = _written(value, zigzag=True)
    assert read_varint(data, 0) == (value, len(data)) == read_varlong(data, 0)


@given(st.integers(-(2**63), 2**63 - 1))
def test_varlongs(value: int) -> None:
    """Goal: the same with 64 bits."""
    data = _written(value, zigzag=True)
    assert read_varlong(data, 0) == (value, len(data))


def test_edges_of_varints() -> None:
    """Goal: the bytes of known numbers."""
    assert [_written(value, zigzag=True).hex() for value in (0, -1, 1, -64, 64)] == [
        "00",
        "01",
        "02",
        "7f",
        "8001",
    ]
    assert _written(2**31 - 1, zigzag=True).hex() == "feffffff0f"
    assert _written(-(2**63), zigzag=True).hex() == "ff" * 9 + "01"


@pytest.mark.parametrize("data", ["ff" * 10 + "01", "ff" * 9 + "03", "80" * 11])
def test_varlongs_that_are_too_long(data: str) -> None:
    """Goal: at most ten bytes, at most 64 bits."""
    with pytest.raises(DecodeError, match="more than 64 bits"):
        read_varlong(bytes.fromhex(data), 0)


@given(st.binary(min_size=16, max_size=16))
def test_uuids_as_text(value: bytes) -> None:
    """Goal: 22 letters of url-safe base64, and back."""
    text = uuid_to_text(value)
    assert text == base64.urlsafe_b64encode(value).decode().rstrip("=")
    assert uuid_from_text(text) == value


@pytest.mark.parametrize("text", ["", "A" * 21, "A" * 23, "A" * 21 + "+", "A" * 21 + "=", "é" * 22])
def test_texts_that_are_no_uuid(text: str) -> None:
    """Goal: the error shows the text."""
    with pytest.raises(ValueError, match="is not a uuid"):
        uuid_from_text(text)

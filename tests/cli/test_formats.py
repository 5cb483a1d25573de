"""Format strings of `barnabas consume -f`."""

from __future__ import annotations

from typing import NamedTuple

import click
import pytest

from barnabas.cli.formats import compile_format, record_to_json


class FakeRecord(NamedTuple):
    topic: str = "t"
    partition: int = 3
    offset: int = 42
    timestamp: int = 1_700_000_000_000
    key: bytes | None = b"k"
    value: bytes | None = b"v"
    headers: tuple[tuple[str, bytes | None], ...] = (("a", b"1"), ("b", None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"%k %v %h %o %T\n", b"k v a=1,b= 42 1700000000000\n"),
        ("%t[%p]@%o:%s", b"t[3]@42:v"),
        (r"%K/%S%%\t\x41\\", b"1/1%\tA\\"),
        ("plain", b"plain"),
    ],
)
def test_pieces(text: str, expected: bytes) -> None:
    """Goal: each letter and escape gives what kcat's users expect."""
    assert compile_format(text)(FakeRecord()) == expected


def test_absent_key_and_value() -> None:
    """Goal: null prints as nothing and has size -1."""
    assert compile_format("[%k][%v]%K,%S")(FakeRecord(key=None, value=None)) == b"[][]-1,-1"


@pytest.mark.parametrize(("text", "named"), [("%q", "%q"), (r"\q", r"\q")])
def test_unknown_letters_are_named(text: str, named: str) -> None:
    """Goal: the error names the letter and lists what there is."""
    with pytest.raises(click.BadParameter) as error:
        compile_format(text)
    assert named in error.value.message


def test_json_of_bytes_that_are_no_text() -> None:
    """Goal: no byte is lost in JSON output."""
    assert record_to_json(FakeRecord(value=b"\xff"))["value"] == {"base64": "/w=="}

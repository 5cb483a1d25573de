"""Bytes that Apache Kafka's own classes wrote: they decode to its JSON and encode back."""

from __future__ import annotations

import random

import pytest

from barnabas.protocol.apis import message_class
from barnabas.protocol.errors import DecodeError, EncodeError
from barnabas.protocol.message import Message
from barnabas.protocol.vectors import check_file

from .golden_files import NAMES, golden_file, vectors

TRUNCATED_BYTES_MAX = 500
MUTATIONS_PER_VECTOR = 20


@pytest.mark.parametrize("name", NAMES)
def test_vectors_hold(name: str) -> None:
    """Goal: every vector of a message that we have, in every version, in both directions."""
    result = check_file(golden_file(name))
    assert result.failures == []
    assert result.passed == len(vectors(name)) > 0


@pytest.mark.parametrize("name", NAMES)
def test_every_version_has_vectors(name: str) -> None:
    """Goal: no version of a schema goes untested."""
    message = message_class(name)
    assert {vector["version"] for vector in vectors(name)} == set(
        range(message.MIN_VERSION, message.MAX_VERSION + 1)
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_cut_body_is_a_decode_error(name: str) -> None:
    """ENV-06: a body that is cut at any byte is refused, and by no other exception."""
    message = message_class(name)
    for vector in vectors(name):
        body = bytes.fromhex(vector["hex"])
        if len(body) > TRUNCATED_BYTES_MAX:
            continue
        for size in range(len(body)):
            with pytest.raises(DecodeError):
                message.decode(body[:size], vector["version"])


@pytest.mark.parametrize("name", NAMES)
def test_trailing_bytes_are_a_decode_error(name: str) -> None:
    """ENV-06: nothing may stand behind a body."""
    message = message_class(name)
    for vector in vectors(name):
        with pytest.raises(DecodeError, match="1 bytes too many"):
            message.decode(bytes.fromhex(vector["hex"]) + b"\0", vector["version"])


@pytest.mark.parametrize("name", NAMES)
def test_mutated_bodies_decode_or_are_decode_errors(name: str) -> None:
    """Goal: garbage is refused cleanly; what is taken can be written again, and stays the same."""
    message = message_class(name)
    chance = random.Random(name)
    for vector in vectors(name):
        body = bytes.fromhex(vector["hex"])
        for _ in range(MUTATIONS_PER_VECTOR):
            _decode_or_refuse(message, _mutated(body, chance), vector["version"])


def _decode_or_refuse(message: type[Message], body: bytes, version: int) -> None:
    try:
        decoded = message.decode(body, version)
    except DecodeError:
        return
    try:
        encoded = decoded.encode(version)
    except EncodeError as error:
        raise AssertionError(f"{body.hex()} decodes, but then: {error}") from error
    assert message.decode(encoded, version).encode(version) == encoded


def _mutated(body: bytes, chance: random.Random) -> bytes:
    """One to three flips, overwrites, cuts, repeats or insertions."""
    data = bytearray(body)
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(data))
        kind = chance.randrange(5)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at : at + 4] = chance.choice([b"\xff" * 4, b"\x7f" + b"\xff" * 3, b"\0" * 4])
        elif kind == 2:
            del data[at : at + chance.randint(1, 8)]
        elif kind == 3:
            data[at:at] = data[at : at + chance.randint(1, 16)]
        else:
            data[at:at] = chance.randbytes(chance.randint(1, 8))
    return bytes(data)

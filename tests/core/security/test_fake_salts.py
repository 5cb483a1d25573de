"""What is told to somebody who is not there looks like what is told to others."""

from __future__ import annotations

import base64

import pytest

from barnabas.broker.core.security.mechanisms import ScramCredential, ScramServer
from barnabas.protocol.sasl.scram import BY_NAME

SHA256 = BY_NAME["SCRAM-SHA-256"]


@pytest.mark.parametrize("size", [1, 16, 64, 65, 1000])
@pytest.mark.parametrize("letter", [b"\xff", b"a"], ids=["bytes", "letters"])
def test_salts_of_any_length(size: int, letter: bytes) -> None:
    """SASL-31, ATK-19: who chose long salts for the users told of each name whether it is one."""
    known = ScramCredential(letter * size, bytes(32), bytes(32), 4096)

    def salt_of(name: str) -> bytes:
        one = ScramServer(
            SHA256,
            lambda who, _: known if who == "alice" else None,
            b"key",
            "server",
            lambda _: known,
        )
        told = one.step(f"n,,n={name},r=client".encode())
        return base64.b64decode(told.split(b",s=")[1].split(b",")[0])

    assert salt_of("alice") == known.salt
    assert len(salt_of("nobody")) == size
    assert salt_of("nobody") == salt_of("nobody")
    if size > 1:
        assert salt_of("nobody") != salt_of("nobody else")
        assert salt_of("nobody")[-64:] != salt_of("nobody else")[-64:]
    assert salt_of("nobody").isalnum() or letter != b"a"

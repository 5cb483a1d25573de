"""Keys of a JWKS: which are of use, and whether one of them signed a token."""

from __future__ import annotations

import base64
import hmac
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from kit.tokens import claims, jwks, key, public, signed

from barnabas.broker.core.security.bearer_tokens import TokenRejectedError
from barnabas.broker.server.security.token_keys import (
    JwksError,
    UnknownKeyError,
    parse_jwks,
)

CLAIMS = claims(1_000_000)
RSA = public("r", "RSA")
EC = public("a")


def encoded(content: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


@pytest.mark.parametrize(
    ("name", "kind", "alg"),
    [
        ("a", "EC", "ES256"),
        ("r", "RSA", "RS256"),
        ("r", "RSA", "PS512"),
        ("d", "Ed25519", "EdDSA"),
    ],
)
@pytest.mark.parametrize("headers", [None, {}], ids=["kid", "no kid"])
def test_a_key_that_signed(name: str, kind: str, alg: str, headers: dict[str, Any] | None) -> None:
    """SASL-43, SASL-45: by its id, or by its kind if the token names none."""
    keys = parse_jwks(jwks(public("other"), RSA, public("d", "Ed25519"), EC))
    assert keys.claims_of(signed(CLAIMS, name, kind, alg, headers)) == CLAIMS


def unsigned(header: dict[str, Any], signature: str = "") -> str:
    return f"{encoded(header)}.{encoded(CLAIMS)}.{signature}"


def by_hmac(secret: bytes, **header: Any) -> str:
    """HS256, with something public as the secret."""
    text = f"{encoded({'alg': 'HS256', **header})}.{encoded(CLAIMS)}"
    made = hmac.digest(secret, text.encode(), "sha256")
    return f"{text}.{base64.urlsafe_b64encode(made).rstrip(b'=').decode()}"


PEM = key("r", "RSA").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
GOOD = signed(CLAIMS)


@pytest.mark.parametrize(
    "token",
    [
        unsigned({"alg": "none"}),
        unsigned({"alg": "none", "kid": "a"}),
        unsigned({"alg": "None", "kid": "r"}),
        unsigned({"alg": "ES256", "kid": "a"}),
        unsigned({"kid": "a"}),
        unsigned({"alg": 7, "kid": "a"}),
        unsigned({"alg": "ES256", "kid": ["a"]}),
        by_hmac(PEM, kid="r"),
        by_hmac(PEM),
        by_hmac(RSA["n"].encode(), kid="r"),
        signed(CLAIMS, "other", headers={"kid": "a"}),
        signed(CLAIMS, "r", "RSA", "RS256", {"kid": "a"}),
        signed(CLAIMS, "a", headers={"kid": "r"}),
        GOOD[:-4] + "AAAA",
        GOOD.rpartition(".")[0] + ".",
        ".".join((GOOD.split(".")[0], encoded({**CLAIMS, "sub": "admin"}), GOOD.split(".")[2])),
        signed(CLAIMS, headers={"kid": "a", "crit": ["exp"]}),
        signed(CLAIMS, headers={"kid": "a", "jwk": public("other"), "jku": "https://else/where"})[
            :-9
        ],
    ],
)
def test_what_no_key_signed(token: str) -> None:
    """SASL-43, ATK-27: none, HMAC with what is public, another key, a token that was changed."""
    with pytest.raises(TokenRejectedError):
        parse_jwks(jwks(RSA, EC)).claims_of(token)


def test_a_key_that_a_token_brings_is_not_looked_at() -> None:
    """ATK-27: nor a place where it says that its key is."""
    own = {"jwk": public("other"), "jku": "https://else.where/keys", "x5c": ["AAAA"]}
    with pytest.raises(TokenRejectedError, match="no key of the JWKS signed it"):
        parse_jwks(jwks(EC)).claims_of(signed(CLAIMS, "other", headers={"kid": "a", **own}))


def test_an_unknown_key_is_told() -> None:
    """SASL-45: for it may be a new one."""
    with pytest.raises(UnknownKeyError) as caught:
        parse_jwks(jwks(EC)).claims_of(signed(CLAIMS, "b"))
    assert caught.value.kid == "b"


@pytest.mark.parametrize(
    "other",
    [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "s"},
        public("b", use="enc"),
        public("b", key_ops=["sign"]),
        public("b", key_ops=7),
        public("b", alg="RS256"),
        public("b", crv="P-1"),
        public("b", x="AA"),
        {**RSA, "n": "A" * 2000},
        {**RSA, "n": RSA["n"][:100]},
        {**RSA, "e": "A" * 100},
        {**RSA, "n": 7},
        {"kty": "RSA"},
        {},
        7,
    ],
)
def test_keys_of_no_use_are_left_out(other: Any) -> None:
    """SASL-43, SASL-48: secrets, keys for something else, too small, too large, broken."""
    assert len(parse_jwks(jwks(EC, other))) == 1
    with pytest.raises(JwksError, match="has no key"):
        parse_jwks(jwks(other))


def test_a_private_key_is_read_as_a_public_one() -> None:
    """SASL-43: who publishes too much is checked with what should have been published."""
    numbers = key("a").private_numbers().private_value.to_bytes(32, "big")
    private = {**EC, "d": base64.urlsafe_b64encode(numbers).decode().rstrip("=")}
    assert parse_jwks(jwks(private)).claims_of(GOOD) == CLAIMS


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b'{"keys":7}', b"[" * 100_000, b"\xff", jwks(*[EC] * 201)],
)
def test_what_is_no_jwks(text: bytes) -> None:
    """SASL-45, SASL-48: refused as a whole."""
    with pytest.raises(JwksError):
        parse_jwks(text)

"""The client's side of logins, JAAS texts, and what a lying server gets."""

from __future__ import annotations

import base64

import pytest
from kit.logins import token_of

from barnabas.protocol.sasl.client import new_client
from barnabas.protocol.sasl.errors import SaslError
from barnabas.protocol.sasl.jaas import JaasError, parse_jaas
from barnabas.protocol.sasl.scram import ScramClient

MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"


def test_the_example_of_rfc_7677() -> None:
    """SASL-22..25: the exchange that the RFC prints, byte by byte."""
    client = ScramClient("SCRAM-SHA-256", "user", "pencil", "rOprNGfwEbeRWgbNEkqO")
    assert client.first() == b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
    nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
    final = token_of(client.next(f"r={nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096".encode()))
    assert final == f"c=biws,r={nonce},p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=".encode()
    assert client.next(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=") is None


@pytest.mark.parametrize(
    ("first", "what"),
    [
        ("r=clientx,s=c2FsdA==,i=1", "1 iterations"),
        ("r=clientx,s=c2FsdA==,i=100000000", "100000000 iterations"),
        ("r=clientx,s=c2FsdA==,i=1000000000", "none of SCRAM"),
        ("r=other,s=c2FsdA==,i=4096", "another nonce"),
        ("r=client,s=c2FsdA==,i=4096", "another nonce"),
        ("e=other-error", "none of SCRAM"),
        ("", "none of SCRAM"),
    ],
)
def test_a_server_that_asks_for_what_is_not_done(first: str, what: str) -> None:
    """SASL-23, ATK-22: too few iterations give the password away, too many stand still."""
    with pytest.raises(SaslError, match=what):
        ScramClient("SCRAM-SHA-256", "a", "b", "client").next(first.encode())


@pytest.mark.parametrize("last", [b"v=AAAA", b"e=unknown-user", b"", b"v=", b"x=1"])
def test_a_server_that_does_not_prove_itself(last: bytes) -> None:
    """SASL-24, ATK-23: the client does not go on."""
    client = ScramClient("SCRAM-SHA-512", "a", "b", "client")
    salt = base64.b64encode(b"salt").decode()
    token_of(client.next(f"r=clientx,s={salt},i=4096".encode()))
    with pytest.raises(SaslError):
        client.next(last)


def test_names_are_escaped() -> None:
    """SASL-22: a comma and an equals sign."""
    assert ScramClient("SCRAM-SHA-256", "a,=b", "b", "n").first() == b"n,,n=a=2C=3Db,r=n"


def test_plain_has_no_null_inside() -> None:
    """SASL-20: or a name could carry a password of its own."""
    assert new_client("PLAIN", "a", "b", "").first() == b"\0a\0b"
    with pytest.raises(SaslError):
        new_client("PLAIN", "a\0b", "c", "")
    with pytest.raises(SaslError, match="GSSAPI is none of PLAIN"):
        new_client("GSSAPI", "a", "b", "")


def test_a_jaas_text_as_kafka_writes_it() -> None:
    """SASL-21: users, quotes of both kinds, escapes, and line breaks."""
    text = f'{MODULE} required\n username="ad\\"min" password=\'s;e=c\' user_alice="a b" x=y ;'
    entry = parse_jaas(text)
    assert entry.module == MODULE
    assert entry.options["username"] == 'ad"min'
    assert entry.options["password"] == "s;e=c"
    assert entry.users == {"alice": "a b"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        f'{MODULE} required username="hidden"',
        f'{MODULE} needed username="hidden";',
        f'{MODULE} required username="hidden;',
        f"{MODULE} required username;",
        f"{MODULE} required a=b; {MODULE} required c=hidden;",
    ],
)
def test_what_is_no_jaas_text(text: str) -> None:
    """SEC-04: the error does not repeat it."""
    with pytest.raises(JaasError) as caught:
        parse_jaas(text)
    assert "hidden" not in str(caught.value)

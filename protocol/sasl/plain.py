"""PLAIN (RFC 4616): a name and a password in one token, as they are."""

from __future__ import annotations

from typing import Final, NamedTuple

from .errors import SaslError

NAME: Final = "PLAIN"
_PARTS: Final = 3
_NUL: Final = "\0"


class PlainToken(NamedTuple):
    """What a client says."""

    authzid: str
    name: str
    password: str


def parse_token(token: bytes) -> PlainToken:
    """Raises SaslError, whose text the client is told (SASL-20)."""
    try:
        text = token.decode("utf-8")
    except UnicodeDecodeError:
        raise SaslError("Invalid SASL/PLAIN response: not UTF-8") from None
    parts = text.split(_NUL, _PARTS)
    if len(parts) != _PARTS:
        raise SaslError(f"Invalid SASL/PLAIN response: expected {_PARTS} tokens, got {len(parts)}")
    found = PlainToken(*parts)
    if not found.name:
        raise SaslError("Authentication failed: username not specified")
    if not found.password:
        raise SaslError("Authentication failed: password not specified")
    return found


class PlainClient:
    """The client's side: one token, and nothing to check."""

    mechanism = NAME

    def __init__(self, name: str, password: str) -> None:
        if _NUL in name or _NUL in password:
            raise SaslError("neither name nor password may contain a null character")
        self._token = f"{_NUL}{name}{_NUL}{password}".encode()

    def first(self) -> bytes:
        """What to send first."""
        return self._token

    def next(self, challenge: bytes) -> bytes | None:
        """What to send next; None: nothing more. Raises SaslError."""
        del challenge  # PLAIN's server has nothing to say
        return None

"""OAUTHBEARER (RFC 7628, KIP-255): a token in one message, and a server that says yes or why not.

Who is told why not answers with a single byte 1, so that the server can end the login by its rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from .errors import SaslError
from .scram import escaped_name, unescaped_name

NAME: Final = "OAUTHBEARER"
SEPARATOR: Final = "\x01"
CONFIRMATION: Final = SEPARATOR.encode()
"""What a client sends after it was told that its token is not taken."""

INVALID_TOKEN: Final = '{"status":"invalid_token"}'
"""What a server tells of a token that it does not take; nobody learns why (SASL-41)."""

_HEADER: Final = re.compile(r"n,(?:a=((?:[\x01-\x2b\x2d-\x3c\x3e-\x7f]|=2C|=3D)+))?,")
_KEY: Final = re.compile(r"[A-Za-z]+")
_VALUE: Final = re.compile(r"[\x21-\x7e \t\r\n]+")
_BEARER: Final = re.compile(r"([A-Za-z]+) +([-_~+/.A-Za-z0-9]+=*)")
_TOKEN: Final = re.compile(r"[-_~+/.A-Za-z0-9]+=*")
_AUTH: Final = "auth"


class ClientInitial(NamedTuple):
    """`n,[a=…],^Aauth=Bearer token[^Akey=value]*^A^A` (SASL-40)."""

    authzid: str
    token: str
    extensions: Mapping[str, str]


def parse_client_initial(message: bytes) -> ClientInitial:
    """Raises SaslError, which repeats nothing of the message."""
    try:
        text = message.decode("utf-8")
    except UnicodeDecodeError:
        raise SaslError("a message of OAUTHBEARER that is not UTF-8") from None
    header = _HEADER.match(text)
    end = 2 * SEPARATOR
    if header is None or not text.startswith(SEPARATOR, header.end()) or not text.endswith(end):
        raise SaslError("no first message of OAUTHBEARER")
    found: dict[str, str] = {}
    for pair in text[header.end() + 1 : -2].split(SEPARATOR):
        key, equals, value = pair.partition("=")
        if not (equals and _KEY.fullmatch(key) and _VALUE.fullmatch(value)):
            raise SaslError("a part of OAUTHBEARER's first message is not key=value")
        if key == _AUTH and key in found:
            raise SaslError("OAUTHBEARER's first message has auth twice")
        found[key] = value
    bearer = _BEARER.fullmatch(found.pop(_AUTH, ""))
    if bearer is None or bearer[1].lower() != "bearer":
        raise SaslError("OAUTHBEARER's first message has no auth=Bearer and a token")
    return ClientInitial(unescaped_name(header[1] or ""), bearer[2], found)


def client_initial(token: str, extensions: Mapping[str, str], authzid: str = "") -> bytes:
    """The first message. Raises SaslError for what cannot stand in one; it repeats no token."""
    if not _TOKEN.fullmatch(token):
        raise SaslError("the token has characters that no bearer token has, or none at all")
    pairs = {_AUTH: f"Bearer {token}"}
    for key, value in extensions.items():
        if not _KEY.fullmatch(key) or key.lower() == _AUTH or not _VALUE.fullmatch(value):
            raise SaslError(f"the extension {key!r} of OAUTHBEARER cannot be sent")
        pairs[key] = value
    shown = "".join(f"{key}={value}{SEPARATOR}" for key, value in pairs.items())
    of_whom = f"a={escaped_name(authzid)}" if authzid else ""
    return f"n,{of_whom},{SEPARATOR}{shown}{SEPARATOR}".encode()


class OauthBearerClient:
    """The client's side of one login, with a token that is at hand."""

    mechanism = NAME

    def __init__(self, token: str, extensions: Mapping[str, str]) -> None:
        """Raises SaslError for a token or an extension that cannot be sent."""
        self._message = client_initial(token, extensions)

    def first(self) -> bytes:
        """What to send first."""
        return self._message

    def next(self, challenge: bytes) -> bytes | None:
        """What to send next; None: the token was taken.

        A challenge says that it was not; the server ends the login after the confirmation.
        """
        return CONFIRMATION if challenge else None

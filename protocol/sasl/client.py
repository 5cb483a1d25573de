"""A client's login, by whichever mechanism: tokens out, challenges in."""

from __future__ import annotations

from typing import Protocol

from . import oauthbearer, plain, scram
from .errors import SaslError
from .plain import PlainClient
from .scram import ScramClient
from .slow import Slow

BY_PASSWORD = (plain.NAME, *scram.BY_NAME)
"""What `new_client` can do."""

MECHANISMS = (*BY_PASSWORD, oauthbearer.NAME)
"""All that clients can do."""


class SaslClient(Protocol):
    """One login over one connection."""

    mechanism: str

    def first(self) -> bytes:
        """What to send first."""
        ...

    def next(self, challenge: bytes) -> bytes | Slow | None:
        """What to send next; None: nothing more. Raises SaslError, as `Slow.run` may."""
        ...


def new_client(mechanism: str, name: str, password: str, nonce: str) -> SaslClient:
    """A login by name and password; `nonce` is random and printable, without a comma.

    Raises SaslError.
    """
    if mechanism == plain.NAME:
        return PlainClient(name, password)
    if mechanism in scram.BY_NAME:
        return ScramClient(mechanism, name, password, nonce)
    raise SaslError(f"{mechanism} is none of {', '.join(BY_PASSWORD)}")

"""SCRAM credentials of users, as the admin takes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from barnabas.protocol.sasl.scram import ITERATIONS_MIN

DEFAULT_MECHANISM: Final = "SCRAM-SHA-512"


@dataclass(frozen=True, slots=True)
class ScramUpsertion:
    """A password that a user shall have for one mechanism, SCRAM-SHA-256 or SCRAM-SHA-512.

    It is salted and hashed `iterations` times (4096 to 16384) before it leaves this program.
    """

    user: str
    password: str = field(repr=False)
    mechanism: str = DEFAULT_MECHANISM
    iterations: int = ITERATIONS_MIN


@dataclass(frozen=True, slots=True)
class ScramDeletion:
    """A user who shall not log in by this mechanism any more."""

    user: str
    mechanism: str = DEFAULT_MECHANISM


ScramAlteration = ScramUpsertion | ScramDeletion

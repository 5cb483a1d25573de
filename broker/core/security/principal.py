"""Whom a connection belongs to, once its listener knows that."""

from __future__ import annotations

from typing import Final, NamedTuple

USER: Final = "User"
"""The type of all principals that come by a connection."""


class Principal(NamedTuple):
    """Kafka's `KafkaPrincipal`: a type and a name, both compared letter by letter."""

    kind: str
    name: str

    def __str__(self) -> str:
        """As Kafka writes it in settings and ACLs: `User:alice`."""
        return f"{self.kind}:{self.name}"


ANONYMOUS: Final = Principal(USER, "ANONYMOUS")
"""Everybody on PLAINTEXT, and on SSL who shows no certificate (TLS-12)."""

THIS_NODE: Final = Principal("Node", "this")
"""The node itself, where it asks its own controller without a connection; no peer has this type."""

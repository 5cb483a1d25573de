"""Whom quotas are for, as the admin takes and gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

ANY_NAME: Final = "*any*"
"""In a filter: entities with this type, whatever their name; this very object is meant."""


class QuotaEntity(NamedTuple):
    """A user, a client id, both together, or an IP address; the name None is the default's."""

    parts: tuple[tuple[str, str | None], ...]

    @classmethod
    def of(cls, parts: Mapping[str, str | None]) -> QuotaEntity:
        """From types (`user`, `client-id`, `ip`) and names, in any order."""
        return cls(tuple(sorted(parts.items(), key=lambda part: part[0])))

    def __str__(self) -> str:
        return ", ".join(
            f"default {kind}" if name is None else f"{kind} {name}" for kind, name in self.parts
        )

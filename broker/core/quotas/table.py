"""Which quota holds for whom: precedence of the entities, and what is counted together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from .entities import (
    CLIENT_ID,
    CONNECTION_CREATION_RATE,
    IP,
    USER,
    QuotaEntity,
    canonical_address,
)

_DEFAULT: Final = None
_NONE: Final = object()
"""Stands for a type that an entity does not have; None is a name, that of the default."""

_Place = tuple[object, object]
"""User and client id, each a name, the default, or none."""


class Limit(NamedTuple):
    """The quota that holds for somebody, and whose counter it is for (QTA-03)."""

    value: float
    user: str | None  # None: counted over all users
    client_id: str | None  # None: counted over all client ids


class QuotaTable:
    """The quotas of one image."""

    __slots__ = ("_addresses", "_limits")

    def __init__(self, quotas: Iterable[tuple[QuotaEntity, str, float]] = ()) -> None:
        """Entity, key and value of each quota; what makes no sense is left out."""
        self._limits: dict[str, dict[_Place, float]] = {}
        self._addresses: dict[str | None, float] = {}
        for entity, key, value in quotas:
            parts = dict(entity)
            if not value > 0:
                continue  # NaN, which Kafka stores (D8), limits nothing
            if IP in parts:
                if key == CONNECTION_CREATION_RATE:
                    self._set_address(parts[IP], value)
            else:
                place = (parts.get(USER, _NONE), parts.get(CLIENT_ID, _NONE))
                self._limits.setdefault(key, {})[place] = value

    def _set_address(self, name: str | None, value: float) -> None:
        known = None if name is None else canonical_address(name)
        if name is None or known is not None:
            self._addresses[known] = value

    def has(self, key: str) -> bool:
        """Whether anybody has a quota of this kind (QTA-17)."""
        return bool(self._addresses) if key == CONNECTION_CREATION_RATE else key in self._limits

    def limit(self, key: str, user: str, client_id: str) -> Limit | None:
        """The first of the eight entities that has the key (QTA-02); None for no limit."""
        limits = self._limits.get(key)
        if limits is None:
            return None
        for place in (
            (user, client_id),
            (user, _DEFAULT),
            (user, _NONE),
            (_DEFAULT, client_id),
            (_DEFAULT, _DEFAULT),
            (_DEFAULT, _NONE),
            (_NONE, client_id),
            (_NONE, _DEFAULT),
        ):
            value = limits.get(place)
            if value is not None:
                return Limit(
                    value,
                    None if place[0] is _NONE else user,
                    None if place[1] is _NONE else client_id,
                )
        return None

    def address_limit(self, address: str) -> float | None:
        """New connections a second of this IP address; None for no limit."""
        return self._addresses.get(address, self._addresses.get(None))

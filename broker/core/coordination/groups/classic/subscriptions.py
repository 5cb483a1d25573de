"""Which topics the members of a group read, as far as its protocol says so (GRP-25)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from barnabas.protocol.errors import DecodeError

from ..embedded_protocol import read_topics

CONSUMER: Final = "consumer"
"""The only protocol type whose metadata is looked into."""


class Subscriptions:
    """The metadata of one generation's members; it is looked into when somebody asks."""

    __slots__ = ("_metadata", "_topics")

    def __init__(self, metadata: Iterable[bytes]) -> None:
        self._metadata: frozenset[bytes] | None = frozenset(metadata)
        self._topics: frozenset[str] | None = None

    @property
    def topics(self) -> frozenset[str] | None:
        """All topics that a member reads; None if one of them did not say it readably."""
        if self._metadata is not None:
            self._topics = _topics_of(self._metadata)
            self._metadata = None
        return self._topics


def _topics_of(subscriptions: Iterable[bytes]) -> frozenset[str] | None:
    topics: set[str] = set()
    for data in subscriptions:
        try:
            topics.update(read_topics(data))
        except DecodeError:
            return None
    return frozenset(topics)

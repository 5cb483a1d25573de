"""Which topics the members of a group read, as far as its protocol says so (GRP-25)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from barnabas.protocol.errors import DecodeError
from barnabas.protocol.messages.consumer_protocol_subscription import ConsumerProtocolSubscription

CONSUMER: Final = "consumer"
"""The only protocol type whose metadata is looked into."""

_VERSION_BYTES: Final = 2
"""Before the subscription, its version: every version begins with what version 0 has."""


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
        if len(data) < _VERSION_BYTES or data[0] & 0x80:
            return None  # no version, or one below zero
        try:
            read, _ = ConsumerProtocolSubscription.decode_at(data, _VERSION_BYTES, 0)
        except DecodeError:
            return None
        topics.update(read.topics)
    return frozenset(topics)

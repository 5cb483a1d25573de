"""Brokers that died a moment ago: fenced, without a goodbye, and clients are still told of them.

In Kafka a broker that dies stays in Metadata until its session is over (9 s), and clients rely on
it more than they say: librdkafka since 2.10 takes a broker that Metadata leaves out for one that
was removed for good. It fails what it was asking there, and its transactional producer may wait for
ever for a group coordinator that it knew under that id (librdkafka #5511). Here such a broker is
fenced after a few hundred milliseconds, and its partitions are led by others at once; so its name
and address stay for as long as they would in Kafka. A client that tries them is refused, and asks
again who leads; a broker that is back within that time was never missing.

A broker that stops in good order is left out at once, as in Kafka. One that has started answers
before it is let in, which Kafka's does not: it names itself.
"""

from __future__ import annotations

from ..ports import Clock
from .broker_image import BrokerImage
from .changes import Changes
from .image import ClusterImage


class LostBrokers:
    """Listens to the metadata; times are milliseconds of the monotonic clock."""

    __slots__ = ("_active", "_clock", "_listing_ms", "_lost_ms", "_node_id")

    def __init__(self, node_id: int, clock: Clock, listing_ms: int) -> None:
        """`node_id` is this broker, which is alive whatever the metadata says.

        `listing_ms` is `lost.broker.listing.ms`; with 0 no other fenced broker is ever listed.
        """
        self._node_id = node_id
        self._clock = clock
        self._listing_ms = listing_ms
        self._active: set[int] = set()
        """The brokers that were neither fenced nor shutting down at the last look."""
        self._lost_ms: dict[int, float] = {}

    def begin(self, image: ClusterImage) -> None:
        """Brokers that are fenced in this first image were lost at an unknown time and are not
        listed."""
        self._active = {number for number, one in image.brokers.items() if one.is_active}

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """To be called with each change of the metadata."""
        for broker_id in changes.brokers:
            self._look_at(broker_id, image.brokers.get(broker_id))

    def _look_at(self, broker_id: int, broker: BrokerImage | None) -> None:
        was_active = broker_id in self._active
        self._active.discard(broker_id)
        if broker is None or not broker.fenced:
            self._lost_ms.pop(broker_id, None)
            if broker is not None and broker.is_active:
                self._active.add(broker_id)
        elif was_active and not broker.in_controlled_shutdown:
            self._lost_ms[broker_id] = self._clock.monotonic_ms()

    def is_listed(self, broker: BrokerImage) -> bool:
        """Whether clients are told the address of this broker."""
        if not broker.fenced:
            return True
        if broker.broker_id == self._node_id and not broker.in_controlled_shutdown:
            return True
        # The image may have changed before its listeners are called.
        self._look_at(broker.broker_id, broker)
        lost_ms = self._lost_ms.get(broker.broker_id)
        return lost_ms is not None and self._clock.monotonic_ms() < lost_ms + self._listing_ms

"""I-17: whoever decides, or answers, looks at one version of the metadata and no other."""

from __future__ import annotations

import math
from typing import Any, Final

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.protocol.errors import ErrorCode
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

LISTING_S: Final = BrokerConfig().lost_broker_listing_ms / 1000.0
LATE_S: Final = 0.5
"""A node may hear of a change in its metadata so long after it was applied."""

SLOW_CLOCK: Final = 1.06
"""A node's clock may go so much slower than the simulation's (`clock_rate_spread`), and some."""


class Decisions:
    """Listens to the active controller's decisions, and to answers about the cluster."""

    def __init__(self, bus: HookBus) -> None:
        self._ends_s: dict[tuple[str, int], dict[int, float]] = {}
        """By node and incarnation: until when it may name each broker that was at work."""
        bus.listen("decided", self._on_decided)
        bus.listen("metadata-applied", self._on_applied)
        bus.listen("metadata-told", self._on_told)

    def _on_decided(self, event: Event) -> None:
        """All that lies before a decision in the log was in the image that it was made on."""
        base, seen = event.fields["base_offset"], event.fields["seen_offset"]
        if seen != base - 1:
            raise InvariantError(
                "I-17", f"{event.node} decides offset {base} on an image that ends at {seen}"
            )

    def _on_applied(self, event: Event) -> None:
        ends_s = self._ends_s.setdefault((event.node, event.incarnation), {})
        for number, known in event.fields["image"].brokers.items():
            if not known.fenced and not known.in_controlled_shutdown:
                ends_s[number] = math.inf
            elif known.in_controlled_shutdown:
                ends_s.pop(number, None)
            elif ends_s.get(number) == math.inf:
                ends_s[number] = event.at_s + LISTING_S * SLOW_CLOCK + LATE_S

    def _on_told(self, event: Event) -> None:
        """Brokers and partitions of an answer are those of one image; those that died a moment ago
        are named too (decision 9), and whoever answers."""
        image, response = event.fields["image"], event.fields["response"]
        ends_s = self._ends_s.get((event.node, event.incarnation), {})
        told = {broker.node_id for broker in response.brokers}
        live = {number for number, known in image.brokers.items() if not known.fenced}
        for number in told - live:
            is_lost = event.at_s <= ends_s.get(number, -1.0)
            if number not in image.brokers or not (is_lost or event.node == f"node-{number}"):
                raise torn(event, f"broker {number} is there", image)
        if live - told:
            raise torn(event, f"brokers {sorted(live - told)} are gone", image)
        for topic in response.topics:
            if topic.error_code:
                continue
            found = image.topics_by_id.get(topic.topic_id)
            if found is None:
                raise torn(event, f"topic {topic.name} is there", image)
            for row in topic.partitions:
                _check_row(event, image, found, row)


def _check_row(event: Event, image: Any, topic: Any, row: Any) -> None:
    known = topic.partitions.get(row.partition_index)
    where = f"{topic.name}-{row.partition_index}"
    if known is None:
        raise torn(event, f"{where} is there", image)
    told = (row.leader_epoch, tuple(row.isr_nodes), tuple(row.replica_nodes))
    if told != (known.leader_epoch, tuple(known.isr), tuple(known.replicas)):
        raise torn(event, f"{where} has (epoch, ISR, replicas) {told}", image)
    if row.error_code == ErrorCode.NONE and row.leader_id != known.leader:
        raise torn(event, f"{where} is led by {row.leader_id}", image)


def torn(event: Event, what: str, image: Any) -> InvariantError:
    """What one part of an answer says, against the image that the rest is of."""
    return InvariantError(
        "I-17", f"{event.node} says that {what}; not so in its image at {image.last_offset}"
    )

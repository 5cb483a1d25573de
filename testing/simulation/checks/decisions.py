"""I-17: whoever decides, or answers, looks at one version of the metadata and no other."""

from __future__ import annotations

from typing import Any

from barnabas.protocol.errors import ErrorCode
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError


class Decisions:
    """Listens to the active controller's decisions, and to answers about the cluster."""

    def __init__(self, bus: HookBus) -> None:
        bus.listen("decided", self._on_decided)
        bus.listen("metadata-told", self._on_told)

    def _on_decided(self, event: Event) -> None:
        """All that lies before a decision in the log was in the image that it was made on."""
        base, seen = event.fields["base_offset"], event.fields["seen_offset"]
        if seen != base - 1:
            raise InvariantError(
                "I-17", f"{event.node} decides offset {base} on an image that ends at {seen}"
            )

    def _on_told(self, event: Event) -> None:
        """Brokers and partitions of an answer are those of one image."""
        image, response = event.fields["image"], event.fields["response"]
        for broker in response.brokers:
            known = image.brokers.get(broker.node_id)
            if known is None:
                raise torn(event, f"broker {broker.node_id} is registered", image)
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

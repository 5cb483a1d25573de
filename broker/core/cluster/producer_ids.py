"""Blocks of producer ids, each of which is given out once in the life of the cluster (98-01)."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.producer_ids_record import ProducerIdsRecord

from .commands import AllocateProducerIds, Decision, ProducerIdBlock
from .image import ClusterImage

BLOCK_SIZE: Final = 1000
_LAST: Final = 2**63 - 1


def decide_allocate_producer_ids(
    command: AllocateProducerIds, image: ClusterImage
) -> Decision[ProducerIdBlock]:
    """The next block; a record makes it durable before any of its ids is used.

    Raises KafkaError STALE_BROKER_EPOCH (77) for a broker that is not the one registered.
    """
    broker = image.brokers.get(command.broker_id)
    if broker is None or broker.epoch != command.broker_epoch:
        raise KafkaError(ErrorCode.STALE_BROKER_EPOCH)
    first = image.next_producer_id
    if first > _LAST - BLOCK_SIZE:
        raise KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, "All producer ids are used up.")
    record = ProducerIdsRecord(
        broker_id=command.broker_id,
        broker_epoch=command.broker_epoch,
        next_producer_id=first + BLOCK_SIZE,
    )
    return Decision([record], ProducerIdBlock(first, BLOCK_SIZE))

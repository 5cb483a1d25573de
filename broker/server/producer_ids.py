"""Producer ids out of this broker's block; new blocks come from the controller (98-01)."""

from __future__ import annotations

import asyncio

from ..core.cluster.commands import AllocateProducerIds, ProducerIdBlock
from ..handlers.context import BrokerServices


class ProducerIds:
    """Ids are lost, never given twice, when a node stops within a block."""

    def __init__(self, node: BrokerServices) -> None:
        self._node = node
        self._next = 0
        self._end = 0
        self._lock = asyncio.Lock()

    async def take(self) -> int:
        """The next id. Raises KafkaError if no block can be had."""
        while self._next >= self._end:
            async with self._lock:
                if self._next >= self._end:
                    await self._take_block()
        self._next += 1
        return self._next - 1

    async def _take_block(self) -> None:
        node = self._node
        broker = node.image.brokers.get(node.node_id)
        epoch = -1 if broker is None else broker.epoch
        block = await node.metadata.submit(AllocateProducerIds(node.node_id, epoch))
        assert isinstance(block, ProducerIdBlock)
        size = 1 if node.env.maybe("producer-id-block-of-one") else block.size
        self._next, self._end = block.first, block.first + size

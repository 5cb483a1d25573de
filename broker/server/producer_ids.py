"""Producer ids out of this broker's block; new blocks come from the controller (98-01)."""

from __future__ import annotations

import asyncio

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..core.cluster.commands import AllocateProducerIds, ProducerIdBlock
from .coordinators.services import TransactionServices


class ProducerIds:
    """Ids are lost, never given twice, when a node stops within a block."""

    def __init__(self, node: TransactionServices) -> None:
        self._node = node
        self._next = 0
        self._end = 0
        self._lock = asyncio.Lock()
        self._fetching: asyncio.Task[None] | None = None

    async def take(self) -> int:
        """The next id. Raises KafkaError if no block can be had."""
        while self._next >= self._end:
            await self.have_one()
        self._next += 1
        return self._next - 1

    async def have_one(self) -> None:
        """Return when there is an id in the block. Raises KafkaError if no block can be had."""
        if self._next >= self._end:
            async with self._lock:
                if self._next >= self._end:
                    await self._take_block()

    def take_now(self) -> int:
        """The next id; KafkaError 14 while the next block is fetched (TXN-04)."""
        if self._next >= self._end:
            if self._fetching is None:
                self._fetching = asyncio.get_running_loop().create_task(self._fetch())
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "no producer id is at hand")
        self._next += 1
        return self._next - 1

    async def _fetch(self) -> None:
        try:
            await self.have_one()
        except KafkaError as error:
            self._node.log.warning("no producer ids can be had", error=str(error))
        finally:
            self._fetching = None

    async def stop(self) -> None:
        """Nobody waits for a block any more."""
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)

    async def _take_block(self) -> None:
        node = self._node
        broker = node.image.brokers.get(node.node_id)
        epoch = -1 if broker is None else broker.epoch
        block = await node.metadata.submit(AllocateProducerIds(node.node_id, epoch))
        assert isinstance(block, ProducerIdBlock)
        size = 1 if node.env.maybe("producer-id-block-of-one") else block.size
        self._next, self._end = block.first, block.first + size

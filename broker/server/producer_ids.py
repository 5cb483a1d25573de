"""Producer ids out of this broker's block; new blocks come from the controller (98-01)."""

from __future__ import annotations

import asyncio

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..core.cluster.commands import AllocateProducerIds, ProducerIdBlock
from .coordinators.services import TransactionServices


class ProducerIds:
    """Ids are lost, never given twice, when a node stops within a block.

    Where no block can be had, whoever waits is told COORDINATOR_LOAD_IN_PROGRESS (14), as by Kafka,
    whatever the reason: producers try again after that, and many of them after nothing else.

    One request for a block is under way at a time, whoever waits for it: where no controller
    answers, all hear of it as soon as the first, and none waits for the others' attempts.
    """

    def __init__(self, node: TransactionServices) -> None:
        self._node = node
        self._next = 0
        self._end = 0
        self._fetching: asyncio.Task[None] | None = None

    async def take(self) -> int:
        """The next id. Raises KafkaError 14 if no block can be had."""
        await self.have_one()
        self._next += 1
        return self._next - 1

    async def have_one(self) -> None:
        """Return when there is an id in the block. Raises KafkaError 14 if no block can be had."""
        while self._next >= self._end:
            # Who gives up takes nothing away from those who wait as well.
            await asyncio.shield(self._block())

    def take_now(self) -> int:
        """The next id; KafkaError 14 while the next block is fetched (TXN-04)."""
        if self._next >= self._end:
            self._block()
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "no producer id is at hand")
        self._next += 1
        return self._next - 1

    def _block(self) -> asyncio.Task[None]:
        """The request for the next block that is under way, if need be a new one."""
        if self._fetching is None:
            self._fetching = asyncio.get_running_loop().create_task(self._take_block())
            self._fetching.add_done_callback(self._on_fetched)
        return self._fetching

    def _on_fetched(self, fetching: asyncio.Task[None]) -> None:
        self._fetching = None
        error = None if fetching.cancelled() else fetching.exception()
        if error is not None:
            self._node.log.warning("no producer ids can be had", error=str(error))

    async def stop(self) -> None:
        """Nobody waits for a block any more."""
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)

    async def _take_block(self) -> None:
        node = self._node
        broker = node.image.brokers.get(node.node_id)
        epoch = -1 if broker is None else broker.epoch
        try:
            block = await node.metadata.submit(AllocateProducerIds(node.node_id, epoch))
        except KafkaError as error:
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, str(error)) from error
        assert isinstance(block, ProducerIdBlock)
        size = 1 if node.env.maybe("producer-id-block-of-one") else block.size
        self._next, self._end = block.first, block.first + size

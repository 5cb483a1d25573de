"""Leaders ask the coordinators of transactions what is in them, or have it added (TXN-50).

Each coordinator has a queue, and one request at a time from it: what comes meanwhile goes together
into the next one. A coordinator that is here is asked without a connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from barnabas.protocol.errors import EncodeError, ErrorCode, KafkaError
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTransaction,
)
from barnabas.protocol.messages.add_partitions_to_txn_response import (
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
)

from ...core.cluster.topic_image import TRANSACTIONS_TOPIC
from ...core.coordination.partition_of import partition_of
from ...core.coordination.transactions.transaction import TopicPartition
from ...handlers.add_partitions_to_txn import answer_leader
from ..peer_channel import PeerChannel
from ..peer_errors import PeerError
from .broker_channels import BrokerChannels
from .marker_queue import error_code_of
from .services import TransactionServices

ASKED_AT_ONCE: Final = 64
"""So many transactions are asked about in one request; the others wait for the next one."""
VERSIONS: Final = (4, 5)
"""Those by which brokers ask."""

Codes = Mapping[TopicPartition, ErrorCode]


class Verification:
    """`Verification` of serving/context.py."""

    def __init__(self, node: TransactionServices) -> None:
        self._node = node
        self._queues: dict[int, _Queue] = {}
        self.channels = BrokerChannels(node, "verification")

    async def ask(self, asked: AddPartitionsToTxnTransaction) -> Codes:
        """What the coordinator says of each partition; its own error is that of all."""
        coordinator = self._coordinator_of(asked.transactional_id)
        if coordinator == self._node.node_id:
            try:
                return await answer_leader(asked, self._node)
            except KafkaError as error:
                return _all(asked, error.code)
        if coordinator not in self._node.image.brokers:
            return _all(asked, ErrorCode.COORDINATOR_NOT_AVAILABLE)
        queue = self._queues.get(coordinator)
        if queue is None:
            queue = self._queues[coordinator] = _Queue(self._node, self.channels.of(coordinator))
        return await queue.ask(asked)

    def _coordinator_of(self, transactional_id: str) -> int:
        """Number of the broker; -1 if there is none."""
        topic = self._node.image.topics_by_name.get(TRANSACTIONS_TOPIC)
        if topic is None:
            return -1
        return topic.partitions[partition_of(transactional_id, len(topic.partitions))].leader

    async def stop(self) -> None:
        """Nobody is asked any more; who waits is told 13."""
        for queue in self._queues.values():
            await queue.stop()
        self.channels.close()


class _Question:
    """What is asked, and who waits for the answer."""

    __slots__ = ("answer", "asked")

    def __init__(self, asked: AddPartitionsToTxnTransaction) -> None:
        self.asked = asked
        self.answer: asyncio.Future[Codes] = asyncio.get_running_loop().create_future()

    def tell(self, codes: Codes) -> None:
        """A second call changes nothing."""
        if not self.answer.done():
            self.answer.set_result(codes)

    def lost(self) -> None:
        """Nobody answered."""
        self.tell(_all(self.asked, ErrorCode.NETWORK_EXCEPTION))


class _Queue:
    """Questions for one coordinator; it has a task only while there are some.

    How many there can be is bounded by the requests that a broker works on at a time.
    """

    def __init__(self, node: TransactionServices, channel: PeerChannel) -> None:
        self._node = node
        self._waiting: list[_Question] = []
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        self._channel = channel

    async def ask(self, asked: AddPartitionsToTxnTransaction) -> Codes:
        """The answer; 13 for all partitions if there was none in time."""
        one = _Question(asked)
        if self._is_stopped:
            one.lost()
            return await one.answer
        self._waiting.append(one)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
        return await one.answer

    async def stop(self) -> None:
        """End the request that is under way."""
        self._is_stopped = True
        task = self._task
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        for one in self._waiting:
            one.lost()

    async def _run(self) -> None:
        some: list[_Question] = []
        try:
            while self._waiting:
                some = self._next()
                await self._send(some)
        except (PeerError, EncodeError):
            pass  # producers try again
        except Exception as error:  # a bug: producers must hear of it as of a lost connection
            self._node.metrics.unexpected_errors += 1
            self._node.log.error(
                "a transaction could not be verified", error=repr(error), exc_info=error
            )
        finally:
            self._task = None
            # Who waits behind them would only wait as long again.
            for one in (*some, *self._waiting):
                one.lost()
            self._waiting = []

    def _next(self) -> list[_Question]:
        """Those of the next request: of each transactional id one, since answers name only that."""
        some: dict[str, _Question] = {}
        rest: list[_Question] = []
        for one in self._waiting:
            if one.answer.done():
                continue
            name = one.asked.transactional_id
            if name in some or len(some) == ASKED_AT_ONCE:
                rest.append(one)
            else:
                some[name] = one
        self._waiting = rest
        return list(some.values())

    async def _send(self, some: list[_Question]) -> None:
        if not some:
            return
        response: AddPartitionsToTxnResponse = await self._channel.call(
            AddPartitionsToTxnRequest(transactions=[one.asked for one in some]),
            timeout_ms=self._node.config.request_timeout_ms,
            versions=VERSIONS,
        )
        found = {one.transactional_id: one for one in response.results_by_transaction}
        whole = error_code_of(response.error_code)
        for one in some:
            result = found.get(one.asked.transactional_id)
            if whole is not ErrorCode.NONE or result is None:
                one.tell(_all(one.asked, whole or ErrorCode.NETWORK_EXCEPTION))
            else:
                one.tell(_codes(result))


def _all(asked: AddPartitionsToTxnTransaction, code: ErrorCode) -> Codes:
    return {(topic.name, index): code for topic in asked.topics for index in topic.partitions}


def _codes(result: AddPartitionsToTxnResult) -> Codes:
    return {
        (topic.name, row.partition_index): error_code_of(row.partition_error_code)
        for topic in result.topic_results
        for row in topic.results_by_partition
    }

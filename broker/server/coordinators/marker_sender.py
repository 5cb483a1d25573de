"""Has the partitions of a decided transaction told of its end, for as long as it takes (TXN-33).

Each broker has a queue; what it could not write, or does not lead any more, goes to whoever leads
it then. When all partitions have their marker the transaction is completed (TXN-34).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.write_txn_markers_request import WriteTxnMarkersRequest
from barnabas.protocol.messages.write_txn_markers_response import WriteTxnMarkersResponse

from ...core.coordination.transactions.surroundings import Ending
from ...core.coordination.transactions.transaction import TopicPartition
from ...handlers.write_txn_markers import write_markers
from .broker_channels import BrokerChannels
from .marker_queue import Codes, MarkerQueue, UnderWay
from .services import TransactionServices

AGAIN_MS: Final = 100.0
AGAIN_AT_MOST_MS: Final = 1000.0
"""Pause before partitions are tried again; it doubles up to here."""

Complete = Callable[[int, Ending], Awaitable[None]]
"""Writes the Complete record in the shard of this number. Raises KafkaError."""

_GIVES_UP: Final = (ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.TRANSACTION_COORDINATOR_FENCED)
_USUAL: Final = (
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.REQUEST_TIMED_OUT,
    ErrorCode.NOT_ENOUGH_REPLICAS,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ErrorCode.KAFKA_STORAGE_ERROR,
    ErrorCode.NETWORK_EXCEPTION,
)
"""These pass by themselves; nobody need be told."""

_LEFT_TO_OTHERS: Final = (
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
)
"""The next load of the shard sends the markers again."""


class MarkerSender:
    """The ends of transactions that the shards of this broker have decided."""

    def __init__(self, node: TransactionServices, complete: Complete) -> None:
        self._node = node
        self._complete = complete
        self._under_way: defaultdict[int, dict[str, UnderWay]] = defaultdict(dict)
        """By shard and transactional id; the latest end of each."""
        self._queues: dict[int, MarkerQueue] = {}
        self.channels = BrokerChannels(node, "markers")
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopped = False

    @property
    def count(self) -> int:
        """Ends of transactions that are not complete."""
        return sum(map(len, self._under_way.values()))

    def send(self, shard_number: int, ending: Ending) -> None:
        """Tell all partitions, and complete the transaction then."""
        of_shard = self._under_way[shard_number]
        earlier = of_shard.get(ending.transactional_id)
        if earlier is not None:
            earlier.is_over = True
        one = of_shard[ending.transactional_id] = UnderWay(shard_number, ending)
        if one.left:
            self._route(one, tuple(one.left))
        else:
            self._all_told(one)

    def drop_all(self, shard_number: int) -> None:
        """The shard is unloaded: another coordinator sends them."""
        for one in self._under_way.pop(shard_number, {}).values():
            one.is_over = True

    async def stop(self) -> None:
        """Send nothing more; other coordinators do."""
        self._is_stopped = True
        for number in list(self._under_way):
            self.drop_all(number)
        for queue in self._queues.values():
            await queue.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.channels.close()

    # --- to brokers ---------------------------------------------------------------------------

    def _route(self, one: UnderWay, partitions: Iterable[TopicPartition]) -> None:
        """Give the partitions to the queues of their leaders; deleted ones are done (TXN-33)."""
        if one.is_over or self._is_stopped:
            return
        image = self._node.image
        by_leader: defaultdict[int, list[TopicPartition]] = defaultdict(list)
        for topic, partition in sorted(partitions):
            found = image.partition(topic, partition)
            if found is None:
                one.left.discard((topic, partition))
            else:
                by_leader[found.leader].append((topic, partition))
        for leader, led in by_leader.items():
            if leader in image.brokers:
                self._queue_of(leader).add(one, led)
            else:
                self._again(one, led)
        if not one.left:
            self._all_told(one)

    def _queue_of(self, broker_id: int) -> MarkerQueue:
        queue = self._queues.get(broker_id)
        if queue is None:
            send = partial(self._send_to, broker_id)
            queue = self._queues[broker_id] = MarkerQueue(send, self._on_codes, self._on_bug)
        return queue

    def _on_bug(self, error: Exception) -> None:
        self._node.metrics.unexpected_errors += 1
        self._node.log.error("markers could not be sent", error=repr(error), exc_info=error)

    async def _send_to(
        self, broker_id: int, request: WriteTxnMarkersRequest
    ) -> WriteTxnMarkersResponse:
        node = self._node
        if broker_id == node.node_id:
            return await write_markers(request, node)
        # The other side waits for its replicas as long as that; it is to answer before we give up.
        timeout_ms = 2.0 * node.config.request_timeout_ms
        channel = self.channels.of(broker_id)
        response: WriteTxnMarkersResponse = await channel.call(request, timeout_ms=timeout_ms)
        return response

    def _again(self, one: UnderWay, partitions: Iterable[TopicPartition]) -> None:
        delay_ms = min(AGAIN_MS * 2 ** min(one.attempts, 10), AGAIN_AT_MOST_MS)
        one.attempts += 1
        self._node.call_later(delay_ms, partial(self._route, one, tuple(partitions)))

    def _on_codes(self, one: UnderWay, codes: Codes) -> None:
        if one.is_over:
            return
        again = []
        for where, code in codes.items():
            if code is ErrorCode.NONE:
                one.left.discard(where)
            elif code in _GIVES_UP:
                self._tell("a partition knows a later producer or coordinator", one, where, code)
                self._forget(one)
                return
            else:
                again.append(where)
                if code not in _USUAL:
                    self._tell("a marker could not be written yet", one, where, code)
        if again:
            self._again(one, again)
        elif not one.left:
            self._all_told(one)

    def _tell(self, event: str, one: UnderWay, where: TopicPartition, code: ErrorCode) -> None:
        self._node.log.warning(
            event,
            transactional_id=one.ending.transactional_id,
            topic=where[0],
            partition=where[1],
            error=code.name,
        )

    # --- to the shard -------------------------------------------------------------------------

    def _all_told(self, one: UnderWay) -> None:
        task = asyncio.get_running_loop().create_task(self._finish(one))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _finish(self, one: UnderWay) -> None:
        """Have the Complete record written, again while that is not possible (TXN-34)."""
        delay_ms = AGAIN_MS
        while not one.is_over:
            try:
                await self._complete(one.shard_number, one.ending)
                break
            except KafkaError as error:
                if error.code in _LEFT_TO_OTHERS:
                    break
            await asyncio.sleep(delay_ms / 1000.0)
            delay_ms = min(2 * delay_ms, AGAIN_AT_MOST_MS)
        self._forget(one)

    def _forget(self, one: UnderWay) -> None:
        """Only this one: a later end of the same id goes on (TXN-33)."""
        one.is_over = True
        of_shard = self._under_way.get(one.shard_number, {})
        if of_shard.get(one.ending.transactional_id) is one:
            del of_shard[one.ending.transactional_id]


class MarkersOfShard:
    """`Markers` of one shard's machine."""

    __slots__ = ("_number", "_sender")

    def __init__(self, sender: MarkerSender, number: int) -> None:
        self._sender = sender
        self._number = number

    def send(self, ending: Ending) -> None:
        """Tell all partitions."""
        self._sender.send(self._number, ending)

    def drop_all(self) -> None:
        """The shard is unloaded."""
        self._sender.drop_all(self._number)

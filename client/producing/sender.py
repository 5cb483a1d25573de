"""Sends a producer's batches: which partitions are due, to which broker, and what answers mean.

Nothing here waits. The few things that take time (connecting, metadata, the producer id) are tasks
that call `drain` when they end.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_request import ProduceRequest
from barnabas.protocol.messages.produce_response import PartitionProduceResponse, ProduceResponse

from ..config import ProducerConfig
from ..errors import (
    ClientClosedError,
    ClientError,
    TransactionAbortedError,
    UnsupportedVersionError,
    error_of,
    is_retriable,
    known_code,
)
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.connection import Connection
from ..wire.leadership import LEADERSHIP_ERRORS
from ..wire.metadata import Node, endpoints_of
from ..wire.pool import Lane
from .batch import ProducerBatch
from .numbering import Numbering
from .partition_queue import IDENTITY_ERRORS, PartitionQueue, Verdict
from .produce_messages import Sent, produce_request, results_of
from .retries import wait_ms

log = logging.getLogger("barnabas.client")

EXPIRY_CHECK_S = 0.5


class Sender:
    """Moves batches from the queues of all partitions to the brokers that lead them."""

    def __init__(self, cluster: Cluster, config: ProducerConfig, numbering: Numbering) -> None:
        self._cluster = cluster
        self._config = config
        self._loop = asyncio.get_running_loop()
        self.queues: dict[tuple[str, int], PartitionQueue] = {}
        self._busy: dict[PartitionQueue, None] = {}
        self._numbering = numbering
        numbering.attach(self.drain, self.fail_waiting)
        self._connecting: dict[int, asyncio.Task[None]] = {}
        self._unreachable: dict[int, None] = {}
        """Nodes to which the last attempt to connect failed."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_scheduled = False
        self._is_draining = False
        self._is_closed = False
        self._has_landed = asyncio.Event()
        self._backoff = cluster.new_backoff()
        cluster.when_changed.append(self.schedule)

    def new_queue(self, topic: str, partition: int) -> PartitionQueue:
        """The queue of a partition that had none yet."""
        topic_partition = TopicPartition(topic, partition)
        queue = self.queues[topic_partition] = PartitionQueue(
            topic_partition,
            is_idempotent=self._config.is_idempotent,
            in_flight_max=self._config.max_in_flight_requests_per_connection,
            is_transactional=self._numbering.transactional_id is not None,
        )
        return queue

    def added_batch(self, queue: PartitionQueue) -> None:
        """A batch was begun in this queue: send it when it is due."""
        self._busy[queue] = None
        if len(queue.waiting) > 1:
            # The previous batch is full. Sending it at once, and not in the next turn of the loop,
            # keeps the broker busy while the program still adds records.
            self.drain()
        else:
            self.schedule()

    def schedule(self) -> None:
        """Drain in the next turn of the event loop, so that one request takes several batches."""
        if not self._is_scheduled and not self._is_closed:
            self._is_scheduled = True
            self._loop.call_soon(self._scheduled)

    def _scheduled(self) -> None:
        self._is_scheduled = False
        self.drain()

    # ------------------------------------------------------------ sending

    def drain(self) -> None:
        """Send all that is due to every broker that can take it."""
        if self._is_draining or self._is_closed:
            return
        self._is_draining = True
        try:
            now = self._loop.time()
            due, wake_at = self._due(now)
            for node, queues in due.items():
                self._send_to(node, queues, now)
            self._arm(wake_at)
        finally:
            self._is_draining = False

    def _due(self, now: float) -> tuple[dict[Node, list[PartitionQueue]], float]:
        """Queues with a batch that may go now, by leader; and when to look again at the latest."""
        due: dict[Node, list[PartitionQueue]] = {}
        wake_at = now + EXPIRY_CHECK_S
        linger_s = self._config.linger_ms / 1000
        metadata = self._cluster.metadata
        created_before = now - self._config.delivery_timeout_ms / 1000
        for queue in list(self._busy):
            if queue.has_older_than(created_before):
                self._expire(queue, created_before)
            if not queue.waiting:
                if queue.is_idle:
                    del self._busy[queue]
                continue
            ready_at = self._ready_at(queue, now, linger_s)
            if ready_at is None:
                continue
            if ready_at > now:
                wake_at = min(wake_at, ready_at)
                continue
            leader = metadata.leader(*queue.topic_partition)
            queue.tried_epoch = metadata.leader_epoch(*queue.topic_partition)
            if leader is None:
                self._cluster.seek(queue.topic_partition.topic)
                self._cluster.refresh_soon()
                queue.not_before = now + self._config.retry_backoff_ms / 1000
                wake_at = min(wake_at, queue.not_before)
            elif self._numbering.admits(queue):
                due.setdefault(leader, []).append(queue)
        return due, wake_at

    def _ready_at(self, queue: PartitionQueue, now: float, linger_s: float) -> float | None:
        """When the first waiting batch may go: after its back-off, or now if the leader is new.

        None while batches are in flight to an earlier leader: their answers come first (951-08).
        """
        ready_at = queue.ready_at(linger_s)
        epoch = self._cluster.metadata.leader_epoch(*queue.topic_partition)
        if ready_at is None or epoch <= queue.tried_epoch:
            return ready_at
        if queue.in_flight:
            return None
        if self._config.leader_hints and queue.not_before > now:
            queue.not_before = now
            return queue.ready_at(linger_s)
        return ready_at

    def _arm(self, wake_at: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._busy:
            self._timer = self._loop.call_at(wake_at, self.drain)

    def _send_to(self, node: Node, queues: list[PartitionQueue], now: float) -> None:
        connection = self._cluster.ready_connection(node, Lane.PRODUCE)
        if connection is None:
            if node.node_id not in self._connecting:
                task = self._loop.create_task(self._connect(node))
                self._connecting[node.node_id] = task
                task.add_done_callback(lambda _: self._connecting.pop(node.node_id, None))
            elif node.node_id in self._unreachable:
                # Who leads instead? Each answer that changes nothing comes back here.
                self._cluster.refresh_soon()
            return
        if connection.throttled_until > now:  # QTA-12
            for queue in queues:
                queue.not_before = connection.throttled_until
            self._loop.call_at(connection.throttled_until, self.schedule)
            return
        try:
            version = self._version(connection)
        except UnsupportedVersionError as error:
            for queue in queues:
                self._fail_waiting(queue, error)
            return
        room = self._config.max_in_flight_requests_per_connection
        waits_for_socket = self._config.required_acks == 0
        connection.when_writable = self.schedule
        while queues and connection.in_flight < room:
            if waits_for_socket and connection.waiting_bytes > self._config.max_request_size:
                break
            self._send_request(connection, version, self._gather(queues))
            queues = [each for each in queues if each.is_due(now, self._config.linger_ms / 1000)]

    def _version(self, connection: Connection) -> int:
        lowest, highest = self._numbering.versions
        version = connection.version_of(ProduceRequest, highest)
        if version < lowest:
            raise UnsupportedVersionError(
                f"{connection} serves Produce up to version {version}; this transaction needs"
                f" {lowest}"
            )
        return version

    def _gather(self, queues: list[PartitionQueue]) -> Sent:
        """One batch of each queue, as many as fit; one that cannot be encoded fails alone."""
        taken: Sent = []
        size = 0
        for index, queue in enumerate(queues):
            try:
                size += len(queue.waiting[0].seal())
            except Exception as error:  # out of memory, for instance
                self._fail(queue.waiting.popleft(), error)
                continue
            if taken and size > self._config.max_request_size:
                # The others come first next time.
                queues[:] = queues[index:] + queues[:index]
                break
            taken.append((queue, queue.take()))
        return taken

    def _send_request(self, connection: Connection, version: int, sent: Sent) -> None:
        if not sent:
            return
        request = produce_request(self._config, self._numbering.transactional_id, sent)
        self._numbering.sending()
        if self._config.required_acks == 0:
            self._post(connection, version, request, sent)
            return
        try:
            answer = connection.send(
                request, ProduceResponse, version, self._cluster.request_timeout_s
            )
        except ClientError as error:
            self._request_failed(sent, error)
            return
        answer.add_done_callback(partial(self._answered, sent))

    def _post(
        self, connection: Connection, version: int, request: ProduceRequest, sent: Sent
    ) -> None:
        try:
            connection.post(request, version)
        except ClientError as error:
            self._request_failed(sent, error)
            return
        for queue, batch in sent:
            queue.answered(batch)
            batch.complete(-1, -1, -1)
        self.schedule()

    async def _connect(self, node: Node) -> None:
        try:
            await self._cluster.connection(node, Lane.PRODUCE)
            self._backoff.reset()
            self._unreachable.pop(node.node_id, None)
        except ClientClosedError:
            return
        except ClientError as error:
            if node.node_id not in self._unreachable:
                log.warning("%s cannot be reached: %s", node, error)
            self._unreachable[node.node_id] = None
            self._cluster.refresh_soon()
            await asyncio.sleep(self._backoff.next_s())
        except Exception:
            # A bug of ours must not stop sending in silence.
            log.exception("connecting to %s", node)
            await asyncio.sleep(self._backoff.next_s())
        self.schedule()

    # ------------------------------------------------------------ answers

    def _answered(self, sent: Sent, answer: asyncio.Future[ProduceResponse]) -> None:
        if answer.cancelled():
            return
        error = answer.exception()
        if error is not None:
            self._request_failed(sent, error)
            return
        response = answer.result()
        endpoints = endpoints_of(response)
        for queue, batch, result in results_of(response, sent):
            self._settle(queue, batch, result, endpoints)
        self._has_landed.set()
        self.drain()

    def _settle(
        self,
        queue: PartitionQueue,
        batch: ProducerBatch,
        result: PartitionProduceResponse,
        endpoints: dict[int, Node],
    ) -> None:
        code = known_code(result.error_code)
        verdict = queue.judge(batch, code)
        if verdict is Verdict.DONE:
            queue.acknowledged(batch)
            self._numbering.acknowledged()
            batch.complete(result.base_offset, result.log_append_time_ms, result.log_start_offset)
            return
        if batch.is_done:  # its time was over before the answer came
            queue.answered(batch)
            return
        if verdict is Verdict.FAIL or self._numbering.gives_up:
            self._reject(queue, batch, code, result)
            return
        if verdict is Verdict.SPLIT:
            log.info("%s: too large, batch is sent in halves", queue.topic_partition)
            queue.split(batch)
            return
        if code in LEADERSHIP_ERRORS:
            self._cluster.take_hint(queue.topic_partition, result.current_leader, endpoints)
        is_late = self._cluster.knows_more(queue.topic_partition, result.current_leader)
        log.info("%s: %s, batch is sent again", queue.topic_partition, code.name)
        not_before = self._next_attempt(batch, is_late=is_late)
        queue.put_back(batch, not_before, renumber=verdict is Verdict.RENUMBER)

    def _next_attempt(self, batch: ProducerBatch, *, is_late: bool = False) -> float:
        return self._loop.time() + wait_ms(self._config, batch.attempts, is_late=is_late) / 1000

    def _reject(
        self,
        queue: PartitionQueue,
        batch: ProducerBatch,
        code: ErrorCode,
        result: PartitionProduceResponse,
    ) -> None:
        queue.rejected(batch)
        if code in IDENTITY_ERRORS:
            self._numbering.renew()
            queue.forget_identity()
        self._fail(batch, error_of(result.error_code, batch.text_of_refusal(result)))

    def _request_failed(self, sent: Sent, error: BaseException) -> None:
        """There is no answer, so the batches may or may not have been stored."""
        retriable = is_retriable(error) and not self._is_closed
        if retriable:
            self._cluster.refresh_soon()
        retriable = retriable and not self._numbering.gives_up
        for queue, batch in reversed(sent):
            if retriable and not batch.is_done:
                queue.put_back(batch, self._next_attempt(batch))
            else:
                queue.answered(batch)
                self._fail(batch, error if isinstance(error, Exception) else ClientClosedError())
        self._has_landed.set()
        self.schedule()

    # ------------------------------------------------------------ giving up

    def _expire(self, queue: PartitionQueue, created_before: float) -> None:
        for batch in queue.drop_older_than(created_before):
            self._fail(batch, batch.timed_out(self._config.delivery_timeout_ms))

    def _fail(self, batch: ProducerBatch, error: Exception) -> None:
        if not batch.is_done:
            count, where = batch.record_count, batch.topic_partition
            is_known = isinstance(error, TransactionAbortedError) or self._numbering.gives_up
            level = logging.DEBUG if is_known else logging.ERROR
            log.log(level, "%d records of %s failed: %s", count, where, error)
        batch.fail(error)
        self._numbering.failed(batch, error)

    def _fail_waiting(self, queue: PartitionQueue, error: Exception) -> None:
        while queue.waiting:
            self._fail(queue.waiting.popleft(), error)

    def fail_waiting(self, error: Exception) -> None:
        """Every batch that is not in flight fails with this."""
        for queue in list(self._busy):
            self._fail_waiting(queue, error)

    async def landed(self) -> None:
        """Wait until no batch is in flight."""
        while any(queue.in_flight for queue in self._busy):
            self._has_landed.clear()
            await self._has_landed.wait()

    async def close(self) -> None:
        """Stop; what was not acknowledged fails with ClientClosedError."""
        self._is_closed = True
        if self.schedule in self._cluster.when_changed:
            self._cluster.when_changed.remove(self.schedule)
        if self._timer is not None:
            self._timer.cancel()
        tasks = list(self._connecting.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._numbering.close()
        error = ClientClosedError("the producer was stopped before this record was acknowledged")
        for queue in list(self._busy):
            self._fail_waiting(queue, error)
            for batch in queue.in_flight:
                self._fail(batch, error)

"""Produce responses that the hot path cannot write: errors, several partitions, later answers."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.header import encode_response
from barnabas.protocol.messages.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)

from ..core.log.append_result import AppendResult
from ..core.replication.partition import Partition
from ..handlers.produce.answer import ProduceWait, answer_for, refused_row
from ..serving.context import BrokerServices
from ..serving.waiting import Waiting
from .connection import Connection
from .produce_plan import Plan

Rows = list[tuple[bytes, int, Partition, AppendResult | KafkaError, bytes]]
"""Topic by name or id, index, partition, the append's result or error, and the batch if that was
refused."""


class ProduceAnswers:
    """Makes responses from the generated classes for batches that the hot path has appended."""

    __slots__ = ("_node",)

    def __init__(self, node: BrokerServices) -> None:
        self._node = node

    def __call__(
        self,
        connection: Connection,
        client_id: str,
        version: int,
        correlation_id: int,
        acks: int,
        timeout_ms: int,
        rows: Rows,
    ) -> bytes:
        """The answer; b"" if there is none, or none yet (it has a place in the line then).

        Raises ProtocolError if acks=0 and something was refused (ENV-09).
        """
        wait = ProduceWait(self._node, connection, version)
        now = self._node.env.clock.wall_ms()
        answer: TopicProduceResponse | None = None
        last = b""
        for topic, index, partition, result, batch in rows:
            if answer is None or topic != last:
                answer, last = answer_for(topic, version), topic
                wait.response.responses.append(answer)
            if isinstance(result, KafkaError):
                row = refused_row(index, result, partition, batch, now)
            else:
                row = wait.add(index, partition, result, acks)
            answer.partition_responses.append(row)
        response = wait.answer(acks, timeout_ms)
        if response is None:
            return b""

        def encoded(done: ProduceResponse) -> bytes:
            done.throttle_time_ms = self.throttle_ms(connection, client_id)
            return encode_response(done, version, correlation_id)

        if isinstance(response, ProduceResponse):
            return encoded(response)
        place = connection.answers.reserve(wait.abandon)
        wait.on_done(lambda done: place.fill((encoded(done),)))
        return b""

    def throttle_ms(self, connection: Connection, client_id: str) -> int:
        """For how long a client that is answered now is throttled; it is muted for that time."""
        quotas = self._node.quotas
        if not quotas.counts_produce:
            return 0
        throttle_ms = quotas.produce_throttle_ms(connection.principal, client_id)
        if throttle_ms:
            connection.mute(throttle_ms)
        return throttle_ms

    def settled(
        self,
        connection: Connection,
        plan: Plan,
        correlation_id: int,
        index: int,
        result: AppendResult,
    ) -> bytes:
        """The answer to one acknowledged batch, with the present throttle time."""
        throttle_ms = self.throttle_ms(connection, plan.client_id)
        if not throttle_ms:
            return plan.answer(correlation_id, index, result)
        return plan.throttled_answer(correlation_id, index, result, throttle_ms)

    def later(
        self,
        connection: Connection,
        plan: Plan,
        correlation_id: int,
        index: int,
        partition: Partition,
        result: AppendResult,
    ) -> None:
        """Put the answer to one batch in its place in the line when the batch is acknowledged."""
        wait = _Acknowledgement(self._node, connection, plan, correlation_id, self)
        wait.await_it(index, partition, result)
        place = connection.answers.reserve(wait.abandon)
        wait.on_done(lambda frame: place.fill((frame,)))


class _Acknowledgement(Waiting[bytes]):
    """The usual wait: one batch, until its followers have it. The plan writes the answer."""

    __slots__ = (
        "_answers",
        "_connection",
        "_correlation_id",
        "_index",
        "_node",
        "_partition",
        "_plan",
        "_result",
    )

    _index: int
    _partition: Partition
    _result: AppendResult

    def __init__(
        self,
        node: BrokerServices,
        connection: Connection,
        plan: Plan,
        correlation_id: int,
        answers: ProduceAnswers,
    ) -> None:
        super().__init__()
        self._answers = answers
        self._node = node
        self._connection = connection
        self._plan = plan
        self._correlation_id = correlation_id

    def await_it(self, index: int, partition: Partition, result: AppendResult) -> None:
        """Begin to wait for a batch that has been appended."""
        plan = self._plan
        self._index = index
        self._partition = partition
        self._result = result
        partition.when_acknowledged(result.last_offset + 1, plan.acks, self._acknowledged)
        if not self._is_done:
            self.wait_at_most(self._node, max(plan.timeout_ms, 0))

    def _acknowledged(self, reason: ErrorCode) -> None:
        if self._is_done:
            return
        if reason is not ErrorCode.NONE:
            self.finish(self._refusal(reason))
            return
        partition, result, plan = self._partition, self._result, self._plan
        if partition.hooks is not None:
            partition.tell_acknowledged(result, plan.acks)
        self.finish(
            self._answers.settled(self._connection, plan, self._correlation_id, self._index, result)
        )

    def on_timeout(self) -> None:
        """The records were appended, but not acknowledged in time: answer REQUEST_TIMED_OUT."""
        self._partition.waiters.stop_awaiting(self._acknowledged)
        self.finish(self._refusal(ErrorCode.REQUEST_TIMED_OUT))

    def abandon(self) -> None:
        if not self._is_done:
            self._partition.waiters.stop_awaiting(self._acknowledged)
        super().abandon()

    def _refusal(self, code: ErrorCode) -> bytes:
        plan, result = self._plan, self._result
        row = PartitionProduceResponse(
            index=self._index,
            base_offset=result.base_offset,
            log_append_time_ms=result.append_time_ms,
            log_start_offset=result.log_start_offset,
        )
        response = ProduceWait.unacknowledged(
            self._node, self._connection, plan.version, plan.topic, row, code
        )
        response.throttle_time_ms = self._answers.throttle_ms(self._connection, plan.client_id)
        return encode_response(response, plan.version, self._correlation_id)

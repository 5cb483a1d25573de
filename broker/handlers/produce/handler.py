"""Produce, the general path: every request that `server/fast_produce.py` does not handle.

A batch is checked as a whole (length, magic, CRC-32C, counts, attributes that only brokers set) and
its records are walked over. It is appended as it came, unless its topic's settings change it or
its header is wrong about the largest timestamp. A batch that is long, or might be a decompression
bomb, is decompressed and walked over off the event loop, with a cap, before anything of the request
is appended (ENV-13).
"""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from typing import Any  # Any: what a coroutine tells its loop

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.messages.produce_response import (
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)

from ...core.cluster.topic_image import INTERNAL_TOPICS
from ...core.log.append_result import AppendResult
from ...core.reads import Steps, attempt
from ...core.replication.partition import Partition
from ...core.security.resources import Operation, topic_resource
from ...serving.context import BrokerContext, BrokerServices, Peer
from ...serving.handler import Handler
from ...serving.hosting import hosted_leader
from ...serving.leader_hints import HINTED, PRODUCE_HINTS_SINCE, LeaderHints
from ...serving.waiting import SLICE, Waiting, in_slices
from .checking import ProducedBatch, check_records, record_errors
from .verifying import TransactionalBatch, Verifying, is_forbidden

ACKS_NONE, ACKS_LEADER, ACKS_ALL = 0, 1, -1
TOPIC_IDS_SINCE = 13
"""From this version on topics are named by their ids (KIP-516)."""

Answer = ProduceResponse | Waiting[ProduceResponse] | None


def handle(request: ProduceRequest, context: BrokerContext) -> Answer | Coroutine[Any, Any, Answer]:
    """Check and append; the answer waits for the acknowledgements that were asked for.

    Raises ProtocolError if acks=0 and something was refused: such a request has no answer, so the
    connection is closed (ENV-09).
    """
    if request.acks not in (ACKS_NONE, ACKS_LEADER, ACKS_ALL):
        return refuse(request, ErrorCode.INVALID_REQUIRED_ACKS, None)
    if context.rights.is_limited and is_forbidden(request, context.rights):
        code = ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
        if request.acks == ACKS_NONE:
            raise ProtocolError(f"acks=0, and {code.name}")
        return refuse(request, code, None)
    work = _Produce(request, context)
    if sum(len(topic.partition_data) for topic in request.topic_data) > SLICE:
        return work.run_slowly()
    attempt(work.check())
    if work.refusal is not None:
        return refuse(request, work.refusal, None)
    if work.suspects or work.must_ask:
        return work.run_slowly()
    attempt(work.append())
    return work.answer()


def refuse(request: ProduceRequest, code: ErrorCode, message: str | None) -> ProduceResponse:
    """The same error for every partition."""
    response = ProduceResponse()
    for topic in request.topic_data:
        rows = [
            PartitionProduceResponse(
                index=data.index, error_code=int(code), base_offset=-1, error_message=message
            )
            for data in topic.partition_data
        ]
        answer = _answer_of(topic)
        answer.partition_responses = rows
        response.responses.append(answer)
    return response


def _answer_of(topic: TopicProduceData) -> TopicProduceResponse:
    """Named as in the request, by name or by id, without partitions yet."""
    return TopicProduceResponse(name=topic.name, topic_id=topic.topic_id)


def answer_for(topic: bytes, version: int) -> TopicProduceResponse:
    """The same from the bytes of a request: a name, or from version 13 on an id."""
    if version >= TOPIC_IDS_SINCE:
        return TopicProduceResponse(topic_id=topic)
    return TopicProduceResponse(name=topic.decode())


class _Produce:
    """One request on the general path: check all batches, then append them."""

    def __init__(self, request: ProduceRequest, context: BrokerContext) -> None:
        self._request = request
        self._node = context.node
        self._rights = context.rights
        self._version = context.api_version
        self._checked: list[list[ProducedBatch | KafkaError]] = []
        self._wait = ProduceWait(context.node, context.peer, context.api_version)
        self._verifying = Verifying(context.node, request.transactional_id, context.api_version)
        self._parts = sum(len(topic.partition_data) for topic in request.topic_data)
        self._has_waited = False
        """Whether other requests ran since the batches were checked."""
        self.suspects: list[ProducedBatch] = []
        """Batches whose check takes long, so that it is done on a thread."""

    @property
    def refusal(self) -> ErrorCode | None:
        """Why the whole request is refused, after `check`."""
        return self._verifying.refusal

    @property
    def must_ask(self) -> bool:
        """Whether a coordinator must be asked about transactions, after `check`."""
        return self._verifying.is_needed

    def check(self) -> Steps[None]:
        """Check all batches; nothing is appended yet. Yields after every slice."""
        number = 0
        for topic in self._request.topic_data:
            rows: list[ProducedBatch | KafkaError] = []
            self._checked.append(rows)
            refusal = self._refusal_of(self._named(topic))
            for data in topic.partition_data:
                number += 1
                if number % SLICE == 0:
                    yield None
                rows.append(refusal or self._check(self._named(topic), data.index, data.records))

    def _refusal_of(self, topic: str | bytes) -> KafkaError | None:
        """29 for a topic that who asks may not write to, whether it exists or not (ACL-18).

        None for the id of no topic: there is nothing to ask about, and `_check` refuses it.
        """
        if isinstance(topic, bytes):
            found = self._node.image.topics_by_id.get(topic)
            if found is None:
                return None
            topic = found.name
        if self._rights.may(Operation.WRITE, topic_resource(topic)):
            return None
        return KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)

    async def run_slowly(self) -> Answer:
        """A request of very many partitions, with batches that take long or might be bombs, or that
        begin transactions."""
        if not self._checked:
            await in_slices(self._node, self.check())
            if self.refusal is not None:
                return refuse(self._request, self.refusal, None)
        for batch in self.suspects:
            await self._node.in_thread(batch.walk)
        self._has_waited = True
        try:
            if self.must_ask:
                await self._verifying.ask()
            await in_slices(self._node, self.append())
        finally:
            self._verifying.close()
        return self.answer()

    def _named(self, topic: TopicProduceData) -> str | bytes:
        """What the request calls this topic: its name or its id."""
        return topic.topic_id if self._version >= TOPIC_IDS_SINCE else topic.name

    def _name_of(self, topic: str | bytes) -> str:
        """Raises KafkaError 100 for the id of no topic (516-01)."""
        if isinstance(topic, str):
            return topic
        found = self._node.image.topics_by_id.get(topic)
        if found is None:
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
        return found.name

    def _check(
        self, topic: str | bytes, index: int, records: Buffer | None
    ) -> ProducedBatch | KafkaError:
        try:
            name = self._name_of(topic)
            if name in INTERNAL_TOPICS:  # REC-05
                raise KafkaError(
                    ErrorCode.INVALID_TOPIC_EXCEPTION, f"{name} is written by brokers alone"
                )
            partition = hosted_leader(self._node, topic, index)
            header = check_records(records, self._version)
            self._check_in_sync(partition)
        except KafkaError as error:
            return error
        assert records is not None
        in_transaction = None
        if header.is_transactional:
            in_transaction = TransactionalBatch(name, index, header)
            self._verifying.note(in_transaction, partition)
        batch = ProducedBatch(partition, records, in_transaction)
        if not batch.walk_at_once(self._parts):
            self.suspects.append(batch)
        return batch

    def _check_in_sync(self, partition: Partition) -> None:
        if self._request.acks == ACKS_ALL:
            partition.as_leader().in_sync.check_enough()

    def append(self) -> Steps[None]:
        """Append what passed the checks, in the order of the request."""
        now = self._node.env.clock.wall_ms()
        wait = self._wait
        number = 0
        for topic, checked in zip(self._request.topic_data, self._checked, strict=True):
            answer = _answer_of(topic)
            wait.response.responses.append(answer)
            for data, batch in zip(topic.partition_data, checked, strict=True):
                number += 1
                if number % SLICE == 0:
                    yield None
                row = self._append(self._named(topic), data, batch, now)
                answer.partition_responses.append(row)

    def _append(
        self,
        topic: str | bytes,
        data: PartitionProduceData,
        batch: ProducedBatch | KafkaError,
        now: int,
    ) -> PartitionProduceResponse:
        if isinstance(batch, KafkaError):
            return refused_row(data.index, batch)
        # The request lives until its answer has left, which may take long: free the records now.
        records, data.records = data.records or b"", None
        self._node.metrics.bytes_in += len(records)
        try:
            if self._has_waited:
                # Meanwhile another broker may lead, or fewer replicas be in sync.
                batch.partition = hosted_leader(self._node, topic, data.index)
                self._check_in_sync(batch.partition)
            result = batch.append(now)
        except KafkaError as error:
            return refused_row(data.index, error, batch.partition, records, now)
        return self._wait.add(data.index, batch.partition, result, self._request.acks)

    def answer(self) -> Answer:
        """The response, or the wait for it. Raises ProtocolError (ENV-09)."""
        return self._wait.answer(self._request.acks, self._request.timeout_ms)


class ProduceWait(Waiting[ProduceResponse]):
    """A produce response that is complete except for acknowledgements that are still to come."""

    __slots__ = ("_acks", "_missing", "_node", "_peer", "_version", "response")

    def __init__(self, node: BrokerServices, peer: Peer, version: int) -> None:
        super().__init__()
        self._node = node
        self._peer = peer
        self._version = version
        self.response = ProduceResponse()
        self._missing: dict[int, tuple[PartitionProduceResponse, Partition, AppendResult]] = {}
        self._acks = ACKS_NONE

    def add(
        self, index: int, partition: Partition, result: AppendResult, acks: int
    ) -> PartitionProduceResponse:
        """The row of a partition that was appended to; noted as missing if not acknowledged yet."""
        row = PartitionProduceResponse(
            index=index,
            base_offset=result.base_offset,
            log_append_time_ms=result.append_time_ms,
            log_start_offset=result.log_start_offset,
        )
        end_offset = result.last_offset + 1
        if acks != ACKS_NONE and not partition.is_acknowledged(end_offset, acks):
            self._missing[len(self._missing)] = (row, partition, result)
        elif partition.hooks is not None and acks != ACKS_NONE:
            partition.tell_acknowledged(result, acks)
        return row

    def answer(self, acks: int, timeout_ms: int) -> Answer:
        """The response if no acknowledgement is missing, else this object, which then waits.

        Raises ProtocolError if acks=0 and something was refused (ENV-09).
        """
        if acks == ACKS_NONE:
            for topic in self.response.responses:
                for row in topic.partition_responses:
                    if row.error_code:
                        code = ErrorCode(row.error_code)
                        name = topic.name or topic.topic_id.hex()
                        raise ProtocolError(f"acks=0, and {name}-{row.index}: {code.name}")
            return None
        if not self._missing:
            return self._hinted()
        self._acks = acks
        for number, (_, partition, result) in list(self._missing.items()):
            partition.when_acknowledged(
                result.last_offset + 1, acks, partial(self._acknowledged, number)
            )
        if self.is_done:
            return self.response
        self.wait_at_most(self._node, max(timeout_ms, 0))
        return self

    @classmethod
    def unacknowledged(
        cls,
        node: BrokerServices,
        peer: Peer,
        version: int,
        topic: bytes,
        row: PartitionProduceResponse,
        code: ErrorCode,
    ) -> ProduceResponse:
        """The response for one batch that was appended, but not acknowledged as asked for.

        `topic`: as the request has it, a name, or from version 13 on an id.
        """
        wait = cls(node, peer, version)
        if code is ErrorCode.REQUEST_TIMED_OUT:
            row.error_code = int(code)
        else:
            _refuse_row(row, code, None)
        answer = answer_for(topic, version)
        answer.partition_responses.append(row)
        wait.response.responses.append(answer)
        return wait._hinted()

    def _hinted(self) -> ProduceResponse:
        """The response; partitions that this broker does not lead get their leader's name."""
        response = self.response
        if self._version >= PRODUCE_HINTS_SINCE:
            hints: LeaderHints | None = None
            for topic in response.responses:
                for row in topic.partition_responses:
                    if row.error_code in HINTED:
                        hints = hints or LeaderHints(self._node, self._peer)
                        by_id = self._version >= TOPIC_IDS_SINCE
                        _hint(hints, topic.topic_id if by_id else topic.name, row)
            if hints is not None:
                response.node_endpoints = [
                    NodeEndpoint(node_id=node_id, host=host, port=port, rack=rack)
                    for node_id, host, port, rack in hints.addresses()
                ]
        return response

    def _acknowledged(self, number: int, reason: ErrorCode) -> None:
        found = self._missing.pop(number, None)
        if found is None or self.is_done:
            return
        row, partition, result = found
        if reason is not ErrorCode.NONE:
            _refuse_row(row, reason, None)
        elif partition.hooks is not None:
            partition.tell_acknowledged(result, self._acks)
        if not self._missing:
            self.finish(self._hinted())

    def on_timeout(self) -> None:
        """The records were appended, but not acknowledged in time: answer REQUEST_TIMED_OUT."""
        for row, _, _ in self._missing.values():
            row.error_code = int(ErrorCode.REQUEST_TIMED_OUT)
        self._missing.clear()
        self.finish(self._hinted())


def _hint(hints: LeaderHints, topic: str | bytes, row: PartitionProduceResponse) -> None:
    leader = hints.leader_of(topic, row.index)
    if leader is not None:
        row.current_leader = LeaderIdAndEpoch(leader_id=leader[0], leader_epoch=leader[1])


def _refuse_row(row: PartitionProduceResponse, code: ErrorCode, message: str | None) -> None:
    row.error_code = int(code)
    row.error_message = message
    row.base_offset = -1
    row.log_append_time_ms = -1
    row.log_start_offset = -1


def refused_row(
    index: int,
    error: KafkaError,
    partition: Partition | None = None,
    records: Buffer = b"",
    now_ms: int = 0,
) -> PartitionProduceResponse:
    """The row of a partition that was not appended to, with the records at fault if known."""
    row = PartitionProduceResponse(index=index)
    _refuse_row(row, error.code, error.message)
    if partition is not None and error.code in (
        ErrorCode.INVALID_RECORD,
        ErrorCode.INVALID_TIMESTAMP,
    ):
        row.log_start_offset = partition.log.log_start_offset
        row.record_errors = record_errors(partition.log.rules, records, now_ms)
    return row


HANDLER = Handler(
    ProduceRequest,
    (3, 13),
    handle,
    refuse=refuse,
    advertised=(0, 13),  # ENV-10: without a 0, older librdkafka stops compressing
)

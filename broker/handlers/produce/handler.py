"""Produce, the general path: every request that `server/fast_produce.py` does not handle.

A batch is checked as a whole (length, magic, CRC-32C, counts, attributes that only brokers set) and
its records are walked over. It is appended as it came, unless its topic's settings change it or
its header is wrong about the largest timestamp. A batch that is long, or might be a decompression
bomb, is decompressed and walked over off the event loop, with a cap, before anything of the request
is appended (ENV-13).
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any  # Any: what a coroutine tells its loop

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.messages.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
)

from ...core.cluster.topic_image import INTERNAL_TOPICS
from ...core.reads import Steps, attempt
from ...core.replication.partition import Partition
from ...core.security.resources import Operation, topic_resource
from ...serving.context import BrokerContext
from ...serving.handler import Handler
from ...serving.hosting import hosted_leader
from ...serving.waiting import SLICE, in_slices
from .answer import (
    ACKS_ALL,
    ACKS_LEADER,
    ACKS_NONE,
    TOPIC_IDS_SINCE,
    Answer,
    ProduceWait,
    answer_of,
    refused_row,
)
from .checking import ProducedBatch, check_records
from .verifying import TransactionalBatch, Verifying, is_forbidden


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
    # A frame has room for hundreds of thousands of topics without partitions. There is nothing to
    # say of them, as in Apache Kafka, and they would not count as work below.
    request.topic_data = [topic for topic in request.topic_data if topic.partition_data]
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
    """A response with the same error for every partition.

    Raises ProtocolError for acks=0, which has no answer (ENV-09).
    """
    if request.acks == ACKS_NONE:
        raise ProtocolError(f"acks=0, and {code.name}")
    response = ProduceResponse()
    for topic in request.topic_data:
        rows = [
            PartitionProduceResponse(
                index=data.index, error_code=int(code), base_offset=-1, error_message=message
            )
            for data in topic.partition_data
        ]
        answer = answer_of(topic)
        answer.partition_responses = rows
        response.responses.append(answer)
    return response


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
        """Batches that take long to check, so that it is done on a thread."""

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
        """Error 29 if the client may not write to the topic, whether it exists or not (ACL-18).

        None for an unknown topic id: there is nothing to check, and `_check` refuses it.
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
        """Carry out a request with very many partitions, with batches that take long or might be
        bombs, or with batches that begin transactions."""
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
        """The topic as the request names it: by name or by id."""
        return topic.topic_id if self._version >= TOPIC_IDS_SINCE else topic.name

    def _name_of(self, topic: str | bytes) -> str:
        """The topic's name. Raises KafkaError 100 for an unknown id (516-01)."""
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
            answer = answer_of(topic)
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
        # The request lives until its answer is sent, which may take long: free the records now.
        records, data.records = data.records or b"", None
        if isinstance(batch, KafkaError):
            return refused_row(data.index, batch)
        self._node.metrics.bytes_in += len(records)
        try:
            if self._has_waited:
                # While the request waited, the leader or the in-sync set may have changed.
                batch.partition = hosted_leader(self._node, topic, data.index)
                self._check_in_sync(batch.partition)
            result = batch.append(now)
        except KafkaError as error:
            return refused_row(data.index, error, batch.partition, records, now)
        return self._wait.add(data.index, batch.partition, result, self._request.acks)

    def answer(self) -> Answer:
        """The response, or the wait for it. Raises ProtocolError (ENV-09)."""
        return self._wait.answer(self._request.acks, self._request.timeout_ms)


HANDLER = Handler(
    ProduceRequest,
    (3, 13),
    handle,
    refuse=refuse,
    advertised=(0, 13),  # ENV-10: without a 0, older librdkafka stops compressing
)

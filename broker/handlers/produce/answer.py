"""The answer to Produce: a row for each partition, complete or waiting for acknowledgements."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.messages.produce_request import TopicProduceData
from barnabas.protocol.messages.produce_response import (
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)

from ...core.log.append_result import AppendResult
from ...core.replication.leader import LeaderState
from ...core.replication.partition import Partition
from ...core.replication.waiters import AckWaiter
from ...serving.context import BrokerServices, Peer
from ...serving.leader_hints import HINTED, PRODUCE_HINTS_SINCE, LeaderHints
from ...serving.waiting import Waiting
from .checking import record_errors

ACKS_NONE, ACKS_LEADER, ACKS_ALL = 0, 1, -1
TOPIC_IDS_SINCE = 13
"""From this version on topics are named by their ids (KIP-516)."""

Answer = ProduceResponse | Waiting[ProduceResponse] | None


def answer_of(topic: TopicProduceData) -> TopicProduceResponse:
    """Named as in the request, by name or by id, without partitions yet."""
    return TopicProduceResponse(name=topic.name, topic_id=topic.topic_id)


def answer_for(topic: bytes, version: int) -> TopicProduceResponse:
    """The same from the bytes of a request: a name, or from version 13 on an id."""
    if version >= TOPIC_IDS_SINCE:
        return TopicProduceResponse(topic_id=topic)
    return TopicProduceResponse(name=topic.decode())


class _Missing(NamedTuple):
    """What was appended and is not acknowledged yet."""

    row: PartitionProduceResponse
    partition: Partition
    result: AppendResult
    leader: LeaderState | None
    """As whom this broker appended it."""


class ProduceWait(Waiting[ProduceResponse]):
    """A produce response that is complete except for acknowledgements that are still to come."""

    __slots__ = ("_acks", "_missing", "_node", "_peer", "_version", "_waiters", "response")

    def __init__(self, node: BrokerServices, peer: Peer, version: int) -> None:
        super().__init__()
        self._node = node
        self._peer = peer
        self._version = version
        self.response = ProduceResponse()
        self._missing: dict[int, _Missing] = {}
        self._waiters: dict[int, AckWaiter] = {}
        """Who is called for each of them."""
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
            missing = _Missing(row, partition, result, partition.leader)
            self._missing[len(self._missing)] = missing
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
        for number, one in list(self._missing.items()):
            tell, partition = partial(self._acknowledged, number), one.partition
            if partition.leader is not one.leader:
                # It led no more between two slices of a long request: the log may have been cut
                # since, and its watermark says nothing of these records.
                tell(ErrorCode.NOT_LEADER_OR_FOLLOWER)
                continue
            self._waiters[number] = tell
            partition.when_acknowledged(one.result.last_offset + 1, acks, tell)
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
        if reason is not ErrorCode.NONE:
            _refuse_row(found.row, reason, None)
        elif found.partition.hooks is not None:
            found.partition.tell_acknowledged(found.result, self._acks)
        if not self._missing:
            self.finish(self._hinted())

    def on_timeout(self) -> None:
        """The records were appended, but not acknowledged in time: answer REQUEST_TIMED_OUT."""
        for one in self._missing.values():
            one.row.error_code = int(ErrorCode.REQUEST_TIMED_OUT)
        self._stop_awaiting()
        self.finish(self._hinted())

    def abandon(self) -> None:
        self._stop_awaiting()
        super().abandon()

    def _stop_awaiting(self) -> None:
        for number, one in self._missing.items():
            if (waiter := self._waiters.get(number)) is not None:
                one.partition.waiters.stop_awaiting(waiter)
        self._missing.clear()


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

"""Batches that come again, leave a gap, or come from an earlier epoch (98-02, 98-03)."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from barnabas.client import TopicPartition
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.messages.produce_response import ProduceResponse
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.testing.simulation.clock import EPOCH_MS

from .clients import Office

VERSION = 9
TIMEOUT_S = 1.0
REMEMBERED = 5


class Stored(NamedTuple):
    """A batch that was acknowledged."""

    sequence: int
    epoch: int
    value: bytes
    offset: int


class Repeating:
    """A producer by hand, of one partition; with an id of its own until something is unclear."""

    def __init__(self, office: Office, name: str, random: Random) -> None:
        self._office = office
        self._name = name
        self._random = random
        self._producer = -1
        self._epoch = 0
        self._where: TopicPartition | None = None
        self._stored: list[Stored] = []
        self._number = 0

    async def step(self, cluster: Any, node: Any, where: TopicPartition) -> None:
        """One batch; which one is drawn."""
        if self._where is None:
            connection = await cluster.connection(node)
            request = InitProducerIdRequest(transactional_id=None)
            answer = await connection.send(request, InitProducerIdResponse, 1, TIMEOUT_S)
            if answer.error_code == 0:
                self._producer, self._epoch, self._where = answer.producer_id, 0, where
                self._stored = []
            return
        leader = cluster.metadata.leader(*self._where)
        if leader is None:
            return
        connection = await cluster.connection(leader)
        kind = self._random.choice(("next", "next", "next", "again", "gap", "old-epoch", "epoch"))
        if kind == "next" or not self._stored:
            await self._next(connection)
        elif kind == "again":
            await self._again(connection)
        elif kind == "gap":
            sequence = self._stored[-1].sequence + 2
            await self._refused(connection, sequence, self._epoch, "OUT_OF_ORDER_SEQUENCE_NUMBER")
        elif kind == "epoch":
            await self._refused(connection, 1, self._epoch + 1, "OUT_OF_ORDER_SEQUENCE_NUMBER")
        elif self._epoch > 0:
            await self._refused(connection, 0, self._epoch - 1, "INVALID_PRODUCER_EPOCH")

    async def _next(self, connection: Any) -> None:
        if self._stored and self._random.random() < 0.3:
            self._epoch += 1
            self._stored = []
        sequence = self._stored[-1].sequence + 1 if self._stored else 0
        self._number += 1
        value = f"{self._name}|{self._producer}|{self._number}|".encode()
        code, offset, _ = await self._send(connection, sequence, self._epoch, value)
        if code is ErrorCode.NONE:
            self._stored.append(Stored(sequence, self._epoch, value, offset))
        else:
            self._where = None  # stored or not: another id

    async def _again(self, connection: Any) -> None:
        one = self._random.choice(self._stored[-REMEMBERED:])
        code, offset, start = await self._send(connection, one.sequence, one.epoch, one.value)
        if code is ErrorCode.NONE and one.offset < start:
            self._where = None  # deleted, and a replica that began behind it never knew it
        elif code is ErrorCode.NONE and offset != one.offset:
            self._wrong("98-02", f"a repeated batch is at {offset}, it was at {one.offset}")
        elif code is not ErrorCode.NONE:
            self._where = None  # a leader that knows its state from a snapshot knows the last one

    async def _refused(self, connection: Any, sequence: int, epoch: int, expected: str) -> None:
        code, offset, start = await self._send(connection, sequence, epoch, b"weak refused")
        profile = self._office.profile
        forgets = profile.retention_bytes >= 0 or profile.retention_ms >= 0
        is_deleted = self._stored[-1].offset < start
        if code is ErrorCode.NONE and not forgets and not is_deleted:
            self._wrong("98-03", f"what should be {expected} is stored at {offset}")
        self._where = None

    async def _send(
        self, connection: Any, sequence: int, epoch: int, value: bytes
    ) -> tuple[ErrorCode, int, int]:
        """What is told of a batch: its offset, and where the leader's log starts."""
        assert self._where is not None
        builder = RecordBatchBuilder(
            producer_id=self._producer, producer_epoch=epoch, base_sequence=sequence
        )
        builder.append(EPOCH_MS + int(self._office.loop.now * 1000), None, value)
        rows = [PartitionProduceData(index=self._where.partition, records=bytes(builder.build()))]
        topic = TopicProduceData(name=self._where.topic, partition_data=rows)
        request = ProduceRequest(acks=-1, timeout_ms=800, topic_data=[topic])
        where = self._where
        self._where = None  # whatever happens now, until the answer is there
        answer = await connection.send(request, ProduceResponse, VERSION, TIMEOUT_S)
        row = answer.responses[0].partition_responses[0]
        self._where = where
        return ErrorCode(row.error_code), row.base_offset, row.log_start_offset

    def _wrong(self, rule: str, text: str) -> None:
        self._office.history.wrong(rule, f"{self._name}: {text}", self._where)

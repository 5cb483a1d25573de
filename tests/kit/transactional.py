"""A transactional producer by hand: requests of any version, and what readers see of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

from barnabas.broker.core.cluster.features import FINALISED_AT_FIRST, TRANSACTION_VERSION
from barnabas.broker.server import formatting
from barnabas.protocol.message import Message
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from barnabas.protocol.messages.end_txn_request import EndTxnRequest
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.protocol.records import decode_batch

from .log_batches import batch
from .producing import produce
from .raw_client import RawClient


@contextmanager
def at_level(level: int) -> Iterator[None]:
    """Clusters that are made within this have `transaction.version` so; without it they have 2."""
    features = tuple({**dict(FINALISED_AT_FIRST), TRANSACTION_VERSION: level}.items())
    with patch.object(formatting, "FINALISED_AT_FIRST", features):
        yield


Where = Callable[[], list[tuple[str, int]]]
"""Addresses of the brokers that may be asked."""

AGAIN = frozenset((5, 6, 7, 14, 15, 16, 19, 20, 51))
"""Codes after which clients try again."""


def code_in(answer: Any) -> int:
    """The first error in an answer of one of these APIs."""
    if hasattr(answer, "results_by_topic_v3_and_below"):
        rows = [
            row.partition_error_code
            for topic in answer.results_by_topic_v3_and_below
            for row in topic.results_by_partition
        ]
    elif hasattr(answer, "responses"):
        rows = [row.error_code for one in answer.responses for row in one.partition_responses]
    else:
        rows = [answer.error_code]
    return next((code for code in rows if code), 0)


async def once(address: tuple[str, int], request: Message, version: int) -> Any:
    """Ask one broker on a connection of its own."""
    async with RawClient(*address) as client:
        return await client.ask(request, version)


async def until_answered(ask: Callable[[], Awaitable[Any]]) -> Any:
    """The first answer that does not say: later, or elsewhere."""
    while True:
        with suppress(OSError, EOFError, TimeoutError):
            answer = await ask()
            if answer is not None and code_in(answer) not in AGAIN:
                return answer
        await asyncio.sleep(0.02)  # clients back off: there is nothing to wait on


class TransactionalProducer:
    """One producer; `bumps`: it speaks as those whose transactions each have their own epoch, and
    whose partitions are added by what is written to them (KIP-890)."""

    def __init__(self, where: Where, transactional_id: str, *, bumps: bool = False) -> None:
        self._where = where
        self.transactional_id = transactional_id
        self.bumps = bumps
        self.end_version = 5 if bumps else 3
        self.produce_version = 12 if bumps else 9
        self.producer_id = -1
        self.epoch = -1
        self._sequences: dict[tuple[str, int], int] = {}

    async def find(self) -> tuple[int, tuple[str, int]] | None:
        """Number and address of the coordinator; None if nobody knows."""
        request = FindCoordinatorRequest(coordinator_keys=[self.transactional_id], key_type=1)
        for address in self._where():
            with suppress(OSError, EOFError, TimeoutError):
                (found,) = (await once(address, request, 4)).coordinators
                if found.error_code == 0:
                    return found.node_id, (found.host, found.port)
        return None

    async def to_coordinator(self, request: Message, version: int) -> Any:
        """The answer; None if no coordinator is known."""
        found = await self.find()
        return None if found is None else await once(found[1], request, version)

    async def init(self, *, says: bool = False, timeout_ms: int = 60_000) -> int:
        """Own the transactional id; the error code."""
        request = InitProducerIdRequest(
            transactional_id=self.transactional_id, transaction_timeout_ms=timeout_ms
        )
        if says:
            request.producer_id, request.producer_epoch = self.producer_id, self.epoch
        answer = await until_answered(lambda: self.to_coordinator(request, 4))
        if answer.error_code == 0:
            self._goes_on_as(answer)
        return int(answer.error_code)

    def _goes_on_as(self, answer: Any) -> None:
        if (answer.producer_id, answer.producer_epoch) != (self.producer_id, self.epoch):
            self._sequences.clear()
        self.producer_id, self.epoch = answer.producer_id, answer.producer_epoch

    async def add(self, *partitions: tuple[str, int]) -> int:
        """Have these partitions in the transaction; the error code."""
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self.transactional_id,
            v3_and_below_producer_id=self.producer_id,
            v3_and_below_producer_epoch=self.epoch,
            v3_and_below_topics=[
                AddPartitionsToTxnTopic(name=name, partitions=[index]) for name, index in partitions
            ],
        )
        return code_in(await until_answered(lambda: self.to_coordinator(request, 3)))

    def records(self, topic: str, index: int, *values: bytes) -> bytes:
        """The next batch for a partition."""
        sequence = self._sequences.get((topic, index), 0)
        self._sequences[topic, index] = sequence + len(values)
        return bytes(
            batch(
                *values,
                producer_id=self.producer_id,
                epoch=self.epoch,
                sequence=sequence,
                attributes=0x10,
            )
        )

    async def write(
        self,
        leader: tuple[str, int],
        topic: str,
        index: int,
        *values: bytes,
        version: int | None = None,
        topic_id: bytes | None = None,
    ) -> int:
        """Produce to the leader, again while it says: later; the error code.

        `topic_id` is what the topic is called from version 13 on.
        """
        records = self.records(topic, index, *values)
        request = produce(records, topic=topic_id or topic, index=index)
        request.transactional_id = self.transactional_id
        used = version or self.produce_version
        return code_in(await until_answered(lambda: once(leader, request, used)))

    async def end(self, *, commit: bool) -> int:
        """Commit or abort; the error code."""
        request = EndTxnRequest(
            transactional_id=self.transactional_id,
            producer_id=self.producer_id,
            producer_epoch=self.epoch,
            committed=commit,
        )
        answer = await until_answered(lambda: self.to_coordinator(request, self.end_version))
        if answer.error_code == 0 and self.end_version >= 5:
            self._goes_on_as(answer)
        return int(answer.error_code)


async def committed(leader: tuple[str, int], topic: str, index: int = 0) -> list[bytes]:
    """The values that a reader of committed records sees, from the beginning to the LSO."""
    found: list[bytes] = []
    offset = 0
    while True:
        part = FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=1 << 20)
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            isolation_level=1,
            topics=[FetchTopic(topic=topic, partitions=[part])],
        )
        answer = (await once(leader, request, 11)).responses[0].partitions[0]
        assert answer.error_code == 0, answer
        if not answer.records:
            return found
        found += visible(answer.records, answer.aborted_transactions or ())
        offset = list(iter_batch_headers(answer.records))[-1][1].next_offset


def visible(records: bytes, aborted: Any) -> list[bytes]:
    """What a client keeps of an answer: no markers, and nothing of aborted transactions."""
    starts = sorted((one.first_offset, one.producer_id) for one in aborted)
    out: set[int] = set()
    found: list[bytes] = []
    for at, header in iter_batch_headers(records):
        while starts and starts[0][0] <= header.base_offset:
            out.add(starts.pop(0)[1])
        if header.is_control:
            out.discard(header.producer_id)
        elif not (header.is_transactional and header.producer_id in out):
            found += [record.value or b"" for record in decode_batch(records, at)]
    return found

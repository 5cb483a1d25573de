"""Transactional batches of a Produce request: is each in its producer's transaction (TXN-50)?

The first batch of a transaction in a partition is appended only after the coordinator has said that
the partition is in it; all of a request are asked about at once. What ends in between is noticed.
From version 12 on producers do not add partitions themselves: the coordinator adds what it is asked
about (KIP-890).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)
from barnabas.protocol.messages.produce_request import ProduceRequest
from barnabas.protocol.record_batch import (
    ATTRIBUTES_AT,
    HEADER_SIZE,
    MAGIC_AT,
    TRANSACTIONAL_MASK,
    BatchHeader,
)

from ...core.log.producers import Producers, last_sequence_of
from ...core.log.verifications import VerifiedBatch
from ...core.replication.partition import Partition
from ...core.security.resources import Operation, transactional_resource
from ...serving.context import BrokerServices
from ...serving.rights import Rights
from ...serving.transactional import confirmed

ABORTABLE_SINCE: Final = 11
"""Produce version whose clients know TRANSACTION_ABORTABLE(120)."""
ADDS_SINCE: Final = 12
"""Produce version whose partitions are added to the transaction by their leaders."""
LATER: Final = ErrorCode.NOT_ENOUGH_REPLICAS
"""What makes producers of any age try again."""

_TOLD: Final[Mapping[ErrorCode, ErrorCode]] = {
    ErrorCode.PRODUCER_FENCED: ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.CONCURRENT_TRANSACTIONS: LATER,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: LATER,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: LATER,
    ErrorCode.NOT_COORDINATOR: LATER,
    ErrorCode.NETWORK_EXCEPTION: LATER,
    ErrorCode.REQUEST_TIMED_OUT: LATER,
}
"""What a coordinator says, as producers know it (TXN-51)."""

_TRIED_AGAIN: Final = (ErrorCode.NONE, LATER, ErrorCode.CONCURRENT_TRANSACTIONS)
"""After these the same batch may still come, so that none behind it may be taken before it."""


def is_forbidden(request: ProduceRequest, rights: Rights) -> bool:
    """Whether it has a transactional batch, and a transactional id that who asks may not use.

    No id at all is one of those. It is looked at before the topics are.
    """
    if not any(
        is_transactional(data.records)
        for topic in request.topic_data
        for data in topic.partition_data
        if data.records is not None
    ):
        return False
    name = request.transactional_id
    return name is None or not rights.may(Operation.WRITE, transactional_resource(name))


def is_transactional(records: Buffer) -> bool:
    """Whether these bytes begin with a batch that says so; they may be anything."""
    if len(records) < HEADER_SIZE or records[MAGIC_AT] != 2:
        return False
    return bool(records[ATTRIBUTES_AT + 1] & TRANSACTIONAL_MASK)


class TransactionalBatch:
    """One such batch, and what its coordinator said of it."""

    __slots__ = (
        "_epoch",
        "_error",
        "_first",
        "_is_added",
        "_last",
        "_producer_id",
        "_verified",
        "where",
    )

    def __init__(self, topic: str, index: int, header: BatchHeader) -> None:
        self.where = (topic, index)
        self._producer_id = header.producer_id
        self._epoch = header.producer_epoch
        self._first = header.base_sequence
        self._last = last_sequence_of(header.base_sequence, header.last_offset_delta)
        self._is_added = False
        self._verified: VerifiedBatch | None = None
        self._error = ErrorCode.NONE

    @property
    def producer(self) -> tuple[int, int]:
        """Producer id and epoch."""
        return self._producer_id, self._epoch

    def begins_in(self, producers: Producers) -> bool:
        """Whether it would open a transaction."""
        return producers.begins_transaction(self._producer_id, self._epoch, self._first, self._last)

    def ask(self, producers: Producers, *, is_added: bool) -> None:
        """Its coordinator is being asked, and `is_added`: to add the partition."""
        self._is_added = is_added
        self._verified = producers.verifications.ask(
            self._producer_id, self._epoch, self._first, has_own_epoch=is_added
        )

    def answered(self, code: ErrorCode) -> None:
        """The coordinator's answer has come, as the producer is told it."""
        self._error = code

    def close(self, producers: Producers) -> None:
        """It was appended or refused."""
        if self._verified is not None:
            producers.verifications.close(self._producer_id, self._verified)
        if self._error not in _TRIED_AGAIN:
            producers.verifications.forget(self._producer_id)

    def check(self, partition: Partition) -> None:
        """May it be appended now? Raises KafkaError (TXN-51)."""
        producers = partition.log.producers
        if self.begins_in(producers):
            if self._error is not ErrorCode.NONE:
                raise KafkaError(self._error, "the coordinator did not confirm the transaction")
            producers.check_begin(
                self._producer_id,
                self._epoch,
                self._first,
                self._verified,
                is_first_known=self._is_added,
            )


class Verifying:
    """The transactional batches of one request."""

    def __init__(self, node: BrokerServices, transactional_id: str | None, version: int) -> None:
        self._node = node
        self._transactional_id = transactional_id
        self._version = version
        self._producers: set[tuple[int, int]] = set()
        self._needed: list[tuple[TransactionalBatch, Producers]] = []
        self._asked: list[tuple[TransactionalBatch, Producers]] = []

    def note(self, batch: TransactionalBatch, partition: Partition) -> None:
        """This batch of the request is transactional."""
        self._producers.add(batch.producer)
        producers = partition.log.producers
        if batch.begins_in(producers):
            self._needed.append((batch, producers))

    @property
    def refusal(self) -> ErrorCode | None:
        """Why the whole request is refused: 53 without transactional id, 49 for two producers."""
        if self._producers and not self._transactional_id:
            return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
        if len(self._producers) > 1:
            return ErrorCode.INVALID_PRODUCER_ID_MAPPING
        return None

    @property
    def is_needed(self) -> bool:
        """Whether `ask` must come before the batches are appended."""
        return bool(self._needed)

    async def ask(self) -> None:
        """Ask the coordinator about all that begin a transaction; `close` must follow."""
        self._asked, self._needed = self._needed, []
        for batch, producers in self._asked:
            batch.ask(producers, is_added=self._version >= ADDS_SINCE)
        codes = await confirmed(self._node, self._question())
        for batch, _ in self._asked:
            batch.answered(self._told(codes.get(batch.where, ErrorCode.NETWORK_EXCEPTION)))

    def _question(self) -> AddPartitionsToTxnTransaction:
        topics: defaultdict[str, set[int]] = defaultdict(set)
        for batch, _ in self._asked:
            topics[batch.where[0]].add(batch.where[1])
        producer_id, epoch = self._asked[0][0].producer
        return AddPartitionsToTxnTransaction(
            transactional_id=self._transactional_id or "",
            producer_id=producer_id,
            producer_epoch=epoch,
            verify_only=self._version < ADDS_SINCE,
            topics=[
                AddPartitionsToTxnTopic(name=name, partitions=sorted(indexes))
                for name, indexes in topics.items()
            ],
        )

    def _told(self, code: ErrorCode) -> ErrorCode:
        if code is ErrorCode.TRANSACTION_ABORTABLE and self._version < ABORTABLE_SINCE:
            return ErrorCode.INVALID_TXN_STATE
        if code is ErrorCode.CONCURRENT_TRANSACTIONS and self._version >= ADDS_SINCE:
            return code
        return _TOLD.get(code, code)

    def close(self) -> None:
        """All were appended or refused."""
        for batch, producers in self._asked:
            batch.close(producers)
        self._asked.clear()

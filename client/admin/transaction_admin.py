"""The part of the admin that is about transactions and producers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..arguments import checked_names
from ..config import AdminConfig
from ..env import ClientEnv
from ..structs import TopicPartition
from ..transactions.machine import ProducerIdAndEpoch
from ..transactions.prepared import PreparedTransaction, end_prepared
from ..wire.cluster import Cluster
from . import hanging as hanging_calls
from . import transactions as calls
from .transaction_values import (
    HangingTransaction,
    ProducerState,
    TransactionDescription,
    TransactionListing,
)

HANGING_AFTER_MS = 15 * 60 * 1000
"""The brokers' default of `transaction.max.timeout.ms`: no coordinator lets one be open longer."""


class TransactionAdmin:
    """Looks at transactions, and ends those that nobody else would."""

    _config: AdminConfig
    _env: ClientEnv
    _cluster: Cluster

    async def list_transactions(
        self,
        *,
        states: Sequence[str] = (),
        producer_ids: Sequence[int] = (),
        open_longer_than_ms: int | None = None,
        pattern: str | None = None,
    ) -> list[TransactionListing]:
        """Transactional ids of the whole cluster, all or those that every given filter lets pass:
        one of these states (`Ongoing`, …), one of these producer ids, a transaction that has been
        open for longer (ids without one pass, too), a whole id that matches the pattern (RE2).

        Raises:
            ConfigurationError: a state that there is not; the text has those that there are.
            InvalidRegularExpressionError: the pattern is none.
            UnsupportedVersionError: a broker is too old for a filter.
        """
        return await calls.list_transactions(
            self._cluster, states, producer_ids, open_longer_than_ms, pattern
        )

    async def describe_transactions(
        self, transactional_ids: Sequence[str]
    ) -> dict[str, TransactionDescription]:
        """State, producer, time and partitions of transactions.

        Raises:
            TransactionalIdNotFoundError: no coordinator knows the id.
            TransactionalIdAuthorizationError: this user may not see it.
        """
        return await calls.describe_transactions(self._cluster, transactional_ids)

    async def describe_producers(
        self, partitions: Iterable[TopicPartition], *, broker_id: int | None = None
    ) -> dict[TopicPartition, tuple[ProducerState, ...]]:
        """The producers that a partition knows: as its leader does, or the broker of this id.

        Raises:
            UnknownTopicOrPartitionError: there is no such partition, or not on that broker.
        """
        return await calls.describe_producers(self._cluster, list(partitions), broker_id)

    async def fence_producers(
        self, transactional_ids: Sequence[str]
    ) -> dict[str, ProducerIdAndEpoch]:
        """Make producers with these ids useless, and abort what they have open; returns the
        producer id and epoch that each id has now.

        Raises:
            TransactionalIdAuthorizationError: this user may not write with the id.
        """
        timeout_ms = self._config.request_timeout_ms
        names = checked_names("fence_producers", transactional_ids)
        return await calls.fence_producers(self._cluster, names, timeout_ms)

    async def abort_transaction(
        self,
        partition: TopicPartition,
        producer_id: int,
        producer_epoch: int,
        coordinator_epoch: int | None = None,
    ) -> None:
        """Write an abort marker into one partition, for a transaction that hangs there; the numbers
        are those of `describe_producers`. Of a transaction that is alive this aborts a part only,
        which breaks what its producer was promised: `fence_producers` ends it as a whole.

        Raises:
            InvalidProducerEpochError: the partition has seen a later epoch of the producer.
            TransactionCoordinatorFencedError: it has seen a later epoch of the coordinator.
            ClusterAuthorizationFailedError: this user may not do it.
        """
        await calls.abort_transaction(
            self._cluster,
            partition,
            ProducerIdAndEpoch(producer_id, producer_epoch),
            coordinator_epoch,
        )

    async def commit_prepared_transaction(self, prepared: PreparedTransaction) -> None:
        """Commit what `Producer.prepare_transaction` returned, here or elsewhere; to do it again
        does no harm, as long as no other transaction was begun with its `transactional_id`.

        Raises:
            ProducerFencedError: it is aborted, since another producer with this id has started, or
                since it was open for longer than its `transaction_timeout_ms`.
            FatalTransactionError: it is aborted already.
            CommitUnknownError: no coordinator answered in time; call this again.
            TransactionalIdAuthorizationError, as cause of FatalTransactionError: this user may not
                write with the id.
        """
        await end_prepared(self._cluster, self._config, prepared, is_commit=True)

    async def abort_prepared_transaction(self, prepared: PreparedTransaction) -> None:
        """Abort what `Producer.prepare_transaction` returned, here or elsewhere.

        Raises:
            ProducerFencedError: it is over, since another producer with this id has started, or
                since it was open for longer than its `transaction_timeout_ms`.
            FatalTransactionError: it is committed already.
            AbortTimedOutError: no coordinator answered in time; call this again.
        """
        await end_prepared(self._cluster, self._config, prepared, is_commit=False)

    async def find_hanging_transactions(
        self,
        partitions: Iterable[TopicPartition] | None = None,
        *,
        open_longer_than_ms: int = HANGING_AFTER_MS,
    ) -> list[HangingTransaction]:
        """Transactions that are open in these partitions, or in any, whose producer has been silent
        for longer, and that no coordinator has open there: nobody will end them, and read_committed
        consumers wait. `abort_transaction` ends one."""
        wanted = None if partitions is None else list(partitions)
        return await hanging_calls.find_hanging(
            self._cluster, wanted, open_longer_than_ms, self._env.wall_ms
        )

"""What a transactional producer asks coordinators for: each call with its retries, bounded in time.

Errors are as brokers told them; what they mean for the transaction is in `verdicts`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from barnabas.protocol.messages.add_offsets_to_txn_response import AddOffsetsToTxnResponse
from barnabas.protocol.messages.add_partitions_to_txn_response import AddPartitionsToTxnResponse
from barnabas.protocol.messages.end_txn_request import EndTxnRequest
from barnabas.protocol.messages.end_txn_response import EndTxnResponse
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse
from barnabas.protocol.messages.produce_request import ProduceRequest
from barnabas.protocol.messages.txn_offset_commit_response import TxnOffsetCommitResponse

from ..errors import (
    BrokerError,
    ClientError,
    TransactionAbortedError,
    UnsupportedVersionError,
    error_of,
)
from ..groups.coordinator import Coordinator, CoordinatorOf
from ..groups.offsets import commit_codes
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.pool import Lane
from .machine import ProducerIdAndEpoch
from .messages import (
    Codes,
    add_partitions,
    added_codes,
    commit_offsets,
)
from .offsets import Claim, Offsets, claimed

T = TypeVar("T")

FEATURE = "transaction.version"
OWN_EPOCH_LEVEL = 2
"""The level from which on each transaction has an epoch of its own (KIP-890)."""

INIT_VERSION_MAX = 5
"""Version 6 is about transactions in two phases."""
RENEW_SINCE = 3
"""The version of InitProducerId from which on a producer can ask for its next epoch (KIP-360)."""
ADD_PARTITIONS_VERSION_MAX = 3
ADD_OFFSETS_VERSION_MAX = 4
MEMBERS_SINCE = 3
"""The version of TxnOffsetCommit from which on the group checks who commits (KIP-447)."""
COMMIT_VERSION_MAX, COMMIT_VERSION_IMPLICIT = 4, 5
END_VERSION_MAX, END_VERSION_IMPLICIT = 4, 5
PRODUCE_VERSION_IMPLICIT = 12
"""A request of an implicit version has brokers add what it is about to the transaction."""

FIRST_WAIT_MS = 20
"""The transaction before this one is complete in a moment, as a rule (CLI-13)."""

ELSEWHERE = frozenset(
    {
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.REQUEST_TIMED_OUT,
    }
)


class GenerationChangedError(ClientError):
    """A group has gone on, with the consumer in it."""

    retriable = True


class Coordination:
    """The coordinators of one transactional id, and of the groups that it commits offsets for."""

    def __init__(
        self,
        cluster: Cluster,
        transactional_id: str,
        transaction_timeout_ms: int,
        is_wanted: Callable[[], bool],
    ) -> None:
        self._cluster = cluster
        self._is_wanted = is_wanted
        self._id = transactional_id
        self._timeout_ms = transaction_timeout_ms
        self._coordinator = Coordinator(cluster, transactional_id, CoordinatorOf.TRANSACTION)
        self._of_groups: dict[str, Coordinator] = {}

    async def initialise(
        self, identity: ProducerIdAndEpoch | None, timeout_s: float
    ) -> ProducerIdAndEpoch:
        """Fence every other producer with this id, and end its transaction; with an `identity`,
        give its owner the next epoch, unless another producer has come since (KIP-360)."""

        async def ask() -> ProducerIdAndEpoch:
            request = InitProducerIdRequest(
                transactional_id=self._id, transaction_timeout_ms=self._timeout_ms
            )
            if identity is not None:
                request.producer_id, request.producer_epoch = identity
            response = await self._coordinator.call(
                request,
                InitProducerIdResponse,
                lane=Lane.TRANSACTION,
                at_least=0 if identity is None else RENEW_SINCE,
                at_most=INIT_VERSION_MAX,
            )
            self._check(response.error_code, "asking for a producer id")
            return ProducerIdAndEpoch(response.producer_id, response.producer_epoch)

        return await self._retrying(self._coordinator, ask, "asking for a producer id", timeout_s)

    async def adds_implicitly(self, timeout_s: float) -> bool:
        """Whether brokers add partitions and offsets to transactions by themselves: the cluster
        has agreed on it, and the coordinator speaks accordingly (KIP-890)."""

        async def ask() -> bool:
            node = await self._coordinator.node()
            try:
                connection = await self._cluster.connection(node, Lane.TRANSACTION)
            except Exception:
                self._coordinator.lost()
                raise
            if connection.feature_level(FEATURE) < OWN_EPOCH_LEVEL:
                return False
            try:
                newest = connection.version_of(EndTxnRequest), connection.version_of(ProduceRequest)
            except UnsupportedVersionError:
                return False
            return newest[0] >= END_VERSION_IMPLICIT and newest[1] >= PRODUCE_VERSION_IMPLICIT

        return await self._retrying(self._coordinator, ask, "looking for a coordinator", timeout_s)

    async def add_partitions(
        self, identity: ProducerIdAndEpoch, partitions: list[TopicPartition], timeout_s: float
    ) -> None:
        """Add these to the transaction; all or none."""

        async def ask() -> None:
            response = await self._coordinator.call(
                add_partitions(self._id, identity, partitions),
                AddPartitionsToTxnResponse,
                lane=Lane.TRANSACTION,
                at_most=ADD_PARTITIONS_VERSION_MAX,
            )
            self._check_all(added_codes(response, partitions), "adding it to the transaction")

        await self._while_wanted(self._coordinator, ask, "adding partitions", timeout_s)

    async def add_offsets(
        self, identity: ProducerIdAndEpoch, group_id: str, timeout_s: float
    ) -> None:
        """Add the offsets of a group to the transaction."""

        async def ask() -> None:
            request = AddOffsetsToTxnRequest(
                transactional_id=self._id,
                producer_id=identity.producer_id,
                producer_epoch=identity.epoch,
                group_id=group_id,
            )
            response = await self._coordinator.call(
                request,
                AddOffsetsToTxnResponse,
                lane=Lane.TRANSACTION,
                at_most=ADD_OFFSETS_VERSION_MAX,
            )
            self._check(response.error_code, f"adding the offsets of group {group_id!r}")

        await self._while_wanted(self._coordinator, ask, "adding offsets", timeout_s)

    async def commit_offsets(
        self,
        identity: ProducerIdAndEpoch,
        group_id: str,
        claim: Claim,
        offsets: Offsets,
        timeout_s: float,
        *,
        implicitly: bool,
    ) -> None:
        """Have the group's coordinator commit offsets with the transaction. `claim` is asked
        before each attempt who commits, since the group may have gone on meanwhile."""
        coordinator = self._of_groups.setdefault(group_id, Coordinator(self._cluster, group_id))
        left = dict(offsets)

        async def ask() -> None:
            group = claimed(claim)
            response = await coordinator.call(
                commit_offsets(self._id, identity, group, left),
                TxnOffsetCommitResponse,
                at_least=COMMIT_VERSION_IMPLICIT if implicitly else MEMBERS_SINCE,
                at_most=None if implicitly else COMMIT_VERSION_MAX,
            )
            codes = commit_codes(response, left)
            for key in [key for key, code in codes.items() if not code]:
                del left[key]
            is_old = ErrorCode.ILLEGAL_GENERATION in codes.values()
            if is_old and claimed(claim) != group:
                # It has what it had, in another generation: the same again, as of that one.
                raise GenerationChangedError(f"{coordinator} has another generation now")
            self._check_all(codes, f"committing its offset for group {group_id!r}")

        await self._while_wanted(coordinator, ask, "committing offsets", timeout_s)

    async def end(
        self,
        identity: ProducerIdAndEpoch,
        timeout_s: float,
        *,
        is_commit: bool,
        implicitly: bool,
    ) -> ProducerIdAndEpoch | None:
        """Commit or abort; returns what the producer goes on with, None for the same. The same call
        again is answered alike (CLI-14)."""
        what = "committing" if is_commit else "aborting"

        async def ask() -> ProducerIdAndEpoch | None:
            request = EndTxnRequest(
                transactional_id=self._id,
                producer_id=identity.producer_id,
                producer_epoch=identity.epoch,
                committed=is_commit,
            )
            response = await self._coordinator.call(
                request,
                EndTxnResponse,
                lane=Lane.TRANSACTION,
                at_least=END_VERSION_IMPLICIT if implicitly else 0,
                at_most=None if implicitly else END_VERSION_MAX,
            )
            self._check(response.error_code, f"{what} the transaction")
            if not implicitly or response.producer_id < 0:
                return None
            return ProducerIdAndEpoch(response.producer_id, response.producer_epoch)

        return await self._retrying(self._coordinator, ask, f"{what} a transaction", timeout_s)

    # ------------------------------------------------------------ inside

    async def _while_wanted(
        self,
        coordinator: Coordinator,
        ask: Callable[[], Awaitable[None]],
        what: str,
        timeout_s: float,
    ) -> None:
        """As `_retrying`, until the transaction has failed: an abort waits for what is on its way,
        and must not wait for further attempts."""

        async def attempt() -> None:
            if not self._is_wanted():
                raise TransactionAbortedError(f"{what}: the transaction has failed meanwhile")
            await ask()

        await self._retrying(coordinator, attempt, what, timeout_s)

    async def _retrying(
        self,
        coordinator: Coordinator,
        ask: Callable[[], Awaitable[T]],
        what: str,
        timeout_s: float,
    ) -> T:
        async def attempt() -> T:
            try:
                return await ask()
            except BrokerError as error:
                if error.code in ELSEWHERE:
                    coordinator.lost()
                raise

        backoff = self._cluster.new_backoff(FIRST_WAIT_MS)
        text = f"transactional id {self._id!r}: {what}"
        return await self._cluster.retrying(attempt, text, timeout_s, backoff)

    def _check(self, code: int, what: str) -> None:
        if code:
            raise error_of(code, f"transactional id {self._id!r}: {what}")

    def _check_all(self, codes: Codes, what: str) -> None:
        """Raise the refusal that matters most: one that another attempt does not mend, and none
        that only says that another partition was refused (TXN-10)."""
        failures: dict[object, BrokerError] = {
            key: error_of(code, f"transactional id {self._id!r}, {key}: {what}")
            for key, code in codes.items()
            if code
        }
        if failures:
            told = min(
                failures.values(),
                key=lambda each: (
                    each.code is ErrorCode.OPERATION_NOT_ATTEMPTED,
                    each.retriable,
                ),
            )
            told.failures = failures
            raise told

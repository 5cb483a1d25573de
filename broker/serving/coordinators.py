"""The coordinators of groups and transactions, as handlers use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.add_partitions_to_txn_request import AddPartitionsToTxnTransaction

from ..core.coordination.groups.group_machine import GroupMachine
from ..core.coordination.machine import Outcome, Reply
from ..core.coordination.transactions.transaction_machine import TransactionMachine
from ..core.replication.end_markers import EndMarker

ResultT = TypeVar("ResultT")
ResultT_co = TypeVar("ResultT_co", covariant=True)


class Parking(Protocol[ResultT_co]):
    """An operation that keeps the reply, and answers by it later."""

    def __call__(self, machine: GroupMachine, reply: Reply[ResultT_co], /) -> Outcome[None]: ...


class Groups(Protocol):
    """The group coordinator of this broker: its shards, and their state machines."""

    async def write(
        self, group_id: str, decide: Callable[[GroupMachine], Outcome[ResultT]]
    ) -> ResultT:
        """Decide in the shard of this group; the answer, once what it wrote is committed.

        Raises KafkaError: what `decide` raises, 14, 15 or 16 by the state of the shard (CRT-04),
        or what the append came to (CRT-05, CRT-08).
        """
        ...

    async def park(self, group_id: str, decide: Parking[ResultT]) -> ResultT:
        """The same for an answer that the state machine gives itself, later, by `Reply`."""
        ...

    async def read(
        self,
        group_id: str,
        look: Callable[[GroupMachine, int], ResultT],
        *,
        may_be_old: bool = False,
    ) -> ResultT:
        """Read the state at the offset that is passed: that which is committed (CRT-09).

        After a change of leader it waits until what was loaded is committed. Where that takes too
        long, who takes a state that `may_be_old` is told what the watermark has passed.

        Raises KafkaError 14, 15 or 16 by the state of the shard.
        """
        ...

    async def read_all(self, look: Callable[[GroupMachine, int], ResultT]) -> list[ResultT]:
        """Read each shard that this broker leads; raises KafkaError 14 while one is loading."""
        ...

    async def end_transaction(self, number: int, marker: EndMarker) -> None:
        """Write a marker into this partition of the topic, with what it decides (CRT-20).

        Raises KafkaError: 14, 15 or 16 by the state of the shard, 19, 47, 52, 56 (TXN-31).
        """
        ...


class Transactions(Protocol):
    """The transaction coordinator of this broker: its shards, and their state machines."""

    async def write(
        self,
        transactional_id: str,
        decide: Callable[[TransactionMachine], Outcome[ResultT]],
    ) -> ResultT:
        """Decide in the shard of this id; the answer, once what it wrote is committed.

        Raises KafkaError: what `decide` raises, 14, 15 or 16 by the state of the shard (CRT-04),
        or what the append came to (CRT-05, CRT-08).
        """
        ...

    async def read(
        self, transactional_id: str, look: Callable[[TransactionMachine, int], ResultT]
    ) -> ResultT:
        """Read the state at the offset that is passed: that which is committed (CRT-09).

        Raises KafkaError 14, 15 or 16 by the state of the shard.
        """
        ...

    async def read_all(self, look: Callable[[TransactionMachine, int], ResultT]) -> list[ResultT]:
        """Read each shard that this broker leads; raises KafkaError 14 while one is loading."""
        ...

    async def have_producer_id(self) -> None:
        """Return when there is a producer id at hand (TXN-04). Raises KafkaError."""
        ...

    @property
    def feature_level(self) -> int:
        """Level of `transaction.version` that the cluster has finalised."""
        ...


class Verification(Protocol):
    """The way to the coordinators of transactions, for leaders that ask what is in one."""

    async def ask(
        self, asked: AddPartitionsToTxnTransaction
    ) -> Mapping[tuple[str, int], ErrorCode]:
        """What the coordinator says of each partition; its own error is that of all.

        15 if no coordinator is known, 13 if it did not answer.
        """
        ...


class InternalTopics(Protocol):
    """The topics in which coordinators keep their state."""

    async def ensure(self, name: str) -> None:
        """Create it if need be; returns when that was done, or was not possible now."""
        ...

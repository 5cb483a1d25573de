"""The in-sync set of a partition that this broker leads: what is committed, what is asked for.

- 497-03: the watermark waits for the maximal set: who is about to be added counts already, who is
  about to be removed counts still.
- 497-02: one change is open at a time. It ends with its answer or with newer metadata. 55 and 107
  take it back; 3, 100, 74, 95, 42 and 108 leave it open until metadata tells more; every other
  error is worth asking again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from barnabas.protocol.errors import ErrorCode

REVERTING = frozenset({ErrorCode.OPERATION_NOT_ATTEMPTED, ErrorCode.INELIGIBLE_REPLICA})
AWAITING_METADATA = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.INVALID_UPDATE_VERSION,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.NEW_LEADER_ELECTED,
    }
)


@dataclass(frozen=True, slots=True)
class IsrChange:
    """A change of an in-sync set that a leader asks the controller for (AlterPartition)."""

    topic_id: bytes
    topic: str
    index: int
    leader_epoch: int
    partition_epoch: int
    isr: tuple[tuple[int, int], ...]
    """Broker id and broker epoch of each member; epoch -1 where the leader does not know it."""
    recovery_state: int
    relinquish: bool = False
    """The leader hands over: it stands last in `isr` and wants another member to lead (501-12)."""


class IsrAnswer(NamedTuple):
    """What the controller says to an `IsrChange`; the rest holds with error code 0 only."""

    error_code: int
    leader_id: int = -1
    leader_epoch: int = -1
    isr: tuple[int, ...] = ()
    recovery_state: int = 0
    partition_epoch: int = -1


class InSyncSet:
    """Committed members, the change that is under way, and the members that count."""

    __slots__ = ("change", "committed", "maximal", "partition_epoch")

    def __init__(self, members: tuple[int, ...] = ()) -> None:
        """`members`: who was in sync in the epoch before, until the cluster says who is now."""
        self.committed = members
        self.maximal = members
        self.partition_epoch = -1
        self.change: IsrChange | None = None

    def commit(self, members: tuple[int, ...], partition_epoch: int) -> None:
        """The cluster says who is in sync; whatever was asked for is settled by that."""
        self.committed = self.maximal = members
        self.partition_epoch = partition_epoch
        self.change = None

    def begin(self, change: IsrChange) -> None:
        """A change is on its way to the controller."""
        assert self.change is None, "one change at a time"
        self.change = change
        added = tuple(member for member, _ in change.isr if member not in self.committed)
        self.maximal = self.committed + added

    def revert(self) -> None:
        """The controller will have none of it: the set stays as it was."""
        self.change = None
        self.maximal = self.committed

    def take(self, change: IsrChange, answer: IsrAnswer) -> bool:
        """Take the answer to `change`; True if it should be asked for again (497-02)."""
        if self.change is not change:
            return False  # metadata was faster
        code = answer.error_code
        if code == ErrorCode.NONE:
            is_known = (
                answer.leader_epoch == change.leader_epoch
                and answer.partition_epoch >= self.partition_epoch
            )
            if is_known:
                self.commit(answer.isr, answer.partition_epoch)
            # Else the controller knows of another leader epoch: its metadata is on the way.
            return False
        if code in REVERTING:
            self.revert()
            return False
        return code not in AWAITING_METADATA

"""The in-sync set of a partition that this broker leads: the committed one, and proposed changes.

- 497-03: the watermark waits for the maximal set: a replica that is about to be added counts
  already, and one that is about to be removed still counts.
- 497-02: one change is open at a time. It ends with its answer or with newer metadata. Errors 55
  and 107 take it back; 3, 100, 74, 95, 42 and 108 leave it open until newer metadata comes; after
  every other error it is proposed again.
- 497-04: a replica may join if it is unfenced, not shutting down, and the incarnation that the
  cluster knows.
- 966-01: `min.insync.replicas` counts as no more than the number of replicas.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..cluster.topic_image import RECOVERED
from .hosted import HostedReplica
from .isr_change import IsrAnswer, IsrChange
from .progress import Progress
from .surroundings import Surroundings

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


class InSyncSet:
    """Committed members, the change that is under way, and the members that count."""

    __slots__ = (
        "_around",
        "_followers",
        "_leader_epoch",
        "_on_answered",
        "_replica",
        "change",
        "committed",
        "count",
        "maximal",
        "min_count",
        "partition_epoch",
    )

    def __init__(
        self,
        replica: HostedReplica,
        around: Surroundings,
        leader_epoch: int,
        followers: dict[int, Progress],
        members: tuple[int, ...],
        on_answered: Callable[[], object],
    ) -> None:
        """`followers`: of the leader, which keeps them up to date.

        `members`: the in-sync set of the previous epoch, which holds until metadata says otherwise.
        `on_answered`: called when the controller has settled a change, so that another set counts.
        """
        self._replica = replica
        self._around = around
        self._leader_epoch = leader_epoch
        self._followers = followers
        self._on_answered = on_answered
        self.committed = members
        self.maximal = members
        self.partition_epoch = -1
        self.change: IsrChange | None = None
        self.count = len(members)
        """Size of the committed set, when it was last reported to metrics and simulator."""
        self.min_count = 1
        """`min.insync.replicas`, limited by the number of replicas (966-01)."""

    # --- enough (966-01) ------------------------------------------------------------------------

    @property
    def is_enough(self) -> bool:
        """Whether enough replicas are in sync for acks=all, and for the watermark to move."""
        return self.count >= self.min_count

    def check_enough(self) -> None:
        """Raises KafkaError NOT_ENOUGH_REPLICAS (19) if too few are in sync for acks=all."""
        if self.count < self.min_count:
            raise KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)

    def find_min_count(self) -> None:
        """Work out `min_count` again, after a change of the topic's settings or its replicas."""
        wanted = self._replica.config.min_insync_replicas
        self.min_count = min(wanted, len(self._followers) + 1)

    # --- what is committed and asked for --------------------------------------------------------

    def commit(self, members: tuple[int, ...], partition_epoch: int) -> None:
        """Take the set that the controller has committed; it ends any open change."""
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
        """The controller refused the change: the set stays as it was."""
        self.change = None
        self.maximal = self.committed

    def take(self, change: IsrChange, answer: IsrAnswer) -> bool:
        """Take the answer to `change`; True if the change should be proposed again (497-02)."""
        if self.change is not change:
            return False  # newer metadata has come before the answer and ended the change
        code = answer.error_code
        if code == ErrorCode.NONE:
            is_known = (
                answer.leader_epoch == change.leader_epoch
                and answer.partition_epoch >= self.partition_epoch
            )
            if is_known:
                self.commit(answer.isr, answer.partition_epoch)
            # Otherwise the controller knows another leader epoch, and its metadata will come.
            return False
        if code in REVERTING:
            self.revert()
            return False
        return code not in AWAITING_METADATA

    def assign(self, members: tuple[int, ...], partition_epoch: int) -> None:
        """Take the in-sync set from the cluster's metadata."""
        # Another order of the same replicas changes no fetch's answer, so resting partitions stay
        # at rest: a hundred of them would be read for nothing.
        if set(members) != set(self.committed):
            self._replica.waiters.end_rests()
        self.commit(members, partition_epoch)
        self._note_committed()

    def _note_committed(self) -> None:
        before, self.count = self.count, len(self.committed)
        if before != self.count and before:
            self._around.count_change(self.count - before)
        if self._replica.hooks is not None:
            self._replica.tell(
                "isr-committed", isr=self.committed, partition_epoch=self.partition_epoch
            )
        self.find_min_count()
        if self.count < self.min_count:
            # 966-01: the records are appended, but the watermark will not reach them for now.
            self._replica.waiters.refuse_acks(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)

    def end(self) -> None:
        """The leader epoch is over: later answers of the controller are ignored."""
        self.committed = self.maximal = ()
        self.change = None

    # --- asking the controller ------------------------------------------------------------------

    def may_join(self, replica_id: int, progress: Progress) -> bool:
        """Whether the controller would admit this replica, by the metadata known here (497-04).

        A replica whose log directory has failed may not join either: the watermark would wait for
        it until its lag was too large.
        """
        cluster = self._around.cluster
        return (
            not progress.is_lost
            and cluster.is_active(replica_id)
            and progress.broker_epoch in (-1, cluster.broker_epoch(replica_id))
        )

    def relinquish(self) -> str | None:
        """Ask the controller to let another member lead (501-10); None, or why that is impossible.

        The proposed set has the same members, with this broker last (501-12).
        """
        if self.change is not None:
            return "a change of the in-sync set is under way"
        own = self._around.node_id
        others = tuple(member for member in self.committed if member != own)
        if not any(self._around.cluster.is_active(member) for member in others):
            return "nobody else is in sync"  # 501-11
        self.propose((*others, own), relinquish=True)
        return None

    def propose(self, members: tuple[int, ...], *, relinquish: bool = False) -> None:
        """Propose these members to the controller."""
        replica = self._replica
        change = IsrChange(
            replica.topic_id,
            replica.topic,
            replica.index,
            self._leader_epoch,
            self.partition_epoch,
            tuple((member, self._epoch_of(member)) for member in members),
            # After an unclean election the leader's log is all there is: nothing to recover.
            RECOVERED,
            relinquish,
        )
        self.begin(change)
        if replica.hooks is not None:
            replica.tell("relinquish" if relinquish else "isr-proposed", change=change)
        self._around.isr.propose(change, partial(self._on_answer, change))

    def _epoch_of(self, member: int) -> int:
        if member == self._around.node_id:
            return self._around.cluster.broker_epoch(member)
        progress = self._followers.get(member)
        return -1 if progress is None else progress.broker_epoch

    def _on_answer(self, change: IsrChange, answer: IsrAnswer) -> None:
        if self.change is not change:
            return
        if self.take(change, answer):
            # Proposed again with present broker epochs: one may have changed meanwhile.
            members = tuple(member for member, _ in change.isr)
            self.revert()
            self.propose(members, relinquish=change.relinquish)
        elif self.change is None:
            self._replica.waiters.end_rests()
            self._note_committed()
            self._on_answered()

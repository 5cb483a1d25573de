"""The in-sync set of a partition that this broker leads: what is committed, what is asked for.

- 497-03: the watermark waits for the maximal set: who is about to be added counts already, who is
  about to be removed counts still.
- 497-02: one change is open at a time. It ends with its answer or with newer metadata. 55 and 107
  take it back; 3, 100, 74, 95, 42 and 108 leave it open until metadata tells more; every other
  error is worth asking again.
- 497-04: who may join is unfenced, not shutting down, and the incarnation that the cluster knows.
- 966-01: `min.insync.replicas` may not ask for more replicas than there are.
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

        `members`: who was in sync in the epoch before, until the cluster says who is now.
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
        """How many are committed, as was told last."""
        self.min_count = 1
        """`min.insync.replicas`, but no more than there are replicas (966-01)."""

    # --- enough (966-01) ------------------------------------------------------------------------

    @property
    def is_enough(self) -> bool:
        """Whether acks=all may be had, and the watermark move."""
        return self.count >= self.min_count

    def check_enough(self) -> None:
        """Raises KafkaError NOT_ENOUGH_REPLICAS (19) if acks=all cannot be had now."""
        if self.count < self.min_count:
            raise KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)

    def find_min_count(self) -> None:
        """Topic or assignment have changed: more than there are replicas cannot be asked for."""
        wanted = self._replica.config.min_insync_replicas
        self.min_count = min(wanted, len(self._followers) + 1)

    # --- what is committed and asked for --------------------------------------------------------

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

    def assign(self, members: tuple[int, ...], partition_epoch: int) -> None:
        """The cluster's metadata says who is in sync."""
        # Another order of the same replicas is no news to a fetch: a hundred of them would be read.
        if set(members) != set(self.committed):
            self._replica.waiters.stir()
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
            # 966-01: the records are in the log, but the watermark will not move for now.
            self._replica.waiters.refuse_acks(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)

    def end(self) -> None:
        """The epoch is over: what the controller answers changes nothing any more."""
        self.committed = self.maximal = ()
        self.change = None

    # --- asking the controller ------------------------------------------------------------------

    def may_join(self, replica_id: int, progress: Progress) -> bool:
        """497-04, as far as the cluster knows it.

        Nor may its disk have refused the replica: it would be waited for as long as its lag allows.
        """
        cluster = self._around.cluster
        return (
            not progress.is_lost
            and cluster.is_active(replica_id)
            and progress.broker_epoch in (-1, cluster.broker_epoch(replica_id))
        )

    def relinquish(self) -> str | None:
        """Ask the controller to let another member lead (501-10); None, or why it cannot be.

        The in-sync set stays as it is, with this broker last (501-12).
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
        """Ask for these members."""
        replica = self._replica
        change = IsrChange(
            replica.topic_id,
            replica.topic,
            replica.index,
            self._leader_epoch,
            self.partition_epoch,
            tuple((member, self._epoch_of(member)) for member in members),
            # Who leads holds all there is of an unclean election: nothing is left to recover.
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
            # Asked anew with what is known now: the epoch of a broker may have changed meanwhile.
            members = tuple(member for member, _ in change.isr)
            self.revert()
            self.propose(members, relinquish=change.relinquish)
        elif self.change is None:
            self._replica.waiters.stir()
            self._note_committed()
            self._on_answered()

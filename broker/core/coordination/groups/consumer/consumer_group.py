"""A consumer group as other parts of the coordinator see it: its state, and who may do what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from barnabas.protocol.errors import ErrorCode, KafkaError

from ....cluster.image import ClusterImage
from ...machine import Record
from ..group import Committer, GroupKind
from ..surroundings import GroupSurroundings
from .group_records import group_tombstones
from .group_state import GroupState
from .member import BORN, Current, Member
from .pace import TargetPace
from .partitions import TopicPartition
from .topic_changes import Look

EMPTY = "Empty"
ASSIGNING = "Assigning"
RECONCILING = "Reconciling"
STABLE = "Stable"

PROTOCOL_TYPE = "consumer"
MEMBER_EPOCHS_SINCE = 9
"""First version of OffsetCommit that knows member epochs (OFF-04)."""


class ConsumerGroup:
    """One group of the consumer protocol; it implements `Group` (groups/group.py)."""

    __slots__ = ("_group_id", "_image", "look", "pace", "state")

    def __init__(self, group_id: str, around: GroupSurroundings) -> None:
        self._group_id = group_id
        self._image: Callable[[], ClusterImage] = around.image
        self.state = GroupState(around.timeline, around.weight)
        self.look = Look()
        """The last comparison of its topics with the metadata; not stored."""
        self.pace = TargetPace()
        """Of its targets; not stored."""

    @property
    def group_id(self) -> str:
        return self._group_id

    @property
    def kind(self) -> GroupKind:
        return GroupKind.CONSUMER

    @property
    def is_empty(self) -> bool:
        return not self.state.members

    # --- what others are told -------------------------------------------------------------------

    def state_name_at(self, offset: int) -> str:
        """Empty, Assigning, Reconciling or Stable (848-25)."""
        state = self.state
        members = [member_id for member_id, _ in state.members.items_at(offset)]
        if not members:
            return EMPTY
        numbers = state.numbers_at(offset)
        if numbers.epoch > numbers.assignment_epoch:
            return ASSIGNING
        currents = dict(state.currents.items_at(offset))
        if all(currents.get(one, BORN).is_at(numbers.assignment_epoch) for one in members):
            return STABLE
        return RECONCILING

    def protocol_type_at(self, offset: int) -> str:
        """It is always `consumer` (848-24)."""
        del offset
        return PROTOCOL_TYPE

    # --- offsets --------------------------------------------------------------------------------

    def check_commit(self, committer: Committer, partitions: Sequence[tuple[str, int]]) -> None:
        """Raise KafkaError unless this member may commit for these partitions (OFF-04)."""
        if committer.epoch < 0 and (self.is_empty or _is_anonymous(committer)):
            return
        member = self.state.members.get(committer.member_id)
        if member is None:
            raise _unknown(committer.member_id, self._group_id)
        has_epochs = committer.api_version >= MEMBER_EPOCHS_SINCE or committer.is_transactional
        if member.classic is None and not has_epochs:
            raise KafkaError(
                ErrorCode.UNSUPPORTED_VERSION,
                f"OffsetCommit version {MEMBER_EPOCHS_SINCE} or higher must be used by members "
                "that speak the consumer protocol.",
            )
        current = self.state.current(committer.member_id)
        if committer.epoch == current.epoch:
            return
        if committer.epoch > current.epoch or not self._were_given(current, committer, partitions):
            raise _stale(member, committer.epoch, current.epoch)

    def _were_given(
        self, current: Current, committer: Committer, partitions: Sequence[tuple[str, int]]
    ) -> bool:
        """Whether the member had all partitions at the epoch it commits with, and has them."""
        topics = self._image().topics_by_name
        for name, partition in partitions:
            topic = topics.get(name)
            if topic is None:
                return False
            given = _epoch_of(current, (topic.topic_id, partition))
            if given is None or given > committer.epoch:
                return False
        return True

    def check_fetch(self, committer: Committer, offset: int) -> None:
        """Raise KafkaError unless this is a member as it is (OFF-07).

        A reader that names no member at all, not even an empty one, is not checked: do not call.
        """
        member = self.state.members.at(committer.member_id, offset)
        if member is None:
            raise _unknown(committer.member_id, self._group_id)
        current = self.state.currents.at(committer.member_id, offset) or BORN
        if committer.epoch != current.epoch:
            raise _stale(member, committer.epoch, current.epoch)

    def check_delete(self) -> None:
        """Raise KafkaError NON_EMPTY_GROUP (68) if the group has members (848-28)."""
        if not self.is_empty:
            raise KafkaError(ErrorCode.NON_EMPTY_GROUP, f"Group {self._group_id} is not empty.")

    def is_subscribed(self, topic: str) -> bool:
        """Whether a member reads this topic (OFF-20, OFF-30)."""
        return self.state.is_subscribed(topic)

    def expiry_starts_ms(self, topic: str, commit_ms: int) -> int | None:
        """From the commit on, for topics that nobody subscribes to, in any state (OFF-30)."""
        return None if self.is_subscribed(topic) else commit_ms

    def check_offset_delete(self) -> None:
        """Offsets may go whatever the state; what is subscribed is checked by topic (OFF-20)."""

    # --- its life -------------------------------------------------------------------------------

    def tombstones(self) -> Sequence[Record]:
        """The records that remove this group (REC-02)."""
        state = self.state
        member_ids: Mapping[str, None] = dict.fromkeys(
            (*state.members, *state.targets, *state.currents)
        )
        return group_tombstones(self._group_id, member_ids, list(state.patterns))

    def on_loaded(self) -> None:
        """Timers of members are set by `ConsumerGroups.on_loaded`, for all groups (CRT-17)."""

    def on_unloaded(self) -> None:
        """Nobody waits in a consumer group: heartbeats are answered at once (CRT-18)."""


def _is_anonymous(committer: Committer) -> bool:
    """A transaction of a producer that tells nothing of the group (OFF-04)."""
    return committer.is_transactional and not committer.member_id and _is_nobody(committer)


def _is_nobody(committer: Committer) -> bool:
    return committer.epoch == -1 and committer.instance_id is None


def _epoch_of(current: Current, partition: TopicPartition) -> int | None:
    given = current.assigned.get(partition)
    return current.revoking.get(partition) if given is None else given


def _unknown(member_id: str, group_id: str) -> KafkaError:
    return KafkaError(
        ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} is not a member of group {group_id}."
    )


def _stale(member: Member, sent: int, epoch: int) -> KafkaError:
    text = f"The member epoch {sent} of member {member.member_id} is not {epoch}."
    if member.classic is not None:
        return KafkaError(ErrorCode.ILLEGAL_GENERATION, text)
    return KafkaError(ErrorCode.STALE_MEMBER_EPOCH, text)

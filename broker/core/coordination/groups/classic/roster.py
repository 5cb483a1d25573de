"""Who belongs to a classic group: members, static ones, ids that were given out, who waits."""

from __future__ import annotations

from collections.abc import Iterator

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ...machine import Reply
from .answers import join_refused, sync_refused
from .member import Member, Terms
from .pending_ids import PendingIds
from .selection import SharedProtocols
from .weights import GROUP_BYTES_MAX, TotalWeight


class Roster:
    """The members of a group. Each change costs no more than the one who is concerned."""

    __slots__ = (
        "_members",
        "_static",
        "joining_count",
        "pending",
        "shared",
        "total",
        "unsynced",
        "weight_bytes",
    )

    def __init__(self, total: TotalWeight) -> None:
        """`total` is what the members of all groups of this broker take."""
        self._members: dict[str, Member] = {}
        self._static: dict[str, str] = {}
        self.pending = PendingIds(total)
        """Ids that were given out with MEMBER_ID_REQUIRED (GRP-05)."""
        self.unsynced: set[str] = set()
        """Members of this generation that have sent no SyncGroup (GRP-21)."""
        self.joining_count = 0
        """Members whose JoinGroup waits."""
        self.shared = SharedProtocols()
        self.weight_bytes = 0
        self.total = total

    def __del__(self) -> None:
        # Groups go by many ways (deleted, expired, replaced by a record, unloaded with a shard).
        self.total.size -= self.weight_bytes
        self.pending.clear()

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Member]:
        """All members, in the order in which they came."""
        return iter(self._members.values())

    def __contains__(self, member_id: str) -> bool:
        return member_id in self._members

    def get(self, member_id: str) -> Member | None:
        """The member of this id; None if there is none."""
        return self._members.get(member_id)

    def static_id(self, instance_id: str) -> str | None:
        """The id of the static member that has this instance id now."""
        return self._static.get(instance_id)

    @property
    def have_all_joined(self) -> bool:
        """Whether nobody has to be waited for: all members join, and no id is pending (GRP-10).

        With no member left the ids are not waited for either (GRP-12).
        """
        if not self._members:
            return True
        return self.joining_count == len(self._members) and not self.pending

    def longest_rebalance_ms(self) -> int:
        """How long a rebalance may take: the largest timeout of a member (GRP-10)."""
        return max((one.terms.rebalance_timeout_ms for one in self), default=0)

    def first_joining(self) -> Member | None:
        """The first member whose JoinGroup waits."""
        return next((one for one in self if one.joining is not None), None)

    def choose_protocol(self) -> str | None:
        """The protocol that the members choose by vote (GRP-13)."""
        return self.shared.choose(len(self), (one.terms.protocols for one in self))

    # --- who belongs to it ----------------------------------------------------------------------

    def add(self, member: Member) -> None:
        """A member that is new to the group; its id is not pending any more."""
        self.pending.discard(member.member_id)
        self._members[member.member_id] = member
        if member.instance_id is not None:
            self._static[member.instance_id] = member.member_id
        if member.joining is not None:
            self.joining_count += 1
        self._count(member)

    def remove(self, member: Member, code: ErrorCode = ErrorCode.UNKNOWN_MEMBER_ID) -> None:
        """It is no member any more; what it waits for is refused."""
        self.refuse_join(member, code)
        self.refuse_sync(member, code)
        del self._members[member.member_id]
        self.unsynced.discard(member.member_id)
        instance_id = member.instance_id
        if instance_id is not None and self._static.get(instance_id) == member.member_id:
            del self._static[instance_id]
        self._discount(member)

    def renew(self, member: Member, terms: Terms) -> None:
        """It joins again, with other timeouts and protocols."""
        self._discount(member)
        member.terms = terms
        self._count(member)

    def replace(self, old: Member, new: Member) -> None:
        """A static member comes back under another id; the old id is fenced (GRP-15)."""
        was_unsynced = old.member_id in self.unsynced
        self.remove(old, ErrorCode.FENCED_INSTANCE_ID)
        self.add(new)
        if was_unsynced:
            self.unsynced.add(new.member_id)

    def has_room_for(self, weight: int, instead_of: Member | None) -> bool:
        """Whether one more member of this weight may be kept, or one be in place of another."""
        replaced = 0 if instead_of is None else instead_of.weight
        if self.weight_bytes - replaced + weight > GROUP_BYTES_MAX:
            return False
        return self.total.has_room_for(weight, replaced)

    def _count(self, member: Member) -> None:
        weight = member.weight
        self.shared.add(member.terms.protocols)
        self.weight_bytes += weight
        self.total.size += weight

    def _discount(self, member: Member) -> None:
        weight = member.weight
        self.shared.remove(member.terms.protocols)
        self.weight_bytes -= weight
        self.total.size -= weight

    # --- who waits ------------------------------------------------------------------------------

    def park_join(self, member: Member, reply: Reply[JoinGroupResponse]) -> None:
        """Its JoinGroup waits; an earlier one that still does is told to try again (GRP-09)."""
        self.refuse_join(member, ErrorCode.REBALANCE_IN_PROGRESS)
        member.joining = reply
        self.joining_count += 1

    def answer_join(self, member: Member, answer: JoinGroupResponse) -> bool:
        """Answer its JoinGroup; False if none waits."""
        reply, member.joining = member.joining, None
        if reply is None:
            return False
        self.joining_count -= 1
        reply.give(answer)
        return True

    def refuse_join(self, member: Member, code: ErrorCode) -> bool:
        """Answer its JoinGroup with an error; False if none waits."""
        if member.joining is None:
            return False
        # Who was dropped begins anew; everybody else keeps the id.
        kept = "" if code is ErrorCode.UNKNOWN_MEMBER_ID else member.member_id
        return self.answer_join(member, join_refused(code, kept))

    def park_sync(self, member: Member, reply: Reply[SyncGroupResponse]) -> None:
        """Its SyncGroup waits; an earlier one that still does is told to join again."""
        self.refuse_sync(member, ErrorCode.REBALANCE_IN_PROGRESS)
        member.syncing = reply

    @staticmethod
    def answer_sync(member: Member, answer: SyncGroupResponse) -> bool:
        """Answer its SyncGroup; False if none waits."""
        reply, member.syncing = member.syncing, None
        if reply is not None:
            reply.give(answer)
        return reply is not None

    @staticmethod
    def refuse_sync(member: Member, code: ErrorCode) -> bool:
        """Answer its SyncGroup with an error; False if none waits."""
        return member.syncing is not None and Roster.answer_sync(member, sync_refused(code))

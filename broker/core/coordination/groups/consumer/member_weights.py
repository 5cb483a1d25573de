"""How much memory the members of consumer groups take, and who may still come.

The members of classic groups are in the same total (`classic/weights.py`).
"""

from __future__ import annotations

from typing import Final

from ..classic.weights import GROUP_BYTES_MAX, TotalWeight
from .member import Member

BYTES_OF_A_NAME: Final = 80
"""That a topic's name takes in memory beside its letters, about."""


def weight_of(member: Member) -> int:
    """About how many bytes of memory a member takes; its partitions are others' affair."""
    names = member.topic_names
    said = sum(map(len, names)) + BYTES_OF_A_NAME * len(names) + len(member.pattern)
    client = len(member.client.client_id) + len(member.client.host)
    ids = (member.member_id, member.instance_id, member.rack_id, member.assignor)
    client += sum(len(one) for one in ids if one is not None)
    if member.classic is not None:
        said += sum(len(one.name) + len(one.metadata) for one in member.classic.protocols)
    return said + client


class GroupWeight:
    """What the members of one group take, with what may be taken back still."""

    __slots__ = ("_total", "size")

    def __init__(self, total: TotalWeight) -> None:
        """`total` is what the members of all groups of this broker take."""
        self._total = total
        self.size = 0

    def change(self, size: int) -> None:
        """So much more, or less."""
        self.size += size
        self._total.size += size

    def has_room_for(self, size: int, instead_of: int) -> bool:
        """Whether so much more may be kept, in place of what is kept now."""
        if self.size - instead_of + size > GROUP_BYTES_MAX:
            return False
        return self._total.has_room_for(size, instead_of)


class HeldWeight:
    """Counts for as long as something refers to it: the state, or what may be restored into it."""

    __slots__ = ("_group", "size")

    def __init__(self, group: GroupWeight, size: int) -> None:
        self._group = group
        self.size = size
        group.change(size)

    def __del__(self) -> None:
        self._group.change(-self.size)

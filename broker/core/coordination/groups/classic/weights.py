"""How much memory the members of all groups of a broker take, and who may still come."""

from __future__ import annotations

from typing import Final

GROUP_BYTES_MAX: Final = 64 * 1024 * 1024
"""What the members of one group may say of themselves, about; beyond it nobody joins."""

ALL_BYTES_MAX: Final = 256 * 1024 * 1024
"""The same of all groups together; beyond it only members that take little join, so that nobody
can keep everybody else out."""

LITTLE_BYTES: Final = 4096
"""More than usual consumers bring along."""


class TotalWeight:
    """What the members of all groups take, as far as they are in memory."""

    __slots__ = ("pending_ids", "size")

    def __init__(self) -> None:
        self.size = 0
        self.pending_ids = 0
        """Member ids that were given out and not used yet (GRP-05)."""

    def has_room_for(self, size: int, instead_of: int) -> bool:
        """Whether so much more may be kept, in place of what is kept now."""
        if size <= max(LITTLE_BYTES, instead_of):
            return True
        return self.size - instead_of + size <= ALL_BYTES_MAX

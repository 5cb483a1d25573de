"""What to do when a replica says that a position is out of range (392-11), as one table.

| who answered | position is | epoch of it | course |
|---|---|---|---|
| follower | below its log start | any | ask the leader: a follower alone moves no position (I-19) |
| follower | beyond its high watermark | known | compare with the leader's epochs |
| follower | beyond its high watermark | unknown | ask the leader |
| leader | below its log start | any | reset by policy |
| leader | beyond its high watermark | known | compare epochs: was the log truncated? |
| leader | beyond its high watermark | unknown | reset by policy |
| any | within both | any | ask again: it was outside a moment ago |

A broker that does not say what it has (Kafka does not) is treated as if the position were beyond.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

NOBODY = -1
"""Node of a `Refusal` that no replica gave: the leader is another, and was not asked yet."""


class Course(enum.Enum):
    """How to go on after a refusal."""

    ASK_LEADER = enum.auto()
    """Fetch from the leader; its answer counts."""
    COMPARE_EPOCHS = enum.auto()
    """OffsetForLeaderEpoch to the leader: is the position in its log (KIP-320)?"""
    RESET = enum.auto()
    """Go on by `auto_offset_reset`."""
    ASK_AGAIN = enum.auto()
    """Nothing is wrong with the position."""


class Refusal(NamedTuple):
    """OFFSET_OUT_OF_RANGE for one partition; offsets are -1 where the answer has none."""

    node_id: int
    is_leader: bool
    offset: int
    epoch: int
    log_start_offset: int
    high_watermark: int

    @property
    def is_below(self) -> bool:
        """Whether the position is before what the replica has."""
        return 0 <= self.offset < self.log_start_offset

    @property
    def says_nothing(self) -> bool:
        """Whether the broker left out what it has."""
        return self.log_start_offset < 0 or self.high_watermark < 0

    @property
    def is_beyond(self) -> bool:
        """Whether the position is after what the replica knows to be committed."""
        return self.says_nothing or self.offset > self.high_watermark

    @property
    def course(self) -> Course:
        """How to go on."""
        if not self.is_below and not self.is_beyond:
            return Course.ASK_AGAIN
        if not self.is_below and self.epoch >= 0:
            return Course.COMPARE_EPOCHS
        return Course.RESET if self.is_leader else Course.ASK_LEADER

"""Where a follower truncates its log so that it becomes a prefix of its leader's; no I/O.

Rules (KIP-101, KIP-279, KIP-320):
- 279-01: a leader's answer about an epoch is (epoch, end offset). If it is undefined, truncate to
  the high watermark, up to which the logs surely agree. If this log does not have the epoch,
  truncate to the end of the next lower one that it has, and ask again. Otherwise truncate to the
  smallest of: the end of the epoch here, its end at the leader, the end of this log.
- 279-04: after OFFSET_OUT_OF_RANGE the ends decide. If the leader's log ends before this one,
  truncate to its end. If it begins after the end of this one, drop everything and begin where it
  begins. Otherwise go on from the present end.
- Truncation never lengthens a log. Below the high watermark it would take back what consumers may
  have read (I-4); that happens only after an unclean election, and the caller reports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..log.leader_epochs import UNDEFINED_EPOCH, UNDEFINED_OFFSET

if TYPE_CHECKING:
    from ..log.leader_epochs import LeaderEpochs


class EpochEnd(NamedTuple):
    """What a leader says of an epoch: the largest it knows up to the asked one, and its end."""

    epoch: int
    end_offset: int


class Truncation(NamedTuple):
    """Truncate to `offset`; if not `is_complete`, ask about the epoch at the new end afterwards."""

    offset: int
    is_complete: bool


class Beginning(NamedTuple):
    """The batch with which a log begins, and what its leader told with it."""

    records: memoryview
    high_watermark: int
    log_start_offset: int


class Restart(NamedTuple):
    """Drop everything; the log is then empty and begins at `offset`, or with `beginning` there."""

    offset: int
    beginning: Beginning | None = None


class LocalLog(NamedTuple):
    """The follower's own log, as far as a decision needs it."""

    epochs: LeaderEpochs
    high_watermark: int
    end_offset: int


def truncation_by_epoch(local: LocalLog, told: EpochEnd) -> Truncation:
    """How far to truncate after a DivergingEpoch or OffsetForLeaderEpoch answer (279-01)."""
    if told.end_offset == UNDEFINED_OFFSET:
        return Truncation(min(local.high_watermark, local.end_offset), is_complete=True)
    if told.epoch == UNDEFINED_EPOCH:
        return Truncation(min(told.end_offset, local.end_offset), is_complete=True)
    epoch, end_offset = local.epochs.end_offset_for(told.epoch, local.end_offset)
    if end_offset == UNDEFINED_OFFSET:
        # All epochs of this log are older than the one that the leader names.
        return Truncation(min(told.end_offset, local.end_offset), is_complete=True)
    if epoch != told.epoch:
        return Truncation(min(end_offset, local.end_offset), is_complete=False)
    return Truncation(min(end_offset, told.end_offset, local.end_offset), is_complete=True)


def position_after_out_of_range(
    end_offset: int, leader_start_offset: int, leader_end_offset: int
) -> Truncation | Restart:
    """What to do when the leader does not have our position (279-04)."""
    if leader_end_offset < end_offset:
        return Truncation(leader_end_offset, is_complete=True)
    if leader_start_offset > end_offset:
        return Restart(leader_start_offset)
    return Truncation(end_offset, is_complete=True)

"""Where a follower cuts its log so that it is a prefix of its leader's: pure decisions.

Rules of the machine (KIP-101, KIP-279, KIP-320):
- 279-01: a leader's answer about an epoch is (epoch, end offset). Undefined: cut to the high
  watermark, all that is surely common. An epoch that we do not have: cut to the end of the largest
  one below it that we have, and ask again. Else cut to the smallest of: where the epoch ends here,
  where it ends there, our own end.
- 279-04: after OFFSET_OUT_OF_RANGE the ends decide. A leader that ends before us: cut to its end. A
  leader that begins behind our end: drop everything and begin where it begins. Else go on where we
  are.
- A cut never lengthens a log. Below our own high watermark it would take back what consumers may
  have read (I-4): the caller reports that, it happens only after an unclean election.
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
    """Cut the log to `offset`; unless it `is_complete`, ask for the next common epoch then."""

    offset: int
    is_complete: bool


class Restart(NamedTuple):
    """Drop everything; the log begins anew, empty, at `offset`."""

    offset: int


class LocalLog(NamedTuple):
    """The follower's own log, as far as a decision needs it."""

    epochs: LeaderEpochs
    high_watermark: int
    end_offset: int


def truncation_by_epoch(local: LocalLog, told: EpochEnd) -> Truncation:
    """How far to cut after a leader's DivergingEpoch or OffsetForLeaderEpoch answer (279-01)."""
    if told.end_offset == UNDEFINED_OFFSET:
        return Truncation(min(local.high_watermark, local.end_offset), is_complete=True)
    if told.epoch == UNDEFINED_EPOCH:
        return Truncation(min(told.end_offset, local.end_offset), is_complete=True)
    epoch, end_offset = local.epochs.end_offset_for(told.epoch, local.end_offset)
    if end_offset == UNDEFINED_OFFSET:
        # All our epochs are older than the leader's: there is nothing here of what it speaks of.
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

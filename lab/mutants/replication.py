"""Planted bugs in replication: watermarks, in-sync sets, followers' copies, acknowledgements."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from barnabas.broker.core.log.append_result import AppendResult
from barnabas.broker.core.log.flushing import FlushRound
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.log.writer import LogWriter
from barnabas.broker.core.replication.follower import FollowerState
from barnabas.broker.core.replication.isr import InSyncSet
from barnabas.broker.core.replication.leader import LeaderState
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.core.replication.pending import PendingFetches
from barnabas.broker.core.replication.truncation import Truncation
from barnabas.broker.core.replication.waiters import Waiters
from barnabas.broker.server.replication import copying
from barnabas.broker.server.replication.copying import Copying, Outcome
from barnabas.protocol.errors import ErrorCode

from .mutant import CALM, ROUGH, Mutant, replacing, wrapping

SLOW_DISKS = ROUGH.replaced(
    kills=0.0,
    pauses=0.0,
    graceful_restarts=0.0,
    cuts_per_min=0.0,
    disk_stalls=8.0,
    stall_s=4.0,
    keeps_pending_in_sync=True,
    timeouts_divisor=30.0,
)
FAR = ROUGH.replaced(delay_mean_ms=8.0, sends_per_s=60.0, kills=8.0, down_s=0.3)
"""Followers always lag a little behind."""
SPLIT = FAR.replaced(cuts_per_min=40.0, cut_s=2.0, kills=4.0, min_insync_replicas=1)
"""Leaders that are cut off go on appending: their logs diverge from the others'."""
WEAK_SET = ROUGH.replaced(min_insync_replicas=2)
POWER = ROUGH.replaced(
    kills=0.0,
    power_losses=10.0,
    flush_messages=1,
    cuts_per_min=0.0,
    replication_factor=1,
    min_insync_replicas=1,
)
RETRIES = ROUGH.replaced(resets_per_min=200.0)

Method = Callable[..., Any]


def _watermark_of_the_fastest(leader: Any, end: int) -> int:
    """The maximum instead of the minimum."""
    return end


def _ignoring_min_in_sync(original: Method) -> Method:
    def replicated_end(leader: Any, end: int) -> Any:
        kept, leader.in_sync.min_count = leader.in_sync.min_count, 1
        try:
            return original(leader, end)
        finally:
            leader.in_sync.min_count = kept

    return replicated_end


def _begin_without_added(in_sync: Any, change: Any) -> None:
    """The maximal in-sync set does not include proposed members."""
    in_sync.change = change
    in_sync.maximal = in_sync.committed


def _expand_at_once(leader: Any, replica_id: int, progress: Any) -> None:
    if leader.in_sync.may_join(replica_id, progress):
        leader.in_sync.propose((*leader.in_sync.committed, replica_id))


def _truncate_to_watermark(local: Any, told: Any) -> Truncation:
    """Truncation as it was before KIP-101."""
    del told
    return Truncation(min(local.high_watermark, local.end_offset), is_complete=True)


def _again(original: Method) -> Method:
    def check(writer: Any, pid: int, epoch: int, sequence: int, delta: int, attributes: int) -> Any:
        known = original(writer, pid, epoch, sequence, delta, attributes)
        if known is None:
            return None
        base = writer.end_offset
        return AppendResult(base, base + delta, -1, known.log_start_offset, True)

    return check


def _every(count: int, instead: Method) -> Callable[[Method], Method]:
    """Every n-th call goes to `instead`, which gets the original as its first argument."""

    def make(original: Method) -> Method:
        calls = 0

        def call(*args: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls % count == 0:
                return instead(original, *args, **options)
            return original(*args, **options)

        return call

    return make


def _damage(original: Method, log: Any, buf: Any) -> Any:
    data = bytearray(buf)
    if len(data) > 60:
        data[17] ^= 1  # of the checksum: the follower stores other bytes than its leader
    return original(log, memoryview(data))


def _start_at_end(original: Method, follower: Any, watermark: int, start: int) -> None:
    original(follower, watermark, start)
    log = follower._replica.log
    log._start.offset = log.log_end_offset
    log._tell("log-start", offset=log.log_end_offset)


def _hand_over_first(in_sync: Any) -> None:
    own = in_sync._around.node_id
    others = tuple(one for one in in_sync.committed if one != own)
    if in_sync.change is None and others:
        in_sync.propose((own, *others), relinquish=True)


def _nothing_cut(original: Method, *args: Any) -> Outcome:
    del original, args
    return Outcome.PAUSE


def _forget_waiters(waiters: Any, reason: Any) -> None:
    """All who wait for an acknowledgement are told of success."""
    del reason
    waiting = list(waiters._acks)
    waiters._acks.clear()
    for _, waiter in waiting:
        waiter(ErrorCode.NONE)


def _both(*patches: tuple[Any, str, Any]) -> Any:
    """Several patches that make one bug."""
    stack = ExitStack()
    for target, name, value in patches:
        stack.enter_context(patch.object(target, name, value))
    return stack


MUTANTS = (
    Mutant(
        "watermark-of-the-fastest",
        "the watermark follows the fastest replica",
        ("I-3", "966-01"),
        replacing(LeaderState, "_replicated_end", _watermark_of_the_fastest),
    ),
    Mutant(
        "watermark-ignores-the-joining",
        "a follower that is about to join is not waited for",
        ("I-3", "I-10"),
        lambda: _both(
            (InSyncSet, "begin", _begin_without_added),
            (LeaderState, "_is_nearly_in_sync", lambda *_: False),
        ),
        FAR,
    ),
    Mutant(
        "min-insync-ignored",
        "the watermark moves with too few in sync",
        ("I-6", "966-01"),
        wrapping(LeaderState, "_replicated_end", _ignoring_min_in_sync),
        WEAK_SET,
    ),
    Mutant(
        "acknowledged-at-once",
        "acks=all is answered before followers have the records",
        ("I-5", "I-6"),
        replacing(Partition, "is_acknowledged", lambda *_: True),
    ),
    Mutant(
        "joined-too-early",
        "a follower joins the in-sync set wherever it is",
        ("I-10", "I-3"),
        replacing(LeaderState, "_expand", _expand_at_once),
        FAR,
    ),
    Mutant(
        "truncate-to-watermark",
        "followers cut at their watermark, as before KIP-101",
        ("I-4", "I-3"),
        replacing(copying, "truncation_by_epoch", _truncate_to_watermark),
        SPLIT,
    ),
    Mutant(
        "divergence-ignored",
        "a follower does not cut what its leader does not have",
        ("L-3", "I-2", "I-3", "I-4"),
        wrapping(Copying, "_diverged", _every(1, _nothing_cut)),
        SPLIT,
    ),
    Mutant(
        "pending-kept",
        "a fetch that was answered stays pending for ever (501-06)",
        ("I-11",),
        replacing(LeaderState, "end_fetch", lambda *_: None),
        CALM.replaced(keeps_pending_in_sync=True),
    ),
    Mutant(
        "dropped-while-pending",
        "a follower whose fetch is being read leaves (501-05)",
        ("I-11", "501-05"),
        lambda: _both(
            (PendingFetches, "holds", lambda *_: False),
            (InSyncSet, "relinquish", lambda _: "planted: it never hands over"),
        ),
        SLOW_DISKS,
    ),
    Mutant(
        "hand-over-order",
        "a hand-over names the old leader first (501-12)",
        ("I-12",),
        replacing(InSyncSet, "relinquish", _hand_over_first),
        SLOW_DISKS,
    ),
    Mutant(
        "reads-above-watermark",
        "consumers get what is not committed",
        ("I-3",),
        replacing(Partition, "readable_end", lambda partition, **_: partition.log.log_end_offset),
    ),
    Mutant(
        "retries-stored-twice",
        "a repeated batch is not recognised (98-02)",
        ("I-21", "98-03", "98-04"),
        replacing(LogWriter, "_check_producer", lambda *_: None),
        RETRIES,
    ),
    Mutant(
        "retries-acked-elsewhere",
        "a repeated batch is acknowledged with a fresh offset",
        ("I-4", "I-5", "I-21", "L-4"),
        wrapping(LogWriter, "_check_producer", _again),
        RETRIES,
    ),
    Mutant(
        "other-bytes",
        "a follower stores other bytes than its leader",
        ("I-2",),
        wrapping(PartitionLog, "append_as_follower", _every(20, _damage)),
        CALM,
    ),
    Mutant(
        "start-above-watermark",
        "a follower drops what it has just copied (C9)",
        ("I-13",),
        wrapping(FollowerState, "observe", _every(10, _start_at_end)),
        CALM,
    ),
    Mutant(
        "never-joins",
        "nobody who left the in-sync set comes back",
        ("L-3",),
        replacing(LeaderState, "_expand", lambda *_: None),
    ),
    Mutant(
        "flush-forgotten",
        "what counts as flushed was never synced",
        ("I-3", "I-4", "I-5", "L-1", "I-7"),
        replacing(FlushRound, "run", lambda _: None),
        POWER,
    ),
    Mutant(
        "refused-is-acknowledged",
        "a leader that steps down acknowledges what waits",
        ("I-5", "I-6"),
        replacing(Waiters, "refuse_acks", _forget_waiters),
        SPLIT,
    ),
)

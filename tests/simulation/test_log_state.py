"""98-04 as it is checked when a log is opened: what producers wrote, and what is left of it."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from kit.log_batches import batch
from kit.logs import append, config_of, env_of, open_log, read_all

from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.testing.simulation.checks.log_state import LogState
from barnabas.testing.simulation.disk import SimulatedDisk
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.work import Work

COMPACTED = config_of(cleanup_policy=("compact",))
FIRST = f"/d/t-0/{0:020}.log"


def after_a_loss(disk: SimulatedDisk, lost: int) -> PartitionLog:
    """A compacted log of two segments; the first, of four records, lost so many at its end."""
    log = open_log("/d/t-0", COMPACTED, env_of(disk))
    for number in range(4):
        append(log, batch(b"x", producer_id=number // 2, epoch=0, sequence=number % 2))
    kept = b"".join(read_all(log)[: 4 - lost])
    log.roll()
    append(log, batch(b"y"))
    log.close(clean=False)
    disk.put_back(disk.copy() | {FIRST: kept})
    return open_log("/d/t-0", COMPACTED, env_of(disk))


def told(log: PartitionLog) -> str:
    loop: Any = SimpleNamespace(now=0.0, violation=None, work=Work())
    bus = HookBus(loop)
    LogState(bus)
    bus.tell("node-1", 1, "log-opened", {"log": log})
    return "" if loop.violation is None else loop.violation.rule


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_a_hole_before_a_segment_of_a_compacted_log(lost: int) -> None:
    """Goal: the snapshot at the second segment knows of records that the power took (seed
    489112)."""
    log = after_a_loss(SimulatedDisk(Random(1)), lost)
    assert [one.last_sequence for one in log.producers.by_id.values()] == [1, 1]
    assert told(log) == ""


def test_producers_who_know_what_is_nowhere() -> None:
    """Goal: no hole, or one inside a segment, excuses nobody."""
    log = after_a_loss(SimulatedDisk(Random(1)), 0)
    log.producers.by_id[1].batches[-1] = (0, 2, 0, 0)
    log.producers.by_id[1].next_sequence = 1
    assert told(log) == "98-04"

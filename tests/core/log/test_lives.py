"""Random lives of a log on a disk that loses power, and what they must leave.

After each power failure the log must be in a state that it had been in since its last flush, or
the beginning of one: no hole, nothing of what was cut off behind what came instead, nothing
flushed lost, and leader epochs that agree with the batches.
"""

from __future__ import annotations

from contextlib import suppress

import pytest
from kit.examples import examples
from kit.logs import offsets_of, read_all

from barnabas.broker.core.log.failures import LogDirectoryFailure

from .lives import Life, LifeWithThreads


@pytest.mark.parametrize("seed", range(examples(60)))
def test_a_power_failure_leaves_a_log_that_was(seed: int) -> None:
    """I-2: holes, tails that were cut off, and flushed records, whatever was done before."""
    Life(seed).live(250)


@pytest.mark.parametrize("seed", range(examples(60)))
def test_a_power_failure_while_threads_flush_and_rename(seed: int) -> None:
    """I-2: what is written where records were cut under a flush is not durable when it ends."""
    LifeWithThreads(seed).live(250)


@pytest.mark.parametrize("kind", [Life, LifeWithThreads])
@pytest.mark.parametrize("seed", range(examples(60)))
def test_a_power_failure_where_logs_are_made_again(seed: int, kind: type[Life]) -> None:
    """I-5: nothing of a log that was deleted is believed of one that is made in its place."""
    life = kind(seed)
    life.deeds[life.make_again] = 2
    life.live(250)


@pytest.mark.parametrize("seed", range(examples(40)))
def test_a_cut_that_the_disk_refuses_half_way(seed: int) -> None:
    """I-2: below the recovery point, which was lowered before; then the power fails as well."""
    life = Life(seed)
    life.deeds = {life.append: 10, life.roll: 1}
    life.live(40)
    life.flush()
    life.directory.write_checkpoints()
    batches = {offsets_of(raw)[0]: raw for raw in read_all(life.log)}
    life.states = [(0, batches)]
    to = life.random.randrange(life.log.log_end_offset)
    life.distrust(to)
    life.disk.faults.write_error = 0.2
    with suppress(LogDirectoryFailure):
        life.log.truncate_to(to)
    life.disk.faults.write_error = 0.0
    life.flushed_end = to - 1
    if life.random.random() < 0.5:
        life.disk.lose_power()
    life.load()
    life.check(read_all(life.log))

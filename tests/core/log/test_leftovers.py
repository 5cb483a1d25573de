"""Exchanges that a kill has interrupted: the power fails while the next start finishes them."""

from __future__ import annotations

from contextlib import closing, suppress
from random import Random

import pytest
from kit.log_batches import batch

from barnabas.broker.core.log.leftovers import clear_leftovers
from barnabas.testing.simulation.disk import SimulatedDisk

SEGMENT = f"/d/{0:020}.log"


class PowerFailsDisk(SimulatedDisk):
    """Its power fails in the midst of one of the syncs of a folder."""

    syncs_left = 1 << 30

    def fsync_directory(self, path: str) -> None:
        if not self.syncs_left:
            raise InterruptedError
        self.syncs_left -= 1
        super().fsync_directory(path)


@pytest.mark.parametrize("syncs", range(4))
def test_the_power_fails_while_an_exchange_is_finished(syncs: int) -> None:
    """CMP-13, CMP-14: the process was killed before its `.swap` names were durable. Whatever the
    power takes afterwards, the records are in the old segment or in the new one."""
    contents = {"": bytes(batch(b"old")), ".cleaned": bytes(batch(b"new"))}
    for seed in range(60):
        disk = PowerFailsDisk(Random(seed))
        disk.make_directory("/d")
        for mark, content in contents.items():
            with closing(disk.open(SEGMENT + mark, create=True)) as file:
                file.append([content])
                file.fsync()
        disk.fsync_directory("/d")
        disk.rename(SEGMENT + ".cleaned", SEGMENT + ".swap")
        disk.syncs_left = syncs
        with suppress(InterruptedError):
            clear_leftovers(disk, "/d")
        disk.lose_power()
        disk.syncs_left = 10
        clear_leftovers(disk, "/d")
        assert disk.copy().get(SEGMENT) in contents.values()

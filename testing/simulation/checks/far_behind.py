"""L-7: a node that is far behind ends its download although new snapshots keep appearing."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from barnabas.protocol.errors import KafkaError
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.injector import is_active

if TYPE_CHECKING:
    from barnabas.testing.simulation.machine import Machine
    from barnabas.testing.simulation.machines import Machines

SNAPSHOT_EVERY_S = 0.3
LIMIT_S = 15.0
"""Time for a start, a registration and some hundred pieces of a snapshot."""

NEAR = 3
"""Records come all the time: nearly the same offset is the same."""


class FarBehind:
    """Takes a node away until its metadata is gone everywhere else, and lets it come back."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._is_over = False

    async def check(self) -> None:
        """Raises InvariantError L-7. Needs a healed cluster of several nodes."""
        leader = next((each for each in self._machines if is_active(each)), None)
        victim = next(
            (each for each in reversed(list(self._machines)) if not is_active(each)), None
        )
        if leader is None or victim is None or victim.node is None:
            return
        end = victim.node.quorum.log_end_offset
        await victim.stop()
        work = asyncio.ensure_future(self._make_snapshots())
        session_s = leader.config.broker_session_timeout_ms / 1000.0
        is_behind = await self._machines.wait_for(lambda: self._start() > end, session_s + LIMIT_S)
        victim.start()
        here = await self._machines.wait_for(lambda: self._is_near(victim), LIMIT_S)
        self._is_over = True
        await work
        if not here:
            raise InvariantError(
                "L-7",
                f"{victim.name} ended at {end} of the metadata; with a log that begins at"
                f" {self._start()} it is not back within {LIMIT_S} s",
            )
        self._machines.bus.note(f"L-7 {victim.name} is back, was far behind: {is_behind}")

    def _start(self) -> int:
        """Where the log of the active controller begins."""
        nodes = [each.node for each in self._machines if is_active(each)]
        return max((node.quorum.log.start_offset for node in nodes if node), default=0)

    def _is_near(self, victim: Machine) -> bool:
        newest = self._machines.newest_image()
        if victim.node is None or newest is None:
            return False
        return victim.node.image.last_offset >= newest.last_offset - NEAR

    async def _make_snapshots(self) -> None:
        """On all nodes, again and again, whatever their settings say."""
        while not self._is_over:
            for machine in self._machines.running:
                if machine.incarnation is not None:
                    self._machines.loop.spawn(machine.incarnation, _make_snapshot(machine))
            await asyncio.sleep(SNAPSHOT_EVERY_S)


async def _make_snapshot(machine: Machine) -> None:
    if machine.node is not None:
        with contextlib.suppress(KafkaError, OSError):
            await machine.node.quorum.make_snapshot()

"""The disk of a leader stands still (KIP-501, 501-15): who waits for it, and for how long.

Three brokers, replication factor 3, `min.insync.replicas` 2, `replica.lag.time.max.ms` 10 s; to
each of three partitions, one a leader, somebody writes with acks=all, one record after the other.
Then one broker's disk stands still: whatever Fetch and ListOffsets read, and every fsync. What is
written goes to memory. The event loop reads nothing: what a node that follows the new leader cuts
off, it knows (`core/log/recent_ends.py`). Reads of the loop are counted (`reads_on_loop`); they
would find in memory what the node itself wrote last, unless `is_memory_cold`: then it would stop
there until the disk answers. Brokers may be voters of the metadata quorum as well, whose disk owes
an fsync before they may acknowledge more (595-04): they hear the news all the same.
"""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

from barnabas.client import Producer
from barnabas.client.errors import ClientError
from barnabas.client.producing.sender import Sender
from barnabas.protocol.errors import ErrorCode
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.incarnation import Incarnation
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.machine import Machine
from barnabas.testing.simulation.machines import Machines
from barnabas.testing.simulation.profile import Profile
from barnabas.testing.simulation.workload.workload import Workload
from barnabas.testing.simulation.world import simulated_world

LAG_MS = 10_000
FORMING_S = 60.0
BEFORE_S = 2.0
AFTER_S = 15.0
PAUSE_S = 0.1
"""Between an acknowledgement and the next record."""
LOOK_S = 0.01
TOPIC = "topic-0"
METADATA = "__cluster_metadata"
"""Read right after it was written, which is in memory whatever the disk does."""
HELD_UP_MAX_S = 2.0
PROFILE = Profile(
    brokers=3,
    producers=0,
    consumers=0,
    pollers=0,
    topics=1,
    partitions=3,
    replication_factor=3,
    min_insync_replicas=2,
    duration_s=60.0,
    disk_delay_ms=0.2,
)
_NOT_ENOUGH = (ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)


@dataclass(slots=True)
class Stall:
    """One run and what came of it; times in seconds."""

    seed: int
    stall_s: float
    is_on: bool
    """Whether `follower.fetch.pending.reads.insync.enable` is."""
    is_memory_cold: bool = False
    """Whether not even what was written last is in memory; a node stops where its loop reads."""
    has_own_quorum: bool = True
    """Whether controllers are machines of their own; else the disk is a voter's too."""
    is_active_controller: bool = False
    """Whether that voter leads the quorum; it must not have one of its own then."""
    held_up_s: float = 0.0
    """Longest time without an acknowledgement for one of the partitions."""
    smallest_isr: int = 3
    moved_s: float | None = None
    """From the stall to another leader; None: there was none before the disk answered."""
    errors: dict[str, int] = field(default_factory=dict)
    """Errors 19 and 20, as producers were told."""
    lost: int = 0
    """Records that producers gave up."""
    reads_on_loop: int = 0
    """Calls of the event loop that would wait for the disk if nothing were in memory."""
    acknowledged: int = 0

    @property
    def is_promised(self) -> bool:
        """Whether this run has bounds: with the feature on."""
        return self.is_on

    @property
    def misses(self) -> list[str]:
        """What is not as promised."""
        if not self.is_promised:
            return []
        found = []
        if self.held_up_s > HELD_UP_MAX_S:
            found.append(f"held up {self.held_up_s:.2f} s, at most {HELD_UP_MAX_S:.0f} s")
        if self.smallest_isr < PROFILE.min_insync_replicas:
            found.append(f"an ISR of {self.smallest_isr}")
        if self.moved_s is None:
            found.append("the leader stayed")
        if self.errors or self.lost:
            found.append(f"errors {self.errors}, {self.lost} records given up")
        return found

    def row(self) -> dict[str, Any]:
        """For machines."""
        return {**dataclasses.asdict(self), "misses": self.misses, "ok": not self.misses}


def play(outcome: Stall) -> Stall:
    """Run it, and fill in what came of it. Raises AssertionError if there is no cluster at all."""
    seed = outcome.seed
    loop = SimulatedLoop(Random(f"loop {seed}"))
    scene = _Scene(loop, outcome)
    try:
        with simulated_world(seed), scene.counting_errors():
            loop.run_until_complete(scene.main())
    finally:
        del scene
        _forget(loop)
    return outcome


def _forget(loop: SimulatedLoop) -> None:
    """Close the loop without a word about what the dead nodes left behind."""
    loop.set_exception_handler(lambda *_: None)
    for left in [*asyncio.all_tasks(loop), *loop.morgue]:
        if isinstance(left, asyncio.Task):
            left._log_destroy_pending = False  # type: ignore[attr-defined]
    loop.close()
    told, sys.unraisablehook = sys.unraisablehook, lambda _: None
    loop.morgue.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
    sys.unraisablehook = told


class _Scene:
    def __init__(self, loop: SimulatedLoop, outcome: Stall) -> None:
        self._loop = loop
        self._outcome = outcome
        profile = PROFILE.replaced(
            keeps_pending_in_sync=outcome.is_on, controllers=3 if outcome.has_own_quorum else 0
        )
        self._machines = Machines(profile, outcome.seed, loop, HookBus(loop))
        for machine in self._machines:
            machine.config = dataclasses.replace(machine.config, replica_lag_time_max_ms=LAG_MS)
        self._workload = Workload(self._machines, outcome.seed)
        self._acks: dict[int, list[float]] = {n: [] for n in range(profile.partitions)}
        self._errors: Counter[str] = Counter()
        self._is_over = False

    @contextmanager
    def counting_errors(self) -> Iterator[None]:
        """Note what answers tell producers, also where they try again by themselves."""
        settle, errors = Sender._settle, self._errors

        def noting(sender: Any, queue: Any, batch: Any, result: Any, endpoints: Any) -> None:
            if result.error_code in _NOT_ENOUGH:
                errors[ErrorCode(result.error_code).name] += 1
            settle(sender, queue, batch, result, endpoints)

        with patch.object(Sender, "_settle", noting):
            yield

    async def main(self) -> None:
        machines = self._machines
        machines.start_all()
        formed = await machines.wait_for(
            lambda: machines.are_all_started() and machines.are_all_unfenced(), FORMING_S
        )
        assert formed, "no cluster"
        await self._workload.create_topics()
        assert await machines.wait_for(machines.has_full_isrs, FORMING_S), "no topic"
        writers = [self._spawn(f"producer-{n}", self._write(n)) for n in self._acks]
        await asyncio.sleep(BEFORE_S)
        await self._stall()
        await asyncio.sleep(AFTER_S)
        self._is_over = True
        await asyncio.gather(*writers)
        self._conclude()
        for machine in machines:
            machine.kill()

    def _spawn(self, name: str, work: Any) -> asyncio.Task[None]:
        return self._loop.spawn(Incarnation(name, 1), work)

    async def _write(self, partition: int) -> None:
        options = self._workload.office.options(f"producer-{partition}")
        producer = Producer(acks="all", delivery_timeout_ms=60_000, linger_ms=0, **options)
        await producer.start()
        while not self._is_over:
            try:
                await producer.send_and_wait(TOPIC, b"a record", partition=partition)
            except ClientError:
                self._outcome.lost += 1
            else:
                self._acks[partition].append(self._loop.now)
            await asyncio.sleep(PAUSE_S)
        await producer.stop()

    # --- the fault ----------------------------------------------------------------------------

    def _victim(self) -> Machine:
        """A leader; the active controller only where that is meant."""
        leaders = set(self._leaders().values())
        for machine in self._machines:
            assert machine.node is not None
            is_active = machine.node.quorum.leader.leader_id == machine.node_id
            if machine.node_id in leaders and is_active == self._outcome.is_active_controller:
                return machine
        raise AssertionError("each broker should lead a partition")

    def _leaders(self) -> dict[int, int]:
        return {
            index: leader
            for (topic, index), leader in self._machines.leaders().items()
            if topic == TOPIC
        }

    async def _stall(self) -> None:
        machines, outcome, loop = self._machines, self._outcome, self._loop
        victim = self._victim()
        led = [one for one, leader in self._leaders().items() if leader == victim.node_id]
        began_s = loop.now
        ends_s = began_s + outcome.stall_s
        machines.stalled_until_s[victim.name] = ends_s

        def stop(what: str) -> None:
            if what.startswith("pread") and METADATA in what:
                return
            outcome.reads_on_loop += 1
            if outcome.is_memory_cold and not victim.is_paused:
                victim.pause(ends_s - loop.now)

        victim.disk.on_wait = stop
        while loop.now < ends_s:
            await asyncio.sleep(LOOK_S)
            self._note_isrs()
            leaders = self._leaders()
            if outcome.moved_s is None and all(leaders[one] != victim.node_id for one in led):
                outcome.moved_s = round(loop.now - began_s, 3)
        self._note_isrs()

    def _note_isrs(self) -> None:
        sizes = [len(one.isr) for _, _, one in self._machines.partitions()]
        self._outcome.smallest_isr = min(self._outcome.smallest_isr, *sizes)

    def _conclude(self) -> None:
        outcome = self._outcome
        gaps = [
            after - before
            for times in self._acks.values()
            for before, after in zip(times, [*times[1:], self._loop.now], strict=True)
        ]
        outcome.held_up_s = round(max(gaps), 3)
        outcome.acknowledged = sum(map(len, self._acks.values()))
        outcome.errors = dict(sorted(self._errors.items()))

"""One seed from beginning to end: cluster, workload, faults, healed tail, verdict.

Phases: form the cluster and make the topics; workload under the schedule of faults; heal, and wait
for L-1 to L-6; let the producers end, the consumers and an auditor read everything; stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import sys
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from barnabas.broker.core.cluster.topic_image import RECOVERED

from .checks.answers import Answers
from .checks.client_contract import ClientContract
from .checks.committed import Committed
from .checks.decisions import Decisions
from .checks.deletions import Deletions
from .checks.durability import Durability
from .checks.fetches import Fetches
from .checks.groups import GroupContract
from .checks.hygiene import Hygiene, where_of
from .checks.in_sync import InSyncSets
from .checks.liveness import Liveness
from .checks.log_state import LogState
from .checks.memory import Memory
from .checks.metadata import AppliedMetadata
from .checks.reference.comparing import Asking, compared
from .checks.reference.neighbours.seldom import SELDOM
from .checks.reference.neighbours.table import NEIGHBOURS
from .checks.reference.table import RULES
from .checks.replica_logs import ReplicaLogs
from .checks.transactions.contract import TransactionContract
from .checks.transactions.stable_offsets import StableOffsets
from .families.drawing import draw_faults, draw_run
from .faults import Schedule
from .hooks import HookBus, InvariantError
from .injector import Injector
from .loop import SimulatedLoop
from .machines import Machines
from .profile import Profile
from .settings import late_ms
from .work import charged
from .workload.history import ACKED, FAILED
from .workload.transactions.transactions import EPOCH_BUMPS
from .workload.workload import Workload
from .world import simulated_world

FORMING_S = 60.0
"""Time in which a cluster without any fault must have formed."""

RUN_MAX_S = 600.0
"""Everything after the faults has ended by then."""

AFTER_HEAL_S = 2.0
TICK_S = 0.25
PROGRESS_S = 1.0
MEMORY_S = 1.0
"""Between two looks at what some node holds in memory."""


@dataclass(slots=True)
class Outcome:
    """What a run found."""

    seed: int
    profile: Profile
    schedule: Schedule
    rule: str = ""
    """Id of the invariant that did not hold; empty: all did."""
    text: str = ""
    digest: str = ""
    simulated_s: float = 0.0
    real_s: float = 0.0
    checking_s: float = 0.0
    callbacks: int = 0
    events: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    trouble: dict[str, int] = field(default_factory=dict)
    """How often each buggify point fired."""
    trace: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not self.rule

    @property
    def speed(self) -> float:
        """Simulated seconds a real second."""
        return self.simulated_s / self.real_s if self.real_s else 0.0


@dataclass(slots=True)
class Plan:
    """What to run, and with which changes."""

    seed: int
    profile: Profile
    schedule: Schedule
    planted: Callable[[], AbstractContextManager[Any]] = nullcontext
    """A planted bug, as a context manager around the run."""
    on_progress: Callable[[float], object] | None = None
    watch: Callable[[Machines, Workload], object] | None = None
    """Called every simulated quarter of a second, for plots."""


def plan_for(
    seed: int, profile: Profile | None = None, *, family: str = "", **changes: Any
) -> Plan:
    """The plan of a seed; `changes` are knobs to set by hand, `family` is drawn if not named."""
    profile = (profile or draw_run(seed, family=family)).replaced(**changes)
    return Plan(seed, profile, draw_faults(profile, seed))


def run(plan: Plan) -> Outcome:
    """Run the plan; never raises for what the cluster does wrong: that is the outcome."""
    try:
        return _run(plan)
    finally:
        _collect_the_dead()


def _collect_the_dead() -> None:
    """Only now, and without a word: what their coroutines say at that means nothing."""
    told, sys.unraisablehook = sys.unraisablehook, lambda _: None
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
    logging.disable(logging.NOTSET)
    sys.unraisablehook = told


def _run(plan: Plan) -> Outcome:
    outcome = Outcome(plan.seed, plan.profile, plan.schedule)
    loop = SimulatedLoop(Random(f"loop {plan.seed}"))
    bus = HookBus(loop)
    begun = perf_counter()
    one = _OneRun(plan, loop, bus, outcome)
    try:
        with (
            simulated_world(plan.seed),
            compared(bus, RULES, Asking(NEIGHBOURS, SELDOM, plan.seed)),
            charged(loop.work),
            plan.planted(),
        ):
            loop.run_until_complete(one.main())
    except InvariantError as error:
        outcome.rule, outcome.text = error.rule, str(error)
    except Exception as error:
        outcome.rule = "crash"
        outcome.text = f"crash: {error!r} at {where_of(error)}"
    finally:
        outcome.real_s = perf_counter() - begun
        one.fill()
        _forget(loop)
    return outcome


def _forget(loop: SimulatedLoop) -> None:
    """Close the loop without a word about what the dead left behind."""
    loop.set_exception_handler(lambda *_: None)
    for task in asyncio.all_tasks(loop):
        task._log_destroy_pending = False  # type: ignore[attr-defined]
    for handle in loop.morgue:
        if isinstance(handle, asyncio.Task):
            handle._log_destroy_pending = False  # type: ignore[attr-defined]
    with contextlib.suppress(RuntimeError):
        loop.close()


class _OneRun:
    """The phases of one run."""

    def __init__(self, plan: Plan, loop: SimulatedLoop, bus: HookBus, outcome: Outcome) -> None:
        self._plan = plan
        self._loop = loop
        self._bus = bus
        self._outcome = outcome
        profile = plan.profile
        self.machines = Machines(profile, plan.seed, loop, bus)
        self.memory = Memory(self.machines)
        look = partial(bus.check, self.memory.look_at)
        self.workload = Workload(self.machines, plan.seed, look)
        self.injector = Injector(self.machines, plan.schedule, self.workload)
        self.hygiene = Hygiene(bus)
        logs = ReplicaLogs(bus)
        self.committed = Committed(
            bus,
            logs,
            acked_means_flushed=profile.flush_messages == 1,
            is_recovering=self._is_recovering,
        )
        self.metadata = AppliedMetadata(
            bus, logs, self.machines.live_replicas_of, self.machines.disk_of
        )
        InSyncSets(bus, logs, keeps_pending=profile.keeps_pending_in_sync)
        Deletions(bus, self.machines.is_active_for)
        Decisions(bus)
        Durability(
            bus,
            self.machines.disk_of,
            acked_means_flushed=profile.flush_messages == 1,
            voters=profile.voters,
        )
        LogState(bus)
        Answers(
            bus,
            self.machines.held_until_s,
            hints_may_lack=profile.buggify,
            late_ms=late_ms(profile),
        )
        Fetches(bus, self.machines.held_until_s, late_ms=late_ms(profile))
        loop.on_standstill = self.hygiene.on_standstill
        history = self.workload.history
        self.contract = ClientContract(bus, history, self.committed, self._topic_id_of)
        self.groups = GroupContract(
            bus, self.workload.groups.history, lambda: self.committed.unclean_elections > 0
        )
        attempts = self.workload.transactions.attempts
        self.transactions: TransactionContract | None = None
        if profile.transactions:
            self.transactions = TransactionContract(
                bus,
                logs,
                self.committed,
                attempts,
                has_epochs=self.workload.transactions.version == EPOCH_BUMPS,
                clock_spread=inf if profile.wall_jumps else profile.clock_rate_spread,
            )
            StableOffsets(bus, logs, self.transactions.stored)
        self.liveness = Liveness(self.machines, self.workload)
        self._topic_ids: dict[str, bytes] = {}
        self._ticker: asyncio.Task[None] | None = None

    async def main(self) -> None:
        """All phases."""
        machines, workload = self.machines, self.workload
        self._loop.call_later(self._plan.profile.duration_s + RUN_MAX_S, self._out_of_time)
        machines.start_all()
        formed = await machines.wait_for(
            lambda: machines.are_all_started() and machines.are_all_unfenced(), FORMING_S
        )
        if not formed:
            starts = {m.name: m.failed_starts[-1:] for m in machines}
            raise InvariantError("L-1", f"no cluster after {FORMING_S} s without faults: {starts}")
        await workload.create_topics()
        workload.start()
        machines.makes_trouble = True
        self._ticker = self._loop.create_task(self._tick())
        begun_s = self._loop.now
        await self.injector.run()
        left_s = begun_s + self._plan.profile.duration_s - self._loop.now
        await asyncio.sleep(max(left_s, 0.0))
        await self.injector.end()
        await self.liveness.check_healed()
        await asyncio.sleep(AFTER_HEAL_S)
        if self.transactions is not None:
            await self.liveness.check_abandoned(self.transactions)
        await self.liveness.check_deletions()
        await self.liveness.check_calls_ended()
        await self.liveness.check_leaders_rest()
        await self.liveness.check_far_behind()
        await self.liveness.check_all_read()
        await self.liveness.check_groups(self.groups)
        if self.transactions is not None:
            await self.liveness.check_transactions(self.transactions)
        self.contract.check_all_acked_were_read("auditor", self.liveness.starts())
        await workload.stop_reading()
        await asyncio.sleep(1.0)
        self.hygiene.check_quiet(machines)
        if self._ticker.done():
            self._ticker.result()  # raises what a look at the machines raised
        self._ticker.cancel()
        for machine in machines:
            await machine.stop()
        self.hygiene.check_unhandled(machines)

    def _out_of_time(self) -> None:
        self._bus.fail(InvariantError("L-4", f"the run did not end: {self._loop.stacks()[:3000]}"))

    async def _tick(self) -> None:
        """What is looked at now and then instead of after each event."""
        next_report_s = next_look_s = 0.0
        while True:
            await asyncio.sleep(TICK_S)
            self._bus.check(self._look)
            if self._plan.watch is not None:
                self._plan.watch(self.machines, self.workload)
            if self._loop.now >= next_look_s:
                next_look_s = self._loop.now + MEMORY_S
                self._bus.check(self.memory.look_around)
            if self._plan.on_progress is not None and self._loop.now >= next_report_s:
                next_report_s = self._loop.now + PROGRESS_S
                self._plan.on_progress(self._loop.now)

    def _look(self) -> None:
        self.contract.check_producer_ids(self.workload.office.tracked or [])
        self.hygiene.check_unhandled(self.machines)

    def _is_recovering(self, node: str, partition: Any) -> bool:
        """Whether the leader was elected although records may be lost, as the metadata says."""
        found = next(machine for machine in self.machines if machine.name == node).node
        # One that is elected as soon as it is let in has not ended its start yet.
        image = self.machines.newest_image() if found is None else found.image
        known = None if image is None else image.partition(partition.topic, partition.index)
        return known is not None and known.leader_recovery_state != RECOVERED

    def _topic_id_of(self, topic: str) -> bytes | None:
        """Ids of the topics that stay never change."""
        known = self._topic_ids.get(topic)
        if known is None:
            image = self.machines.newest_image()
            found = None if image is None else image.topics_by_name.get(topic)
            if found is None:
                return None
            known = self._topic_ids[topic] = found.topic_id
        return known

    def fill(self) -> None:
        """What happened, into the outcome."""
        outcome, history = self._outcome, self.workload.history
        history_of_groups = self.workload.groups.history.counts
        transactional = self.workload.transactions.attempts.counts
        outcome.digest = self._bus.digest()
        outcome.simulated_s = self._loop.now
        outcome.callbacks = self._loop.callbacks_run
        outcome.checking_s = self._bus.checking_s
        outcome.counts = {name: count for name, count in self._bus.counts.items() if count}
        outcome.events = sum(outcome.counts.values())
        outcome.errors = dict(sorted(history.errors.items()))
        outcome.faults = self.injector.happened
        outcome.trouble = dict(sorted(self._bus.trouble.items()))
        outcome.trace = list(self._bus.trace)
        latencies = sorted(history.latencies_s) or [0.0]
        outcome.figures = {
            "sent": len(history.sends),
            "acked": history.count(ACKED),
            "failed": history.count(FAILED),
            "read": history.reads,
            "latest": history.latest,
            "topics_created": history.topics_created,
            "churned": history.churned,
            "tabled": history.tabled,
            "deletions": history.deletions,
            **{f"group_{what}": n for what, n in sorted(history_of_groups.items())},
            **{f"transactions_{what}": n for what, n in sorted(transactional.items())},
            "held_max": self.memory.largest,
            "unclean": self.committed.unclean_elections,
            "p50_ms": round(latencies[len(latencies) // 2] * 1000, 3),
            "max_ms": round(latencies[-1] * 1000, 3),
            **{f"{rule}_s": round(took, 3) for rule, took in self.liveness.took_s.items()},
        }

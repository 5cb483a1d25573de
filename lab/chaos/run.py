"""One row on one cluster: start, work, strike, heal, drain, stop, and compare with the files."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.storage.files import real_env
from barnabas.client import Admin, NewTopic
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import ClusterLayout, plan_cluster
from barnabas.testing.process_cluster import ClusterError, ProcessCluster

from ..programs import environment
from .availability import DURING, Served, Window, served
from .history import History
from .metadata_history import Decisions, decisions_since
from .relayed import Relays
from .rows import MIN_IN_SYNC, Row
from .scene import Lengths, NotHealedError, Scene
from .segments import read_replicas
from .verdict import Verdict, judge
from .workload import TOPIC, NotDrainedError, Workload

PARTITIONS = 6
RACKS = ("a", "b", "c")
POLL_PAUSE_S = 0.3
FAULTY_NODE = "lab.chaos.faulty_node"
DRAINED_WITHIN_S = 150.0
"""A little more than the producer's delivery timeout: by then each send has an answer (L-4)."""
DRAINED_AFTER_ALL_S = 30.0
"""When something did not come back before."""


@dataclass(slots=True)
class Outcome:
    """What is known of one row after its repeats."""

    row: Row
    repeats: int = 0
    skipped: str = ""
    served: dict[str, Served] = field(default_factory=dict)
    verdict: Verdict = field(default_factory=Verdict)
    decisions: Decisions = field(default_factory=Decisions)
    misses: list[str] = field(default_factory=list)
    figures: dict[str, list[float]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    refusals: dict[str, int] = field(default_factory=dict)

    @property
    def is_safe(self) -> bool:
        """Nothing was lost, twice, elsewhere or back in time."""
        return not self.verdict.violations

    @property
    def result(self) -> str:
        """`held`, `missed` (a figure), `VIOLATED` (a promise) or `skipped`."""
        if self.skipped:
            return "skipped"
        if not self.is_safe:
            return "VIOLATED"
        return "missed" if self.misses else "held"


async def run_row(
    row: Row,
    directory: Path,
    lengths: Lengths,
    *,
    repeats: int = 1,
    seed: int = 1,
    settings: dict[str, str] | None = None,
    progress: Callable[[str], object] = lambda _: None,
) -> Outcome:
    """All repeats of a row on one cluster in `directory`, which must be empty.

    What goes wrong is in the outcome; only a cluster that does not start raises (ClusterError).
    """
    outcome = Outcome(row, skipped=row.obstacle())
    if outcome.skipped:
        return outcome
    layout = _layout(row, settings or {})
    relays = Relays(layout) if row.is_relayed else None
    cluster = ProcessCluster.create(directory, layout if relays is None else relays.layout)
    cluster.environment = environment()
    if row.is_faulty:
        cluster.module = FAULTY_NODE
    row.prepare(cluster)
    history = History()
    wall_ms = 0
    try:
        if relays is not None:
            await relays.open()
        cluster.spawn()
        await cluster.wait_until_ready()
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await admin.create_topics([NewTopic(TOPIC, PARTITIONS, len(RACKS))])
            scene = Scene(cluster, admin, history, lengths, Random(seed), progress, row.rate_per_s)
            scene.relays = relays
            outcome.misses, outcome.figures = scene.misses, scene.figures
            outcome.notes = scene.notes
            wall_ms = int(time.time() * 1000)
            await _work(scene, outcome, repeats)
    finally:
        for node_id in await _down(cluster):
            outcome.misses.append(f"node {node_id} had to be killed at the end")
        if relays is not None:
            relays.close()
    _judge(outcome, scene, wall_ms)
    return outcome


def _layout(row: Row, settings: dict[str, str]) -> ClusterLayout:
    return plan_cluster(
        cluster_id=uuid_to_text(random_uuid(real_env())),
        brokers=row.brokers,
        controllers=row.controllers,
        racks=RACKS,
        settings={**MIN_IN_SYNC, **row.settings, **settings},
    )


async def _down(cluster: ProcessCluster) -> list[int]:
    return await asyncio.get_running_loop().run_in_executor(None, cluster.down)


async def _work(scene: Scene, outcome: Outcome, repeats: int) -> None:
    """The clients work through all repeats; then they are drained."""
    windows: list[Window] = []
    workload = Workload(
        scene.cluster.bootstrap,
        PARTITIONS,
        scene.history,
        rate_per_s=scene.rate_per_s,
        poll_pause_s=POLL_PAUSE_S,
    )
    async with workload:
        await scene.until_acked()
        try:
            for _ in range(repeats):
                await scene.steady()
                windows.append(await _strike_once(scene, outcome.row))
                outcome.repeats += 1
            await scene.steady()
            await workload.drain(DRAINED_WITHIN_S)
        except (NotHealedError, NotDrainedError, ClusterError) as error:
            outcome.verdict.violations.append(f"L: {error}")
            # What is on its way shall not look like what was lost from sight.
            with suppress(NotDrainedError):
                await workload.drain(DRAINED_AFTER_ALL_S)
    outcome.served = served(scene.history.sends, windows)


async def _strike_once(scene: Scene, row: Row) -> Window:
    """The window lasts from the fault until every replica is in sync again."""
    began_s = scene.history.now_s()
    await row.strike(scene)
    healed_s = await scene.until_back()
    if row.hold.healed_s is not None:
        scene.within("healed_s", healed_s, row.hold.healed_s)
    else:
        scene.measured("healed_s", healed_s)
    return Window(began_s, scene.history.now_s())


def _judge(outcome: Outcome, scene: Scene, wall_ms: int) -> None:
    cluster, hold = scene.cluster, outcome.row.hold
    whole = {one: cluster.directory_of(one) for one in scene.brokers if one not in scene.ignored}
    earlier = outcome.verdict.violations
    outcome.verdict = judge(scene.history, read_replicas(whole, TOPIC, PARTITIONS))
    outcome.verdict.violations[:0] = [*earlier, *scene.broken]
    outcome.decisions = decisions_since(map(cluster.directory_of, scene.voters), wall_ms)
    outcome.refusals = scene.history.refusals
    during = outcome.served[DURING]
    for name, found, most in (
        ("longest gap", during.longest_gap_ms, hold.gap_ms),
        ("p99", during.p99_ms, hold.p99_ms),
    ):
        if most is not None and found > most:
            outcome.misses.append(f"{name} {found:.0f} ms, to hold: {most:.0f} ms")
    _look_for_errors(outcome, scene)


def _look_for_errors(outcome: Outcome, scene: Scene) -> None:
    """I-30: no node may have ended by itself or logged an error that nobody expects."""
    for node in scene.cluster.layout.nodes:
        text = scene.cluster.output_of(node.id).read_text(encoding="utf-8", errors="replace")
        if "Traceback" in text:
            line = text[text.index("Traceback") :].splitlines()
            outcome.misses.append(f"node {node.id} logged an exception: {last_line(line)}")


def last_line(lines: list[str]) -> str:
    """The line of a traceback that names the exception."""
    for line in lines[1:]:
        if line and not line.startswith((" ", "Traceback")):
            return line
    return lines[0]


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Everything about a row, for programs."""
    return {
        "row": outcome.row.id,
        "title": outcome.row.title,
        "result": outcome.result,
        "skipped": outcome.skipped,
        "repeats": outcome.repeats,
        "served": {phase: asdict(one) for phase, one in outcome.served.items()},
        "verdict": asdict(outcome.verdict),
        "decisions": asdict(outcome.decisions),
        "misses": outcome.misses,
        "figures": outcome.figures,
        "notes": outcome.notes,
        "refusals": outcome.refusals,
    }

"""Faults of all kinds for hours, one at a time: P-24. What grows shows only so."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from barnabas.testing.links import CLIENTS, Member
from barnabas.testing.process_cluster import ProcessCluster

from .availability import percentile
from .cuts import cut, heal
from .pressure import memory_bytes
from .rows import Row
from .scene import Scene
from .watched_node import MODULE, lags_ms

GROWTH_MB_PER_H: Final = 1.0
LAG_P99_MS: Final = 100.0
DESCRIPTORS_MORE: Final = 8
"""Connections come and go with the faults: so many more at the end than at the start are none."""
JUDGED_FROM_S: Final = 2 * 3600.0
"""A shorter soak measures, and judges neither growth nor lag."""
_WARM_UP_SHARE: Final = 1 / 12
_SAMPLES: Final = 2000
_MB: Final = 1e6

Trouble = Callable[[Scene, int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Sample:
    """What the witness used at a moment."""

    at_s: float
    resident_bytes: int
    descriptors: int


async def soak(scene: Scene) -> None:
    """P-24: one node, the witness, is never ended; what it uses may not grow."""
    witness = scene.brokers[-1]
    samples: list[Sample] = []
    sampling = asyncio.get_running_loop().create_task(_sample(scene, witness, samples))
    began_s = scene.history.now_s()
    done = 0
    try:
        while (due_s := began_s + (done + 1) * scene.lengths.soak_pause_s) < (
            began_s + scene.lengths.soak_s
        ):
            await asyncio.sleep(max(due_s - scene.history.now_s(), 0.0))
            trouble = scene.random.choice(_TROUBLES)
            scene.progress(f"fault {done + 1}: {trouble.__name__.strip('_').replace('_', ' ')}")
            await trouble(scene, witness)
            scene.measured("back_s", await scene.until_back())
            done += 1
    finally:
        sampling.cancel()
        with suppress(asyncio.CancelledError):
            await sampling
    scene.notes["faults"] = f"{done} in {scene.history.now_s() - began_s:.0f} s"
    _judge(scene, witness, samples)


async def _sample(scene: Scene, node_id: int, samples: list[Sample]) -> None:
    pid = scene.cluster.pid_of(node_id)
    while True:
        samples.append(
            Sample(
                scene.history.now_s(),
                memory_bytes(pid, "VmRSS"),
                len(os.listdir(f"/proc/{pid}/fd")),
            )
        )
        await asyncio.sleep(scene.lengths.soak_s / _SAMPLES)


def _judge(scene: Scene, witness: int, samples: Sequence[Sample]) -> None:
    warm = samples[int(len(samples) * _WARM_UP_SHARE) :]
    quarter = len(warm) // 4 + 1
    first, last = _descriptors(warm[:quarter]), _descriptors(warm[-quarter:])
    lag_ms = percentile(lags_ms(scene.cluster.directory_of(witness)), 0.99)
    scene.measured("witness_resident_mb", samples[-1].resident_bytes / _MB)
    scene.measured("witness_descriptors_more", last - first)
    scene.measured("witness_lag_p99_ms", lag_ms)
    grown = f"the witness has {last - first} descriptors more than at first"
    scene.require(last - first <= DESCRIPTORS_MORE, grown)
    if scene.lengths.soak_s >= JUDGED_FROM_S:
        growth = slope([(one.at_s, float(one.resident_bytes)) for one in warm]) * 3600.0 / _MB
        scene.measured("witness_growth_mb_per_h", growth)
        scene.require(growth < GROWTH_MB_PER_H, f"it grows by {growth:.1f} MB an hour")
        scene.require(lag_ms < LAG_P99_MS, f"its event loop is {lag_ms:.0f} ms late (p99)")


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Of the straight line that fits best; 0 of fewer than two moments."""
    count = len(points)
    if count < 2:
        return 0.0
    middle_x = sum(x for x, _ in points) / count
    middle_y = sum(y for _, y in points) / count
    below = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / below if below else 0.0


def _descriptors(samples: Sequence[Sample]) -> int:
    """As many as in the middle one of the moments."""
    return int(percentile([one.descriptors for one in samples], 0.5))


# --- troubles -------------------------------------------------------------------------------------


async def _another(scene: Scene, witness: int) -> int:
    """Who leads most, or anybody but the witness."""
    busiest = await scene.busiest()
    others = [one for one in scene.brokers if one != witness]
    return busiest if busiest in others and scene.random.random() < 0.5 else _any(scene, others)


def _any(scene: Scene, members: Sequence[int]) -> int:
    return scene.random.choice(list(members))


async def _a_node_is_killed(scene: Scene, witness: int) -> None:
    node_id = await _another(scene, witness)
    await scene.kill(node_id)
    await scene.start(node_id)


async def _a_node_is_stopped(scene: Scene, witness: int) -> None:
    node_id = await _another(scene, witness)
    await scene.stop(node_id)
    await scene.start(node_id)


async def _a_node_is_away(scene: Scene, witness: int) -> None:
    node_id = await _another(scene, witness)
    await scene.kill(node_id)
    await asyncio.sleep(scene.lengths.fault_s)
    await scene.start(node_id)


async def _a_node_is_paused(scene: Scene, witness: int) -> None:
    await scene.pause(await _another(scene, witness), scene.lengths.fault_s)


async def _the_active_controller_is_paused(scene: Scene, witness: int) -> None:
    active = await scene.active_controller()
    # The witness would count the pause as lateness of its own.
    node_id = active if active != witness else await _another(scene, witness)
    await scene.pause(node_id, scene.lengths.fault_s)


async def _a_node_is_cut_off(scene: Scene, witness: int) -> None:
    del witness
    node_id = _any(scene, scene.brokers)
    others: list[Member] = [one for one in scene.brokers if one != node_id]
    others.append(CLIENTS)
    cut(scene, [node_id], others)
    cut(scene, others, [node_id])
    await _for_a_while(scene)


async def _nobody_hears_a_node(scene: Scene, witness: int) -> None:
    del witness
    node_id = _any(scene, scene.brokers)
    cut(scene, [node_id], [one for one in scene.brokers if one != node_id])
    await _for_a_while(scene)


async def _links_are_slow(scene: Scene, witness: int) -> None:
    del witness
    assert scene.relays is not None
    scene.relays.weather.delay_s, scene.relays.weather.jitter_s = 0.1, 0.05
    await _for_a_while(scene)


async def _for_a_while(scene: Scene) -> None:
    try:
        await asyncio.sleep(scene.lengths.fault_s)
    finally:
        heal(scene)


_TROUBLES: Final[tuple[Trouble, ...]] = (
    _a_node_is_killed,
    _a_node_is_stopped,
    _a_node_is_away,
    _a_node_is_paused,
    _the_active_controller_is_paused,
    _a_node_is_cut_off,
    _nobody_hears_a_node,
    _links_are_slow,
)


def _watched(cluster: ProcessCluster) -> None:
    cluster.module = MODULE


SOAK = (
    Row(
        "P-24",
        "soak: all kinds of faults, one at a time",
        soak,
        repeats=1,
        is_relayed=True,
        rate_per_s=50,
        prepare=_watched,
    ),
)

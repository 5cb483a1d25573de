"""What a fault is made with: one running cluster under load, its nodes, and who leads what."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeVar

from barnabas.client import Admin, PartitionDescription
from barnabas.client.errors import ClientError
from barnabas.testing.process_cluster import ProcessCluster

from .history import History
from .relayed import Relays
from .workload import TOPIC

LOOK_S = 0.02
_ANSWER_MS = 2_000

T = TypeVar("T")


class NotHealedError(RuntimeError):
    """The cluster did not come back in time; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long things last, in seconds."""

    steady_s: float
    """Undisturbed work before and after each fault."""
    fault_s: float
    """A fault that has a length."""
    pauses_s: tuple[float, ...]
    """SIGSTOPs, one after the other (P-6)."""
    bounces: int
    """Rounds over all brokers (P-3)."""
    cut_s: float
    """A broker cut off (P-7): longer than its session."""
    isolation_s: float
    """A minority alone (P-8), slow links (P-10), a starved node (P-19)."""
    points: int = 0
    """Points at which a node dies, for each fault (P-21); 0: all that there are."""
    soak_s: float = 20.0
    """How long faults come one after the other (P-24)."""
    soak_pause_s: float = 5.0
    """From the beginning of one to that of the next, if the first is over by then."""
    healed_within_s: float = 60.0


SHORT = Lengths(
    steady_s=1.5,
    fault_s=3.0,
    pauses_s=(1.0, 4.0),
    bounces=1,
    cut_s=12.0,
    isolation_s=12.0,
    points=4,
)
FULL = Lengths(
    steady_s=20.0,
    fault_s=30.0,
    pauses_s=(1.0, 5.0, 30.0, 60.0),
    bounces=5,
    cut_s=45.0,
    isolation_s=600.0,
    soak_s=12 * 3600.0,
    soak_pause_s=90.0,
)


@dataclass(slots=True)
class Scene:
    """One cluster, for all repeats of one row."""

    cluster: ProcessCluster
    admin: Admin
    history: History
    lengths: Lengths
    random: Random
    progress: Callable[[str], object]
    rate_per_s: int
    """Records that the producer is given."""
    relays: Relays | None = None
    misses: list[str] = field(default_factory=list)
    """Figures of the row that were not held."""
    broken: list[str] = field(default_factory=list)
    """Promises that the row saw broken beside those of the workload."""
    figures: dict[str, list[float]] = field(default_factory=dict)
    """What the row measured besides availability."""
    notes: dict[str, str] = field(default_factory=dict)
    """What the row has to say besides figures."""
    tried: dict[str, int] = field(default_factory=dict)
    """Points of death, and how often a node died there (P-21)."""
    ignored: dict[int, str] = field(default_factory=dict)
    """Nodes whose files were damaged on purpose, and why they are left out of I-2."""

    # --- judging ------------------------------------------------------------------------------

    def require(self, is_held: bool, text: str) -> None:
        """A figure or behaviour of the row; `text` says what went wrong."""
        if not is_held:
            self.misses.append(text)

    def measured(self, name: str, value: float) -> None:
        """Note a figure under its name, unit last."""
        self.figures.setdefault(name, []).append(value)

    def within(self, name: str, seconds: float, most_s: float) -> None:
        """Note a time and require that it is at most `most_s`."""
        self.measured(name, seconds)
        self.require(seconds <= most_s, f"{name} is {seconds:.2f}, to hold: {most_s:g}")

    # --- looking ------------------------------------------------------------------------------

    @property
    def brokers(self) -> list[int]:
        """Ids of all brokers."""
        return [node.id for node in self.cluster.layout.brokers]

    @property
    def voters(self) -> list[int]:
        """Ids of all controllers."""
        return [node.id for node in self.cluster.layout.nodes if node.is_voter]

    async def partitions(self) -> tuple[PartitionDescription, ...]:
        """The workload's topic as some broker describes it. Raises ClientError, OSError."""
        return (await self.admin.describe_topics([TOPIC]))[TOPIC].partitions

    async def busiest(self) -> int:
        """The broker that leads most partitions."""
        led = Counter(one.leader for one in await self.partitions() if one.leader is not None)
        return led.most_common(1)[0][0]

    async def active_controller(self) -> int:
        """The leader of the quorum."""
        return (await self.admin.describe_quorum()).leader_id

    async def other_broker(self, *but: int) -> int:
        """Some broker that is none of these."""
        return next(one for one in self.brokers if one not in but)

    async def until(
        self, what: str, check: Callable[[], Awaitable[bool]], timeout_s: float | None = None
    ) -> float:
        """Wait until `check` holds; returns how long that took, in seconds.

        Raises NotHealedError. Clients' errors count as "not yet".
        """
        began_s = self.history.now_s()
        limit_s = self.lengths.healed_within_s if timeout_s is None else timeout_s
        while True:
            try:
                if await asyncio.wait_for(check(), _ANSWER_MS / 1000):
                    return self.history.now_s() - began_s
            except (ClientError, OSError, TimeoutError):
                pass
            if self.history.now_s() - began_s > limit_s:
                raise NotHealedError(f"after {limit_s:.0f} s: {what}")
            await asyncio.sleep(LOOK_S)

    async def until_whole(self, timeout_s: float | None = None) -> float:
        """Wait until every partition has a leader and all its replicas in sync."""

        async def is_whole() -> bool:
            found = await self.partitions()
            return all(
                one.leader is not None and len(one.isr) == len(one.replicas) for one in found
            )

        return await self.until("not every replica is in sync again", is_whole, timeout_s)

    async def until_back(self) -> float:
        """Wait until every running broker is known to all as active, and in sync.

        Only a node that has registered anew counts: before, it is in sync by old accounts.
        """
        began_s = self.history.now_s()
        await self.cluster.wait_until_ready(self.lengths.healed_within_s)
        await self.until_whole()
        return self.history.now_s() - began_s

    async def until_controller_is_not(self, old: int, timeout_s: float | None = None) -> float:
        """Wait until another node than `old` leads the quorum."""

        async def is_other() -> bool:
            leader = await self.active_controller()
            return leader >= 0 and leader != old

        return await self.until(f"node {old} is still the active controller", is_other, timeout_s)

    async def until_out_of_isr(self, node_id: int, timeout_s: float | None = None) -> float:
        """Wait until no partition counts on the broker."""

        async def is_out() -> bool:
            return all(node_id not in one.isr for one in await self.partitions())

        return await self.until(f"broker {node_id} is still in sync", is_out, timeout_s)

    async def until_ended(self, node_id: int, timeout_s: float | None = None) -> float:
        """Wait until the node's process is gone."""

        async def is_gone() -> bool:
            return self.cluster.state_of(node_id) == "stopped"

        return await self.until(f"node {node_id} still runs", is_gone, timeout_s)

    async def until_acked(self, timeout_s: float | None = None) -> float:
        """Wait until every partition has acknowledged something that is sent from now on."""
        count = len(self.history.sends)
        wanted = {send.partition for send in self.history.sends}

        async def is_acked() -> bool:
            new = self.history.sends[count:]
            return {send.partition for send in new if send.acked_s is not None} == wanted

        return await self.until("a partition acknowledges nothing", is_acked, timeout_s)

    # --- doing --------------------------------------------------------------------------------

    async def steady(self) -> None:
        """Let the clients work undisturbed."""
        await asyncio.sleep(self.lengths.steady_s)

    async def away(self, call: Callable[..., T], *arguments: object) -> T:
        """A call that blocks, in a thread: the clients go on meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(None, call, *arguments)

    async def kill(self, node_id: int) -> None:
        """SIGKILL."""
        self.progress(f"node {node_id}: SIGKILL")
        await self.away(self.cluster.kill, node_id)

    async def stop(self, node_id: int) -> None:
        """SIGTERM, and wait for the end."""
        self.progress(f"node {node_id}: SIGTERM")
        await self.away(self.cluster.stop, node_id)

    async def start(self, *node_ids: int) -> None:
        """Start stopped nodes; does not wait for them."""
        self.progress(f"start of {', '.join(map(str, node_ids))}")
        await self.away(self.cluster.spawn, list(node_ids))

    async def pause(self, node_id: int, seconds: float) -> None:
        """SIGSTOP, and SIGCONT after some time."""
        self.progress(f"node {node_id}: SIGSTOP for {seconds:g} s")
        self.cluster.pause(node_id)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.cluster.resume(node_id)

    def replica_of(self, node_id: int, partition: int) -> Path:
        """The directory of a replica of the workload's topic."""
        return self.cluster.directory_of(node_id) / f"{TOPIC}-{partition}"

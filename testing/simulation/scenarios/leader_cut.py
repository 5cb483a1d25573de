"""The leader is cut off from the other nodes, and clients still reach it (207-05, 207-09).

Three brokers, replication factor 3, one partition, Kafka's times. Twice the leader's links to the
other nodes are cut for four seconds. Pollers ask for LATEST all the time; some ask each broker,
whoever leads, so that the old leader and the new one are both asked all the time, and somebody
writes to each, so that the new one's end grows at once: whatever one of them has answered, the
other must not fall behind.

How the connections end is what matters: the controller fences a broker whose heartbeat connection
is reset long before its session is over, and the broker itself may not see that reset at all.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from barnabas.broker.server.peer_channel import PeerChannel, PeerError
from barnabas.client import TopicPartition
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.testing.end_asker import EndAsker
from barnabas.testing.simulation.clock import SimulatedClock
from barnabas.testing.simulation.faults import Schedule
from barnabas.testing.simulation.incarnation import Incarnation
from barnabas.testing.simulation.machine import Machine
from barnabas.testing.simulation.machines import Machines
from barnabas.testing.simulation.profile import Profile
from barnabas.testing.simulation.run import Plan, run
from barnabas.testing.simulation.settings import CLIENT_PORT
from barnabas.testing.simulation.transport import host_of
from barnabas.testing.simulation.workload.history import WEAK, History, Latest
from barnabas.testing.simulation.workload.workload import Workload

CUT_AT_S: Final = (3.0, 10.0)
CUT_S: Final = 4.0
ASKERS: Final = 1
"""That stay with one broker, for each of them."""
ASK_PAUSE_S: Final = 0.05
WRITE_MS: Final = 1000
NAMED_VERSIONS: Final = (9, 12)
"""Produce versions that name topics."""
TOPIC: Final = "topic-0"
PROFILE: Final = Profile(
    brokers=3,
    producers=2,
    consumers=1,
    pollers=3,
    poll_pause_s=0.05,
    topics=1,
    partitions=1,
    replication_factor=3,
    min_insync_replicas=2,
    duration_s=16.0,
    clock_rate_spread=0.05,
)


class Reset(StrEnum):
    """Who sees that the connections between the leader and the others are reset."""

    BOTH = "both sides see the reset"
    OTHERS = "the others see a reset, the leader does not"
    LEADER = "the leader sees a reset, the others do not"
    NOBODY = "nothing is reset"


@dataclass(slots=True)
class LeaderCut:
    """One run and what came of it."""

    seed: int
    reset: Reset
    has_own_quorum: bool
    """Whether controllers are machines of their own; else the leader is a voter too."""
    broken: str = ""
    """The invariant that did not hold; empty: all did."""
    cuts: int = 0
    elections: int = 0
    """Leaders that began, the first one with them."""
    latest: int = 0
    """Answers that pollers got."""
    trace: list[str] = field(default_factory=list)

    @property
    def misses(self) -> list[str]:
        """What is not as promised."""
        found = [self.broken] if self.broken else []
        if self.cuts < len(CUT_AT_S):
            found.append(f"{self.cuts} cuts")
        if self.elections <= 1 and self.reset in (Reset.BOTH, Reset.OTHERS):
            found.append("the leader stayed")
        return found

    def row(self) -> dict[str, Any]:
        """For machines."""
        row = dataclasses.asdict(self)
        del row["trace"]
        return {**row, "misses": self.misses, "ok": not self.misses}

    def __str__(self) -> str:
        whose = "controllers elsewhere" if self.has_own_quorum else "it is a controller too"
        verdict = "; ".join(self.misses) or "ok"
        return (
            f"leader cut off for {CUT_S:.0f} s, clients reach it; {self.reset};"
            f" {whose}: {verdict}\n"
            f"  cuts {self.cuts}, leaders {self.elections}, LATEST answers {self.latest}"
        )


class _Cuts:
    """Makes the cuts, and asks each broker; looks at the time whenever the run lets it."""

    def __init__(self, reset: Reset) -> None:
        self.made = 0
        self._reset = reset
        self._begun_s: float | None = None
        self._links: list[tuple[str, str]] = []

    def __call__(self, machines: Machines, workload: Workload) -> None:
        now_s = machines.loop.now
        if self._begun_s is None:
            self._begun_s = now_s
            for broker in machines.brokers:
                for number in range(ASKERS):
                    name = f"asker-{broker.node_id}-{number}"
                    work = _ask(machines, workload.history, broker, name)
                    machines.loop.spawn(Incarnation(name, 1), work)
                name = f"writer-{broker.node_id}"
                machines.loop.spawn(Incarnation(name, 1), _write(machines, broker, name))
        passed_s = now_s - self._begun_s
        if self._links and passed_s >= CUT_AT_S[self.made - 1] + CUT_S:
            self._heal(machines)
        elif self.made < len(CUT_AT_S) and passed_s >= CUT_AT_S[self.made]:
            self._cut(machines)

    def _cut(self, machines: Machines) -> None:
        leaders = set(machines.leaders().values())
        victim = next((one for one in machines.running if one.node_id in leaders), None)
        if victim is None:
            return
        self.made += 1
        machines.bus.note(f"{victim.name} is cut off: {self._reset}")
        for other in machines:
            if other is not victim:
                self._links += [(victim.name, other.name), (other.name, victim.name)]
        for source, target in self._links:
            machines.network.cut(source, target, both_ways=False)
        self._end_connections(machines, victim)

    def _end_connections(self, machines: Machines, victim: Machine) -> None:
        nodes = {machine.name for machine in machines}
        for mine in list(machines.network.transports.values()):
            if mine.owner is None or mine.owner is not victim.incarnation:
                continue
            theirs = mine.peer
            if theirs is None or host_of(theirs.owner) not in nodes - {victim.name}:
                continue
            if self._reset is Reset.BOTH:
                mine.abort()
            elif self._reset is Reset.OTHERS:
                theirs.die(silently=True)
            elif self._reset is Reset.LEADER:
                mine.die(silently=True)

    def _heal(self, machines: Machines) -> None:
        machines.bus.note("the leader that was cut off is back")
        for source, target in self._links:
            machines.network.heal(source, target)
        self._links.clear()


async def _ask(machines: Machines, history: History, broker: Machine, name: str) -> None:
    """One that stays with a broker while the faults last."""
    loop = machines.loop
    asker = EndAsker((broker.name, CLIENT_PORT), SimulatedClock(loop), TOPIC, [0])
    until_s = loop.now + machines.profile.duration_s
    with closing(asker):
        while loop.now < until_s:
            asked_s = loop.now
            try:
                ends = await asker.ask()
            except PeerError:
                ends = {}
            for number, offset in ends.items():
                where = TopicPartition(TOPIC, number)
                history.answered(Latest(name, where, offset, asked_s, loop.now))
            await asyncio.sleep(ASK_PAUSE_S)


async def _write(machines: Machines, broker: Machine, name: str) -> None:
    """One that writes to a broker, whoever leads, and waits for nobody else to have it."""
    loop = machines.loop
    address = (broker.name, CLIENT_PORT)
    channel = PeerChannel(lambda: address, client_id=name, clock=SimulatedClock(loop))
    until_s = loop.now + machines.profile.duration_s
    number = 0
    with closing(channel):
        while loop.now < until_s:
            number += 1
            builder = RecordBatchBuilder()
            builder.append(0, None, WEAK + f"{name}|{number}|".encode())
            data = PartitionProduceData(index=0, records=builder.build())
            topic = TopicProduceData(name=TOPIC, partition_data=[data])
            request = ProduceRequest(acks=1, timeout_ms=WRITE_MS, topic_data=[topic])
            with suppress(PeerError):
                await channel.call(request, timeout_ms=WRITE_MS, versions=NAMED_VERSIONS)
            await asyncio.sleep(ASK_PAUSE_S)


def play(seed: int, reset: Reset, *, has_own_quorum: bool = False) -> LeaderCut:
    """Run it under all invariants, and say what came of it."""
    cuts = _Cuts(reset)
    profile = PROFILE.replaced(controllers=3 if has_own_quorum else 0)
    outcome = run(Plan(seed, profile, Schedule(()), watch=cuts))
    return LeaderCut(
        seed,
        reset,
        has_own_quorum,
        broken=outcome.text,
        cuts=cuts.made,
        elections=outcome.counts.get("leader", 0),
        latest=int(outcome.figures["latest"]),
        trace=outcome.trace,
    )


def leader_cut(seed: int) -> Iterator[LeaderCut]:
    """Each way in which the connections may end; the leader a voter or a broker only."""
    for has_own_quorum in (False, True):
        for reset in Reset:
            yield play(seed, reset, has_own_quorum=has_own_quorum)

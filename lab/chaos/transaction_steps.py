"""Deaths between two steps of a transaction: P-29.

In each round a transaction is brought to each of its steps, and there the coordinator dies, or a
leader, or the client itself. What the client told is then held against what is seen.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product

from barnabas.client import Consumer, NewTopic, Outcome, Producer, TopicPartition

from ..programs import environment
from .rows import Row
from .scene import Scene
from .transaction_client import PARTITIONS, RECORDS, STEPS

VICTIMS = ("coordinator", "leader", "client")
OVER_WITHIN_S = 120.0
READ_WITHIN_S = 60.0
END_WITHIN_S = 0.02
"""A commit takes about as long: who dies in this time dies before, in the middle, or after."""


@dataclass(slots=True)
class Told:
    """Transactions by their number, as their clients have told what became of them."""

    topic: str
    outcomes: dict[int, str] = field(default_factory=dict)

    @property
    def transactional_id(self) -> str:
        """Of all of them; also their group."""
        return f"id-of-{self.topic}"

    def violations(self, seen: list[str], offset: int) -> list[str]:
        """What is seen although it was aborted, missing although committed, half, or twice."""
        found = []
        visible = []
        for number, outcome in self.outcomes.items():
            own = sorted(each for each in seen if each.startswith(f"{number}-"))
            whole = sorted(f"{number}-{each}" for each in range(RECORDS))
            if own and own != whole:
                found.append(f"{outcome} transaction {number} is seen in part or twice: {own}")
            elif own and outcome == Outcome.ABORTED:
                found.append(f"aborted transaction {number} is seen")
            elif not own and outcome == Outcome.COMMITTED:
                found.append(f"committed transaction {number} is not seen")
            visible += [number] if own else []
        last = max(visible, default=-1) + 1
        if offset != last:
            found.append(f"the offset is {offset}, and of the last transaction seen {last}")
        return found


async def die_between_steps(scene: Scene) -> None:
    """P-29: each transaction is seen as a whole or not at all, as its client was told."""
    told = Told(f"steps-{len(scene.history.sends)}-{scene.random.getrandbits(32)}")
    await scene.admin.create_topics([NewTopic(told.topic, PARTITIONS, len(scene.brokers))])
    for number, (step, victim) in enumerate(product(STEPS, VICTIMS)):
        scene.progress(f"transaction {number}: {victim} dies at {step}")
        client = await _start(scene, told, number)
        try:
            told.outcomes[number] = await _one(scene, told, client, step, victim)
        finally:
            with suppress(ProcessLookupError):
                client.kill()
            await client.communicate()
    await _check(scene, told)


async def _start(scene: Scene, told: Told, number: int) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lab.chaos.transaction_client"),
        *(scene.cluster.bootstrap, told.topic, told.transactional_id, str(number)),
        stdin=PIPE,
        stdout=PIPE,
        env=environment(),
    )


async def _one(scene: Scene, told: Told, client: Process, step: str, victim: str) -> str:
    """Bring the transaction there, let the victim die, and say what became of it."""
    async with asyncio.timeout(OVER_WITHIN_S):
        await _wait_for(client, STEPS[0])
        node_id = await _victim(scene, told, victim)
        for each in STEPS[1 : STEPS.index(step) + 1]:
            _go_on(client)
            if each != "end":
                await _wait_for(client, each)
        if step == "end":  # it is told to go on, and may have done so
            await asyncio.sleep(scene.random.uniform(0, END_WITHIN_S))
        if node_id is None:
            client.kill()
            return Outcome.UNKNOWN if step == "end" else Outcome.ABORTED
        await scene.kill(node_id)
        outcome = asyncio.ensure_future(_rest(client, step))
        try:
            await asyncio.sleep(scene.random.uniform(0, 1))
        finally:
            await scene.start(node_id)
        found = await outcome
    await scene.until_back()
    return found


async def _victim(scene: Scene, told: Told, victim: str) -> int | None:
    """The broker that is to die; None for the client."""
    if victim == "client":
        return None
    if victim == "coordinator":
        name = told.transactional_id
        return (await scene.admin.describe_transactions([name]))[name].coordinator_id
    leader = (await scene.admin.describe_topics([told.topic]))[told.topic].partitions[0].leader
    return scene.brokers[0] if leader is None else leader


async def _rest(client: Process, step: str) -> str:
    """Let it go on to its end, whatever it tells on the way there."""
    if step != "end":
        _go_on(client)
    outcomes = set(map(str, Outcome))
    while (line := await _line(client)) not in outcomes:
        if not line:
            return Outcome.UNKNOWN
        _go_on(client)
    return line


async def _wait_for(client: Process, step: str) -> None:
    line = await _line(client)
    if line != step:
        raise RuntimeError(f"a client that nothing had happened to told {line!r}, not {step!r}")


async def _line(client: Process) -> str:
    assert client.stdout is not None
    return (await client.stdout.readline()).decode().strip()


def _go_on(client: Process) -> None:
    assert client.stdin is not None
    client.stdin.write(b"go on\n")


async def _check(scene: Scene, told: Told) -> None:
    """Fence the last client, if it left something open, and read what is committed."""
    name, at = told.transactional_id, TopicPartition(told.topic, 0)
    async with Producer(bootstrap_servers=scene.cluster.bootstrap, transactional_id=name):
        seen = await asyncio.wait_for(_seen(scene, told.topic), READ_WITHIN_S)
    found = await scene.admin.list_group_offsets(name, [at], require_stable=True)
    offset = found[at].offset if at in found else 0
    scene.broken += told.violations(seen, offset)
    outcomes = [*told.outcomes.values()]
    for outcome in (Outcome.COMMITTED, Outcome.ABORTED, Outcome.UNKNOWN):
        scene.measured(f"{outcome}_transactions", float(outcomes.count(outcome)))


async def _seen(scene: Scene, topic: str) -> list[str]:
    found: list[str] = []
    async with Consumer(
        bootstrap_servers=scene.cluster.bootstrap,
        isolation_level="read_committed",
        auto_offset_reset="earliest",
    ) as consumer:
        partitions = sorted(await consumer.all_partitions(topic))
        ends = await consumer.end_offsets(partitions)
        consumer.assign(partitions)
        for at in partitions:
            while await consumer.position(at) < ends[at]:
                for records in (await consumer.getmany(at, timeout_ms=200)).values():
                    found += [bytes(each.value or b"").decode() for each in records]
    return found


TRANSACTION_STEPS = (
    Row(
        "P-29",
        "SIGKILL between two steps of a transaction: coordinator, leader, client",
        die_between_steps,
        repeats=20,
    ),
)
"""The row, whose one round has every step with every victim."""

"""Links that lose everything silently, or are slow: P-7, P-8, P-9, P-10."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing

from barnabas.broker.server.peer_channel import PeerChannel, PeerError
from barnabas.broker.storage.files import RealClock
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.testing.links import CLIENTS, Member

from .history import Send, value_of
from .rows import Hold, Row
from .scene import NotHealedError, Scene
from .workload import TOPIC

PROGRESS_ACKS = 100
HEALED_WITHIN_S = 15.0
REFUSALS = (
    ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.NOT_ENOUGH_REPLICAS,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ErrorCode.REQUEST_TIMED_OUT,
)
_REQUEST_MS = 1_000
_ANSWER_MS = 5_000.0
_PAUSE_S = 0.1
_NAMED_VERSIONS = (9, 12)
"""Produce versions that name topics, and tell errors for each partition."""
SLOW_BYTES_PER_S = 3_000_000 / 8


def cut(scene: Scene, sources: Iterable[Member], targets: Iterable[Member]) -> None:
    """Whatever these send does not reach those."""
    assert scene.relays is not None, "the row has no relays"
    ends = list(targets)
    for source in sources:
        for target in ends:
            scene.relays.links.cut(source, target)


def heal(scene: Scene) -> None:
    """All links work again, at once and at full speed."""
    assert scene.relays is not None, "the row has no relays"
    scene.relays.links.heal()
    weather = scene.relays.weather
    weather.delay_s = weather.jitter_s = weather.bytes_per_s = 0.0


def isolation(
    of_whom: Callable[[Scene, int], Iterable[Member]],
    *,
    hears: bool = False,
    is_heard: bool = False,
    needs_progress: bool = True,
) -> Callable[[Scene], Awaitable[None]]:
    """P-7: the busiest broker is cut off from some others, in one direction or both."""

    async def strike(scene: Scene) -> None:
        node_id = await scene.busiest()
        others = list(of_whom(scene, node_id))
        scene.progress(f"node {node_id} cut off from {others}")
        if not is_heard:
            cut(scene, [node_id], others)
        if not hears:
            cut(scene, others, [node_id])
        before = len(scene.history.acked)
        try:
            await asyncio.sleep(scene.lengths.cut_s)
        finally:
            heal(scene)
        made = len(scene.history.acked) - before
        scene.measured("acks_during_the_cut", made)
        scene.require(
            made >= PROGRESS_ACKS or not needs_progress, f"only {made} acks during the cut"
        )

    return strike


def controllers(scene: Scene, node_id: int) -> list[Member]:
    """All voters except the node itself."""
    return [one for one in scene.voters if one != node_id]


def followers(scene: Scene, node_id: int) -> list[Member]:
    """All brokers except the node itself."""
    return [one for one in scene.brokers if one != node_id]


def clients(scene: Scene, node_id: int) -> list[Member]:
    """Everybody who is no node."""
    del scene, node_id
    return [CLIENTS]


def everybody(scene: Scene, node_id: int) -> list[Member]:
    """All other nodes, and all clients."""
    nodes = [node.id for node in scene.cluster.layout.nodes if node.id != node_id]
    return [*nodes, CLIENTS]


async def lone_controller(scene: Scene) -> None:
    """P-8: a voter that hears nobody raises no epoch, and disturbs nobody when it is back."""
    found = await scene.admin.describe_quorum()
    node_id = next(one for one in scene.voters if one != found.leader_id)
    others = [node.id for node in scene.cluster.layout.nodes if node.id != node_id]
    cut(scene, [node_id], others)
    cut(scene, others, [node_id])
    scene.progress(f"controller {node_id} alone for {scene.lengths.isolation_s:g} s")
    try:
        await asyncio.sleep(scene.lengths.isolation_s)
    finally:
        heal(scene)

    async def is_back() -> bool:
        now = await scene.admin.describe_quorum()
        (voter,) = [one for one in now.voters if one.replica_id == node_id]
        return now.lag_of(voter) <= 2

    await scene.until(f"controller {node_id} does not catch up", is_back)
    now = await scene.admin.describe_quorum()
    bumps = now.leader_epoch - found.leader_epoch
    scene.measured("epoch_bumps", bumps)
    scene.require(bumps == 0, f"the quorum's epoch rose by {bumps} through the isolation (996)")


async def split(scene: Scene) -> None:
    """P-9: one broker on one side, two on the other, and clients that reach both."""
    node_id = await scene.busiest()
    led = [one.partition for one in await scene.partitions() if one.leader == node_id]
    others = [node.id for node in scene.cluster.layout.nodes if node.id != node_id]
    cut(scene, [node_id], others)
    cut(scene, others, [node_id])
    scene.progress(f"node {node_id} alone, with partitions {led}")
    lone = LoneWriter(scene, node_id, led)
    writing = asyncio.get_running_loop().create_task(lone.write())
    try:
        await scene.until_out_of_isr(node_id)
        stale_s = scene.history.now_s()
        await asyncio.sleep(scene.lengths.fault_s)
    except NotHealedError:
        stale_s = scene.history.now_s()
        raise
    finally:
        lone.healed_s = scene.history.now_s()
        heal(scene)
        lone.is_over = True
        await writing
    late = [one for one in lone.sends if one.sent_s > stale_s and one.acked_s is not None]
    healed = [one for one in late if (one.acked_s or 0.0) < lone.healed_s]
    scene.require(not healed, f"{len(healed)} acks=all successes of a leader that was replaced")
    odd = {one.error for one in lone.sends if one.error} - {code.name for code in REFUSALS}
    scene.require(not odd, f"the lone broker refuses with {sorted(odd)}")
    scene.measured("writes_to_the_lone_broker", len(lone.sends))


class LoneWriter:
    """Asks one broker, and no other, to store records with acks=all; each is tried once."""

    def __init__(self, scene: Scene, node_id: int, partitions: list[int]) -> None:
        self.scene = scene
        self.sends: list[Send] = []
        self.is_over = False
        self.healed_s = float("inf")
        node = scene.cluster.layout.node(node_id)
        self._address = (scene.cluster.layout.host, node.port)
        self._partitions = partitions

    async def write(self) -> None:
        """Write until it is told to end."""
        channel = PeerChannel(lambda: self._address, client_id="lone-writer", clock=RealClock())
        history = self.scene.history
        with closing(channel):
            while not self.is_over:
                partition = self._partitions[len(self.sends) % len(self._partitions)]
                send = Send(len(history.sends), partition, history.now_s())
                history.sends.append(send)
                self.sends.append(send)
                await self._try(channel, send)
                await asyncio.sleep(_PAUSE_S)

    async def _try(self, channel: PeerChannel, send: Send) -> None:
        history = self.scene.history
        builder = RecordBatchBuilder()
        builder.append(0, None, value_of(send.number))
        data = PartitionProduceData(index=send.partition, records=builder.build())
        request = ProduceRequest(
            acks=-1,
            timeout_ms=_REQUEST_MS,
            topic_data=[TopicProduceData(name=TOPIC, partition_data=[data])],
        )
        try:
            answer = await channel.call(request, timeout_ms=_ANSWER_MS, versions=_NAMED_VERSIONS)
        except PeerError as error:
            send.failed_s, send.error = history.now_s(), type(error).__name__
            return
        (partition,) = answer.responses[0].partition_responses
        if partition.error_code:
            send.failed_s = history.now_s()
            send.error = ErrorCode(partition.error_code).name
        else:
            send.acked_s, send.offset = history.now_s(), partition.base_offset


async def slow_links(scene: Scene) -> None:
    """P-10: 100 ms ± 50 and 3000 kbit/s on all links; no node may be taken for dead."""
    assert scene.relays is not None
    weather = scene.relays.weather
    before = (await scene.admin.describe_quorum()).leader_epoch
    weather.delay_s, weather.jitter_s = 0.1, 0.05
    weather.bytes_per_s = SLOW_BYTES_PER_S
    acked = len(scene.history.acked)
    smallest = len(scene.brokers)
    ends_s = scene.history.now_s() + scene.lengths.isolation_s
    try:
        while scene.history.now_s() < ends_s:
            found = await scene.partitions()
            smallest = min(smallest, *(len(one.isr) for one in found))
            await asyncio.sleep(1.0)
    finally:
        heal(scene)
    rate = (len(scene.history.acked) - acked) / scene.lengths.isolation_s
    scene.measured("acks_per_s", rate)
    scene.require(rate > 0.4 * scene.rate_per_s, f"throughput fell to {rate:.0f} acks/s")
    scene.require(smallest == len(scene.brokers), f"an ISR shrank to {smallest} on slow links")
    epoch = (await scene.admin.describe_quorum()).leader_epoch
    scene.require(epoch == before, f"the quorum's epoch rose from {before} to {epoch}")


_BACK = Hold(healed_s=HEALED_WITHIN_S)

CUTS = (
    Row(
        "P-7",
        "leader cut off from controllers",
        isolation(controllers),
        repeats=8,
        hold=_BACK,
        controllers=1,
        is_relayed=True,
    ),
    Row(
        "P-7f",
        "leader cut off from followers",
        isolation(followers, needs_progress=False),
        repeats=8,
        hold=_BACK,
        controllers=1,
        is_relayed=True,
    ),
    Row(
        "P-7c",
        "leader cut off from clients",
        isolation(clients),
        repeats=8,
        hold=_BACK,
        is_relayed=True,
    ),
    Row(
        "P-7a",
        "leader cut off from everybody",
        isolation(everybody),
        repeats=8,
        hold=_BACK,
        is_relayed=True,
    ),
    Row(
        "P-7m",
        "leader hears all, nobody hears it",
        isolation(everybody, hears=True),
        repeats=8,
        hold=_BACK,
        is_relayed=True,
    ),
    Row(
        "P-7d",
        "leader is heard, and hears nobody",
        isolation(everybody, is_heard=True),
        repeats=8,
        hold=_BACK,
        is_relayed=True,
    ),
    Row("P-9", "split 1/2 with clients on both sides", split, repeats=10, is_relayed=True),
    Row(
        "P-8",
        "one controller alone, then back",
        lone_controller,
        repeats=5,
        controllers=3,
        is_relayed=True,
    ),
    Row("P-10", "100 ms ± 50 and 3000 kbit/s everywhere", slow_links, repeats=5, is_relayed=True),
)

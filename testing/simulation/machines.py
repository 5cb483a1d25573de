"""All machines of a run, the network between them, and what one can ask about the cluster."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from barnabas.broker.core.cluster.topic_image import GROUPS_TOPIC
from barnabas.broker.core.raft.raft import NotLeaderError

from .client_env import SimulatedClientEnv
from .events import Event
from .hooks import HookBus
from .incarnation import Incarnation
from .link_profile import LinkProfile
from .loop import SimulatedLoop
from .machine import Machine, Surroundings
from .network import SimulatedNetwork
from .profile import Profile
from .settings import settings_of_node
from .work import COPIED_S, DISK_CALL_S, FSYNC_S

if TYPE_CHECKING:
    from barnabas.broker.core.cluster.image import ClusterImage
    from barnabas.broker.core.cluster.topic_image import PartitionImage, TopicImage
    from barnabas.broker.core.replication.partition import Partition

    from .disk import SimulatedDisk

POLL_S = 0.05
"""How often the simulator itself looks whether something has come true."""

UNTOLD = -2
"""No broker, and none that a client finds."""

ARMED_OF_100 = 25
"""Buggify points that make trouble in a run that has them at all."""


class Machines:
    """The simulated cluster: machines by node id."""

    def __init__(self, profile: Profile, seed: int, loop: SimulatedLoop, bus: HookBus) -> None:
        self.profile = profile
        self.loop = loop
        self.bus = bus
        random = Random(f"cluster {seed}")
        link = LinkProfile(
            delay_min_s=profile.delay_min_ms / 1000.0, delay_mean_s=profile.delay_mean_ms / 1000.0
        )
        self.network = SimulatedNetwork(loop, Random(random.getrandbits(64)), link)
        self._seed = seed
        self.client_env = SimulatedClientEnv(loop, seed)
        self.makes_trouble = False
        """Whether buggify points may fire now: while the workload runs, until all is healed."""
        self._groups_epoch = -1
        """The highest leader epoch of the groups' coordinator that any node has known."""
        bus.listen("metadata-applied", self._on_applied)
        around = Surroundings(
            loop, self.network, bus, Random(random.getrandbits(64)), self._is_armed
        )
        self.by_id = {
            node_id: Machine(settings_of_node(profile, node_id), around)
            for node_id in profile.node_ids
        }
        for machine in self.by_id.values():
            spread = profile.clock_rate_spread
            machine.clock.rate = 1.0 + random.uniform(-spread, spread)
        self._disk_random = Random(random.getrandbits(64))
        self.stalled_until_s: dict[str, float] = {}
        """By name of a machine: its disk answers nothing before."""
        self._stood_still_until_s: dict[str, float] = {}
        loop.executor_delay_of = self._disk_delay_s
        for machine in self.by_id.values():
            machine.disk.is_stalled = partial(self._is_stalled, machine.name)
            machine.disk.on_wait = partial(self._wait_for_disk, machine.name)
            machine.disk.on_call = self._charge_disk_call

    def __iter__(self) -> Iterator[Machine]:
        return iter(self.by_id.values())

    def _is_armed(self, point: str) -> bool:
        if not self.profile.buggify or not self.makes_trouble:
            return False
        return zlib.crc32(f"{self._seed} {point}".encode()) % 100 < ARMED_OF_100

    def _is_stalled(self, name: str) -> bool:
        return self.stalled_until_s.get(name, 0.0) > self.loop.now

    def _wait_for_disk(self, name: str, what: str) -> None:
        """Who asks the device on the event loop waits until it answers."""
        del what
        self.loop.work.wait(self.stalled_until_s[name] - self.loop.now)

    def _charge_disk_call(self, what: str, size: int) -> None:
        work = self.loop.work
        if what == "bytes":
            work.charge("disk", size * COPIED_S)
        else:
            work.charge("disk", DISK_CALL_S)
            if what.startswith("fsync"):
                work.wait(FSYNC_S)

    def _disk_delay_s(self, owner: Incarnation | None) -> float:
        delay_s = self._disk_random.expovariate(1000.0 / self.profile.disk_delay_ms)
        if owner is not None:
            delay_s += max(self.stalled_until_s.get(owner.node, 0.0) - self.loop.now, 0.0)
        return delay_s

    def disk_of(self, name: str) -> SimulatedDisk:
        """The disk of the machine with this name."""
        return self.by_id[int(name.removeprefix("node-"))].disk

    def is_active_for(self, name: str, broker_id: int) -> bool:
        """Whether the node of this name takes that broker for active."""
        node = self.by_id[int(name.removeprefix("node-"))].node
        broker = None if node is None else node.broker
        return broker is not None and broker.replicas.surroundings.cluster.is_active(broker_id)

    # --- the cluster as it is -----------------------------------------------------------------

    @property
    def brokers(self) -> list[Machine]:
        return [machine for machine in self.by_id.values() if machine.is_broker]

    @property
    def running(self) -> list[Machine]:
        """Machines whose node has started and is neither dead nor paused."""
        return [
            machine
            for machine in self.by_id.values()
            if machine.node is not None and not machine.is_paused
        ]

    def newest_image(self) -> ClusterImage | None:
        """The image of the running node that is furthest."""
        images = [machine.node.image for machine in self.running if machine.node is not None]
        return max(images, key=lambda image: image.last_offset, default=None)

    def partitions(self) -> list[tuple[TopicImage, int, PartitionImage]]:
        """All partitions in the newest image."""
        image = self.newest_image()
        if image is None:
            return []
        return [
            (topic, index, partition)
            for _, topic in sorted(image.topics_by_name.items())
            for index, partition in sorted(topic.partitions.items())
        ]

    def replica(self, node_id: int, topic_id: bytes, index: int) -> Partition | None:
        """A replica as its broker has it; None where the broker is down or does not host it."""
        machine = self.by_id.get(node_id)
        if machine is None or machine.node is None:
            return None
        broker = machine.node.broker
        return None if broker is None else broker.replicas.get_by_id(topic_id, index)

    def live_replicas_of(self, name: str) -> list[int]:
        """Other nodes that fetched metadata of this one in the last session's time (630-07); none
        if it does not lead the quorum."""
        machine = next(each for each in self if each.name == name)
        if machine.node is None:
            return []
        quorum = machine.node.quorum
        now_ms = machine.clock.monotonic_ms()
        try:
            found = quorum.raft.describe(now_ms)
        except NotLeaderError:
            return []
        session_ms = machine.config.broker_session_timeout_ms
        return [
            one.replica.node_id
            for one in (*found.voters, *found.observers)
            if one.replica.node_id != machine.node_id and now_ms - one.last_fetch_ms <= session_ms
        ]

    def held_until_s(self, name: str) -> float:
        """Until when a machine stood still last, paused or with a disk that did not answer, and
        worked off what had come meanwhile."""
        machine = next(each for each in self if each.name == name)
        held_s = max(machine.paused_until_s, self._stood_still_until_s.get(name, 0.0))
        incarnation = machine.incarnation
        return incarnation.caught_up_s(held_s) if held_s and incarnation is not None else held_s

    def stall(self, name: str, seconds: float, *, blocks_writes: bool = False) -> None:
        """The disk of this machine answers nothing for so long, and takes nothing if it
        `blocks_writes`."""
        self.disk_of(name).blocks_writes = blocks_writes
        until_s = max(self.loop.now + seconds, self.stalled_until_s.get(name, 0.0))
        self.stalled_until_s[name] = self._stood_still_until_s[name] = until_s

    def leaders(self) -> dict[tuple[str, int], int]:
        """Leaders by topic and index as the newest image says; -1: none."""
        return {
            (topic.name, index): partition.leader for topic, index, partition in self.partitions()
        }

    def _on_applied(self, event: Event) -> None:
        known = event.fields["image"].partition(GROUPS_TOPIC, 0)
        if known is not None:
            self._groups_epoch = max(self._groups_epoch, known.leader_epoch)

    def groups_coordinator(self) -> int:
        """Who coordinates groups; `UNTOLD` if nodes that knew of a later one do not run."""
        image = self.newest_image()
        known = None if image is None else image.partition(GROUPS_TOPIC, 0)
        is_newest = known is not None and known.leader_epoch == self._groups_epoch
        return known.leader if known is not None and is_newest else UNTOLD

    def has_full_isrs(self) -> bool:
        """Whether every replica of every partition is in sync and every partition is led."""
        found = self.partitions()
        return all(
            partition.leader >= 0 and sorted(partition.isr) == sorted(partition.replicas)
            for _, _, partition in found
        )

    # --- all at once --------------------------------------------------------------------------

    def start_all(self) -> None:
        """Start whatever does not run."""
        for machine in self.by_id.values():
            machine.start()

    def heal(self) -> None:
        """End all faults: links, disks, clocks, trouble at points, and machines that are off."""
        self.makes_trouble = False
        self.bus.note("healed")
        self.network.heal()
        self.stalled_until_s.clear()
        for machine in self.by_id.values():
            # A leader whose clock is more than an hour behind takes no records of now.
            machine.clock.wall_offset_ms = 0
        self.start_all()

    async def wait_for(self, condition: Callable[[], bool], limit_s: float) -> bool:
        """Let the cluster go on until the condition holds; False if it does not within the time."""
        deadline_s = self.loop.now + limit_s
        while not condition():
            if self.loop.now >= deadline_s:
                return False
            await asyncio.sleep(POLL_S)
        return True

    def are_links_half_open(self) -> bool:
        """Whether a machine lost its end of a connection to another one, which was not told."""
        names = {machine.name for machine in self}
        return any(names >= pair for pair in self.network.half_open)

    def are_all_started(self) -> bool:
        """Whether a node runs on every machine."""
        return all(machine.node is not None for machine in self.by_id.values())

    def are_all_unfenced(self) -> bool:
        """Whether the newest image has every broker at work."""
        image = self.newest_image()
        return image is not None and all(
            machine.node_id in image.brokers and not image.brokers[machine.node_id].fenced
            for machine in self.brokers
        )

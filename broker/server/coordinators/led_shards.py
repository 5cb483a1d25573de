"""The shards of one internal topic on this broker, and the life of each of them.

A shard is loaded when this broker begins to lead a partition of the topic, and unloaded when it
leads it no longer, in the order of leader epochs (CRT-13).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar

from barnabas.protocol.errors import DecodeError, ErrorCode, KafkaError

from ...core.cluster.changes import Changes
from ...core.cluster.image import ClusterImage
from ...core.coordination.loaded_batch import RecordDecoder
from ...core.coordination.machine import Machine, Outcome, Reply, ShardTimers
from ...core.coordination.partition_of import partition_of
from ...core.coordination.shard import Phase, Shard
from ...core.coordination.shard_writer import ShardRules
from ...core.coordination.timeline import Timeline
from ...core.log.failures import LogDirectoryFailure
from ...core.replication.end_markers import EndMarker
from ...core.replication.partition import Partition
from .loading import Load
from .partition_as_log import PartitionAsLog
from .promise import LoopOfShards, Promise
from .services import CoordinatorServices

MachineT = TypeVar("MachineT", bound=Machine)
ResultT = TypeVar("ResultT")

LOADED_AGAIN_S: Final = 0.5
"""Pause before a shard is loaded again whose log went on without it (CRT-12)."""

SLOW_LOAD_MS: Final = 1000.0
"""A load that takes longer is told of in the node's log."""


@dataclass(slots=True)
class _Led(Generic[MachineT]):
    """A partition that this broker leads, and its shard."""

    partition: Partition
    epoch: int
    shard: Shard[MachineT]
    load: asyncio.Task[None]


async def _wait_for_what_was_loaded(shards: Sequence[Shard[MachineT]]) -> None:
    """Until it is committed in all of them, or that took too long; who reads then is told which."""
    promises: list[Promise[None]] = []
    for shard in shards:
        promise: Promise[None] = Promise()
        shard.when_caught_up(promise)
        promises.append(promise)
    await asyncio.gather(*(one.kept() for one in promises), return_exceptions=True)


@dataclass(frozen=True, slots=True)
class ShardKind(Generic[MachineT]):
    """What tells the shards of one topic from those of another."""

    topic: str
    name: str
    """Of the coordinator, as metrics have it."""
    rules: ShardRules
    decoder: RecordDecoder
    load_bytes: int
    """Most bytes of the log that are read at a time while a shard loads."""
    make: Callable[[Timeline, ShardTimers, Partition], MachineT]
    """The machine of a partition that this broker leads, in the epoch that it has now."""


class LedShards(Generic[MachineT]):
    """A shard for each partition of the topic that this broker leads."""

    def __init__(self, node: CoordinatorServices, kind: ShardKind[MachineT]) -> None:
        self._node = node
        self._kind = kind
        self._led: dict[int, _Led[MachineT]] = {}
        self._epochs: dict[int, int] = {}
        """By partition: the highest leader epoch that was heard of (CRT-13)."""
        self._is_running = False
        self.loads = 0
        self.load_ms_max = 0.0
        self.load_ms_last = 0.0

    # --- requests -----------------------------------------------------------------------------

    async def write(
        self, coordinated_id: str, decide: Callable[[MachineT], Outcome[ResultT]]
    ) -> ResultT:
        """Decide in the shard of this id; the answer, once what it wrote is committed.

        Raises KafkaError: what `decide` raises, 14, 15 or 16 (CRT-04), or of the append (CRT-05).
        """
        shard = self.shard_of(coordinated_id)
        promise: Promise[ResultT] = Promise()
        shard.write(partial(decide, shard.machine), promise)
        return await promise.kept()

    async def park(
        self,
        coordinated_id: str,
        decide: Callable[[MachineT, Reply[ResultT]], Outcome[None]],
    ) -> ResultT:
        """The same for an answer that the state machine gives itself; it waits for what was loaded
        to be committed."""
        shard = self.shard_of(coordinated_id)
        promise: Promise[ResultT] = Promise()
        reply = shard.after_load(promise)
        shard.park(partial(decide, shard.machine, reply), reply)
        return await promise.kept()

    async def read(
        self,
        coordinated_id: str,
        look: Callable[[MachineT, int], ResultT],
        *,
        may_be_old: bool = False,
    ) -> ResultT:
        """Read what is committed in the shard of this id, as `Shard.read` does, after a wait for
        what was loaded. Raises KafkaError 14, 15, 16.
        """
        shard = self.shard_of(coordinated_id)
        if shard.is_behind:
            await _wait_for_what_was_loaded((shard,))
        return shard.read(look, may_be_old=may_be_old)

    async def read_all(self, look: Callable[[MachineT, int], ResultT]) -> list[ResultT]:
        """Read each shard that this broker leads; raises KafkaError 14 while one is loading."""
        self._check_running()
        behind = [shard for shard in self._not_gone() if shard.is_behind]
        if behind:
            await _wait_for_what_was_loaded(behind)
        return [shard.read(look, may_be_old=True) for shard in self._not_gone()]

    def _not_gone(self) -> list[Shard[MachineT]]:
        return [led.shard for led in self._led.values() if led.shard.phase is not Phase.GONE]

    def machines(self) -> list[MachineT]:
        """The machines of the shards that take requests, or will when they are loaded: what one
        is to write meanwhile waits in its timers until then."""
        return [shard.machine for shard in self._not_gone()]

    async def end_transaction(self, number: int, marker: EndMarker) -> None:
        """Write a marker into this partition, and apply it in the same step (CRT-20).

        Raises KafkaError: 14, 15 or 16, 19, 47, 52, 56 (TXN-31).
        """
        promise: Promise[None] = Promise()
        self.shard_at(number).end_transaction(marker, promise)
        await promise.kept()

    def shard_of(self, coordinated_id: str) -> Shard[MachineT]:
        """The shard of this id. Raises KafkaError 15 or 16."""
        topic = self._node.image.topics_by_name.get(self._kind.topic)
        if topic is None:
            self._check_running()
            raise KafkaError(ErrorCode.NOT_COORDINATOR)
        return self.shard_at(partition_of(coordinated_id, len(topic.partitions)))

    def shard_at(self, number: int) -> Shard[MachineT]:
        """The shard of this partition. Raises KafkaError 15 or 16."""
        self._check_running()
        led = self._led.get(number)
        if led is None:
            raise KafkaError(ErrorCode.NOT_COORDINATOR)
        return led.shard

    def _check_running(self) -> None:
        if not self._is_running:
            raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE)

    # --- life ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Load the shards of the partitions that this broker leads already."""
        self._is_running = True
        for number in list(self._node.replicas.by_name.get(self._kind.topic, ())):
            self._look(number)

    async def stop(self) -> None:
        """Refuse all who wait (CRT-18), and end all loads."""
        self._is_running = False
        loads = [led.load for led in self._led.values()]
        for number in list(self._led):
            self._unload(number)
        await asyncio.gather(*loads, return_exceptions=True)

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """A listener of the metadata, told after the `ReplicaStore`."""
        if not self._is_running:
            return
        for removed in changes.removed_topics.values():
            if removed.name == self._kind.topic:
                for number in list(self._led):
                    self._unload(number)
                self._epochs.clear()
        topic = image.topics_by_name.get(self._kind.topic)
        if topic is not None:
            for number in changes.partitions.get(topic.topic_id, ()):
                self._look(number)

    # --- shards -------------------------------------------------------------------------------

    def _look(self, number: int) -> None:
        """Load or unload, as the partition's role now is."""
        partition = self._node.replicas.get(self._kind.topic, number)
        known = self._epochs.get(number, -1)
        if partition is None:
            self._unload(number)
        elif partition.leader_epoch > known:
            self._epochs[number] = partition.leader_epoch
            self._unload(number)
            if partition.is_leader:
                self._load(number, partition)

    def _unload(self, number: int) -> None:
        led = self._led.pop(number, None)
        if led is not None:
            led.shard.unload()
            led.load.cancel()

    def _load(self, number: int, partition: Partition) -> None:
        node = self._node
        epoch = partition.leader_epoch
        as_log = PartitionAsLog(partition, epoch, node.env.clock)
        shard = Shard(
            lambda timeline, timers: self._kind.make(timeline, timers, partition),
            as_log,
            LoopOfShards(),
            node.env.clock,
            self._kind.rules,
            report=partial(self._report_bug, partition),
            on_lost=partial(self._on_lost, number, partition, as_log),
        )
        load = Load(node, self._kind.decoder, self._kind.load_bytes, partition, as_log, shard)
        loading = asyncio.get_running_loop().create_task(self._run(load, partition, shard))
        self._led[number] = _Led(partition, epoch, shard, loading)

    async def _run(
        self, load: Load[MachineT], partition: Partition, shard: Shard[MachineT]
    ) -> None:
        began_ms = self._node.env.clock.monotonic_ms()
        try:
            is_active = await load.run()
        except (KafkaError, DecodeError, LogDirectoryFailure) as error:
            self._failed(partition, shard, error)
            return
        except Exception as error:
            self._node.metrics.unexpected_errors += 1
            self._failed(partition, shard, error)
            return
        if not is_active:
            shard.unload()  # led no more, or the disk failed: 16, and not 14 for ever (CRT-13)
            return
        took_ms = self._node.env.clock.monotonic_ms() - began_ms
        self._note_load(partition, load.records, took_ms)

    def _failed(self, partition: Partition, shard: Shard[MachineT], error: Exception) -> None:
        """Its ids are answered with 16 until another leader is elected (CRT-15)."""
        shard.unload()
        self._node.log.error(
            "a shard could not be loaded", log=partition.log.name, error=repr(error)
        )

    def _note_load(self, partition: Partition, records: int, took_ms: float) -> None:
        self.loads += 1
        self.load_ms_last = took_ms
        self.load_ms_max = max(self.load_ms_max, took_ms)
        if took_ms >= SLOW_LOAD_MS:
            self._node.log.info(
                "a shard was loaded", log=partition.log.name, records=records, ms=round(took_ms)
            )

    def _on_lost(self, number: int, partition: Partition, as_log: PartitionAsLog) -> None:
        """State and log are no longer the same: load again, if this broker still leads."""
        asyncio.get_running_loop().call_later(
            LOADED_AGAIN_S, self._load_again, number, partition, as_log
        )

    def _load_again(self, number: int, partition: Partition, as_log: PartitionAsLog) -> None:
        led = self._led.get(number)
        if (
            self._is_running
            and led is not None
            and led.partition is partition
            and led.shard.phase is Phase.GONE
            and as_log.is_led
        ):
            self._unload(number)
            self._load(number, partition)

    def _report_bug(self, partition: Partition, event: str, fields: dict[str, object]) -> None:
        if "exc_info" in fields:
            self._node.metrics.unexpected_errors += 1
        self._node.log.error(event, log=partition.log.name, **fields)

    def figures(self) -> dict[str, float]:
        """Metrics by name."""
        name = self._kind.name
        phases = [led.shard.phase for led in self._led.values()]
        return {
            f"{name}.ShardsActive": phases.count(Phase.ACTIVE),
            f"{name}.ShardsLoading": phases.count(Phase.LOADING),
            f"{name}.ShardsFailed": phases.count(Phase.GONE),
            f"{name}.LoadsTotal": self.loads,
            f"{name}.LoadTimeMsMax": self.load_ms_max,
        }

"""A partition on its own: a real log, a clock that is told, and ports that write down calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from barnabas.broker.core.cluster.topic_image import PartitionImage
from barnabas.broker.core.log.append_result import AppendResult
from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.replication.isr_change import IsrAnswer, IsrChange
from barnabas.broker.core.replication.partition import Partition, PartitionPorts
from barnabas.broker.core.replication.surroundings import Surroundings

from .log_batches import Batch
from .logs import ManualClock, config_of, env_of, open_log

OWN_ID = 1
TOPIC_ID = bytes(15) + b"\x07"
LAG_MS = 10_000


def epoch_of(broker_id: int) -> int:
    """The broker epoch of 1 to 3."""
    return 100 + broker_id


class Cluster:
    """Brokers 1 to 3, alive, with epochs 101 to 103."""

    def __init__(self) -> None:
        self.epochs = {broker_id: epoch_of(broker_id) for broker_id in (1, 2, 3)}
        self.inactive: set[int] = set()
        self.racks: dict[int, str] = {}

    def broker_epoch(self, broker_id: int) -> int:
        return self.epochs.get(broker_id, -1)

    def is_active(self, broker_id: int) -> bool:
        return broker_id in self.epochs and broker_id not in self.inactive

    def is_alone(self, broker_id: int) -> bool:
        return self.epochs.keys() <= {broker_id}

    def rack(self, broker_id: int) -> str | None:
        return self.racks.get(broker_id)

    def has_endpoint(self, broker_id: int, listener_name: str) -> bool:
        return listener_name == "PLAINTEXT" and self.is_active(broker_id)


class Fetchers:
    """A `FollowerPort` that writes down what it is told."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def follow(self, partition: Partition, leader_id: int, leader_epoch: int) -> None:
        self.calls.append(("follow", leader_id, leader_epoch))

    def unfollow(self, partition: Partition) -> None:
        self.calls.append(("unfollow",))


class Controller:
    """An `IsrPort` that keeps what was proposed until the test answers."""

    def __init__(self) -> None:
        self.open: list[tuple[IsrChange, Callable[[IsrAnswer], object]]] = []

    def propose(self, change: IsrChange, done: Callable[[IsrAnswer], object]) -> None:
        self.open.append((change, done))

    @property
    def change(self) -> IsrChange:
        """The one change that is open."""
        ((change, _),) = self.open
        return change

    def grant(self) -> IsrChange:
        """Do as was asked."""
        change, done = self.open.pop()
        members = tuple(member for member, _ in change.isr)
        epoch = change.partition_epoch + 1
        done(IsrAnswer(0, OWN_ID, change.leader_epoch, members, 0, epoch))
        return change

    def refuse(self, code: int) -> IsrChange:
        change, done = self.open.pop()
        done(IsrAnswer(code))
        return change


class Flushes:
    """A `FlushQueue` that flushes when the test says so."""

    def __init__(self) -> None:
        self.wanted: list[Partition] = []

    def request(self, partition: Partition) -> None:
        self.wanted.append(partition)

    def forget(self, partition: Partition, log: PartitionLog) -> None:
        pass

    def run(self) -> None:
        wanted, self.wanted = self.wanted, []
        for partition in wanted:
            partition.log.flush()
            partition.on_flushed()


class Replica:
    """Partition t-0 on one broker, with replicas 1 to `replica_count`."""

    def __init__(
        self,
        directory: Path,
        *,
        node_id: int = OWN_ID,
        keeps_pending: bool = False,
        replica_count: int = 3,
        **config: int,
    ) -> None:
        self.clock = ManualClock()
        self.cluster = Cluster()
        self.fetchers = Fetchers()
        self.controller = Controller()
        self.flushes = Flushes()
        self.failures: list[LogDirectoryFailure] = []
        self.acks: list[tuple[int, str]] = []
        env = env_of(clock=self.clock)
        settings = config_of(**config)
        self.around = Surroundings(
            node_id,
            env,
            cluster=self.cluster,
            lag_time_max_ms=LAG_MS,
            keeps_pending_in_sync=keeps_pending,
        )
        self.ports = PartitionPorts(
            self.flushes, lambda _, failure: self.failures.append(failure), self.fetchers
        )
        self.around.isr = self.controller
        log = open_log(directory, settings, env)
        self.partition = Partition(
            "t", TOPIC_ID, 0, log=log, config=settings, around=self.around, ports=self.ports
        )
        self.replicas = tuple(range(1, replica_count + 1))

    def image(
        self, isr: tuple[int, ...], leader_epoch: int, partition_epoch: int
    ) -> PartitionImage:
        return PartitionImage(
            self.replicas, isr, OWN_ID, leader_epoch=leader_epoch, partition_epoch=partition_epoch
        )

    def lead(self, *isr: int, leader_epoch: int = 0, partition_epoch: int = 0) -> Partition:
        """Lead, with everybody in sync unless it is said who is."""
        members = isr or self.replicas
        self.partition.lead(
            PartitionImage(
                self.replicas,
                members,
                OWN_ID,
                leader_epoch=leader_epoch,
                partition_epoch=partition_epoch,
            )
        )
        return self.partition

    def append(self, count: int = 1) -> AppendResult:
        """One batch of so many records, as a client's."""
        data = Batch(values=(b"v",) * count).encoded
        return self.partition.append(memoryview(data), 0, len(data), self.clock.wall_ms())

    def fetched(self, replica_id: int, offset: int, *, broker_epoch: int | None = None) -> None:
        """A follower's fetch from `offset` came."""
        epoch = epoch_of(replica_id) if broker_epoch is None else broker_epoch
        self.partition.as_leader().note_fetch(replica_id, epoch, offset, 0, self.clock.now_ms)

    def wait_for_ack(self, end_offset: int, acks: int = -1) -> None:
        """Note in `acks` how the wait for it ends."""
        self.partition.when_acknowledged(
            end_offset, acks, lambda code: self.acks.append((end_offset, code.name))
        )

    @property
    def high_watermark(self) -> int:
        return self.partition.high_watermark


def from_leader(base_offset: int, count: int = 1, leader_epoch: int = 0) -> memoryview:
    """A batch as a leader's log has it."""
    values = (b"v",) * count
    batch = Batch(values=values, base_offset=base_offset, leader_epoch=leader_epoch)
    return memoryview(batch.encoded)


def truncate(partition: Partition, offset: int) -> int:
    """Cut a follower's log, and wait for what must be read for it; returns the new end."""
    follower = partition.as_follower(partition.leader_epoch)
    cutting = follower.truncate(offset)
    if cutting is not None:
        assert follower.truncate(offset, cutting()) is None
    return partition.log.log_end_offset

"""Which directory holds which replica, told to a controller that answers by script (KIP-858)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from kit.controllers import Cluster
from kit.waiting import until

from barnabas.broker.core.cluster.partition_commands import (
    AssignReplicasToDirs,
    DirectoryAssignment,
)
from barnabas.broker.core.cluster.topic_image import (
    DIRECTORY_LOST,
    DIRECTORY_MIGRATING,
    DIRECTORY_UNASSIGNED,
)
from barnabas.broker.server.peer_channel import PeerUnavailableError
from barnabas.broker.server.replication.assign_directories import DirectoryAssignments
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.assign_replicas_to_dirs_response import (
    AssignReplicasToDirsResponse,
    DirectoryData,
    PartitionData,
    TopicData,
)
from barnabas.protocol.messages.feature_level_record import FeatureLevelRecord
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord
from barnabas.protocol.messages.topic_record import TopicRecord
from barnabas.protocol.primitives import uuid_to_text

from .nodes import NODE_ID, Services

TOPIC_ID = b"t" * 16
HERE, ELSEWHERE = b"h" * 16, b"e" * 16


class Store:
    """The replicas of broker 1, all in the directory HERE."""

    def __init__(self) -> None:
        self.partitions: dict[tuple[bytes, int], Any] = {}
        self.unavailable: dict[tuple[str, int], str] = {}
        self.moves = SimpleNamespace(of=lambda partition: self.move)
        self.move: Any = None

    def __iter__(self) -> Any:
        return iter(self.partitions.values())

    def get_by_id(self, topic_id: bytes, index: int) -> Any:
        return self.partitions.get((topic_id, index))

    def directory_of(self, partition: Any) -> Any:
        return SimpleNamespace(meta=SimpleNamespace(directory_id=uuid_to_text(HERE)))


class Failed:
    """The directories that heartbeats name."""

    is_told = False

    def holds(self, directory: Any) -> bool:
        return self.is_told


class Bench:
    """Assignments of a broker with replicas whose directories the test gives."""

    def __init__(self, *directories: bytes, isr: tuple[int, ...] = (1, 2), level: int = 30) -> None:
        self.services = Services()
        self.services.replicas = self.store = Store()
        self.controller = self.services.controllers
        self.apply(
            FeatureLevelRecord(name="metadata.version", feature_level=level),
            TopicRecord(name="t", topic_id=TOPIC_ID),
        )
        for index, directory in enumerate(directories):
            self.store.partitions[(TOPIC_ID, index)] = SimpleNamespace(
                topic_id=TOPIC_ID, index=index, is_offline=False
            )
            self.assign(index, directory, isr)
        self.offline = Failed()
        offline: Any = self.offline
        self.assignments = DirectoryAssignments(self.services, offline)

    def apply(self, *records: Message) -> None:
        image = self.services.image
        for record in records:
            image.apply(record, image.last_offset + 1)

    def assign(self, index: int, directory: bytes, isr: tuple[int, ...]) -> None:
        """The metadata says of a partition: it is led by this broker, from this directory."""
        self.apply(
            PartitionRecord(
                partition_id=index,
                topic_id=TOPIC_ID,
                replicas=[NODE_ID, 2],
                isr=list(isr),
                leader=NODE_ID,
                directories=[directory, ELSEWHERE],
            )
        )

    def make_unavailable(self, index: int) -> None:
        """Its replica could not be made or opened: the store has none."""
        self.store.partitions.pop((TOPIC_ID, index), None)
        self.store.unavailable[("t", index)] = "planted"

    def told(self, request: int) -> dict[int, bytes]:
        """Partition -> directory id, of a request that was sent."""
        return {
            one.partition_index: directory.id
            for directory in self.controller.requests[request].directories
            for topic in directory.topics
            for one in topic.partitions
        }


def taken(request: Any, code: int = 0) -> AssignReplicasToDirsResponse:
    return AssignReplicasToDirsResponse(
        directories=[
            DirectoryData(
                id=directory.id,
                topics=[
                    TopicData(
                        topic_id=topic.topic_id,
                        partitions=[
                            PartitionData(partition_index=one.partition_index, error_code=code)
                            for one in topic.partitions
                        ],
                    )
                    for topic in directory.topics
                ],
            )
            for directory in request.directories
        ]
    )


async def test_replicas_in_another_directory_than_the_metadata_says() -> None:
    """Goal: at the start, one request for all that differ, and none for those that do not."""
    bench = Bench(HERE, DIRECTORY_UNASSIGNED, ELSEWHERE, DIRECTORY_MIGRATING)
    bench.controller.answers.append(taken)
    bench.assignments.start()
    await until(lambda: not len(bench.assignments))
    assert bench.told(0) == {1: HERE, 2: HERE, 3: HERE}
    (request,) = bench.controller.requests
    assert (request.broker_id, request.broker_epoch) == (NODE_ID, 70)
    await bench.assignments.stop()


async def test_a_metadata_version_without_directories() -> None:
    """Goal: below 3.7-IV2 records have no place for them: nothing is told."""
    bench = Bench(DIRECTORY_MIGRATING, level=16)
    bench.assignments.start()
    assert len(bench.assignments) == 0
    await bench.assignments.stop()


@pytest.mark.parametrize(("isr", "told"), [((1, 2), {0: DIRECTORY_LOST}), ((1,), None)])
async def test_a_replica_whose_disk_failed(
    isr: tuple[int, ...], told: dict[int, bytes] | None
) -> None:
    """Goal: told as lost where another one is in sync; the only one in sync stays the leader."""
    bench = Bench(HERE, isr=isr)
    bench.assignments.start()
    partition = bench.store.partitions[(TOPIC_ID, 0)]
    partition.is_offline = True
    bench.controller.answers.append(taken)
    bench.assignments.look_at(partition)
    await until(lambda: not len(bench.assignments))
    assert (bench.told(0) if bench.controller.requests else None) == told
    await bench.assignments.stop()


@pytest.mark.parametrize("directory", [HERE, DIRECTORY_UNASSIGNED])
@pytest.mark.parametrize(("isr", "told"), [((1, 2), {0: DIRECTORY_LOST}), ((1,), None)])
async def test_a_replica_that_could_not_be_opened(
    directory: bytes, isr: tuple[int, ...], told: dict[int, bytes] | None
) -> None:
    """392-02, KIP-858: at the start, told as lost where another one is in sync, as it is then the
    other one's to lead; the only one in sync keeps its place."""
    bench = Bench(directory, isr=isr)
    bench.make_unavailable(0)
    bench.controller.answers.append(taken)
    bench.assignments.start()
    await until(lambda: not len(bench.assignments))
    assert (bench.told(0) if bench.controller.requests else None) == told
    await bench.assignments.stop()


@pytest.mark.parametrize(
    ("isr", "level", "told"),
    [((1, 2), 30, {0: DIRECTORY_LOST}), ((1,), 30, None), ((2,), 30, None), ((1, 2), 16, None)],
)
async def test_a_replica_that_could_not_be_made(
    isr: tuple[int, ...], level: int, told: dict[int, bytes] | None
) -> None:
    """392-02, KIP-858: a new partition's folder is refused: nobody waits for this replica."""
    bench = Bench(level=level)
    bench.assignments.start()
    bench.services.image.take_changes()
    bench.assign(0, HERE, isr)
    bench.make_unavailable(0)
    bench.controller.answers.append(taken)
    bench.assignments.on_image(bench.services.image, bench.services.image.take_changes())
    await until(lambda: not len(bench.assignments))
    assert (bench.told(0) if bench.controller.requests else None) == told
    await bench.assignments.stop()


async def test_a_missing_replica_that_is_told_as_lost_once() -> None:
    """KIP-858: what the controller knows by now is not told to it again."""
    bench = Bench(DIRECTORY_LOST)
    bench.make_unavailable(0)
    bench.assignments.start()
    assert not len(bench.assignments)
    await bench.assignments.stop()


async def test_a_missing_replica_that_is_alone_in_sync_by_now() -> None:
    """392-02: the others leave the in-sync set before it could be told: then it is not."""
    bench = Bench(HERE)
    bench.make_unavailable(0)
    bench.assignments.start()
    assert len(bench.assignments) == 1
    bench.services.image.take_changes()
    bench.assign(0, HERE, (1,))
    bench.assignments.on_image(bench.services.image, bench.services.image.take_changes())
    assert not len(bench.assignments)
    await bench.assignments.stop()
    assert not bench.controller.requests


@pytest.mark.parametrize(("assigned", "told"), [(HERE, None), (DIRECTORY_UNASSIGNED, {0: HERE})])
async def test_a_replica_in_a_directory_that_heartbeats_name(
    assigned: bytes, told: dict[int, bytes] | None
) -> None:
    """Goal: the controller takes it off by its directory, which it must know, and nothing else."""
    bench = Bench(assigned)
    bench.offline.is_told = True
    bench.assignments.start()
    partition = bench.store.partitions[(TOPIC_ID, 0)]
    partition.is_offline = True
    bench.controller.answers.append(taken)
    bench.assignments.look_at(partition)
    await until(lambda: not len(bench.assignments))
    assert (bench.told(0) if bench.controller.requests else None) == told
    await bench.assignments.stop()


@pytest.mark.parametrize(("is_announced", "told"), [(False, None), (True, {0: ELSEWHERE})])
async def test_a_replica_that_is_about_to_be_elsewhere(
    is_announced: bool, told: dict[int, bytes] | None
) -> None:
    """KIP-113, 858: the directory that its copy is in, once that has all; before, its own."""
    bench = Bench(HERE)
    target: Any = SimpleNamespace(meta=SimpleNamespace(directory_id=uuid_to_text(ELSEWHERE)))
    bench.store.move = SimpleNamespace(is_announced=is_announced, target=target)
    bench.controller.answers.append(taken)
    bench.assignments.start()
    partition = bench.store.partitions[TOPIC_ID, 0]
    bench.assignments.look_at(partition)
    assert not bench.assignments.knows(partition, target)
    await until(lambda: not len(bench.assignments))
    assert (bench.told(0) if bench.controller.requests else None) == told
    await bench.assignments.stop()


async def test_a_request_that_fails_is_tried_again() -> None:
    """Goal: nothing is forgotten while no controller answers; it is said once."""
    bench = Bench(ELSEWHERE)
    bench.controller.answers += [
        PeerUnavailableError("planted"),
        lambda request: AssignReplicasToDirsResponse(error_code=77),
        taken,
    ]
    bench.assignments.start()
    await until(lambda: len(bench.controller.requests) == 3 and not len(bench.assignments))
    assert len(bench.services.log.lines) == 1
    await bench.assignments.stop()


async def test_a_change_of_metadata_is_looked_at() -> None:
    """Goal: a partition that got here by a reassignment, and one that is right by now."""
    bench = Bench(HERE)
    bench.assignments.start()
    bench.services.image.take_changes()
    bench.assign(0, DIRECTORY_UNASSIGNED, (NODE_ID,))
    bench.controller.answers.append(lambda request: taken(request, 3))
    bench.assignments.on_image(bench.services.image, bench.services.image.take_changes())
    await until(lambda: bench.controller.requests and not len(bench.assignments))
    assert bench.told(0) == {0: HERE}
    await bench.assignments.stop()


def test_the_controller_moves_leaderships_away_from_a_lost_replica() -> None:
    """Goal: told as lost, a leader's replica leaves the in-sync set, and another one leads."""
    cluster = Cluster(2)
    topic_id = cluster.create("t", assignments=((0, (1, 2)),))
    lost = DirectoryAssignment(DIRECTORY_LOST, topic_id, 0)
    command = AssignReplicasToDirs(1, cluster.epoch(1), (lost,))
    assert cluster.do(command) == [ErrorCode.NONE]
    assert (cluster.partition().leader, cluster.partition().isr) == (2, (2,))
    assert cluster.partition().directory_of(1) == DIRECTORY_LOST


async def test_directories_that_have_a_place_only_now() -> None:
    """KIP-858: `metadata.version` rose and this broker has registered again: all are told."""
    bench = Bench(DIRECTORY_UNASSIGNED, DIRECTORY_UNASSIGNED, level=16)
    bench.controller.answers.append(taken)
    bench.assignments.start()
    assert not len(bench.assignments)
    bench.services.image.take_changes()
    bench.apply(
        FeatureLevelRecord(name="metadata.version", feature_level=30),
        RegisterBrokerRecord(broker_id=NODE_ID, log_dirs=[HERE]),
    )
    bench.assignments.on_image(bench.services.image, bench.services.image.take_changes())
    await until(lambda: not len(bench.assignments))
    assert bench.told(0) == {0: HERE, 1: HERE}
    await bench.assignments.stop()

"""Tells the controller which log directory holds which replica, and which replicas are lost.

KIP-858: the metadata names a directory for each replica. Where the replica is in another one (the
broker chose among several, or found the folder there at its start), the controller is told by
AssignReplicasToDirs. Of a directory that failed, heartbeats tell (`offline_directories`), for all
its replicas. In the last directory that a broker has, each replica whose disk refused something is
told as lost, so that another member of the in-sync set leads at once and nobody waits for this
copy. If nobody else is in sync it stays: what it holds can still be read. (Kafka's broker halts
then.) One request is in flight; what fails is tried again.
"""

from __future__ import annotations

import asyncio
from typing import Final

from barnabas.protocol.errors import ErrorCode, name_of
from barnabas.protocol.messages.assign_replicas_to_dirs_request import (
    AssignReplicasToDirsRequest,
    DirectoryData,
    PartitionData,
    TopicData,
)
from barnabas.protocol.messages.assign_replicas_to_dirs_response import AssignReplicasToDirsResponse

from ...core.cluster.changes import Changes
from ...core.cluster.image import ClusterImage
from ...core.cluster.record_versions import DIRECTORY_ASSIGNMENT_MIN
from ...core.cluster.topic_image import DIRECTORY_LOST, PartitionImage, TopicImage
from ...core.log.log_directory import LogDirectory
from ...core.replication.directories import id_of
from ...core.replication.partition import Partition
from ..peer_errors import PeerError
from .back_off import BackOff
from .offline_directories import OfflineDirectories
from .services import ReplicationServices

REQUEST_TIMEOUT_MS: Final = 5000.0
RETRY_MAX_MS: Final = 2000.0
ASSIGNMENTS_MAX: Final = 2000
"""Most replicas in one request, as in Kafka."""

Key = tuple[bytes, int]


class DirectoryAssignments:
    """What the controller does not know yet of this broker's directories."""

    def __init__(self, node: ReplicationServices, offline: OfflineDirectories) -> None:
        self._node = node
        self._offline = offline
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[Key, bytes] = {}
        self._is_started = False
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    # --- what is to be told -------------------------------------------------------------------

    def start(self) -> None:
        """Compare all replicas with the metadata; this broker is registered."""
        self._is_started = True
        image = self._node.image
        for partition in self._node.replicas:
            self._look_at(image, partition)
        for name, number in self._node.replicas.unavailable:
            topic = image.topics_by_name.get(name)
            if topic is not None:
                self._look_at_missing(image, topic, number)

    async def stop(self) -> None:
        """Tell nothing any more."""
        self._is_started = False
        self._waiting.clear()
        task = self._task
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """The metadata says something new of replicas; after the store has taken it."""
        if not self._is_started:
            return
        if self._node.node_id in changes.brokers:
            self.start()  # its directories may be known only now
        for topic_id, numbers in changes.partitions.items():
            for number in numbers:
                partition = self._node.replicas.get_by_id(topic_id, number)
                if partition is not None:
                    self._look_at(image, partition)
                elif (topic := image.topics_by_id.get(topic_id)) is not None:
                    self._look_at_missing(image, topic, number)

    def look_at(self, partition: Partition) -> None:
        """The disk refused something of this replica, or it is about to be in another directory."""
        if self._is_started:
            self._look_at(self._node.image, partition)

    def _look_at(self, image: ClusterImage, partition: Partition) -> None:
        if image.metadata_version < DIRECTORY_ASSIGNMENT_MIN:
            return
        topic = image.topics_by_id.get(partition.topic_id)
        assigned = None if topic is None else topic.partitions.get(partition.index)
        if assigned is None or self._node.node_id not in assigned.replicas:
            return
        wanted = self._directory_of(partition, assigned)
        key = (partition.topic_id, partition.index)
        if wanted is None or wanted == assigned.directory_of(self._node.node_id):
            self._waiting.pop(key, None)
        else:
            self._tell(key, wanted)

    def _look_at_missing(self, image: ClusterImage, topic: TopicImage, number: int) -> None:
        """A replica that could not be made or opened is lost, if another has what it should have:
        nobody must wait for it, or take it for the leader."""
        if image.metadata_version < DIRECTORY_ASSIGNMENT_MIN:
            return
        assigned, own_id = topic.partitions.get(number), self._node.node_id
        key = (topic.topic_id, number)
        if (
            assigned is None
            or (topic.name, number) not in self._node.replicas.unavailable
            or own_id not in assigned.isr
            or len(assigned.isr) < 2
            or assigned.directory_of(own_id) == DIRECTORY_LOST
        ):
            self._waiting.pop(key, None)
        else:
            self._tell(key, DIRECTORY_LOST)

    def _tell(self, key: tuple[bytes, int], directory: bytes) -> None:
        """The controller is to know that this replica is there."""
        self._waiting[key] = directory
        if self._task is None:
            self._task = self._loop.create_task(self._run())

    def _directory_of(self, partition: Partition, assigned: PartitionImage) -> bytes | None:
        """Id of the directory that the controller should know; None if there is none to tell."""
        replicas = self._node.replicas
        move = replicas.moves.of(partition)
        is_announced = move is not None and move.is_announced and not partition.is_offline
        directory = move.target if move and is_announced else replicas.directory_of(partition)
        if partition.is_offline and not self._offline.holds(directory):
            others = [one for one in assigned.isr if one != self._node.node_id]
            return DIRECTORY_LOST if others else None
        return id_of(directory)

    def knows(self, partition: Partition, directory: LogDirectory) -> bool:
        """Whether the metadata names this directory for the replica, or cannot name any."""
        image = self._node.image
        own_id = id_of(directory)
        if own_id is None or image.metadata_version < DIRECTORY_ASSIGNMENT_MIN:
            return True
        topic = image.topics_by_id.get(partition.topic_id)
        assigned = None if topic is None else topic.partitions.get(partition.index)
        return assigned is not None and assigned.directory_of(self._node.node_id) == own_id

    # --- telling ------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Begins when the present event is over, so that a new topic goes out in one request."""
        pauses = BackOff(RETRY_MAX_MS)
        try:
            while self._waiting:
                sent = dict(list(self._waiting.items())[:ASSIGNMENTS_MAX])
                answer = await self._ask(sent, is_first=pauses.is_fresh)
                if answer is None:
                    await asyncio.sleep(pauses.next_ms() / 1000)
                    continue
                pauses.reset()
                self._take(sent, answer)
        finally:
            self._task = None

    async def _ask(
        self, sent: dict[Key, bytes], *, is_first: bool
    ) -> AssignReplicasToDirsResponse | None:
        node = self._node
        request = request_for(sent, node.node_id, node.broker_epoch)
        try:
            answer: AssignReplicasToDirsResponse = await node.controllers.call(
                request, timeout_ms=REQUEST_TIMEOUT_MS
            )
        except PeerError as error:
            reason = str(error)
        else:
            if answer.error_code != ErrorCode.NONE:
                reason = name_of(answer.error_code)
            elif node.env.maybe("assign-answer-lost"):
                reason = "the answer got lost"
            else:
                return answer
        if is_first:
            node.log.warning(
                "the controller cannot be told of log directories yet; trying again",
                replicas=len(sent),
                error=reason,
            )
        return None

    def _take(self, sent: dict[Key, bytes], answer: AssignReplicasToDirsResponse) -> None:
        for directory in answer.directories:
            for topic in directory.topics:
                for found in topic.partitions:
                    key = (topic.topic_id, found.partition_index)
                    if found.error_code != ErrorCode.NONE and sent.get(key) == directory.id:
                        self._node.log.info(
                            "the controller refused a replica's directory",
                            topic_id=topic.topic_id.hex(),
                            partition=found.partition_index,
                            error=name_of(found.error_code),
                        )
        # Told or refused for good (deleted, moved away): if it still differs, the metadata that
        # comes says so, and it is looked at again. What changed while it was asked is kept.
        for key, directory_id in sent.items():
            if self._waiting.get(key) == directory_id:
                del self._waiting[key]


def request_for(
    assignments: dict[Key, bytes], broker_id: int, broker_epoch: int
) -> AssignReplicasToDirsRequest:
    """The request that tells of these: directories, in them topics, in them partitions."""
    directories: dict[bytes, DirectoryData] = {}
    topics: dict[tuple[bytes, bytes], TopicData] = {}
    for (topic_id, index), directory_id in assignments.items():
        directory = directories.get(directory_id)
        if directory is None:
            directory = directories[directory_id] = DirectoryData(id=directory_id, topics=[])
        topic = topics.get((directory_id, topic_id))
        if topic is None:
            topic = topics[(directory_id, topic_id)] = TopicData(topic_id=topic_id, partitions=[])
            directory.topics.append(topic)
        topic.partitions.append(PartitionData(partition_index=index))
    return AssignReplicasToDirsRequest(
        broker_id=broker_id, broker_epoch=broker_epoch, directories=list(directories.values())
    )

"""Serves requests about the quorum: from the generated class to the core, and back."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.describe_quorum_request import DescribeQuorumRequest
from barnabas.protocol.messages.describe_quorum_response import (
    DescribeQuorumResponse,
    Listener,
    Node,
    PartitionData,
    ReplicaState,
    TopicData,
)
from barnabas.protocol.messages.fetch_snapshot_request import FetchSnapshotRequest
from barnabas.protocol.messages.fetch_snapshot_response import (
    FetchSnapshotResponse,
    PartitionSnapshot,
    SnapshotId,
    TopicSnapshot,
)

from ...core.cluster.topic_image import METADATA_TOPIC
from ...core.ports import Clock
from ...core.raft.messages import (
    Answer,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
    ReplicaDescription,
    Request,
)
from ...core.raft.raft import NotLeaderError, Raft
from ...serving.context import Peer
from ...serving.waiting import Waiting
from . import wire_requests, wire_responses
from .driver import Driver
from .speakers import Speakers
from .strangers import NONE_NAMED


class Parked(Waiting[Message]):
    """A request that the core has not answered yet."""

    __slots__ = ("driver", "token")

    def __init__(self, driver: Driver) -> None:
        super().__init__()
        self.driver = driver
        self.token = 0

    def on_end(self) -> None:
        """The connection is gone, so the answer is dropped."""
        self.driver.forget_request(self.token)

    def on_timeout(self) -> None:
        """No time limit is set here: the core has its own."""
        raise AssertionError("nobody sets a time-out here")


class Serving:
    """Answers the requests of other nodes and of tools."""

    def __init__(self, driver: Driver, speakers: Speakers, clock: Clock) -> None:
        """`speakers` knows over which connection each voter fetches."""
        self._driver = driver
        self._raft = driver.raft
        self._speakers = speakers
        self._clock = clock

    def serve(
        self, message: Message, version: int, peer: Peer | None
    ) -> Message | Waiting[Message]:
        """The response, or the wait for it; `peer` is the connection by which the request came, if
        any."""
        key = message.API_KEY
        assert key is not None
        if not self._driver.is_running:
            return wire_responses.refusal(key, _reason(self._driver))
        if isinstance(message, DescribeQuorumRequest):
            return self._describe(message, version)
        cluster_id = getattr(message, "cluster_id", None)
        is_ours = self._raft.has_cluster_id(cluster_id)
        try:
            request = wire_requests.from_wire(message)
        except KafkaError as error:
            if not is_ours:
                return _refuse_stranger(self._driver, None, key, cluster_id)
            if error.code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                return _other_topic(message)
            return wire_responses.refusal(key, error.code, error.message)
        if not self._raft.is_for_us(request):
            return _refuse_stranger(self._driver, request, key, cluster_id)
        if not self._speakers.admits(request, peer, self._clock.monotonic_ms()):
            return _refuse_speaker(self._raft, request, key, version)
        return _ask(self._driver, request, key, version)

    def _describe(self, message: DescribeQuorumRequest, version: int) -> Message:
        """DescribeQuorum: leader, voters, observers, and from version 2 where the voters listen."""
        if len(message.topics) != 1 or len(message.topics[0].partitions) != 1:
            return _describe_others(message)
        topic = message.topics[0]
        index = topic.partitions[0].partition_index
        partition = PartitionData(partition_index=index, error_message=None)
        response = DescribeQuorumResponse(
            error_message=None,
            topics=[TopicData(topic_name=topic.topic_name, partitions=[partition])],
        )
        if topic.topic_name != METADATA_TOPIC or index != 0:
            return _describe_others(message)
        partition.leader_id, partition.leader_epoch = self._raft.leader
        now_ms = self._clock.monotonic_ms()
        try:
            found = self._raft.describe(now_ms)
        except NotLeaderError:
            partition.error_code = int(ErrorCode.NOT_LEADER_OR_FOLLOWER)
            partition.error_message = f"the quorum's leader is {partition.leader_id}, not this node"
            return response
        wall_ms = self._clock.wall_ms()
        row = partial(_replica, version=version, now_ms=now_ms, wall_ms=wall_ms)
        partition.high_watermark = found.high_watermark
        partition.current_voters = [row(one) for one in found.voters]
        partition.observers = [row(one) for one in found.observers]
        if version >= 2:
            response.nodes = _nodes(self._raft)
        return response


def _refuse_speaker(raft: Raft, request: Request, key: int, version: int) -> Message:
    """Refuse a Fetch in the name of a voter that fetches over another connection; a real voter
    retries."""
    leader_id, epoch = raft.leader
    error = ErrorCode.BROKER_NOT_AVAILABLE
    if isinstance(request, FetchSnapshot):
        told: Answer = FetchSnapshotAnswer(error, leader_id, epoch, request.snapshot)
    else:
        told = FetchAnswer(error, leader_id, epoch)
    return wire_responses.to_wire(key, version, request, told)


def _refuse_stranger(
    driver: Driver, request: Request | None, key: int, cluster_id: str | None
) -> Message:
    text = f"this is cluster {driver.raft.cluster_id}, not {cluster_id}"
    driver.strangers.refuse(request, NONE_NAMED if cluster_id is None else cluster_id)
    return wire_responses.refusal(key, ErrorCode.INCONSISTENT_CLUSTER_ID, text)


def _reason(driver: Driver) -> ErrorCode:
    return ErrorCode.BROKER_NOT_AVAILABLE if driver.failure is None else driver.failure.code


def _ask(driver: Driver, request: Request, key: int, version: int) -> Message | Waiting[Message]:
    parked = Parked(driver)
    found: list[Message] = []

    def reply(answer: Answer | None) -> None:
        response = (
            wire_responses.refusal(key, _reason(driver))
            if answer is None
            else wire_responses.to_wire(key, version, request, answer)
        )
        found.append(response)
        parked.finish(response)

    try:
        parked.token = driver.on_request(request, reply)
    except KafkaError as error:
        return wire_responses.refusal(key, error.code, error.message)
    return found[0] if found else parked


def _other_topic(message: Message) -> Message:
    """FetchSnapshot of a partition other than that of the metadata log (630-12)."""
    assert isinstance(message, FetchSnapshotRequest)
    topic = message.topics[0]
    asked = topic.partitions[0]
    partition = PartitionSnapshot(
        index=asked.partition,
        error_code=int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        snapshot_id=SnapshotId(
            end_offset=asked.snapshot_id.end_offset, epoch=asked.snapshot_id.epoch
        ),
    )
    return FetchSnapshotResponse(topics=[TopicSnapshot(name=topic.name, partitions=[partition])])


def _describe_others(message: DescribeQuorumRequest) -> Message:
    """DescribeQuorum for no partition, or several: only the metadata log's has a quorum."""
    text = f"the only quorum is that of {METADATA_TOPIC}-0, to be asked for on its own"
    topics = [
        TopicData(
            topic_name=topic.topic_name,
            partitions=[
                PartitionData(
                    partition_index=one.partition_index,
                    error_code=int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
                    error_message=text,
                )
                for one in topic.partitions
            ],
        )
        for topic in message.topics
    ]
    return DescribeQuorumResponse(error_message=None, topics=topics)


_WALL_UNKNOWN: Final = -1


def _replica(one: ReplicaDescription, *, version: int, now_ms: float, wall_ms: int) -> ReplicaState:
    """Convert times of the monotonic clock to times of the wall clock."""

    def wall(time_ms: float) -> int:
        if time_ms < 0 or time_ms == -inf:
            return _WALL_UNKNOWN
        return wall_ms - int(now_ms - time_ms)

    state = ReplicaState(
        replica_id=one.replica.node_id,
        log_end_offset=one.log_end_offset,
        last_fetch_timestamp=wall(one.last_fetch_ms) if version >= 1 else _WALL_UNKNOWN,
        last_caught_up_timestamp=wall(one.last_caught_up_ms) if version >= 1 else _WALL_UNKNOWN,
    )
    if version >= 2:
        state.replica_directory_id = one.replica.directory_id
    return state


def _nodes(raft: Raft) -> list[Node]:
    return [
        Node(
            node_id=voter.voter_id,
            listeners=[
                Listener(name=one.name, host=one.host, port=one.port) for one in voter.addresses
            ],
        )
        for voter in raft.voters.members
    ]

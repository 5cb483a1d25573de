"""Requests of the quorum: from the core's values to generated classes, and back at the receiver.

Only the newest versions are sent, which carry directory ids (853-01); all versions that are served
are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar  # Any: one table for all messages

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages import add_raft_voter_request as add_voter
from barnabas.protocol.messages import begin_quorum_epoch_request as begin_epoch
from barnabas.protocol.messages import end_quorum_epoch_request as end_epoch
from barnabas.protocol.messages import fetch_request as fetch
from barnabas.protocol.messages import fetch_snapshot_request as fetch_snapshot
from barnabas.protocol.messages import update_raft_voter_request as update_voter
from barnabas.protocol.messages import vote_request as vote
from barnabas.protocol.messages.remove_raft_voter_request import RemoveRaftVoterRequest

from ...core.cluster.topic_image import METADATA_TOPIC, METADATA_TOPIC_ID
from ...core.raft.messages import (
    AddVoter,
    BeginEpoch,
    EndEpoch,
    Fetch,
    FetchSnapshot,
    RemoveVoter,
    ReplicaKey,
    Request,
    UpdateVoter,
    Vote,
)
from ...core.raft.snapshot_file import SnapshotId
from ...core.raft.voters import Voter, VoterAddress

FETCH, VOTE, BEGIN_EPOCH, END_EPOCH = 1, 52, 53, 54
FETCH_SNAPSHOT = 59
ADD_VOTER, REMOVE_VOTER, UPDATE_VOTER = 80, 81, 82

SENT_VERSIONS: Final = {
    FETCH: (15, 18),
    VOTE: (1, 2),
    BEGIN_EPOCH: (1, 1),
    END_EPOCH: (1, 1),
    FETCH_SNAPSHOT: (1, 1),
    ADD_VOTER: (0, 1),
    REMOVE_VOTER: (0, 0),
    UPDATE_VOTER: (0, 0),
}
"""By API key: the versions that our requests need. Voters since Kafka 3.9 serve all of them."""

PRE_VOTE_VERSIONS: Final = (2, 2)
"""Only this version of Vote has the field PreVote (996-01)."""


def versions_of(request: Request, api_key: int) -> tuple[int, int]:
    """The versions in which a request may be sent."""
    if type(request) is Vote and request.pre_vote:
        return PRE_VOTE_VERSIONS
    return SENT_VERSIONS[api_key]


# --- out ------------------------------------------------------------------------------------------


def to_wire(request: Request) -> Message:
    """The request as a generated message."""
    return _TO_WIRE[type(request)](request)


def _vote(request: Vote) -> Message:
    partition = vote.PartitionData(
        replica_epoch=request.epoch,
        replica_id=request.candidate.node_id,
        replica_directory_id=request.candidate.directory_id,
        voter_directory_id=request.voter.directory_id,
        last_offset_epoch=request.last_epoch,
        last_offset=request.last_offset,
        pre_vote=request.pre_vote,
    )
    return vote.VoteRequest(
        cluster_id=request.cluster_id,
        voter_id=request.voter.node_id,
        topics=[vote.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
    )


def _begin_epoch(request: BeginEpoch) -> Message:
    partition = begin_epoch.PartitionData(
        voter_directory_id=request.voter.directory_id,
        leader_id=request.leader_id,
        leader_epoch=request.epoch,
    )
    return begin_epoch.BeginQuorumEpochRequest(
        cluster_id=request.cluster_id,
        voter_id=request.voter.node_id,
        topics=[begin_epoch.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        leader_endpoints=[
            begin_epoch.LeaderEndpoint(name=one.name, host=one.host, port=one.port)
            for one in request.addresses
        ],
    )


def _end_epoch(request: EndEpoch) -> Message:
    partition = end_epoch.PartitionData(
        leader_id=request.leader_id,
        leader_epoch=request.epoch,
        preferred_candidates=[
            end_epoch.ReplicaInfo(candidate_id=one.node_id, candidate_directory_id=one.directory_id)
            for one in request.candidates
        ],
    )
    return end_epoch.EndQuorumEpochRequest(
        cluster_id=request.cluster_id,
        topics=[end_epoch.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        leader_endpoints=[
            end_epoch.LeaderEndpoint(name=one.name, host=one.host, port=one.port)
            for one in request.addresses
        ],
    )


def _fetch(request: Fetch) -> Message:
    partition = fetch.FetchPartition(
        current_leader_epoch=request.epoch,
        fetch_offset=request.offset,
        last_fetched_epoch=request.last_epoch,
        partition_max_bytes=request.max_bytes,
        replica_directory_id=request.replica.directory_id,
        high_watermark=request.high_watermark,
    )
    return fetch.FetchRequest(
        cluster_id=request.cluster_id,
        replica_state=fetch.ReplicaState(replica_id=request.replica.node_id),
        max_wait_ms=request.max_wait_ms,
        max_bytes=request.max_bytes,
        topics=[
            fetch.FetchTopic(
                topic=METADATA_TOPIC, topic_id=METADATA_TOPIC_ID, partitions=[partition]
            )
        ],
    )


def _fetch_snapshot(request: FetchSnapshot) -> Message:
    partition = fetch_snapshot.PartitionSnapshot(
        current_leader_epoch=request.epoch,
        snapshot_id=fetch_snapshot.SnapshotId(
            end_offset=request.snapshot.end_offset, epoch=request.snapshot.epoch
        ),
        position=request.position,
        replica_directory_id=request.replica.directory_id,
    )
    return fetch_snapshot.FetchSnapshotRequest(
        cluster_id=request.cluster_id,
        replica_id=request.replica.node_id,
        max_bytes=request.max_bytes,
        topics=[fetch_snapshot.TopicSnapshot(name=METADATA_TOPIC, partitions=[partition])],
    )


def _add_voter(request: AddVoter) -> Message:
    return add_voter.AddRaftVoterRequest(
        cluster_id=request.cluster_id,
        timeout_ms=request.timeout_ms,
        voter_id=request.voter.voter_id,
        voter_directory_id=request.voter.directory_id,
        listeners=[
            add_voter.Listener(name=one.name, host=one.host, port=one.port)
            for one in request.voter.addresses
        ],
        ack_when_committed=request.ack_when_committed,
    )


def _remove_voter(request: RemoveVoter) -> Message:
    return RemoveRaftVoterRequest(
        cluster_id=request.cluster_id,
        voter_id=request.voter.node_id,
        voter_directory_id=request.voter.directory_id,
    )


def _update_voter(request: UpdateVoter) -> Message:
    return update_voter.UpdateRaftVoterRequest(
        cluster_id=request.cluster_id,
        current_leader_epoch=request.epoch,
        voter_id=request.voter.voter_id,
        voter_directory_id=request.voter.directory_id,
        listeners=[
            update_voter.Listener(name=one.name, host=one.host, port=one.port)
            for one in request.voter.addresses
        ],
        k_raft_version_feature=update_voter.KRaftVersionFeature(
            min_supported_version=request.voter.kraft_version_min,
            max_supported_version=request.voter.kraft_version_max,
        ),
    )


_TO_WIRE: Final[dict[type, Callable[[Any], Message]]] = {
    Vote: _vote,
    BeginEpoch: _begin_epoch,
    EndEpoch: _end_epoch,
    Fetch: _fetch,
    FetchSnapshot: _fetch_snapshot,
    AddVoter: _add_voter,
    RemoveVoter: _remove_voter,
    UpdateVoter: _update_voter,
}


# --- in -------------------------------------------------------------------------------------------


def from_wire(message: Message) -> Request:
    """The core's request in a generated message.

    Raises KafkaError: INVALID_REQUEST for anything but one topic with one partition, which goes to
    the top of the response; UNKNOWN_TOPIC_OR_PARTITION for FetchSnapshot of another topic (630-12).
    """
    return _FROM_WIRE[type(message)](message)


PartitionT_co = TypeVar("PartitionT_co", covariant=True)
IndexedT = TypeVar("IndexedT", bound="_Indexed")


class _Topic(Protocol[PartitionT_co]):
    @property
    def partitions(self) -> Sequence[PartitionT_co]: ...


class _NamedTopic(_Topic[PartitionT_co], Protocol[PartitionT_co]):
    @property
    def topic_name(self) -> str: ...


class _Indexed(Protocol):
    @property
    def partition_index(self) -> int: ...


class _Address(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...


def _only_partition(topics: Sequence[_Topic[PartitionT_co]]) -> PartitionT_co:
    """The one partition of the one topic (595-05)."""
    if len(topics) != 1 or len(topics[0].partitions) != 1:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "exactly one topic with one partition")
    return topics[0].partitions[0]


def _metadata_partition(topics: Sequence[_NamedTopic[IndexedT]]) -> IndexedT:
    partition = _only_partition(topics)
    if topics[0].topic_name != METADATA_TOPIC or partition.partition_index != 0:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"only {METADATA_TOPIC}-0 is voted about")
    return partition


def _addresses(listeners: Sequence[_Address]) -> tuple[VoterAddress, ...]:
    return tuple(VoterAddress(one.name, one.host, one.port) for one in listeners)


def _read_vote(message: vote.VoteRequest) -> Request:
    partition = _metadata_partition(message.topics)
    return Vote(
        cluster_id=message.cluster_id,
        epoch=partition.replica_epoch,
        candidate=ReplicaKey(partition.replica_id, partition.replica_directory_id),
        voter=ReplicaKey(message.voter_id, partition.voter_directory_id),
        last_epoch=partition.last_offset_epoch,
        last_offset=partition.last_offset,
        pre_vote=partition.pre_vote,
    )


def _read_begin_epoch(message: begin_epoch.BeginQuorumEpochRequest) -> Request:
    partition = _metadata_partition(message.topics)
    return BeginEpoch(
        cluster_id=message.cluster_id,
        leader_id=partition.leader_id,
        epoch=partition.leader_epoch,
        voter=ReplicaKey(message.voter_id, partition.voter_directory_id),
        addresses=_addresses(message.leader_endpoints),
    )


def _read_end_epoch(message: end_epoch.EndQuorumEpochRequest) -> Request:
    partition = _metadata_partition(message.topics)
    candidates = [
        ReplicaKey(one.candidate_id, one.candidate_directory_id)
        for one in partition.preferred_candidates
    ] or [ReplicaKey(one) for one in partition.preferred_successors]
    return EndEpoch(
        cluster_id=message.cluster_id,
        leader_id=partition.leader_id,
        epoch=partition.leader_epoch,
        candidates=tuple(candidates),
        addresses=_addresses(message.leader_endpoints),
    )


def _read_fetch(message: fetch.FetchRequest) -> Request:
    partition = _only_partition(message.topics)
    topic = message.topics[0]
    if partition.partition != 0 or not (
        topic.topic_id == METADATA_TOPIC_ID or topic.topic == METADATA_TOPIC
    ):
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"only {METADATA_TOPIC}-0 is fetched here")
    replica_id: int = message.replica_id
    if message.replica_state is not None and message.replica_state.replica_id >= 0:
        replica_id = message.replica_state.replica_id
    return Fetch(
        cluster_id=message.cluster_id,
        replica=ReplicaKey(replica_id, partition.replica_directory_id),
        epoch=partition.current_leader_epoch,
        offset=partition.fetch_offset,
        last_epoch=partition.last_fetched_epoch,
        max_wait_ms=message.max_wait_ms,
        max_bytes=min(message.max_bytes, partition.partition_max_bytes or message.max_bytes),
        high_watermark=partition.high_watermark,
    )


def _read_fetch_snapshot(message: fetch_snapshot.FetchSnapshotRequest) -> Request:
    partition = _only_partition(message.topics)
    if message.topics[0].name != METADATA_TOPIC or partition.partition != 0:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "only the metadata log has them")
    return FetchSnapshot(
        cluster_id=message.cluster_id,
        replica=ReplicaKey(message.replica_id, partition.replica_directory_id),
        epoch=partition.current_leader_epoch,
        snapshot=SnapshotId(partition.snapshot_id.end_offset, partition.snapshot_id.epoch),
        position=partition.position,
        max_bytes=message.max_bytes,
    )


def _read_add_voter(message: add_voter.AddRaftVoterRequest) -> Request:
    voter = Voter(message.voter_id, message.voter_directory_id, _addresses(message.listeners))
    return AddVoter(
        cluster_id=message.cluster_id,
        timeout_ms=message.timeout_ms,
        voter=voter,
        ack_when_committed=message.ack_when_committed,
    )


def _read_remove_voter(message: RemoveRaftVoterRequest) -> Request:
    return RemoveVoter(
        cluster_id=message.cluster_id,
        voter=ReplicaKey(message.voter_id, message.voter_directory_id),
    )


def _read_update_voter(message: update_voter.UpdateRaftVoterRequest) -> Request:
    feature = message.k_raft_version_feature
    voter = Voter(
        message.voter_id,
        message.voter_directory_id,
        _addresses(message.listeners),
        feature.min_supported_version,
        feature.max_supported_version,
    )
    return UpdateVoter(message.cluster_id, message.current_leader_epoch, voter)


_FROM_WIRE: Final[dict[type[Message], Callable[[Any], Request]]] = {
    fetch.FetchRequest: _read_fetch,
    vote.VoteRequest: _read_vote,
    begin_epoch.BeginQuorumEpochRequest: _read_begin_epoch,
    end_epoch.EndQuorumEpochRequest: _read_end_epoch,
    fetch_snapshot.FetchSnapshotRequest: _read_fetch_snapshot,
    add_voter.AddRaftVoterRequest: _read_add_voter,
    RemoveRaftVoterRequest: _read_remove_voter,
    update_voter.UpdateRaftVoterRequest: _read_update_voter,
}

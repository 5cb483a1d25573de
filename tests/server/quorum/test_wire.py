"""Requests and answers of the quorum through every wire version that is sent or served."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.core.raft.messages import (
    AddVoter,
    Answer,
    BeginEpoch,
    EndEpoch,
    EpochAnswer,
    EpochEnd,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
    RemoveVoter,
    ReplicaKey,
    Request,
    UpdateVoter,
    Vote,
    VoteAnswer,
    VoterChangeAnswer,
)
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.core.raft.voters import Voter, VoterAddress
from barnabas.broker.server.quorum import wire_requests, wire_responses
from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.fetch_snapshot_request import (
    FetchSnapshotRequest,
    PartitionSnapshot,
    TopicSnapshot,
)
from barnabas.protocol.messages.vote_request import PartitionData, TopicData, VoteRequest
from barnabas.protocol.messages.vote_response import VoteResponse

A, B = ReplicaKey(1, b"a" * 16), ReplicaKey(2, b"b" * 16)
WHERE = (VoterAddress("CONTROLLER", "somewhere", 9093),)
SNAPSHOT = SnapshotId(100, 3)

REQUESTS: list[Request] = [
    Vote("c", 4, A, B, 3, 17, False),
    Vote("c", 4, A, B, 3, 17, True),
    BeginEpoch("c", 1, 4, B, WHERE),
    EndEpoch(None, 1, 4, (B, A), WHERE),
    Fetch("c", A, 4, 17, 3, 500, 1 << 20, 12),
    FetchSnapshot("c", A, 4, SNAPSHOT, 1000, 4096),
    AddVoter("c", 1000, Voter(7, b"g" * 16, WHERE), True),
    RemoveVoter("c", A),
    UpdateVoter("c", 4, Voter(7, b"g" * 16, WHERE, 0, 1)),
]


def through(message: Any, version: int) -> Any:
    return type(message).decode(message.encode(version), version)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: type(one).__name__)
def test_a_request_says_the_same_in_the_newest_version(request_: Request) -> None:
    """KIP-853, KIP-996, KIP-1166: directory ids, pre-votes and watermarks go with it."""
    message = wire_requests.to_wire(request_)
    assert message.API_KEY is not None
    highest = wire_requests.versions_of(request_, message.API_KEY)[1]
    assert highest == api(message.API_KEY).max_version
    assert wire_requests.from_wire(through(message, highest)) == request_


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: type(one).__name__)
def test_a_request_can_be_encoded_in_every_version_that_is_sent(request_: Request) -> None:
    message = wire_requests.to_wire(request_)
    assert message.API_KEY is not None
    low, high = wire_requests.versions_of(request_, message.API_KEY)
    for version in range(low, high + 1):
        assert type(wire_requests.from_wire(through(message, version))) is type(request_)


def test_a_pre_vote_is_sent_only_where_it_is_known() -> None:
    """996-01."""
    assert wire_requests.versions_of(REQUESTS[0], 52) == (1, 2)
    assert wire_requests.versions_of(REQUESTS[1], 52) == (2, 2)


def test_old_versions_are_read_without_what_they_lack() -> None:
    """853-01: version 0 of Vote names no voter; Fetch below 15 has the replica at its top."""
    vote = VoteRequest(
        topics=[
            TopicData(
                topic_name="__cluster_metadata",
                partitions=[PartitionData(replica_epoch=4, replica_id=1, last_offset=9)],
            )
        ]
    )
    read = wire_requests.from_wire(through(vote, 0))
    assert isinstance(read, Vote)
    assert (read.voter.node_id, read.candidate, read.pre_vote) == (-1, ReplicaKey(1), False)
    fetch = FetchRequest(
        replica_id=5,
        topics=[
            FetchTopic(
                topic="__cluster_metadata",
                partitions=[FetchPartition(fetch_offset=3, last_fetched_epoch=1)],
            )
        ],
    )
    found = wire_requests.from_wire(through(fetch, 12))
    assert isinstance(found, Fetch)
    assert found.replica == ReplicaKey(5)
    assert found.high_watermark == (1 << 63) - 1


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (VoteRequest(), ErrorCode.INVALID_REQUEST),
        (VoteRequest(topics=[TopicData(topic_name="a")]), ErrorCode.INVALID_REQUEST),
        (
            VoteRequest(topics=[TopicData(topic_name="a", partitions=[PartitionData()])]),
            ErrorCode.INVALID_REQUEST,
        ),
        (
            VoteRequest(
                topics=[
                    TopicData(
                        topic_name="__cluster_metadata",
                        partitions=[PartitionData(partition_index=1)],
                    )
                ]
            ),
            ErrorCode.INVALID_REQUEST,
        ),
        (
            FetchRequest(topics=[FetchTopic(topic="a", partitions=[FetchPartition()])]),
            ErrorCode.INVALID_REQUEST,
        ),
        (FetchSnapshotRequest(), ErrorCode.INVALID_REQUEST),
        (
            FetchSnapshotRequest(topics=[TopicSnapshot(partitions=[PartitionSnapshot()])]),
            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ),
    ],
)
def test_requests_about_anything_else_are_refused(message: Any, code: ErrorCode) -> None:
    """595-05, 630-12."""
    with pytest.raises(KafkaError) as caught:
        wire_requests.from_wire(message)
    assert caught.value.code is code


ADDRESS = ("somewhere", 9093)
PAIRS: list[tuple[Request, Answer]] = [
    (REQUESTS[0], VoteAnswer(ErrorCode.NONE, 1, 4, True, ADDRESS)),
    (REQUESTS[0], VoteAnswer(ErrorCode.FENCED_LEADER_EPOCH, -1, 5, False)),
    (REQUESTS[2], EpochAnswer(ErrorCode.NONE, 1, 4, ADDRESS)),
    (REQUESTS[3], EpochAnswer(ErrorCode.INVALID_VOTER_KEY, 1, 4, ADDRESS)),
    (
        REQUESTS[4],
        FetchAnswer(ErrorCode.NONE, 1, 4, 17, 5, records=b"batches", leader_address=ADDRESS),
    ),
    (REQUESTS[4], FetchAnswer(ErrorCode.NONE, 1, 4, 17, 5, diverging=EpochEnd(3, 12))),
    (REQUESTS[4], FetchAnswer(ErrorCode.NONE, 1, 4, 17, 5, snapshot=SNAPSHOT)),
    (REQUESTS[4], FetchAnswer(ErrorCode.NOT_LEADER_OR_FOLLOWER, 2, 4, leader_address=ADDRESS)),
    (
        REQUESTS[5],
        FetchSnapshotAnswer(ErrorCode.NONE, 1, 4, SNAPSHOT, 5000, 1000, b"piece", ADDRESS),
    ),
    (REQUESTS[5], FetchSnapshotAnswer(ErrorCode.SNAPSHOT_NOT_FOUND, 1, 4, SNAPSHOT)),
    (REQUESTS[8], VoterChangeAnswer(ErrorCode.NONE, 1, 4, leader_address=ADDRESS)),
]


@pytest.mark.parametrize(("request_", "answer"), PAIRS)
def test_an_answer_says_the_same_in_the_newest_version(request_: Request, answer: Answer) -> None:
    """630-12, 630-13: leader and epoch go with every answer, and where the leader listens."""
    key = wire_requests.to_wire(request_).API_KEY
    assert key is not None
    highest = api(key).max_version
    for version in range(api(key).min_version, highest + 1):
        if key == wire_requests.FETCH and version < 12:
            continue  # these have no leader in the answer, and no replica of ours sends them
        response = wire_responses.to_wire(key, version, request_, answer)
        read = wire_responses.from_wire(key, through(response, version))
        assert (read.error, read.leader_id, read.epoch) == (
            answer.error,
            answer.leader_id,
            answer.epoch,
        )
        assert read == answer or version < highest


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: type(one).__name__)
def test_another_cluster_is_told_at_the_top_of_every_response(request_: Request) -> None:
    """595-05: INCONSISTENT_CLUSTER_ID, and no partition."""
    key = wire_requests.to_wire(request_).API_KEY
    assert key is not None
    answer = EpochAnswer(ErrorCode.INCONSISTENT_CLUSTER_ID, -1, 0)
    response: Any = wire_responses.to_wire(key, api(key).max_version, request_, answer)
    assert response.error_code == 104
    read = wire_responses.from_wire(key, through(response, api(key).max_version))
    assert (read.error, read.leader_id) == (ErrorCode.INCONSISTENT_CLUSTER_ID, -1)


def test_answers_without_our_partition_are_no_answers() -> None:
    with pytest.raises(ProtocolError):
        wire_responses.from_wire(52, VoteResponse())

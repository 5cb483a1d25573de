"""Answers of the quorum: from the core's values to generated classes, and back at the asker.

The errors of another cluster's id and of a malformed request stand at the top of the response, all
others at its partition (595-05, 630-12). Every answer names the leader that its sender knows, with
the address where the version has a field for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar, cast  # Any: one table for all messages

from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode, ProtocolError
from barnabas.protocol.message import Message
from barnabas.protocol.messages import begin_quorum_epoch_response as begin_epoch
from barnabas.protocol.messages import end_quorum_epoch_response as end_epoch
from barnabas.protocol.messages import fetch_response as fetch
from barnabas.protocol.messages import fetch_snapshot_response as fetch_snapshot
from barnabas.protocol.messages import vote_response as vote
from barnabas.protocol.messages.add_raft_voter_response import AddRaftVoterResponse
from barnabas.protocol.messages.remove_raft_voter_response import RemoveRaftVoterResponse
from barnabas.protocol.messages.update_raft_voter_response import (
    CurrentLeader,
    UpdateRaftVoterResponse,
)

from ...core.cluster.topic_image import METADATA_TOPIC, METADATA_TOPIC_ID
from ...core.ports import Buffer
from ...core.raft.messages import (
    NOBODY,
    Answer,
    EpochAnswer,
    EpochEnd,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
    Request,
    VoteAnswer,
    VoterChangeAnswer,
)
from ...core.raft.snapshot_file import SnapshotId
from .wire_requests import (
    ADD_VOTER,
    BEGIN_EPOCH,
    END_EPOCH,
    FETCH,
    FETCH_SNAPSHOT,
    REMOVE_VOTER,
    UPDATE_VOTER,
    VOTE,
)

EndpointT = TypeVar("EndpointT")
PartitionT_co = TypeVar("PartitionT_co", covariant=True)

_TOP_LEVEL: Final = (ErrorCode.INCONSISTENT_CLUSTER_ID,)


# --- out ------------------------------------------------------------------------------------------


def refusal(api_key: int, error: ErrorCode, message: str | None = None) -> Message:
    """A response with nothing but an error at its top."""
    response: Message = api(api_key).response()
    fields: Any = response  # which fields it has is only known at run time
    fields.error_code = int(error)
    if "error_message" in response.FIELDS:
        fields.error_message = message
    return response


def to_wire(api_key: int, version: int, request: Request, answer: Answer) -> Message:
    """The answer to `request` as the response of this API and version."""
    if answer.error in _TOP_LEVEL:
        return refusal(api_key, answer.error)
    return _TO_WIRE[api_key](version, request, answer)


def _endpoints(
    kind: Callable[..., EndpointT], version: int, first: int, answer: Answer
) -> list[EndpointT]:
    """`NodeEndpoints`: where the leader listens, from version `first` on."""
    if version < first or answer.leader_id < 0 or answer.leader_address is None:
        return []
    host, port = answer.leader_address
    return [kind(node_id=answer.leader_id, host=host, port=port)]


def _vote(version: int, request: Request, answer: VoteAnswer) -> Message:
    del request
    partition = vote.PartitionData(
        error_code=int(answer.error),
        leader_id=answer.leader_id,
        leader_epoch=answer.epoch,
        vote_granted=answer.granted,
    )
    return vote.VoteResponse(
        topics=[vote.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        node_endpoints=_endpoints(vote.NodeEndpoint, version, 1, answer),
    )


def _begin_epoch(version: int, request: Request, answer: EpochAnswer) -> Message:
    del request
    partition = begin_epoch.PartitionData(
        error_code=int(answer.error), leader_id=answer.leader_id, leader_epoch=answer.epoch
    )
    return begin_epoch.BeginQuorumEpochResponse(
        topics=[begin_epoch.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        node_endpoints=_endpoints(begin_epoch.NodeEndpoint, version, 1, answer),
    )


def _end_epoch(version: int, request: Request, answer: EpochAnswer) -> Message:
    del request
    partition = end_epoch.PartitionData(
        error_code=int(answer.error), leader_id=answer.leader_id, leader_epoch=answer.epoch
    )
    return end_epoch.EndQuorumEpochResponse(
        topics=[end_epoch.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])],
        node_endpoints=_endpoints(end_epoch.NodeEndpoint, version, 1, answer),
    )


def _fetch(version: int, request: Request, answer: FetchAnswer) -> Message:
    del request
    partition = fetch.PartitionData(
        error_code=int(answer.error),
        high_watermark=answer.high_watermark,
        last_stable_offset=answer.high_watermark,
        log_start_offset=answer.log_start_offset,
        aborted_transactions=None,
        records=cast("Buffer", answer.records),  # the core need not know what they contain
    )
    if version >= 12:
        partition.current_leader = fetch.LeaderIdAndEpoch(
            leader_id=answer.leader_id, leader_epoch=answer.epoch
        )
        if answer.diverging is not None:
            partition.diverging_epoch = fetch.EpochEndOffset(
                epoch=answer.diverging.epoch, end_offset=answer.diverging.end_offset
            )
        if answer.snapshot is not None:
            partition.snapshot_id = fetch.SnapshotId(
                end_offset=answer.snapshot.end_offset, epoch=answer.snapshot.epoch
            )
    return fetch.FetchResponse(
        responses=[
            fetch.FetchableTopicResponse(
                topic=METADATA_TOPIC, topic_id=METADATA_TOPIC_ID, partitions=[partition]
            )
        ],
        node_endpoints=_endpoints(fetch.NodeEndpoint, version, 16, answer),
    )


def _fetch_snapshot(version: int, request: Request, answer: FetchSnapshotAnswer) -> Message:
    assert isinstance(request, FetchSnapshot)
    partition = fetch_snapshot.PartitionSnapshot(
        error_code=int(answer.error),
        snapshot_id=fetch_snapshot.SnapshotId(
            end_offset=request.snapshot.end_offset, epoch=request.snapshot.epoch
        ),
        current_leader=fetch_snapshot.LeaderIdAndEpoch(
            leader_id=answer.leader_id, leader_epoch=answer.epoch
        ),
        size=answer.size,
        position=answer.position,
        unaligned_records=cast("Buffer", answer.data),
    )
    return fetch_snapshot.FetchSnapshotResponse(
        topics=[fetch_snapshot.TopicSnapshot(name=METADATA_TOPIC, partitions=[partition])],
        node_endpoints=_endpoints(fetch_snapshot.NodeEndpoint, version, 1, answer),
    )


def _voter_change(api_key: int) -> Callable[[int, Request, Any], Message]:
    def make(version: int, request: Request, answer: VoterChangeAnswer) -> Message:
        del version, request
        return refusal(api_key, answer.error, answer.message)

    return make


def _update_voter(version: int, request: Request, answer: VoterChangeAnswer) -> Message:
    del version, request
    host, port = answer.leader_address or ("", 0)
    return UpdateRaftVoterResponse(
        error_code=int(answer.error),
        current_leader=CurrentLeader(
            leader_id=answer.leader_id, leader_epoch=answer.epoch, host=host, port=port
        ),
    )


_TO_WIRE: Final[Mapping[int, Callable[[int, Request, Any], Message]]] = {
    FETCH: _fetch,
    VOTE: _vote,
    BEGIN_EPOCH: _begin_epoch,
    END_EPOCH: _end_epoch,
    FETCH_SNAPSHOT: _fetch_snapshot,
    ADD_VOTER: _voter_change(ADD_VOTER),
    REMOVE_VOTER: _voter_change(REMOVE_VOTER),
    UPDATE_VOTER: _update_voter,
}


# --- in -------------------------------------------------------------------------------------------


def from_wire(api_key: int, response: Message) -> Answer:
    """The core's value for a response. Raises ProtocolError if it lacks our partition.

    Where the error is at the top, leader and epoch are not known: both are -1.
    """
    return _FROM_WIRE[api_key](response)


def _code(number: int) -> ErrorCode:
    try:
        return ErrorCode(number)
    except ValueError:
        return ErrorCode.UNKNOWN_SERVER_ERROR


class _Topic(Protocol[PartitionT_co]):
    @property
    def partitions(self) -> Sequence[PartitionT_co]: ...


class _Led(Protocol):
    @property
    def error_code(self) -> int: ...
    @property
    def leader_id(self) -> int: ...
    @property
    def leader_epoch(self) -> int: ...


class _Endpoint(Protocol):
    @property
    def node_id(self) -> int: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...


def _partition(topics: Sequence[_Topic[PartitionT_co]]) -> PartitionT_co:
    if len(topics) != 1 or len(topics[0].partitions) != 1:
        raise ProtocolError("an answer that is not about the one partition that was asked for")
    return topics[0].partitions[0]


def _address_of(endpoints: Sequence[_Endpoint], leader_id: int) -> tuple[str, int] | None:
    for one in endpoints:
        if one.node_id == leader_id:
            return one.host, one.port
    return None


def _read_vote(response: vote.VoteResponse) -> Answer:
    if response.error_code:
        return VoteAnswer(_code(response.error_code), NOBODY, NOBODY, False)
    partition = _partition(response.topics)
    return VoteAnswer(
        error=_code(partition.error_code),
        leader_id=partition.leader_id,
        epoch=partition.leader_epoch,
        granted=partition.vote_granted,
        leader_address=_address_of(response.node_endpoints, partition.leader_id),
    )


def _read_begin_epoch(response: begin_epoch.BeginQuorumEpochResponse) -> Answer:
    return _epoch_answer(response.error_code, response.topics, response.node_endpoints)


def _read_end_epoch(response: end_epoch.EndQuorumEpochResponse) -> Answer:
    return _epoch_answer(response.error_code, response.topics, response.node_endpoints)


def _epoch_answer(
    error_code: int, topics: Sequence[_Topic[_Led]], endpoints: Sequence[_Endpoint]
) -> Answer:
    if error_code:
        return EpochAnswer(_code(error_code), NOBODY, NOBODY)
    partition = _partition(topics)
    return EpochAnswer(
        error=_code(partition.error_code),
        leader_id=partition.leader_id,
        epoch=partition.leader_epoch,
        leader_address=_address_of(endpoints, partition.leader_id),
    )


def _read_fetch(response: fetch.FetchResponse) -> Answer:
    if response.error_code:
        return FetchAnswer(_code(response.error_code), NOBODY, NOBODY)
    partition = _partition(response.responses)
    leader = partition.current_leader
    leader_id = NOBODY if leader is None else leader.leader_id
    diverging, snapshot = partition.diverging_epoch, partition.snapshot_id
    return FetchAnswer(
        error=_code(partition.error_code),
        leader_id=leader_id,
        epoch=NOBODY if leader is None else leader.leader_epoch,
        high_watermark=partition.high_watermark,
        log_start_offset=partition.log_start_offset,
        diverging=None
        if diverging is None or diverging.epoch < 0 or diverging.end_offset < 0
        else EpochEnd(diverging.epoch, diverging.end_offset),
        snapshot=None
        if snapshot is None or snapshot.epoch < 0 or snapshot.end_offset < 0
        else SnapshotId(snapshot.end_offset, snapshot.epoch),
        records=partition.records or b"",
        leader_address=_address_of(response.node_endpoints, leader_id),
    )


def _read_fetch_snapshot(response: fetch_snapshot.FetchSnapshotResponse) -> Answer:
    if response.error_code:
        nothing = SnapshotId(-1, -1)
        return FetchSnapshotAnswer(_code(response.error_code), NOBODY, NOBODY, nothing)
    partition = _partition(response.topics)
    leader = partition.current_leader
    leader_id = NOBODY if leader is None else leader.leader_id
    snapshot = partition.snapshot_id
    return FetchSnapshotAnswer(
        error=_code(partition.error_code),
        leader_id=leader_id,
        epoch=NOBODY if leader is None else leader.leader_epoch,
        snapshot=SnapshotId(snapshot.end_offset, snapshot.epoch),
        size=partition.size,
        position=partition.position,
        data=partition.unaligned_records or b"",
        leader_address=_address_of(response.node_endpoints, leader_id),
    )


def _read_voter_change(response: AddRaftVoterResponse | RemoveRaftVoterResponse) -> Answer:
    return VoterChangeAnswer(
        _code(response.error_code), NOBODY, NOBODY, message=response.error_message
    )


def _read_update_voter(response: UpdateRaftVoterResponse) -> Answer:
    leader = response.current_leader
    if leader is None:
        return VoterChangeAnswer(_code(response.error_code), NOBODY, NOBODY)
    address = (leader.host, leader.port) if leader.host else None
    return VoterChangeAnswer(
        _code(response.error_code), leader.leader_id, leader.leader_epoch, leader_address=address
    )


_FROM_WIRE: Final[Mapping[int, Callable[[Any], Answer]]] = {
    FETCH: _read_fetch,
    VOTE: _read_vote,
    BEGIN_EPOCH: _read_begin_epoch,
    END_EPOCH: _read_end_epoch,
    FETCH_SNAPSHOT: _read_fetch_snapshot,
    ADD_VOTER: _read_voter_change,
    REMOVE_VOTER: _read_voter_change,
    UPDATE_VOTER: _read_update_voter,
}

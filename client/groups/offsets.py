"""Committed offsets as requests and answers, by name of topic (OffsetCommit and OffsetFetch 9 and
before; from 10 on they name topics by id)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import offset_commit_request as commit_request
from barnabas.protocol.messages import offset_fetch_request as fetch_request
from barnabas.protocol.messages.offset_commit_response import OffsetCommitResponse
from barnabas.protocol.messages.offset_fetch_response import OffsetFetchResponse
from barnabas.protocol.messages.txn_offset_commit_response import TxnOffsetCommitResponse

from ..structs import TopicPartition
from .formats import by_topic
from .values import Identity, OffsetAndMetadata

Row = TypeVar("Row")

COMMIT_VERSION_MAX = 9
FETCH_VERSION_MAX = 9
GROUPS_SINCE = 8
"""The version of OffsetFetch from which on it asks for several groups."""
EPOCH_COMMITS_SINCE = 9
"""A member of the consumer protocol commits with this version or a later one (KIP-848)."""


class Answers(NamedTuple):
    """By partition: what was found, and what code it was refused with."""

    found: dict[TopicPartition, OffsetAndMetadata]
    refused: dict[TopicPartition, int]


def commit_message(
    group_id: str, by: Identity, offsets: Mapping[TopicPartition, OffsetAndMetadata]
) -> commit_request.OffsetCommitRequest:
    """A commit of all of these by one member, or by nobody."""
    rows = commit_rows(offsets, commit_request.OffsetCommitRequestPartition)
    return commit_request.OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=by.generation,
        member_id=by.member_id,
        group_instance_id=by.instance_id,
        topics=[
            commit_request.OffsetCommitRequestTopic(name=name, partitions=each)
            for name, each in rows.items()
        ],
    )


def commit_rows(
    offsets: Mapping[TopicPartition, OffsetAndMetadata], make_row: Callable[..., Row]
) -> dict[str, list[Row]]:
    """By topic what a commit says of each partition, both sorted. Commits outside and inside of a
    transaction have rows of two classes with the same fields."""
    found: dict[str, list[Row]] = {}
    for (name, number), each in sorted(offsets.items()):
        row = make_row(
            partition_index=number,
            committed_offset=each.offset,
            committed_leader_epoch=each.leader_epoch,
            committed_metadata=each.metadata,
        )
        found.setdefault(name, []).append(row)
    return found


def commit_codes(
    response: OffsetCommitResponse | TxnOffsetCommitResponse, asked: Iterable[TopicPartition]
) -> dict[TopicPartition, int]:
    """The code of each partition; one that the answer lacks has not been committed."""
    rows = (
        (topic.name, each.partition_index, each.error_code)
        for topic in response.topics
        for each in topic.partitions
    )
    return codes_of(rows, asked)


def codes_of(
    rows: Iterable[tuple[str, int, int]], asked: Iterable[TopicPartition]
) -> dict[TopicPartition, int]:
    """The code of each partition that was asked for: UNKNOWN_SERVER_ERROR where no row of the
    answer (topic, partition, code) is about it. Rows about others are passed over."""
    codes = dict.fromkeys(asked, int(ErrorCode.UNKNOWN_SERVER_ERROR))
    for name, number, code in rows:
        key = TopicPartition(name, number)
        if key in codes:
            codes[key] = code
    return codes


def fetch_message(
    group_id: str,
    by: Identity,
    partitions: Iterable[TopicPartition] | None,
    *,
    require_stable: bool,
    version: int,
) -> fetch_request.OffsetFetchRequest:
    """Ask for the offsets of these partitions, or of all that have any."""
    grouped = None if partitions is None else by_topic(partitions)
    if version < GROUPS_SINCE:
        return fetch_request.OffsetFetchRequest(
            group_id=group_id,
            topics=None
            if grouped is None
            else [
                fetch_request.OffsetFetchRequestTopic(name=name, partition_indexes=numbers)
                for name, numbers in grouped.items()
            ],
            require_stable=require_stable and version >= 7,
        )
    group = fetch_request.OffsetFetchRequestGroup(
        group_id=group_id,
        topics=None
        if grouped is None
        else [
            fetch_request.OffsetFetchRequestTopics(name=name, partition_indexes=numbers)
            for name, numbers in grouped.items()
        ],
    )
    if by.is_epoch and by.generation > 0 and version >= EPOCH_COMMITS_SINCE:
        group.member_id, group.member_epoch = by.member_id, by.generation
    return fetch_request.OffsetFetchRequest(groups=[group], require_stable=require_stable)


def fetched(
    response: OffsetFetchResponse,
    group_id: str,
    asked: Iterable[TopicPartition] | None,
    version: int,
) -> tuple[int, Answers]:
    """The group's code, and its partitions; one without a committed offset is in neither. What was
    asked for and is not in the answer is an error, and never "no offset"."""
    answers = Answers({}, {})
    seen: set[TopicPartition] = set()
    for topic in response.topics:
        for each in topic.partitions:
            key = TopicPartition(topic.name, each.partition_index)
            seen.add(key)
            place = (each.committed_offset, each.metadata, each.committed_leader_epoch)
            _sort_in(answers, key, each.error_code, place)
    code = response.error_code
    if version >= GROUPS_SINCE:
        code = int(ErrorCode.UNKNOWN_SERVER_ERROR)
    for group in response.groups:
        if group.group_id != group_id:
            continue
        code = group.error_code
        for found in group.topics:
            for one in found.partitions:
                key = TopicPartition(found.name, one.partition_index)
                seen.add(key)
                place = (one.committed_offset, one.metadata, one.committed_leader_epoch)
                _sort_in(answers, key, one.error_code, place)
    if not code:
        missing = set(asked or ()) - seen
        answers.refused.update(dict.fromkeys(missing, int(ErrorCode.UNKNOWN_SERVER_ERROR)))
    return code, answers


def _sort_in(
    answers: Answers, key: TopicPartition, code: int, place: tuple[int, str | None, int]
) -> None:
    offset, metadata, epoch = place
    if code:
        answers.refused[key] = code
    elif offset >= 0:
        answers.found[key] = OffsetAndMetadata(offset, metadata or "", epoch)

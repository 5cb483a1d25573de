"""OffsetCommit: topics are looked up here, the rest goes to the group's shard (OFF-01).

Versions: 2 to 4 how long to keep the offsets, 6 leader epochs, 7 static members, 9 members of
consumer groups (KIP-848), 10 topic ids instead of names.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestTopic,
)
from barnabas.protocol.messages.offset_commit_response import (
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)

from ..core.cluster.topic_image import TopicImage
from ..core.coordination.groups.group import Committer
from ..core.coordination.groups.group_machine import GroupMachine
from ..core.coordination.groups.offsets.group_offsets import Wanted
from ..core.coordination.machine import Outcome
from ..core.security.resources import Operation, group_resource, topic_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import SLICE, Turns

TOPIC_IDS_SINCE: Final = 10

_Row = tuple[Wanted, OffsetCommitResponsePartition]


async def handle(request: OffsetCommitRequest, context: BrokerContext) -> OffsetCommitResponse:
    """Answer unknown topics, and commit what is left; one error of the group fills all of it."""
    context.rights.require(Operation.READ, group_resource(request.group_id))
    response = OffsetCommitResponse()
    rows: list[_Row] = []
    turns = Turns()
    for topic in request.topics:
        response.topics.append(await _answer_for(topic, context, rows, turns))
        await turns.after()
    async with asyncio.TaskGroup() as commits:  # a node that stops cancels all of them
        for part in _parts(rows):
            commits.create_task(_commit(part, request, context))
            await asyncio.sleep(0)  # all at once they would hold up the loop as one would
    return response


def refuse(request: OffsetCommitRequest, code: int, message: str | None) -> OffsetCommitResponse:
    """The same error for every partition."""
    del message
    response = OffsetCommitResponse()
    for topic in request.topics:
        partitions = [_row(one.partition_index, code) for one in topic.partitions]
        response.topics.append(
            OffsetCommitResponseTopic(
                name=topic.name, topic_id=topic.topic_id, partitions=partitions
            )
        )
    return response


def _row(index: int, code: int = ErrorCode.NONE) -> OffsetCommitResponsePartition:
    return OffsetCommitResponsePartition(partition_index=index, error_code=int(code))


async def _answer_for(
    topic: OffsetCommitRequestTopic, context: BrokerContext, rows: list[_Row], turns: Turns
) -> OffsetCommitResponseTopic:
    """The rows of a topic; those that are to be committed are noted in `rows` too."""
    image = context.node.image
    has_ids = context.api_version >= TOPIC_IDS_SINCE
    found: TopicImage | None
    if has_ids:
        found, missing = image.topics_by_id.get(topic.topic_id), ErrorCode.UNKNOWN_TOPIC_ID
    else:
        found = image.topics_by_name.get(topic.name)
        missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    name = topic.name if found is None else found.name
    if (found is not None or not has_ids) and not context.rights.may(
        Operation.READ, topic_resource(name)
    ):
        found, missing = None, ErrorCode.TOPIC_AUTHORIZATION_FAILED
    answers = []
    for one in topic.partitions:
        row = _row(one.partition_index)
        answers.append(row)
        await turns.after()
        if found is None:
            row.error_code = int(missing)
        elif one.partition_index not in found.partitions:
            row.error_code = int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        else:
            wanted = Wanted(
                (found.name, one.partition_index),
                one.committed_offset,
                one.committed_leader_epoch,
                one.committed_metadata,
                found.topic_id,
            )
            rows.append((wanted, row))
    return OffsetCommitResponseTopic(name=topic.name, topic_id=topic.topic_id, partitions=answers)


def _parts(rows: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    """Each part is an operation of its own: between two of them others have their turn."""
    for start in range(0, len(rows), SLICE):
        yield rows[start : start + SLICE]


async def _commit(
    rows: Sequence[_Row], request: OffsetCommitRequest, context: BrokerContext
) -> None:
    committer = Committer(
        request.member_id,
        request.generation_id_or_member_epoch,
        request.group_instance_id,
        context.api_version,
    )
    decide = partial(_decide, request, committer, [wanted for wanted, _ in rows])
    try:
        codes = await context.node.groups.write(request.group_id, decide)
    except KafkaError as error:
        codes = [error.code] * len(rows)
    for (_, row), code in zip(rows, codes, strict=True):
        row.error_code = int(code)


def _decide(
    request: OffsetCommitRequest,
    committer: Committer,
    wanted: Sequence[Wanted],
    machine: GroupMachine,
) -> Outcome[list[ErrorCode]]:
    return machine.offsets.commit(
        request.group_id, committer, wanted, retention_ms=request.retention_time_ms
    )


HANDLER = Handler(OffsetCommitRequest, (2, 10), handle, refuse=refuse)

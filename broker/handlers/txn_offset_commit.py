"""TxnOffsetCommit: offsets that count when a transaction is committed (TXN-54).

Versions: 2 leader epochs, 3 who commits: generation, member and instance, 5 the group's partition
of `__consumer_offsets` is added to the transaction (KIP-890).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)
from barnabas.protocol.messages.txn_offset_commit_request import TxnOffsetCommitRequest
from barnabas.protocol.messages.txn_offset_commit_response import (
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)

from ..core.cluster.topic_image import GROUPS_TOPIC
from ..core.coordination.groups.group import Committer
from ..core.coordination.groups.group_machine import GroupMachine
from ..core.coordination.groups.offsets.group_offsets import Wanted
from ..core.coordination.machine import Outcome, Producer
from ..core.coordination.partition_of import partition_of
from ..core.log.verifications import VerifiedBatch
from ..core.security.resources import (
    Operation,
    group_resource,
    topic_resource,
    transactional_resource,
)
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.transactional import check_transactional_id, confirmed
from ..serving.waiting import SLICE

LOADING_SINCE: Final = 2
"""Before it clients know no 14, and are told 15."""

ABORTABLE_SINCE: Final = 4
"""From it on clients know 120; before it they are told 48."""

ADDS_SINCE: Final = 5
"""From it on producers send no AddOffsetsToTxn."""

_LATER: Final = (
    ErrorCode.CONCURRENT_TRANSACTIONS,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.NETWORK_EXCEPTION,
    ErrorCode.REQUEST_TIMED_OUT,
)
"""The other coordinator cannot say yet: 14 makes producers try again here."""

_Row = tuple[Wanted, TxnOffsetCommitResponsePartition]


async def handle(
    request: TxnOffsetCommitRequest, context: BrokerContext
) -> TxnOffsetCommitResponse:
    """Answer unknown topics, and stage what is left; one error of the group fills all of it."""
    rights = context.rights
    rights.require(Operation.WRITE, transactional_resource(request.transactional_id))
    rights.require(Operation.READ, group_resource(request.group_id))
    response = TxnOffsetCommitResponse()
    rows: list[_Row] = []
    for number, topic in enumerate(request.topics, 1):
        found = context.node.image.topics_by_name.get(topic.name)
        answer = TxnOffsetCommitResponseTopic(name=topic.name)
        response.topics.append(answer)
        may_read = rights.may(Operation.READ, topic_resource(topic.name))
        for one in topic.partitions:
            row = TxnOffsetCommitResponsePartition(partition_index=one.partition_index)
            answer.partitions.append(row)
            if not may_read:
                row.error_code = int(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
                continue
            if found is None or one.partition_index not in found.partitions:
                row.error_code = int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
                continue
            wanted = Wanted(
                (topic.name, one.partition_index),
                one.committed_offset,
                one.committed_leader_epoch,
                one.committed_metadata,
                found.topic_id,
            )
            rows.append((wanted, row))
        if number % SLICE == 0:
            await asyncio.sleep(0)
    if rows:
        await _stage(rows, request, context)
    return response


async def _stage(
    rows: Sequence[_Row], request: TxnOffsetCommitRequest, context: BrokerContext
) -> None:
    wanted = [one for one, _ in rows]
    try:
        check_transactional_id(request.transactional_id)
        if not request.group_id:
            raise KafkaError(ErrorCode.INVALID_GROUP_ID)
        codes = await _commit(request, wanted, context)
    except KafkaError as error:
        codes = [_told(error.code, context.api_version)] * len(rows)
    for (_, row), code in zip(rows, codes, strict=True):
        row.error_code = int(code)


async def _commit(
    request: TxnOffsetCommitRequest, wanted: Sequence[Wanted], context: BrokerContext
) -> list[ErrorCode]:
    """Have the transaction's coordinator confirm the group's partition, or add it, then commit.

    Raises KafkaError.
    """
    node = context.node
    topic = node.image.topics_by_name.get(GROUPS_TOPIC)
    number = 0 if topic is None else partition_of(request.group_id, len(topic.partitions))
    partition = node.replicas.get(GROUPS_TOPIC, number)
    if partition is None:
        raise KafkaError(ErrorCode.NOT_COORDINATOR)
    verifications = partition.log.producers.verifications
    verified = verifications.ask(
        request.producer_id,
        request.producer_epoch,
        0,
        has_own_epoch=context.api_version >= ADDS_SINCE,
    )
    try:
        codes = await confirmed(node, _question(request, number, context.api_version))
        code = codes.get((GROUPS_TOPIC, number), ErrorCode.NETWORK_EXCEPTION)
        if code is not ErrorCode.NONE:
            raise KafkaError(_unverified(code, context.api_version))
        decide = partial(_decide, request, context.api_version, wanted, verified)
        return await node.groups.write(request.group_id, decide)
    finally:
        verifications.close(request.producer_id, verified)
        verifications.forget(request.producer_id)  # these batches have no sequences


def _question(
    request: TxnOffsetCommitRequest, number: int, version: int
) -> AddPartitionsToTxnTransaction:
    return AddPartitionsToTxnTransaction(
        transactional_id=request.transactional_id,
        producer_id=request.producer_id,
        producer_epoch=request.producer_epoch,
        verify_only=version < ADDS_SINCE,
        topics=[AddPartitionsToTxnTopic(name=GROUPS_TOPIC, partitions=[number])],
    )


def _unverified(code: ErrorCode, version: int) -> ErrorCode:
    """What the coordinator of transactions says, as these clients know it."""
    if code in _LATER:
        return ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    if code is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    if code is ErrorCode.TRANSACTION_ABORTABLE and version < ABORTABLE_SINCE:
        return ErrorCode.INVALID_TXN_STATE
    return code


def _told(code: ErrorCode, version: int) -> ErrorCode:
    """The code that a producer knows of what the group says."""
    if code is ErrorCode.STALE_MEMBER_EPOCH:
        return ErrorCode.ILLEGAL_GENERATION
    if code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS and version < LOADING_SINCE:
        return ErrorCode.COORDINATOR_NOT_AVAILABLE
    return code


def _decide(
    request: TxnOffsetCommitRequest,
    version: int,
    wanted: Sequence[Wanted],
    verified: VerifiedBatch,
    machine: GroupMachine,
) -> Outcome[list[ErrorCode]]:
    if verified.is_void:
        raise KafkaError(ErrorCode.INVALID_TXN_STATE, "the transaction has ended meanwhile")
    committer = Committer(
        request.member_id,
        request.generation_id,
        request.group_instance_id,
        version,
        is_transactional=True,
    )
    producer = Producer(request.producer_id, request.producer_epoch)
    return machine.offsets.commit(request.group_id, committer, wanted, producer=producer)


def refuse(
    request: TxnOffsetCommitRequest, code: int, message: str | None
) -> TxnOffsetCommitResponse:
    """The same error for every partition."""
    del message
    return TxnOffsetCommitResponse(
        topics=[
            TxnOffsetCommitResponseTopic(
                name=topic.name,
                partitions=[
                    TxnOffsetCommitResponsePartition(
                        partition_index=one.partition_index, error_code=int(code)
                    )
                    for one in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


HANDLER = Handler(TxnOffsetCommitRequest, (0, 5), handle, refuse=refuse)

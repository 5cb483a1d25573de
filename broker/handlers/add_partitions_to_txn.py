"""AddPartitionsToTxn: partitions come into a transaction (TXN-10), or are asked for (TXN-11).

Versions: 2 PRODUCER_FENCED; from 4 on leaders ask, for many transactions at once, to add what a
producer writes to or only to verify it (KIP-890).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)
from barnabas.protocol.messages.add_partitions_to_txn_response import (
    AddPartitionsToTxnPartitionResult,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopicResult,
)

from ..core.cluster.image import ClusterImage
from ..core.cluster.topic_image import INTERNAL_TOPICS
from ..core.coordination.machine import Outcome, Producer
from ..core.coordination.transactions.adding import add_partitions, verify_partitions
from ..core.coordination.transactions.transaction import (
    BEFORE_EPOCH_BUMPS,
    EPOCH_BUMPS,
    TopicPartition,
)
from ..core.coordination.transactions.transaction_machine import TransactionMachine
from ..core.security.resources import CLUSTER, Operation, topic_resource, transactional_resource
from ..serving.context import BrokerContext, BrokerServices
from ..serving.handler import Handler
from ..serving.transactional import check_transactional_id, told_in

FENCED_SINCE: Final = 2
MANY_SINCE: Final = 4
ASKED_AT_ONCE: Final = 64
"""Transactions of one request that are worked on at the same time."""

Codes = Mapping[TopicPartition, ErrorCode]


async def handle(
    request: AddPartitionsToTxnRequest, context: BrokerContext
) -> AddPartitionsToTxnResponse:
    """Each partition has its own code; what concerns a transaction is the code of all of its."""
    rights = context.rights
    if context.api_version >= MANY_SINCE:
        rights.require(Operation.CLUSTER_ACTION, CLUSTER)
        return await _many(request, context)
    rights.require(Operation.WRITE, transactional_resource(request.v3_and_below_transactional_id))
    only = AddPartitionsToTxnTransaction(
        transactional_id=request.v3_and_below_transactional_id,
        producer_id=request.v3_and_below_producer_id,
        producer_epoch=request.v3_and_below_producer_epoch,
        topics=request.v3_and_below_topics,
    )
    rows = await _rows(only, context, BEFORE_EPOCH_BUMPS)
    return AddPartitionsToTxnResponse(results_by_topic_v3_and_below=rows)


async def _many(
    request: AddPartitionsToTxnRequest, context: BrokerContext
) -> AddPartitionsToTxnResponse:
    response = AddPartitionsToTxnResponse()
    transactions = request.transactions
    for start in range(0, len(transactions), ASKED_AT_ONCE):
        part = transactions[start : start + ASKED_AT_ONCE]
        found = await asyncio.gather(*(_rows(one, context, EPOCH_BUMPS) for one in part))
        for one, rows in zip(part, found, strict=True):
            response.results_by_transaction.append(
                AddPartitionsToTxnResult(transactional_id=one.transactional_id, topic_results=rows)
            )
    return response


async def _rows(
    asked: AddPartitionsToTxnTransaction, context: BrokerContext, client_version: int
) -> list[AddPartitionsToTxnTopicResult]:
    try:
        codes = await _codes(asked, context, client_version)
    except KafkaError as error:
        code = told_in(error.code, context.api_version, FENCED_SINCE)
        codes = dict.fromkeys(_partitions(asked.topics), code)
    return [
        AddPartitionsToTxnTopicResult(
            name=topic.name,
            results_by_partition=[
                AddPartitionsToTxnPartitionResult(
                    partition_index=index,
                    partition_error_code=int(codes[topic.name, index]),
                )
                for index in topic.partitions
            ],
        )
        for topic in asked.topics
    ]


async def _codes(
    asked: AddPartitionsToTxnTransaction, context: BrokerContext, client_version: int
) -> Codes:
    check_transactional_id(asked.transactional_id)
    if client_version >= EPOCH_BUMPS:
        return await answer_leader(asked, context.node)
    refused = _refused(asked.topics, context)
    return refused or await _added(asked, context.node, client_version)


async def answer_leader(asked: AddPartitionsToTxnTransaction, node: BrokerServices) -> Codes:
    """Which partitions are in this transaction, as its coordinator here knows it (TXN-11).

    Unless it is only to verify that, they are added. Raises KafkaError: 14, 15 or 16 by the state
    of the shard, 49, 51, 90.
    """
    if not asked.verify_only:
        return await _added(asked, node, EPOCH_BUMPS)
    partitions = frozenset(_partitions(asked.topics))
    return await node.transactions.write(
        asked.transactional_id, partial(_verify, asked, partitions)
    )


async def _added(
    asked: AddPartitionsToTxnTransaction, node: BrokerServices, client_version: int
) -> Codes:
    partitions = frozenset(_partitions(asked.topics))
    refused = _unknown(node.image, partitions)
    if refused:
        return refused
    decide = partial(_add, asked, partitions, client_version)
    await node.transactions.write(asked.transactional_id, decide)
    return dict.fromkeys(partitions, ErrorCode.NONE)


def _partitions(topics: Sequence[AddPartitionsToTxnTopic]) -> Iterable[TopicPartition]:
    return ((topic.name, index) for topic in topics for index in topic.partitions)


def _refused(topics: Sequence[AddPartitionsToTxnTopic], context: BrokerContext) -> Codes:
    """29 for what may not be written to, and 55 for the rest then (TXN-10).

    That is internal topics, whoever asks; and where there is an authorizer, what it refuses.
    """
    forbidden = {
        topic.name
        for topic in topics
        if topic.name in INTERNAL_TOPICS
        or not context.rights.may(Operation.WRITE, topic_resource(topic.name))
    }
    if not forbidden:
        return {}
    refused, others = ErrorCode.TOPIC_AUTHORIZATION_FAILED, ErrorCode.OPERATION_NOT_ATTEMPTED
    return {
        (topic, index): refused if topic in forbidden else others
        for topic, index in _partitions(topics)
    }


def _unknown(image: ClusterImage, partitions: frozenset[TopicPartition]) -> Codes:
    """3 for what there is not, and 55 for the rest then; nothing if all are there (TXN-10)."""
    unknown = {one for one in partitions if image.partition(*one) is None}
    if not unknown:
        return {}
    missing, others = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.OPERATION_NOT_ATTEMPTED
    return {one: missing if one in unknown else others for one in partitions}


def _producer(asked: AddPartitionsToTxnTransaction) -> Producer:
    return Producer(asked.producer_id, asked.producer_epoch)


def _verify(
    asked: AddPartitionsToTxnTransaction,
    partitions: frozenset[TopicPartition],
    machine: TransactionMachine,
) -> Outcome[Codes]:
    transactions = machine.transactions
    return verify_partitions(transactions, asked.transactional_id, _producer(asked), partitions)


def _add(
    asked: AddPartitionsToTxnTransaction,
    partitions: frozenset[TopicPartition],
    client_version: int,
    machine: TransactionMachine,
) -> Outcome[None]:
    return add_partitions(
        machine.transactions,
        asked.transactional_id,
        _producer(asked),
        partitions,
        client_version,
    )


def refuse(
    request: AddPartitionsToTxnRequest, code: int, message: str | None
) -> AddPartitionsToTxnResponse:
    """The same error for every partition; from version 4 on, one for all."""
    del message

    def rows(topics: Sequence[AddPartitionsToTxnTopic]) -> list[AddPartitionsToTxnTopicResult]:
        return [
            AddPartitionsToTxnTopicResult(
                name=topic.name,
                results_by_partition=[
                    AddPartitionsToTxnPartitionResult(
                        partition_index=index, partition_error_code=int(code)
                    )
                    for index in topic.partitions
                ],
            )
            for topic in topics
        ]

    return AddPartitionsToTxnResponse(
        error_code=int(code),
        results_by_topic_v3_and_below=rows(request.v3_and_below_topics),
    )


HANDLER = Handler(AddPartitionsToTxnRequest, (0, 5), handle, refuse=refuse)

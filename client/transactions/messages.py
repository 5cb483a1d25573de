"""Requests of a transaction, and the codes in their answers, by partition."""

from __future__ import annotations

from collections.abc import Iterable

from barnabas.protocol.messages import txn_offset_commit_request as commit
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from barnabas.protocol.messages.add_partitions_to_txn_response import AddPartitionsToTxnResponse

from ..groups.formats import by_topic
from ..groups.offsets import codes_of, commit_rows
from ..groups.values import GroupMetadata
from ..structs import TopicPartition
from .machine import ProducerIdAndEpoch
from .offsets import Offsets

Codes = dict[TopicPartition, int]


def add_partitions(
    transactional_id: str, identity: ProducerIdAndEpoch, partitions: Iterable[TopicPartition]
) -> AddPartitionsToTxnRequest:
    """Ask the coordinator to add these; versions from 4 on are for brokers."""
    return AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=transactional_id,
        v3_and_below_producer_id=identity.producer_id,
        v3_and_below_producer_epoch=identity.epoch,
        v3_and_below_topics=[
            AddPartitionsToTxnTopic(name=name, partitions=numbers)
            for name, numbers in by_topic(partitions).items()
        ],
    )


def added_codes(response: AddPartitionsToTxnResponse, asked: Iterable[TopicPartition]) -> Codes:
    """The code of each partition that was asked for; one that the answer lacks was not added."""
    rows = (
        (topic.name, each.partition_index, each.partition_error_code)
        for topic in response.results_by_topic_v3_and_below
        for each in topic.results_by_partition
    )
    return codes_of(rows, asked)


def commit_offsets(
    transactional_id: str, identity: ProducerIdAndEpoch, group: GroupMetadata, offsets: Offsets
) -> commit.TxnOffsetCommitRequest:
    """Ask the group's coordinator to commit these with the transaction (KIP-447)."""
    rows = commit_rows(offsets, commit.TxnOffsetCommitRequestPartition)
    return commit.TxnOffsetCommitRequest(
        transactional_id=transactional_id,
        group_id=group.group_id,
        producer_id=identity.producer_id,
        producer_epoch=identity.epoch,
        generation_id=group.generation,
        member_id=group.member_id,
        group_instance_id=group.instance_id,
        topics=[
            commit.TxnOffsetCommitRequestTopic(name=name, partitions=each)
            for name, each in rows.items()
        ],
    )

"""What the rows of the table find on a node: topics, a group with offsets, a transaction."""

from __future__ import annotations

from typing import Any

from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.protocol.message import Message
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)

TOPICS = ("walk.t", "walk.u")
GROUP, CONSUMER_GROUP, TRANSACTION = "walk.g", "walk.c", "walk.x"
MEMBER = "AAAAAAAAAAAAAAAAAAAAAQ"


async def build(client: RawClient) -> bytes:
    """Make all of it, with a client that may do everything; the id of `walk.t`."""
    topics = [CreatableTopic(name=one, num_partitions=1, replication_factor=1) for one in TOPICS]
    created = await client.ask(CreateTopicsRequest(topics=topics), 7)
    assert not any(one.error_code for one in created.topics), created
    for key_type, key in ((0, GROUP), (1, TRANSACTION)):
        request = FindCoordinatorRequest(key_type=key_type, coordinator_keys=[key])
        await _ask(client, request, 4, lambda answer: answer.coordinators[0].error_code)
    await _ask(client, _commit(), 8, lambda answer: answer.topics[0].partitions[0].error_code)
    await _begin_transaction(client)
    joined = ConsumerGroupHeartbeatRequest(
        group_id=CONSUMER_GROUP,
        member_id=MEMBER,
        member_epoch=0,
        rebalance_timeout_ms=10_000,
        subscribed_topic_names=["walk.t"],
        topic_partitions=[],
    )
    await _ask(client, joined, 0, lambda answer: answer.error_code)
    topic_id: bytes = created.topics[0].topic_id
    return topic_id


async def _ask(client: RawClient, request: Message, version: int, code: Any) -> Any:
    """The first answer without an error: coordinators may be loading."""
    answers: list[Any] = []

    async def is_done() -> bool:
        answers.append(await client.ask(request, version))
        return not code(answers[-1])

    while not await is_done():
        await until(lambda: True)
    return answers[-1]


def _commit() -> OffsetCommitRequest:
    return OffsetCommitRequest(
        group_id=GROUP,
        generation_id_or_member_epoch=-1,
        topics=[
            OffsetCommitRequestTopic(
                name="walk.t",
                partitions=[OffsetCommitRequestPartition(partition_index=0, committed_offset=0)],
            )
        ],
    )


async def _begin_transaction(client: RawClient) -> None:
    asked = InitProducerIdRequest(transactional_id=TRANSACTION, transaction_timeout_ms=60_000)
    producer = await _ask(client, asked, 4, lambda answer: answer.error_code)
    added = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=TRANSACTION,
        v3_and_below_producer_id=producer.producer_id,
        v3_and_below_producer_epoch=producer.producer_epoch,
        v3_and_below_topics=[AddPartitionsToTxnTopic(name="walk.t", partitions=[0])],
    )
    await _ask(
        client,
        added,
        3,
        lambda answer: (
            answer.results_by_topic_v3_and_below[0].results_by_partition[0].partition_error_code
        ),
    )

"""Transactions over the wire, on one node: begin, commit, abort, who is fenced, what is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kit.raw_client import RawClient
from kit.transactional import TransactionalProducer, at_level, committed, once
from kit.waiting import until

from barnabas.broker.node import Node
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)
from barnabas.protocol.messages.delete_topics_request import DeleteTopicsRequest
from barnabas.protocol.messages.describe_transactions_request import DescribeTransactionsRequest
from barnabas.protocol.messages.end_txn_request import EndTxnRequest
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.list_transactions_request import ListTransactionsRequest
from barnabas.protocol.messages.txn_offset_commit_request import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from barnabas.protocol.messages.write_txn_markers_request import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)

from .groups import fetched, find, loaded
from .nodes import create, serving


class One:
    """A node, a connection, and producers of it."""

    def __init__(self, node: Node, client: RawClient) -> None:
        self.node = node
        self.client = client
        self.address = ("127.0.0.1", node.port)

    def producer(self, name: str = "p", *, bumps: bool = False) -> TransactionalProducer:
        return TransactionalProducer(lambda: [self.address], name, bumps=bumps)

    async def read(self, topic: str = "t") -> list[bytes]:
        return await committed(self.address, topic)

    async def complete(self) -> None:
        """Wait until no markers are under way."""
        await until(lambda: not self.node.broker.transactions.markers.count)


@asynccontextmanager
async def one(directory: Path, level: int = 1, **settings: Any) -> AsyncIterator[One]:
    with at_level(level):
        async with serving(directory, **settings) as (node, client):
            await create(client, "t", 2)
            yield One(node, client)


@pytest.mark.parametrize("bumps", [False, True])
async def test_readers_see_what_was_committed(tmp_path: Path, bumps: bool) -> None:
    """Committed records when their marker is there, aborted ones never (TXN-20, TXN-41)."""
    async with one(tmp_path, 2 if bumps else 1) as on:
        producer = on.producer(bumps=bumps)
        assert await producer.init() == 0
        for number, commit in enumerate((True, False, True)):
            assert await producer.add(("t", 0)) == 0
            assert await producer.write(on.address, "t", 0, b"%d" % number) == 0
            before = await on.read()
            assert b"%d" % number not in before
            assert await producer.end(commit=commit) == 0
            await on.complete()
        assert await on.read() == [b"0", b"2"]
        assert producer.epoch == (3 if bumps else 0)


@pytest.mark.parametrize("bumps", [False, True])
async def test_a_second_life_fences_the_first(tmp_path: Path, bumps: bool) -> None:
    """The open transaction is aborted, and its producer is refused everywhere (98-05, TXN-03)."""
    async with one(tmp_path, 2 if bumps else 1) as on:
        first, second = on.producer(bumps=bumps), on.producer(bumps=bumps)
        assert await first.init() == 0
        assert await first.add(("t", 0)) == 0
        assert await first.write(on.address, "t", 0, b"lost") == 0
        assert await second.init() == 0
        assert (second.producer_id, second.epoch) == (first.producer_id, first.epoch + 2)
        assert await first.add(("t", 0)) == 90
        assert await first.end(commit=True) == 90
        assert await first.write(on.address, "t", 0, b"late") == 47
        assert await first.init(says=True) == 90
        assert await second.add(("t", 0)) == 0
        assert await second.write(on.address, "t", 0, b"kept") == 0
        assert await second.end(commit=True) == 0
        await on.complete()
        assert await on.read() == [b"kept"]


async def test_older_versions_are_told_an_older_code(tmp_path: Path) -> None:
    """47 in place of 90 (TXN-02), and -1 with every error (TXN-21)."""
    async with one(tmp_path) as on:
        producer = on.producer()
        await producer.init()
        has: dict[str, Any] = {
            "producer_id": producer.producer_id,
            "producer_epoch": producer.epoch + 1,
        }
        topics = [AddPartitionsToTxnTopic(name="t", partitions=[0])]
        init = InitProducerIdRequest(transactional_id="p", transaction_timeout_ms=1, **has)
        for version, code in ((3, 47), (4, 90)):
            answer = await on.client.ask(init, version)
            assert (answer.error_code, answer.producer_id, answer.producer_epoch) == (code, -1, -1)
        for version, code in ((0, 47), (1, 47), (2, 90), (4, 90), (5, 90)):
            end = EndTxnRequest(transactional_id="p", committed=True, **has)
            answer = await on.client.ask(end, version)
            assert (answer.error_code, answer.producer_id, answer.producer_epoch) == (code, -1, -1)
        for version, code in ((0, 47), (1, 47), (2, 90), (3, 90)):
            add = AddPartitionsToTxnRequest(
                v3_and_below_transactional_id="p",
                v3_and_below_producer_id=producer.producer_id,
                v3_and_below_producer_epoch=1,
                v3_and_below_topics=topics,
            )
            answer = await on.client.ask(add, version)
            (row,) = answer.results_by_topic_v3_and_below[0].results_by_partition
            assert row.partition_error_code == code
            offsets = AddOffsetsToTxnRequest(transactional_id="p", group_id="g", **has)
            assert (await on.client.ask(offsets, version)).error_code == code


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"transactional_id": ""}, 42),
        ({"producer_id": 5}, 42),
        ({"producer_epoch": 5}, 42),
        ({"transaction_timeout_ms": 0}, 50),
        ({"transaction_timeout_ms": 900_001}, 50),
        ({"transaction_timeout_ms": 900_000}, 0),
    ],
)
async def test_what_init_producer_id_refuses(
    tmp_path: Path, fields: dict[str, Any], code: int
) -> None:
    """42 and 50 before anything is asked of the coordinator (TXN-01)."""
    async with one(tmp_path) as on:
        await on.producer().init()
        asked = {"transactional_id": "p", "transaction_timeout_ms": 1, **fields}
        answer = await on.client.ask(InitProducerIdRequest(**asked), 4)
        assert answer.error_code == code


async def test_unknown_partitions(tmp_path: Path) -> None:
    """3, the others 55, and nothing is added (TXN-10)."""
    async with one(tmp_path) as on:
        assert await codes_of_adding(on, ("t", 0), ("t", 7)) == [55, 3]
        assert await states(on) == {"p": "Empty"}


@pytest.mark.parametrize("internal", ["__consumer_offsets", "__transaction_state"])
async def test_internal_topics_are_nobodys_to_add(tmp_path: Path, internal: str) -> None:
    """TXN-10: 29 also where there is no authorizer, or clients had markers written to them."""
    async with one(tmp_path) as on:
        assert await codes_of_adding(on, ("t", 0), (internal, 0)) == [55, 29]
        assert await states(on) == {"p": "Empty"}


async def codes_of_adding(on: One, *partitions: tuple[str, int]) -> list[int]:
    """What a new transaction of `p` is answered for each of these, in version 3."""
    producer = on.producer()
    await producer.init()
    request = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id="p",
        v3_and_below_producer_id=producer.producer_id,
        v3_and_below_producer_epoch=producer.epoch,
        v3_and_below_topics=[
            AddPartitionsToTxnTopic(name=name, partitions=[number]) for name, number in partitions
        ],
    )
    answer = await on.client.ask(request, 3)
    return [
        row.partition_error_code
        for topic in answer.results_by_topic_v3_and_below
        for row in topic.results_by_partition
    ]


async def states(on: One, version: int = 1, **filters: Any) -> dict[str, str]:
    answer = await on.client.ask(ListTransactionsRequest(**filters), version)
    assert answer.error_code == 0
    return {row.transactional_id: row.transaction_state for row in answer.transaction_states}


async def test_leaders_ask_for_many_transactions(tmp_path: Path) -> None:
    """Each transaction has its own answer, verified or added (TXN-11)."""
    async with one(tmp_path) as on:
        first, second = on.producer("a"), on.producer("b")
        await first.init()
        await second.init()
        await first.add(("t", 0))
        topics = [AddPartitionsToTxnTopic(name="t", partitions=[0, 1])]

        def asked(who: TransactionalProducer, *, verify: bool) -> AddPartitionsToTxnTransaction:
            return AddPartitionsToTxnTransaction(
                transactional_id=who.transactional_id,
                producer_id=who.producer_id,
                producer_epoch=who.epoch,
                verify_only=verify,
                topics=topics,
            )

        stranger = on.producer("c")
        stranger.producer_id, stranger.epoch = 5, 0
        wanted = [
            (asked(first, verify=True), [0, 120]),
            (asked(second, verify=False), [0, 0]),
            (asked(stranger, verify=True), [49, 49]),
            (asked(on.producer(""), verify=True), [42, 42]),
        ]
        for version in (4, 5):
            request = AddPartitionsToTxnRequest(transactions=[each for each, _ in wanted])
            answer = await on.client.ask(request, version)
            assert answer.error_code == 0
            for row, (_, codes) in zip(answer.results_by_transaction, wanted, strict=True):
                (topic,) = row.topic_results
                assert [one.partition_error_code for one in topic.results_by_partition] == codes


async def test_what_administrators_are_told(tmp_path: Path) -> None:
    """DescribeTransactions and ListTransactions (TXN-24)."""
    async with one(tmp_path) as on:
        producer = on.producer("a")
        await producer.init(timeout_ms=1234)
        await on.producer("b").init()
        await producer.add(("t", 0), ("t", 1))
        request = DescribeTransactionsRequest(transactional_ids=["a", "x", ""])
        answer = await on.client.ask(request, 0)
        a, x, empty = answer.transaction_states
        assert (x.error_code, empty.error_code) == (105, 42)
        assert (a.error_code, a.transaction_state, a.transaction_timeout_ms) == (0, "Ongoing", 1234)
        assert (a.producer_id, a.producer_epoch) == (producer.producer_id, producer.epoch)
        assert [(row.topic, row.partitions) for row in a.topics] == [("t", [0, 1])]
        assert await states(on) == {"a": "Ongoing", "b": "Empty"}
        assert await states(on, state_filters=["Ongoing", "Odd"]) == {"a": "Ongoing"}
        assert await states(on, producer_id_filters=[producer.producer_id]) == {"a": "Ongoing"}
        assert await states(on, duration_filter=3_600_000) == {"b": "Empty"}
        assert await states(on, 2, transactional_id_pattern="[a]") == {"a": "Ongoing"}
        assert await states(on, 2, transactional_id_pattern="") == {"a": "Ongoing", "b": "Empty"}
        odd = await on.client.ask(ListTransactionsRequest(state_filters=["Odd"]), 0)
        assert (odd.unknown_state_filters, odd.transaction_states) == (["Odd"], [])
        bad = await on.client.ask(ListTransactionsRequest(transactional_id_pattern="("), 2)
        assert bad.error_code == 128


async def test_markers_by_hand_end_a_hanging_transaction(tmp_path: Path) -> None:
    """Each partition has its own answer, and what is not here is 3 (TXN-30)."""
    async with one(tmp_path) as on:
        producer = on.producer()
        await producer.init()
        await producer.add(("t", 0))
        await producer.write(on.address, "t", 0, b"hangs")
        marker = WritableTxnMarker(
            producer_id=producer.producer_id,
            producer_epoch=producer.epoch,
            transaction_result=False,
            topics=[WritableTxnMarkerTopic(name="t", partition_indexes=[0, 9])],
            coordinator_epoch=4,
        )
        for version, epoch, codes in ((1, 4, [0, 3]), (2, 3, [52, 3]), (2, 4, [0, 3])):
            marker.coordinator_epoch = epoch
            answer = await on.client.ask(WriteTxnMarkersRequest(markers=[marker]), version)
            rows = answer.markers[0].topics[0].partitions
            assert [row.error_code for row in rows] == codes
        assert await on.read() == []
        plain = on.producer("other")
        await plain.init()
        await plain.add(("t", 0))
        await plain.write(on.address, "t", 0, b"after")
        await plain.end(commit=True)
        await on.complete()
        assert await on.read() == [b"after"]


async def test_offsets_of_a_transaction_have_a_partition(tmp_path: Path) -> None:
    """AddOffsetsToTxn adds it, and its marker goes through the group's shard (TXN-12, CRT-20)."""
    async with one(tmp_path) as on:
        producer = on.producer()
        await producer.init()
        request = AddOffsetsToTxnRequest(
            transactional_id="p",
            producer_id=producer.producer_id,
            producer_epoch=producer.epoch,
            group_id="g",
        )
        assert (await on.client.ask(request, 3)).error_code == 0
        answer = await on.client.ask(DescribeTransactionsRequest(transactional_ids=["p"]), 0)
        (topic,) = answer.transaction_states[0].topics
        assert topic.topic == "__consumer_offsets"
        assert await producer.end(commit=True) == 0
        await on.complete()
        (number,) = topic.partitions
        partition = on.node.broker.replicas.get("__consumer_offsets", number)
        assert partition is not None
        assert partition.log.log_end_offset == 1
        assert await states(on) == {"p": "CompleteCommit"}


async def test_transactions_end_although_a_topic_is_deleted(tmp_path: Path) -> None:
    """A partition that is gone counts as told (TXN-33)."""

    async with one(tmp_path) as on:
        producer = on.producer()
        await producer.init()
        await producer.add(("t", 0), ("t", 1))
        await once(on.address, DeleteTopicsRequest(topic_names=["t"], timeout_ms=5000), 5)
        assert await producer.end(commit=True) == 0
        await on.complete()
        assert await states(on) == {"p": "CompleteCommit"}


@pytest.mark.parametrize("is_commit", [True, False])
async def test_offsets_count_with_their_transaction(tmp_path: Path, is_commit: bool) -> None:
    """Staged until the marker comes, then committed or forgotten, in one step (TXN-54, CRT-20)."""
    async with one(tmp_path) as on:
        producer = on.producer()
        await producer.init()
        has: dict[str, Any] = {
            "transactional_id": "p",
            "group_id": "g",
            "producer_id": producer.producer_id,
            "producer_epoch": producer.epoch,
        }
        assert (await on.client.ask(AddOffsetsToTxnRequest(**has), 3)).error_code == 0
        row = TxnOffsetCommitRequestPartition(partition_index=0, committed_offset=42)
        topic = TxnOffsetCommitRequestTopic(name="t", partitions=[row])
        for version in range(6):
            request = TxnOffsetCommitRequest(topics=[topic], **has)
            answer = await on.client.ask(request, version)
            assert [one.error_code for one in answer.topics[0].partitions] == [0]
        unstable = await fetched(on.client, [("t", 0)], is_stable=True)
        assert unstable["t", 0][2] == ErrorCode.UNSTABLE_OFFSET_COMMIT
        assert (await fetched(on.client, [("t", 0)]))["t", 0][0] == -1
        assert await producer.end(commit=is_commit) == 0
        await on.complete()
        stable = await fetched(on.client, [("t", 0)], is_stable=True)
        assert stable["t", 0][::2] == (42 if is_commit else -1, 0)


async def test_what_txn_offset_commit_refuses(tmp_path: Path) -> None:
    """3 for a partition that there is not, 24 without a group, 42 without an id, 48 or 120 outside
    of a transaction, and what the group says of its members (TXN-54)."""
    async with one(tmp_path) as on:
        producer = on.producer()
        await producer.init()
        await find(on.client)
        await loaded(on.node)
        has: dict[str, Any] = {
            "transactional_id": "p",
            "group_id": "g",
            "producer_id": producer.producer_id,
            "producer_epoch": producer.epoch,
        }
        rows = [TxnOffsetCommitRequestPartition(partition_index=index) for index in (0, 7)]
        topic = TxnOffsetCommitRequestTopic(name="t", partitions=rows)
        for version, code in ((3, 48), (4, 120)):
            answer = await on.client.ask(TxnOffsetCommitRequest(topics=[topic], **has), version)
            assert [one.error_code for one in answer.topics[0].partitions] == [code, 3]
        assert (await on.client.ask(AddOffsetsToTxnRequest(**has), 3)).error_code == 0
        refused: list[tuple[dict[str, Any], int]] = [
            ({"producer_epoch": 5}, 47),
            ({"producer_id": 5}, 49),
            ({"group_id": ""}, 24),
            ({"transactional_id": ""}, 42),
            ({"generation_id": 3, "member_id": "m"}, 22),
        ]
        for fields, code in refused:
            asked = {**has, "topics": [topic], **fields}
            answer = await on.client.ask(TxnOffsetCommitRequest(**asked), 4)
            assert [one.error_code for one in answer.topics[0].partitions] == [code, 3]

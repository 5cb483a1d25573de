"""Goal: the admin shows transactions of the whole cluster, and ends those that nobody else would
(KIP-664)."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.client import (
    Admin,
    HangingTransaction,
    ProducerIdAndEpoch,
    ProducerState,
    TopicPartition,
    TransactionDescription,
    TransactionListing,
)
from barnabas.client.errors import (
    BrokerError,
    ConfigurationError,
    InvalidRegularExpressionError,
    NotLeaderOrFollowerError,
    ProducerFencedError,
    TransactionalIdNotFoundError,
    TransactionCoordinatorFencedError,
    UnsupportedVersionError,
)
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages import describe_producers_response as producers
from barnabas.protocol.messages import describe_transactions_response as described
from barnabas.protocol.messages import list_transactions_response as listed
from barnabas.protocol.messages import write_txn_markers_response as marked

from .admins import admin_of
from .fake_cluster import FakeCluster, FakeNode
from .fake_transactions import FakeTransactions
from .producing import producing

WHERE = TopicPartition("t", 0)


class Transactions:
    """What brokers answer to the admin's questions; by node where nodes differ."""

    def __init__(self, cluster: FakeCluster) -> None:
        cluster.add_topic("t", 2)
        cluster.served.update({61: (0, 0), 65: (0, 0), 66: (0, 2), 27: (1, 2)})
        cluster.more.update(
            ListTransactions=self._list,
            DescribeTransactions=self._describe,
            DescribeProducers=self._producers,
            WriteTxnMarkers=self._mark,
        )
        self.listed: dict[int, listed.ListTransactionsResponse] = {}
        self.described: dict[str, described.TransactionState] = {}
        self.known: dict[int, list[producers.ProducerState]] = {}
        self.codes: dict[str, list[int]] = {}
        self.markers: list[Any] = []

    def _code(self, name: str) -> int:
        codes = self.codes.get(name)
        return codes.pop(0) if codes else 0

    async def _list(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        if code := self._code("ListTransactions"):
            return listed.ListTransactionsResponse(error_code=code)
        unknown = [each for each in request.state_filters if each == "Odd"]
        answer = self.listed.get(node.node_id, listed.ListTransactionsResponse())
        answer.unknown_state_filters = unknown
        return answer

    async def _describe(self, node: FakeNode, request: Any, version: int) -> Message:
        del node, version
        code = self._code("DescribeTransactions")
        (name,) = request.transactional_ids
        missing = described.TransactionState(
            transactional_id=name,
            error_code=code or ErrorCode.TRANSACTIONAL_ID_NOT_FOUND,
            transaction_state="",
        )
        found = missing if code else self.described.get(name, missing)
        return described.DescribeTransactionsResponse(transaction_states=[found])

    async def _producers(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        topics = []
        for topic in request.topics:
            rows = []
            for number in topic.partition_indexes:
                code = self._code("DescribeProducers")
                leader = node.cluster.partition(topic.name, number).leader
                if leader != node.node_id and not code:
                    code = int(ErrorCode.NOT_LEADER_OR_FOLLOWER)
                known = [] if code else self.known.get(number, [])
                rows.append(
                    producers.PartitionResponse(
                        partition_index=number, error_code=code, active_producers=known
                    )
                )
            topics.append(producers.TopicResponse(name=topic.name, partitions=rows))
        return producers.DescribeProducersResponse(topics=topics)

    async def _mark(self, node: FakeNode, request: Any, version: int) -> Message:
        del node, version
        code = self._code("WriteTxnMarkers")
        if not code:
            self.markers += request.markers
        row = marked.WritableTxnMarkerPartitionResult(partition_index=0, error_code=code)
        topic = marked.WritableTxnMarkerTopicResult(name="t", partitions=[row])
        result = marked.WritableTxnMarkerResult(producer_id=7, topics=[topic])
        return marked.WriteTxnMarkersResponse(markers=[result])


def row(name: str, producer_id: int = 7, state: str = "Ongoing") -> listed.TransactionState:
    return listed.TransactionState(
        transactional_id=name, producer_id=producer_id, transaction_state=state
    )


def producer(
    producer_id: int, start: int = 5, last_ms: int = 1_000, coordinator_epoch: int = 3
) -> producers.ProducerState:
    return producers.ProducerState(
        producer_id=producer_id,
        producer_epoch=2,
        last_sequence=9,
        last_timestamp=last_ms,
        coordinator_epoch=coordinator_epoch,
        current_txn_start_offset=start,
    )


def state_of(name: str, producer_id: int, *numbers: int) -> described.TransactionState:
    return described.TransactionState(
        transactional_id=name,
        transaction_state="Ongoing" if numbers else "Empty",
        transaction_timeout_ms=60_000,
        transaction_start_time_ms=1_234 if numbers else -1,
        producer_id=producer_id,
        producer_epoch=2,
        topics=[described.TopicData(topic="t", partitions=list(numbers))] if numbers else [],
    )


async def test_transactions_of_all_brokers_are_listed() -> None:
    """TXN-24: each coordinator has its own; one that loads is asked again."""
    async with FakeCluster(2) as cluster:
        stage = Transactions(cluster)
        stage.codes["ListTransactions"] = [int(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)]
        stage.listed = {
            1: listed.ListTransactionsResponse(transaction_states=[row("b")]),
            2: listed.ListTransactionsResponse(transaction_states=[row("a", 8, "Empty")]),
        }
        async with admin_of(cluster) as admin:
            found = await admin.list_transactions(
                states=("Ongoing",), producer_ids=(7,), open_longer_than_ms=5, pattern=".*"
            )
        assert found == [
            TransactionListing("a", 8, "Empty", 2),
            TransactionListing("b", 7, "Ongoing", 1),
        ]
        asked = cluster.node.of("ListTransactions")[-1]
        assert (asked.state_filters, asked.producer_id_filters) == (["Ongoing"], [7])
        assert (asked.duration_filter, asked.transactional_id_pattern) == (5, ".*")


async def test_filters_that_cannot_be_are_named() -> None:
    """TXN-24: brokers name a state that there is not and go on; here it is an error."""
    async with FakeCluster() as cluster:
        stage = Transactions(cluster)
        async with admin_of(cluster) as admin:
            with pytest.raises(ConfigurationError, match=r"state Odd, but in Empty, Ongoing"):
                await admin.list_transactions(states=("Odd",))
            stage.codes["ListTransactions"] = [int(ErrorCode.INVALID_REGULAR_EXPRESSION)]
            with pytest.raises(InvalidRegularExpressionError):
                await admin.list_transactions(pattern="(")
    async with FakeCluster() as cluster:
        Transactions(cluster)
        cluster.served[66] = (0, 0)
        async with admin_of(cluster) as admin:
            with pytest.raises(UnsupportedVersionError, match="this filter needs 1"):
                await admin.list_transactions(open_longer_than_ms=5)


async def test_transactions_are_described() -> None:
    """TXN-24: by their coordinators, found for each id; an id that nobody knows is an error."""
    async with FakeCluster(2) as cluster:
        transactions = FakeTransactions(cluster, node_id=2)
        stage = Transactions(cluster)
        stage.described = {"x": state_of("x", 7, 1, 0), "idle": state_of("idle", 9)}
        transactions.fail("FindCoordinator", ErrorCode.COORDINATOR_NOT_AVAILABLE)
        async with admin_of(cluster) as admin:
            found = await admin.describe_transactions(["x", "idle"])
            with pytest.raises(TransactionalIdNotFoundError, match="'none'"):
                await admin.describe_transactions(["none"])
        assert found == {
            "idle": TransactionDescription("idle", 2, "Empty", 9, 2, 60_000, None, ()),
            "x": TransactionDescription(
                "x", 2, "Ongoing", 7, 2, 60_000, 1_234, (WHERE, TopicPartition("t", 1))
            ),
        }


async def test_producers_are_described_by_leaders() -> None:
    """TXN-24: leaders that move are followed; a broker that was named is not left."""
    async with FakeCluster(2) as cluster:
        stage = Transactions(cluster)
        stage.known = {0: [producer(8, -1, 500, -1), producer(7)]}
        async with admin_of(cluster) as admin:
            await admin.describe_producers([WHERE])
            cluster.move("t", 0, 2)
            found = await admin.describe_producers([WHERE, TopicPartition("t", 1)])
            assert found == {
                WHERE: (
                    ProducerState(7, 2, 9, 1_000, 3, 5),
                    ProducerState(8, 2, 9, 500, None, None),
                ),
                TopicPartition("t", 1): (),
            }
            stage.codes["DescribeProducers"] = [int(ErrorCode.TOPIC_AUTHORIZATION_FAILED)]
            with pytest.raises(BrokerError, match="TOPIC_AUTHORIZATION_FAILED"):
                await admin.describe_producers([WHERE], broker_id=2)
            with pytest.raises(ConfigurationError, match="no broker 9"):
                await admin.describe_producers([WHERE], broker_id=9)


async def test_a_broker_that_does_not_lead_says_so() -> None:
    """The error is that of the broker, after the time of the call."""
    async with FakeCluster(2) as cluster:
        Transactions(cluster)
        cluster.move("t", 0, 2)
        async with Admin(
            bootstrap_servers=cluster.bootstrap, retry_backoff_ms=1, default_api_timeout_ms=50
        ) as admin:
            with pytest.raises(NotLeaderOrFollowerError):
                await admin.describe_producers([WHERE], broker_id=1)


async def test_a_fenced_producer_cannot_commit() -> None:
    """KIP-664: what it has open is aborted at once."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 1)
        transactions = FakeTransactions(cluster)
        async with producing(cluster, transactional_id="x") as one, admin_of(cluster) as admin:
            await one.begin_transaction()
            await one.send_and_wait("t", b"0")
            found = await admin.fence_producers(["x"])
            with pytest.raises(ProducerFencedError):
                await one.commit_transaction()
        known = transactions.of["x"]
        assert found == {"x": ProducerIdAndEpoch(known.producer_id, known.epoch)}
        assert transactions.visible == {}


async def test_a_marker_ends_one_partition_s_transaction() -> None:
    """TXN-42: with the epochs that the partition knows; leaders that move are followed."""
    async with FakeCluster() as cluster:
        stage = Transactions(cluster)
        stage.codes["WriteTxnMarkers"] = [int(ErrorCode.NOT_LEADER_OR_FOLLOWER)]
        async with admin_of(cluster) as admin:
            await admin.abort_transaction(WHERE, 7, 2, 3)
            await admin.abort_transaction(WHERE, 7, 2)
            stage.codes["WriteTxnMarkers"] = [int(ErrorCode.TRANSACTION_COORDINATOR_FENCED)]
            with pytest.raises(TransactionCoordinatorFencedError):
                await admin.abort_transaction(WHERE, 7, 2, 1)
        numbers = [
            (each.producer_id, each.producer_epoch, each.coordinator_epoch, each.transaction_result)
            for each in stage.markers
        ]
        assert numbers == [(7, 2, 3, False), (7, 2, 0, False)]


@pytest.mark.parametrize(
    ("known", "name"),
    [
        ({}, None),
        ({"x": state_of("x", 7)}, "x"),
        ({"x": state_of("x", 7, 1)}, "x"),
        ({"x": state_of("x", 70, 0)}, "x"),
    ],
)
async def test_a_transaction_that_no_coordinator_knows_hangs(
    known: dict[str, described.TransactionState], name: str | None
) -> None:
    """KIP-664: nobody has the producer, or not this transaction, or not in this partition."""
    async with FakeCluster() as cluster:
        FakeTransactions(cluster)
        stage = Transactions(cluster)
        stage.known = {0: [producer(7), producer(8, -1)]}
        stage.described = known
        rows = [row("x", 7)] if name else []
        stage.listed = {1: listed.ListTransactionsResponse(transaction_states=rows)}
        async with admin_of(cluster) as admin:
            found = await admin.find_hanging_transactions([WHERE])
        (only,) = found
        assert isinstance(only, HangingTransaction)
        assert (only.partition, only.producer.producer_id) == (WHERE, 7)
        assert only.transactional_id == name


async def test_a_transaction_that_is_alive_does_not_hang() -> None:
    """KIP-664: its coordinator has it, or its producer added to it a moment ago."""
    async with FakeCluster() as cluster:
        FakeTransactions(cluster)
        stage = Transactions(cluster)
        stage.known = {0: [producer(7)], 1: [producer(9, 5, 2**60)]}
        stage.described = {"x": state_of("x", 7, 0)}
        stage.listed = {1: listed.ListTransactionsResponse(transaction_states=[row("x", 7)])}
        async with admin_of(cluster) as admin:
            assert await admin.find_hanging_transactions() == []


async def test_a_transaction_that_ends_meanwhile_does_not_hang() -> None:
    """Between the question to the leader and that to the coordinator it was committed."""
    async with FakeCluster() as cluster:
        FakeTransactions(cluster)
        stage = Transactions(cluster)
        stage.known = {0: [producer(7)]}
        stage.described = {"x": state_of("x", 7)}
        stage.listed = {1: listed.ListTransactionsResponse(transaction_states=[row("x", 7)])}

        def ended(node: FakeNode, request: Message) -> None:
            del node
            if type(request).__name__ == "DescribeTransactionsRequest":
                stage.known = {}

        cluster.script = ended
        async with admin_of(cluster) as admin:
            assert await admin.find_hanging_transactions([WHERE]) == []

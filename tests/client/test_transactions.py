"""Goal: transactions are whole whatever coordinators and leaders answer, at both levels of
`transaction.version`."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.client import Outcome, Producer, RecordMetadata
from barnabas.client.errors import (
    AbortableTransactionError,
    BrokerError,
    ClientClosedError,
    ConfigurationError,
    FatalTransactionError,
    InvalidTransactionTimeoutError,
    ProducerFencedError,
    TransactionAbortedError,
    TransactionalIdAuthorizationError,
    TransactionsNotSupportedError,
    TransactionStateError,
)
from barnabas.protocol.errors import ErrorCode

from .fake_cluster import FakeCluster
from .fake_transactions import FakeTransactions
from .producing import producing
from .transacting import ID, LEVELS, outcome_of, stage

both = pytest.mark.parametrize("level", LEVELS)

LATER = (
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.CONCURRENT_TRANSACTIONS,
)
"""CLI-12: what is tried again, and nobody hears of."""

FATAL = (
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.PRODUCER_FENCED,
    ErrorCode.INVALID_TXN_STATE,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
    ErrorCode.UNKNOWN_SERVER_ERROR,
)
"""CLI-12: what ends a producer when a coordinator says it."""


PHASES = ((1, "AddPartitionsToTxn"), (1, "EndTxn"), (2, "EndTxn"))
"""Level, and what is asked of the coordinator at it."""


# ---------------------------------------------------------------- the way it should be


@both
async def test_a_transaction_commits_at_the_end_of_its_block(level: int) -> None:
    """KIP-98: its records are seen together, and not before the end."""
    async with stage(level) as s:
        async with s.producer.transaction() as txn:
            for number in range(4):
                await s.producer.send("t", b"%d" % number, partition=number % 2)
            await s.producer.flush()
            assert s.seen(0) == [], "nothing is seen before the commit"
            assert outcome_of(txn) is Outcome.OPEN
        assert outcome_of(txn) is Outcome.COMMITTED
        assert (s.seen(0), s.seen(1)) == ([b"0", b"2"], [b"1", b"3"])


@both
async def test_a_transaction_is_aborted_when_an_exception_leaves_it(level: int) -> None:
    """KIP-98: none of its records is seen, and the next transaction is as any."""
    async with stage(level) as s:
        sent: list[asyncio.Future[RecordMetadata]] = []
        txn = s.producer.transaction()
        with pytest.raises(LookupError):
            async with txn:
                sent.append(await s.producer.send("t", b"no", partition=0))
                await s.producer.flush()
                raise LookupError("the program")
        assert (await sent[0]).offset == 0, "it was stored"
        assert outcome_of(txn) is Outcome.ABORTED
        async with s.producer.transaction():
            await s.producer.send("t", b"yes", partition=0)
        assert s.seen() == [b"yes"]
        assert s.transactions.ends == ["abort", "commit"]


@both
async def test_records_that_wait_are_not_sent_when_it_is_aborted(level: int) -> None:
    """Their futures say why."""
    async with stage(level, linger_ms=60_000) as s:
        sent: list[asyncio.Future[RecordMetadata]] = []
        with pytest.raises(LookupError):
            async with s.producer.transaction():
                sent.append(await s.producer.send("t", b"no", partition=0))
                raise LookupError("the program")
        with pytest.raises(TransactionAbortedError):
            await sent[0]
        assert s.asked("Produce") == 0
        assert s.asked("EndTxn") == 0, "no coordinator knows of it"


@both
async def test_an_empty_transaction_asks_nobody(level: int) -> None:
    """A coordinator that knows of no transaction would refuse to end it (48)."""
    async with stage(level) as s:
        async with s.producer.transaction():
            pass
        assert s.asked("EndTxn") == 0


async def test_at_level_1_partitions_are_added_by_request() -> None:
    """KIP-98: and records go in a version of Produce that does not add them."""
    async with stage(1) as s:
        async with s.producer.transaction():
            await s.producer.send("t", b"0", partition=0)
            await s.producer.send("t", b"1", partition=1)
        assert s.asked("AddPartitionsToTxn") == 1, "both in one request"
        versions = {version for version, each in s.cluster.node.requests if each.API_KEY == 0}
        assert versions == {11}
        epochs = {each.producer_epoch for each in s.cluster.node.of("EndTxn")}
        assert epochs == {0}


async def test_at_level_2_brokers_add_them_and_each_transaction_has_its_epoch() -> None:
    """KIP-890: no requests to add, and the epoch of the answer is the next transaction's."""
    async with stage(2) as s:
        for number in range(3):
            async with s.producer.transaction():
                await s.producer.send("t", b"%d" % number, partition=0)
        assert s.asked("AddPartitionsToTxn") == 0
        assert [each.producer_epoch for each in s.cluster.node.of("EndTxn")] == [0, 1, 2]
        versions = {version for version, each in s.cluster.node.requests if each.API_KEY == 0}
        assert versions == {12}
        assert s.seen() == [b"0", b"1", b"2"]


async def test_the_level_counts_that_the_cluster_has_when_a_transaction_begins() -> None:
    """KIP-890: a broker that could, in a cluster that has not agreed on it, is asked as before."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        transactions = FakeTransactions(cluster, level=2)
        cluster.features["transaction.version"] = 1
        async with producing(cluster, transactional_id=ID) as producer:
            async with producer.transaction():
                await producer.send("t", b"0")
            assert cluster.node.count("AddPartitionsToTxn") == 1
            assert {v for v, each in cluster.node.requests if each.API_KEY == 26} == {4}
        assert transactions.visible["t", 0] == [b"0"]


@both
async def test_begin_commit_and_abort_as_calls(level: int) -> None:
    """For programs that do not keep to a block."""
    async with stage(level) as s:
        for value, is_commit in ((b"1", True), (b"2", False), (b"3", True)):
            await s.producer.begin_transaction()
            await s.producer.send("t", value, partition=0)
            if is_commit:
                await s.producer.commit_transaction()
            else:
                await s.producer.abort_transaction()
        assert s.seen() == [b"1", b"3"]


# ---------------------------------------------------------------- wrong calls


@both
async def test_calls_at_the_wrong_time_say_what_is_right(level: int) -> None:
    """Nothing changes by them."""
    async with stage(level) as s:
        with pytest.raises(TransactionStateError, match="no transaction is open"):
            await s.producer.send("t", b"0")
        with pytest.raises(TransactionStateError, match="no transaction is open"):
            await s.producer.commit_transaction()
        with pytest.raises(TransactionStateError, match="nothing to abort"):
            await s.producer.abort_transaction()
        async with s.producer.transaction():
            with pytest.raises(TransactionStateError, match="a transaction is open"):
                await s.producer.begin_transaction()
            await s.producer.send("t", b"0", partition=0)
        assert s.seen() == [b"0"]


async def test_a_producer_without_an_id_has_no_transactions() -> None:
    """The text names the option."""
    async with FakeCluster() as cluster, producing(cluster) as producer:
        with pytest.raises(ConfigurationError, match="transactional_id"):
            producer.transaction()
    stopped = Producer(transactional_id=ID)
    with pytest.raises(ClientClosedError):
        stopped.transaction()


# ---------------------------------------------------------------- start


@pytest.mark.parametrize("code", LATER)
async def test_start_waits_for_the_coordinator(code: ErrorCode) -> None:
    """CLI-12: in InitProducerId, 51 is the transaction of the producer before."""
    async with FakeCluster() as cluster:
        transactions = FakeTransactions(cluster)
        transactions.fail("InitProducerId", code, code)
        async with producing(cluster, transactional_id=ID):
            assert cluster.node.count("InitProducerId") == 3


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, TransactionalIdAuthorizationError),
        (ErrorCode.INVALID_TRANSACTION_TIMEOUT, InvalidTransactionTimeoutError),
    ],
)
async def test_start_raises_what_the_broker_said(
    code: ErrorCode, expected: type[BrokerError]
) -> None:
    """TXN-01: by its own class, and nothing stays open behind it."""
    async with FakeCluster() as cluster:
        FakeTransactions(cluster).fail("InitProducerId", code)
        with pytest.raises(expected):
            await Producer(bootstrap_servers=cluster.bootstrap, transactional_id=ID).start()


async def test_brokers_without_transactions_are_named() -> None:
    """The error is not that of groups, which have coordinators, too."""
    async with FakeCluster() as cluster:
        with pytest.raises(TransactionsNotSupportedError, match="'x'"):
            await Producer(bootstrap_servers=cluster.bootstrap, transactional_id=ID).start()


@both
async def test_a_new_producer_fences_the_one_before(level: int) -> None:
    """TXN-01: the older one cannot commit, says so by class, and can do nothing any more."""
    async with stage(level) as s:
        txn = s.producer.transaction()
        with pytest.raises(ProducerFencedError, match="another producer"):
            async with txn:
                await s.producer.send("t", b"old", partition=0)
                await s.producer.flush()
                async with (
                    producing(s.cluster, transactional_id=ID) as younger,
                    younger.transaction(),
                ):
                    await younger.send("t", b"new", partition=0)
        assert outcome_of(txn) is Outcome.UNKNOWN, "the coordinator speaks of the other one only"
        with pytest.raises(ProducerFencedError):
            await s.producer.begin_transaction()
        with pytest.raises(FatalTransactionError):
            await s.producer.send("t", b"more")
        assert s.seen() == [b"new"]


@both
async def test_a_fenced_producer_that_a_leader_finds_out_says_so_at_the_end(level: int) -> None:
    """TXN-51: the leader's 47 may be a timeout or a fence; the abort tells which."""
    async with stage(level) as s:
        with pytest.raises(ProducerFencedError):
            async with s.producer.transaction():
                await s.producer.send_and_wait("t", b"0", partition=0)
                s.transactions.fence(ID)
                await s.producer.send("t", b"1", partition=0)
        assert s.seen() == []


# ---------------------------------------------------------------- each code in each phase


@pytest.mark.parametrize("code", LATER)
@pytest.mark.parametrize(("level", "name"), PHASES)
async def test_what_will_be_better_soon_is_asked_again(
    level: int, name: str, code: ErrorCode
) -> None:
    """CLI-12: nobody hears of it."""
    async with stage(level) as s:
        s.transactions.fail(name, code, code)
        async with s.producer.transaction():
            await s.producer.send("t", b"0", partition=0)
        assert s.seen() == [b"0"]


@both
async def test_the_transaction_before_is_waited_for_in_small_steps(level: int) -> None:
    """CLI-13: its markers are there in a moment; the usual first wait would cost more than that."""
    async with stage(level, retry_backoff_ms=60_000, retry_backoff_max_ms=60_000) as s:
        s.transactions.fail("EndTxn", ErrorCode.CONCURRENT_TRANSACTIONS)
        async with asyncio.timeout(10), s.producer.transaction():
            await s.producer.send("t", b"0", partition=0)
        assert s.seen() == [b"0"]


@pytest.mark.parametrize("code", FATAL)
@pytest.mark.parametrize(("level", "name"), PHASES)
async def test_what_ends_a_producer_is_fatal(level: int, name: str, code: ErrorCode) -> None:
    """CLI-12: nothing of the transaction is seen, and each later call says the same."""
    async with stage(level) as s:
        s.transactions.fail(name, code)
        with pytest.raises(FatalTransactionError) as caught:
            async with s.producer.transaction():
                await s.producer.send("t", b"0", partition=0)
        is_fenced = code in (ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.PRODUCER_FENCED)
        assert isinstance(caught.value, ProducerFencedError) is is_fenced
        with pytest.raises(FatalTransactionError):
            await s.producer.begin_transaction()
        assert s.seen() == []


ABORTABLE_AT_LEADERS = (
    ErrorCode.INVALID_TXN_STATE,
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.TRANSACTION_ABORTABLE,
    ErrorCode.MESSAGE_TOO_LARGE,
    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
    ErrorCode.TOPIC_AUTHORIZATION_FAILED,
)


@pytest.mark.parametrize(
    ("level", "name", "code"),
    [
        (1, "AddPartitionsToTxn", ErrorCode.TOPIC_AUTHORIZATION_FAILED),
        (1, "AddPartitionsToTxn", ErrorCode.TRANSACTION_ABORTABLE),
        (1, "EndTxn", ErrorCode.TRANSACTION_ABORTABLE),
        (2, "EndTxn", ErrorCode.TRANSACTION_ABORTABLE),
        *[(level, "Produce", code) for level in LEVELS for code in ABORTABLE_AT_LEADERS],
    ],
)
async def test_after_an_abortable_error_the_producer_goes_on(
    level: int, name: str, code: ErrorCode
) -> None:
    """KIP-1050, KIP-360: commit is refused with the cause, the transaction is aborted, and the
    next one works."""
    async with stage(level) as s:
        s.transactions.fail(name, code)
        txn = s.producer.transaction()
        with pytest.raises(AbortableTransactionError) as caught:
            async with txn:
                await s.producer.send("t", b"no", partition=0)
        assert code.name in str(caught.value)
        assert outcome_of(txn) is Outcome.ABORTED
        for value in (b"1", b"2"):
            async with s.producer.transaction():
                await s.producer.send("t", value, partition=0)
        assert s.seen() == [b"1", b"2"]


@pytest.mark.parametrize("code", [ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_ID_MAPPING])
@both
async def test_what_a_leader_says_of_the_producer_is_fatal(level: int, code: ErrorCode) -> None:
    """CLI-12: on Produce, 49 and 90 are fatal, where 47 and 48 are not."""
    async with stage(level) as s:
        s.transactions.fail("Produce", code)
        with pytest.raises(FatalTransactionError):
            async with s.producer.transaction():
                await s.producer.send("t", b"0", partition=0)


@both
async def test_a_failed_transaction_takes_no_more_records(level: int) -> None:
    """The first call after the failure says so, and what waited fails at once, not in minutes."""
    async with stage(level) as s:
        s.transactions.fail("Produce", ErrorCode.MESSAGE_TOO_LARGE)
        with pytest.raises(LookupError):
            async with s.producer.transaction():
                sent = await s.producer.send("t", b"0", partition=0)
                with pytest.raises(BrokerError):
                    await sent
                with pytest.raises(AbortableTransactionError, match="MESSAGE_TOO_LARGE"):
                    await s.producer.send("t", b"1", partition=0)
                with pytest.raises(AbortableTransactionError, match="MESSAGE_TOO_LARGE"):
                    await s.producer.commit_transaction()
                raise LookupError("the program")
        assert s.transactions.ends in (["abort"], [])


async def test_partitions_beside_the_refused_one_are_not_blamed() -> None:
    """TXN-10: their code 55 says only that another one was refused."""
    async with stage(1) as s:
        s.transactions.fail("AddPartitionsToTxn", ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        with pytest.raises(AbortableTransactionError, match="TOPIC_AUTHORIZATION_FAILED"):
            async with s.producer.transaction():
                await s.producer.send("t", b"0", partition=0)
                await s.producer.send("t", b"1", partition=1)

"""I-17, I-24 and I-28 on answers and decisions that break them, and on some that do not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from barnabas.testing.simulation.checks.decisions import Decisions
from barnabas.testing.simulation.checks.fetches import Fetches
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.work import Work

from .stage import batch

CONSUMER = SimpleNamespace(replica_id=-1, needs_leader=False)
FOLLOWER = SimpleNamespace(replica_id=2, needs_leader=True)


class Broker:
    """One broker with one partition, whose answers are told to the checks."""

    def __init__(self) -> None:
        self.loop: Any = SimpleNamespace(now=100.0, violation=None, work=Work())
        self.bus = HookBus(cast(SimulatedLoop, self.loop))
        self.held_until_s = 0.0
        Decisions(self.bus)
        Fetches(self.bus, lambda _: self.held_until_s, late_ms=60.0)
        self.log = SimpleNamespace(
            high_watermark=5,
            log_start_offset=0,
            producers=SimpleNamespace(by_id={}),
        )
        self.partition = SimpleNamespace(
            topic="t", index=0, log=self.log, is_leader=True, hooks=None
        )
        self.target = SimpleNamespace(topic="t", partition=0, max_bytes=1000)
        self.session = SimpleNamespace(targets={("t", 0): self.target})
        self.is_hosted = True

    @property
    def rule(self) -> str:
        violation = self.loop.violation
        return "" if violation is None else str(violation.rule)

    def fetch(
        self,
        *rows: Any,
        is_incremental: bool = True,
        reader: Any = CONSUMER,
        session: bool = True,
        **fields: Any,
    ) -> str:
        """An answer with these rows leaves; what the checks say."""
        fetch = SimpleNamespace(
            session=self.session if session else None,
            session_id=7,
            is_incremental=is_incremental,
            targets=[self.target],
        )
        replicas = SimpleNamespace(get=lambda *_: self.partition if self.is_hosted else None)
        response = SimpleNamespace(
            responses=[SimpleNamespace(topic="t", topic_id=bytes(16), partitions=list(rows))]
        )
        told = {"max_bytes": 1000, "max_wait_ms": 500, "waited_ms": 3.0, **fields}
        self.bus.tell(
            "node-1", 1, "fetch-told", {
                "fetch": fetch, "response": response, "reader": reader, "replicas": replicas,
                **told,
            },
        )  # fmt: skip
        return self.rule


def row(high_watermark: int = 5, error_code: int = 0, records: bytes = b"") -> Any:
    return SimpleNamespace(
        partition_index=0,
        error_code=error_code,
        high_watermark=high_watermark,
        log_start_offset=0,
        records=records,
    )


@pytest.fixture
def broker() -> Broker:
    made = Broker()
    assert made.fetch(row(), is_incremental=False) == ""
    return made


# --- I-24 -------------------------------------------------------------------------------------


def test_i24_nothing_new_needs_no_row(broker: Broker) -> None:
    """I-24: what has not changed is told once."""
    assert broker.fetch() == ""


def test_i24_news_come_with_the_next_answer(broker: Broker) -> None:
    """I-24, 227-02: a watermark that moved meanwhile is told one answer later at the latest."""
    broker.log.high_watermark = 6
    assert broker.fetch() == ""
    assert broker.fetch(row(6)) == ""
    broker.log.high_watermark = 7
    assert broker.fetch() == ""
    assert broker.fetch() == "I-24"


def test_i24_a_lost_leadership_is_told(broker: Broker) -> None:
    """I-24: a follower hears of an error, although the watermark is as before."""
    assert broker.fetch(row(), is_incremental=False, reader=FOLLOWER) == ""
    broker.partition.is_leader = False
    assert broker.fetch(reader=FOLLOWER) == ""
    assert broker.fetch(reader=FOLLOWER) == "I-24"


def test_i24_an_error_that_has_passed_is_forgotten(broker: Broker) -> None:
    """I-24: after an error the partition is told again, or the error stays with the fetcher."""
    broker.is_hosted = False
    assert broker.fetch(row(-1, error_code=6)) == ""
    broker.is_hosted = True
    assert broker.fetch(row(5)) == ""


def test_i24_the_first_answer_tells_everything() -> None:
    """I-24: a session begins with all of its partitions."""
    assert Broker().fetch(is_incremental=False) == "I-24"


# --- I-28 -------------------------------------------------------------------------------------


def test_i28_one_batch_may_be_larger(broker: Broker) -> None:
    """I-28, 74-01: the first batch comes whatever its size; two batches do not."""
    one = batch(0)
    broker.target.max_bytes = len(one) - 1
    assert broker.fetch(row(records=one)) == ""
    assert broker.fetch(row(records=one + batch(1))) == "I-28"


def test_i28_a_wait_ends_in_its_time(broker: Broker) -> None:
    """I-28: a parked fetch ends 50 ms after its wait at the latest."""
    assert broker.fetch(waited_ms=540.0) == ""
    assert broker.fetch(waited_ms=600.0) == "I-28"


def test_i28_a_node_that_stood_still_is_late(broker: Broker) -> None:
    """I-28: the time counts while the node runs and its disk answers."""
    broker.held_until_s = 99.9
    assert broker.fetch(waited_ms=600.0) == ""


def test_i28_five_batches_of_a_producer(broker: Broker) -> None:
    """I-28, 98-02: no more than five batches are remembered."""
    entry = SimpleNamespace(producer_id=1, batches=[()] * 5)
    broker.log.producers.by_id[1] = entry
    broker.bus.tell("node-1", 1, "produce-acked", {"partition": broker.partition})
    assert broker.rule == ""
    entry.batches.append(())
    broker.bus.tell("node-1", 1, "produce-acked", {"partition": broker.partition})
    assert broker.rule == "I-28"


# --- I-17 -------------------------------------------------------------------------------------


def test_i17_a_decision_has_seen_all_before_it(broker: Broker) -> None:
    """I-17: nothing lies in the log between what a decision was made on and the decision."""
    broker.bus.tell("node-1", 1, "decided", {"records": [], "base_offset": 8, "seen_offset": 7})
    assert broker.rule == ""
    broker.bus.tell("node-1", 1, "decided", {"records": [], "base_offset": 9, "seen_offset": 7})
    assert broker.rule == "I-17"


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({}, ""),
        ({"leader_epoch": 2}, "I-17"),
        ({"isr_nodes": [1]}, "I-17"),
        ({"leader_id": 2}, "I-17"),
        ({"leader_id": -1, "error_code": 5}, ""),
    ],
)
def test_i17_an_answer_is_of_one_image(broker: Broker, change: dict[str, Any], rule: str) -> None:
    """I-17: rows of partitions say what the image says in which the brokers are."""
    known = SimpleNamespace(leader=1, leader_epoch=3, isr=(1, 2), replicas=(1, 2))
    image = SimpleNamespace(
        last_offset=9,
        brokers={1: SimpleNamespace(fenced=False), 2: SimpleNamespace(fenced=True)},
        topics_by_id={b"id": SimpleNamespace(name="t", partitions={0: known})},
    )
    told: dict[str, Any] = {
        "partition_index": 0, "error_code": 0, "leader_id": 1, "leader_epoch": 3,
        "isr_nodes": [1, 2], "replica_nodes": [1, 2],
    }  # fmt: skip
    topic = SimpleNamespace(
        name="t", topic_id=b"id", error_code=0, partitions=[SimpleNamespace(**told | change)]
    )
    response = SimpleNamespace(brokers=[SimpleNamespace(node_id=1)], topics=[topic])
    broker.bus.tell("node-1", 1, "metadata-told", {"image": image, "response": response})
    assert broker.rule == rule


class Named:
    """Answers of node 1, which name brokers; broker 2 is as the image says."""

    def __init__(self, broker: Broker) -> None:
        self._bus, self._loop = broker.bus, broker.loop
        self.two = SimpleNamespace(fenced=False, in_controlled_shutdown=False)
        one = SimpleNamespace(fenced=False, in_controlled_shutdown=False)
        self.image = SimpleNamespace(last_offset=9, brokers={1: one, 2: self.two})

    def applies(self, **change: bool) -> None:
        vars(self.two).update(change)
        self._bus.tell("node-1", 1, "metadata-applied", {"offset": 9, "image": self.image})

    def tells(self, *brokers: int, after_s: float = 0.0) -> None:
        self._loop.now += after_s
        named = [SimpleNamespace(node_id=number) for number in brokers]
        response = SimpleNamespace(brokers=named, topics=[])
        self._bus.tell("node-1", 1, "metadata-told", {"image": self.image, "response": response})


def test_i17_who_died_a_moment_ago_is_named(broker: Broker) -> None:
    """Decision 9: for nine seconds by the clock of the node, which may go slow, and a moment more
    for one that hears late."""
    named = Named(broker)
    named.applies()
    named.tells(1, 2)
    named.applies(fenced=True)
    named.tells(1, 2, after_s=0.05 + 9.0 / 0.95)
    named.tells(1)
    assert broker.rule == ""
    named.tells(1, 2, after_s=0.6)
    assert broker.rule == "I-17"


@pytest.mark.parametrize("brokers", [(1,), (1, 2, 3)])
def test_i17_brokers_of_an_older_image(broker: Broker, brokers: tuple[int, ...]) -> None:
    """I-17: one that is at work is named, one that is not registered is not."""
    named = Named(broker)
    named.applies()
    named.tells(*brokers)
    assert broker.rule == "I-17"


def test_i17_who_stopped_in_good_order_is_not_named(broker: Broker) -> None:
    """I-17: and who was fenced before this node began is not either."""
    named = Named(broker)
    named.applies()
    named.applies(in_controlled_shutdown=True)
    named.applies(fenced=True)
    named.tells(1)
    assert broker.rule == ""
    named.tells(1, 2)
    assert broker.rule == "I-17"

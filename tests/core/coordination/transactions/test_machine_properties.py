"""Any run of producers, failures, loads and markers: what must hold of every transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from kit.examples import examples
from kit.logs import ManualClock
from kit.transaction_shards import BEFORE, BUMPS, ID, CountedIds, TransactionShard

from barnabas.broker.core.coordination.machine import Producer, Record
from barnabas.broker.core.coordination.transactions.ending import complete
from barnabas.broker.core.coordination.transactions.stored import transaction_of
from barnabas.broker.core.coordination.transactions.surroundings import Ending
from barnabas.broker.core.coordination.transactions.transaction import (
    MAY_BECOME,
    State,
    Transaction,
)
from barnabas.protocol.errors import ErrorCode, KafkaError

PARTITIONS = [frozenset({("a", 0)}), frozenset({("a", 0), ("b", 3)})]


@dataclass
class Client:
    """A producer, as it believes to be."""

    version: int
    has: Producer | None = None
    is_open: bool = False
    """Partitions were added since its last end."""
    refused: list[ErrorCode] = field(default_factory=list)


class Transactions(RuleBasedStateMachine):
    """Three clients with one transactional id; answers count only once they are committed."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = ManualClock()
        self.ids = CountedIds()
        self.coordinator_epoch = 0
        self.shard = TransactionShard(self.ids, self.clock)
        self.clients = [Client(BUMPS), Client(BUMPS), Client(BEFORE)]
        self.owner: Client | None = None
        """Who was given the id last."""
        self.commits: set[tuple[int, int]] = set()
        """Producer id and epoch of the markers of commits that were answered."""
        self.seen = 0
        self.before: Transaction | None = None
        self.shard.shard.commits_at_once = False

    @initialize(epoch=st.sampled_from([None, 0, 32761, 32764]))
    def an_id_that_was_used_before(self, epoch: int | None) -> None:
        if epoch is not None:
            self.shard.put(Transaction(producer_id=9, epoch=epoch, timeout_ms=60_000, updated_ms=1))
            self.settle(fails=False)

    # --- requests -----------------------------------------------------------------------------

    def ask(self, client: Client, call: Callable[[], object]) -> object:
        """The answer, which does not count before `settle`; None if it is refused."""
        try:
            return call()
        except KafkaError as error:
            client.refused.append(error.code)
            if error.code is ErrorCode.INVALID_TXN_STATE:
                client.is_open = False
            return None

    @rule(number=st.integers(0, 2), says=st.booleans(), fails=st.booleans())
    def init(self, number: int, says: bool, fails: bool) -> None:
        client = self.clients[number]
        given = self.ask(client, lambda: self.shard.init(client.has if says else None))
        if not self.settle(fails=fails) or given is None:
            return
        if given.error is ErrorCode.NONE:  # type: ignore[attr-defined]  # a Given
            client.has = given.producer  # type: ignore[attr-defined]  # the same
            client.is_open = False
            self.owner = client

    @rule(number=st.integers(0, 2), which=st.integers(0, 1), fails=st.booleans())
    def add(self, number: int, which: int, fails: bool) -> None:
        client = self.clients[number]
        has = client.has
        if has is None:
            return
        added: list[bool] = []

        def call() -> None:
            self.shard.add(has, PARTITIONS[which], client.version)
            added.append(True)

        self.ask(client, call)
        if self.settle(fails=fails) and added:
            assert client is self.owner, "a zombie wrote"
            client.is_open = True

    @rule(number=st.integers(0, 2), is_commit=st.booleans(), fails=st.booleans())
    def end(self, number: int, is_commit: bool, fails: bool) -> None:
        client = self.clients[number]
        has = client.has
        if has is None:
            return
        following = self.ask(
            client, lambda: self.shard.end(has, is_commit=is_commit, version=client.version)
        )
        if not self.settle(fails=fails) or following is None:
            return
        assert isinstance(following, Producer)
        assert client is self.owner, "a zombie ended a transaction"
        if is_commit and client.is_open and client.version == BUMPS:
            self.commits.add((has.producer_id, has.epoch + 1))
        client.has = following
        client.is_open = False

    # --- what happens beside ------------------------------------------------------------------

    def settle(self, *, fails: bool) -> bool:
        """Commit what was decided, or take it back; whether it counts."""
        if fails:
            self.shard.shard.fail(ErrorCode.NOT_ENOUGH_REPLICAS)
            return False
        self.look_at_log()
        self.shard.shard.commit()
        return True

    @precondition(lambda self: self.shard.markers.under_way)
    @rule(fails=st.booleans())
    def markers_are_written(self, fails: bool) -> None:
        ending = self.shard.markers.under_way[ID]
        self.shard.write(lambda: complete(self.shard.transactions, ending))
        if self.settle(fails=fails):
            del self.shard.markers.under_way[ID]
            assert not self.shard.now.state.is_ending

    @rule(seconds=st.sampled_from([1, 30, 90]))
    def time_passes(self, seconds: int) -> None:
        self.shard.shard.timers.advance(seconds * 1000)
        self.settle(fails=False)

    @rule()
    def another_coordinator(self) -> None:
        """What is committed is loaded; everything else is gone."""
        log: list[Record] = self.shard.shard.log[: self.shard.shard.committed]
        self.coordinator_epoch += 1
        sent = self.shard.markers.sent
        self.shard = TransactionShard(
            self.ids, self.clock, log, coordinator_epoch=self.coordinator_epoch
        )
        self.shard.markers.sent = sent + self.shard.markers.sent
        self.shard.shard.commits_at_once = False
        self.settle(fails=False)

    # --- what must hold -----------------------------------------------------------------------

    def look_at_log(self) -> None:
        """Each record is a legal step from the one before (the diagram of states)."""
        log = self.shard.shard.log
        for record in log[self.seen :]:
            after = transaction_of(record)
            if self.before is not None:
                assert after.state in MAY_BECOME[self.before.state]
                same = after.producer_id == self.before.producer_id
                assert not same or after.epoch >= self.before.epoch
            self.before = after
        self.seen = len(log)

    @invariant()
    def no_answered_commit_is_aborted(self) -> None:
        """Markers of one producer id and epoch say one thing (TXN-55)."""
        for ending in self.shard.markers.sent:
            if (ending.producer_id, ending.epoch) in self.commits:
                assert ending.is_commit

    @invariant()
    def whoever_waits_for_markers_has_some_under_way(self) -> None:
        """No id stays in Prepare without anybody at work."""
        now = self.shard.transactions.by_id.get(ID)
        if now is not None and now.state.is_ending:
            assert ID in self.shard.markers.under_way
            assert self.shard.markers.under_way[ID].partitions == now.partitions

    @invariant()
    def epochs_are_within_bounds(self) -> None:
        now = self.shard.transactions.by_id.get(ID)
        if now is not None:
            assert 0 <= now.epoch <= 32767
            assert (now.state is State.ONGOING) == (ID in self.shard.transactions.ongoing)
        for client in self.clients:
            assert client.has is None or client.has.epoch <= 32766

    def teardown(self) -> None:
        """Every decision comes to its end once all markers are acknowledged."""
        self.settle(fails=False)
        for _ in range(2):
            for ending in list(self.shard.markers.under_way.values()):
                self.finish(ending)
        now = self.shard.transactions.by_id.get(ID)
        assert now is None or not now.state.is_ending

    def finish(self, ending: Ending) -> None:
        self.shard.write(lambda: complete(self.shard.transactions, ending))
        self.settle(fails=False)


TestTransactions = Transactions.TestCase
TestTransactions.__doc__ = (
    "Illegal steps never, zombies fenced, commits final, and Prepare is left (TXN-01, TXN-10, "
    "TXN-13, TXN-34, TXN-55)."
)
TestTransactions.settings = settings(
    max_examples=examples(30), stateful_step_count=40, deadline=None, derandomize=True
)

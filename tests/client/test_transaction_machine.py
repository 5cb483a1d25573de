"""Goal: whatever happens in whatever order, a transactional producer never claims what is not so.

Random walks over the steps of the machine, by fixed seeds: after each step its promises hold.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from barnabas.client import TopicPartition
from barnabas.client.errors import (
    AbortableTransactionError,
    FatalTransactionError,
    ProducerFencedError,
    TransactionError,
    TransactionStateError,
)
from barnabas.client.transactions.machine import (
    UNDER_WAY,
    Outcome,
    Phase,
    ProducerIdAndEpoch,
    TransactionMachine,
)

PARTITIONS = [TopicPartition("t", number) for number in range(3)]
STEPS = 300


class Walk:
    """One random walk; `history` is what an observer of coordinator and program may know."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.machine = TransactionMachine()
        self.machine.started(ProducerIdAndEpoch(7, 0))
        self.identities = [self.machine.identity]
        self.added: set[TopicPartition] = set()
        self.failed: set[int] = set()
        self.committed: set[int] = set()
        self.aborted: set[int] = set()

    def step(self) -> None:
        """One call, which the present phase allows or refuses."""
        often = [self.begin, self.send, self.add, self.tell, self.flush, self.commit, self.end]
        often.append(self.end_abort)
        seldom = [self.lose_track, self.reopen, self.fail, self.abort, self.prepare]
        steps: list[Callable[[], None]] = often * 6 + seldom
        if self.random.random() < 0.001:
            self.machine.die(ProducerFencedError("fenced"))
        chosen = self.random.choice(steps)
        before = self.machine.phase, self.machine.outcome, self.machine.number
        try:
            chosen()
        except TransactionError:
            assert before == (self.machine.phase, self.machine.outcome, self.machine.number), (
                f"{chosen.__name__} was refused in {before[0]} and changed something"
            )
        self.check()

    def begin(self) -> None:
        self.machine.begin(adds_implicitly=self.random.random() < 0.5)
        self.added = set()

    def send(self) -> None:
        self.machine.check_open("a record cannot be sent")
        partition = self.random.choice(PARTITIONS)
        if self.machine.is_added(partition):
            assert self.machine.adds_implicitly or partition in self.added, "TXN-51: 48 otherwise"
            self.machine.sent()
        else:
            assert partition in self.machine.wanted()

    def add(self) -> None:
        if self.machine.phase in (Phase.OPEN, Phase.FLUSHING) and self.machine.wanted():
            self.machine.sent()
            if self.random.random() < 0.8:
                self.added.update(self.machine.wanted())
                self.machine.added(self.machine.wanted())

    def tell(self) -> None:
        if self.machine.has_begun and self.machine.phase in (Phase.OPEN, Phase.FLUSHING):
            self.machine.told()

    def lose_track(self) -> None:
        if self.machine.phase in UNDER_WAY:
            self.machine.lost_track()
            self.fail()

    def flush(self) -> None:
        self.machine.flush()

    def reopen(self) -> None:
        self.machine.reopen()

    def commit(self) -> None:
        self.machine.commit()
        assert self.machine.number not in self.failed, "what failed is never committed"

    def prepare(self) -> None:
        self.machine.prepare()
        assert self.machine.number not in self.failed, "what failed is never handed over"

    def fail(self) -> None:
        if self.machine.phase in (Phase.OPEN, Phase.FLUSHING, Phase.COMMITTING):
            self.failed.add(self.machine.number)
        self.machine.fail(AbortableTransactionError("a reason"))

    def abort(self) -> None:
        was_told_to_commit = self.machine.phase is Phase.COMMITTING
        self.machine.abort()
        assert not was_told_to_commit, "the coordinator may have committed it"
        self.failed.add(self.machine.number)

    def end(self) -> None:
        if self.machine.phase is not Phase.COMMITTING:
            return
        self.machine.ended(self._next() if self.machine.adds_implicitly else None)
        self.committed.add(self.machine.number)

    def end_abort(self) -> None:
        machine = self.machine
        if machine.phase is not Phase.ABORTING:
            return
        if machine.has_begun:
            machine.aborted(self._next() if machine.adds_implicitly else None)
            assert not machine.has_begun
        if self.random.random() < 0.3:
            return  # no answer: the abort goes on later, where it was
        machine.ended(self._next() if machine.needs_epoch else None)
        self.aborted.add(machine.number)

    def _next(self) -> ProducerIdAndEpoch:
        producer_id, epoch = self.machine.identity
        return ProducerIdAndEpoch(producer_id, epoch + 1)

    def check(self) -> None:
        """What holds after every step."""
        machine = self.machine
        assert not self.committed & (self.failed | self.aborted)
        assert machine.identity >= self.identities[-1], "an identity never goes back (I-22)"
        self.identities.append(machine.identity)
        if machine.phase is Phase.READY:
            assert not machine.has_begun
            assert not machine.needs_epoch
            assert machine.error is None
            assert machine.wanted() == []
        if machine.outcome is Outcome.COMMITTED:
            assert machine.number in self.committed
        if machine.outcome is Outcome.ABORTED:
            assert machine.number not in self.committed
        if machine.phase is Phase.PREPARED:
            assert machine.outcome is Outcome.OPEN
            assert machine.number not in self.failed
            with pytest.raises(TransactionStateError):
                machine.check_open("a record cannot be sent")
        if machine.phase is Phase.COMMITTING:
            assert machine.outcome is Outcome.UNKNOWN
        if machine.phase is Phase.DEAD:
            assert isinstance(machine.refusal("x"), FatalTransactionError)


@pytest.mark.parametrize("seed", range(20))
def test_random_walks_keep_every_promise(seed: int) -> None:
    """KIP-98, KIP-360, KIP-890: no half transaction, no record outside of one, no epoch back."""
    walk = Walk(seed)
    for _ in range(STEPS):
        walk.step()


def test_walks_see_all_of_it() -> None:
    """The walks above would show nothing if they never came anywhere."""
    walks = [Walk(seed) for seed in range(20)]
    phases = set()
    for walk in walks:
        for _ in range(STEPS):
            walk.step()
            phases.add(walk.machine.phase)
    assert phases == set(Phase) - {Phase.NEW}
    assert sum(len(walk.committed) for walk in walks) > 20
    assert sum(len(walk.aborted) for walk in walks) > 20


def test_an_uncertain_transaction_needs_a_new_epoch_before_level_2() -> None:
    """KIP-360: what may still be on its way is fenced by the next epoch; at level 2 the end of the
    transaction brings that."""
    for adds_implicitly, expected in ((False, True), (True, False)):
        machine = TransactionMachine()
        machine.started(ProducerIdAndEpoch(7, 0))
        machine.begin(adds_implicitly=adds_implicitly)
        machine.sent()
        machine.abort()
        assert machine.has_begun
        machine.aborted(ProducerIdAndEpoch(7, 1) if adds_implicitly else None)
        assert machine.needs_epoch is expected
        assert not machine.has_begun, "asked once more, the coordinator would know nothing of it"


def test_refusals_say_what_may_be_done() -> None:
    """By class: at the wrong time, to be aborted, or over."""
    machine = TransactionMachine()
    assert isinstance(machine.refusal("x"), TransactionStateError)
    machine.started(ProducerIdAndEpoch(7, 0))
    machine.begin(adds_implicitly=False)
    cause = AbortableTransactionError("too large")
    machine.fail(cause)
    failed = machine.refusal("a record cannot be sent")
    assert isinstance(failed, AbortableTransactionError)
    assert failed.__cause__ is cause
    assert "too large" in str(failed)
    machine.die(ProducerFencedError("another one"))
    assert isinstance(machine.refusal("x"), ProducerFencedError)

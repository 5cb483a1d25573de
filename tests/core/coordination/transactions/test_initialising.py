"""InitProducerId: the table of TXN-01, row by row."""

from __future__ import annotations

import pytest
from kit.transaction_shards import BEFORE, BUMPS, ID, TransactionShard, code_of

from barnabas.broker.core.coordination.machine import Producer
from barnabas.broker.core.coordination.transactions.initialising import check_timeout
from barnabas.broker.core.coordination.transactions.transaction import State, Transaction
from barnabas.protocol.errors import ErrorCode

CONCURRENT = ErrorCode.CONCURRENT_TRANSACTIONS
FENCED = ErrorCode.PRODUCER_FENCED
PID = 7
NEW = 1000
"""The first id that the shard's source gives."""

AT_REST = (State.EMPTY, State.COMPLETE_COMMIT, State.COMPLETE_ABORT)
ENDING = (State.PREPARE_COMMIT, State.PREPARE_ABORT)


def shard_in(
    state: State,
    epoch: int = 5,
    *,
    last_epoch: int = -1,
    previous: int = PID,
    following: int = -1,
    version: int = BUMPS,
) -> TransactionShard:
    shard = TransactionShard()
    shard.put(
        Transaction(
            producer_id=PID,
            epoch=epoch,
            timeout_ms=1,
            updated_ms=1,
            state=state,
            last_epoch=last_epoch,
            previous_producer_id=previous,
            next_producer_id=following,
            client_version=version,
        )
    )
    return shard


@pytest.mark.parametrize("expected", [None, Producer(3, 4), Producer(PID, 32766)])
def test_an_unknown_id_gets_a_new_producer(expected: Producer | None) -> None:
    """New producer id, epoch 0, whatever the client believes to have (TXN-01)."""
    shard = TransactionShard()
    given = shard.init(expected)
    assert given.producer == Producer(NEW, 0)
    assert shard.now.state is State.EMPTY
    assert shard.now.timeout_ms == 60_000


ROWS = [
    # state, epoch, last epoch, what the client says, what it gets
    *((state, 5, -1, None, Producer(PID, 6)) for state in AT_REST),
    *((state, 5, -1, Producer(PID, 5), Producer(PID, 6)) for state in AT_REST),
    *((state, 5, 4, Producer(PID, 4), Producer(PID, 5)) for state in AT_REST),
    *((state, 5, 4, Producer(PID, 3), FENCED) for state in AT_REST),
    *((state, 5, -1, Producer(PID, 4), FENCED) for state in AT_REST),
    *((state, 5, 4, Producer(PID, 6), FENCED) for state in AT_REST),
    *((state, 5, 4, Producer(8, 5), FENCED) for state in AT_REST),
    *((state, 32765, -1, None, Producer(PID, 32766)) for state in AT_REST),
    *((state, 32766, -1, None, Producer(NEW, 0)) for state in AT_REST),
    *((state, 32767, -1, None, Producer(NEW, 0)) for state in AT_REST),
    *((state, 32766, -1, Producer(PID, 32766), Producer(NEW, 0)) for state in AT_REST),
    *((state, 32766, 32765, Producer(PID, 32765), Producer(PID, 32766)) for state in AT_REST),
    *((state, 32767, -1, Producer(PID, 32766), FENCED) for state in AT_REST),
    *((state, 32767, 32766, Producer(PID, 32766), FENCED) for state in AT_REST),
    *((state, 5, -1, None, CONCURRENT) for state in ENDING),
    *((state, 5, -1, Producer(PID, 5), CONCURRENT) for state in ENDING),
    *((state, 5, -1, Producer(8, 5), FENCED) for state in ENDING),
    (State.ONGOING, 5, -1, Producer(8, 5), FENCED),
    (State.ONGOING, 5, 4, Producer(PID, 4), FENCED),
]


@pytest.mark.parametrize(("state", "epoch", "last_epoch", "expected", "got"), ROWS)
def test_every_row(
    state: State, epoch: int, last_epoch: int, expected: Producer | None, got: object
) -> None:
    """Who gets which id and epoch, and who is fenced (TXN-01)."""
    shard = shard_in(state, epoch, last_epoch=last_epoch)
    if isinstance(got, ErrorCode):
        assert code_of(lambda: shard.init(expected)) is got
        assert shard.now.state is state
        assert not shard.markers.sent
        return
    assert isinstance(got, Producer)
    given = shard.init(expected)
    assert given.error is ErrorCode.NONE
    assert given.producer == got
    assert Producer(shard.now.producer_id, shard.now.epoch) == got
    assert shard.now.state is State.EMPTY
    assert not shard.now.partitions


def test_a_rotated_producer_may_ask_again() -> None:
    """The old pair gets the new one again if the answer was lost, once (TXN-01)."""
    shard = shard_in(State.EMPTY, 32766)
    given = shard.init(Producer(PID, 32766))
    assert shard.init(Producer(PID, 32766)) == given
    shard.init()
    assert code_of(lambda: shard.init(Producer(PID, 32766))) is FENCED


@pytest.mark.parametrize("version", [BEFORE, BUMPS])
@pytest.mark.parametrize("expected", [None, Producer(PID, 5)])
def test_an_open_transaction_is_aborted_first(version: int, expected: Producer | None) -> None:
    """One epoch fences, the answer is 51, and the next request gets the one after (TXN-03)."""
    shard = shard_in(State.ONGOING, version=version)
    assert shard.init(expected).error is CONCURRENT
    assert shard.now.state is State.PREPARE_ABORT
    assert shard.now.epoch == 6
    assert shard.markers.under_way[ID].epoch == 6
    assert not shard.markers.under_way[ID].is_commit
    assert code_of(shard.init) is CONCURRENT
    shard.complete()
    assert shard.init().producer == Producer(PID, 7)


def test_fencing_at_the_last_epoch_gives_another_id() -> None:
    """With an epoch for each transaction the next producer id comes with the fence (TXN-03)."""
    shard = shard_in(State.ONGOING, 32766)
    shard.init()
    assert (shard.now.epoch, shard.now.next_producer_id) == (32767, NEW)
    shard.complete()
    assert (shard.now.producer_id, shard.now.epoch) == (NEW, 0)
    assert shard.init().producer == Producer(NEW, 1)


def test_older_producers_are_fenced_at_the_last_epoch_too() -> None:
    """Without epoch bumps the id rotates with the next request (TXN-03)."""
    shard = shard_in(State.ONGOING, 32766, version=BEFORE)
    shard.init()
    shard.complete()
    assert (shard.now.producer_id, shard.now.epoch) == (PID, 32767)
    assert shard.init().producer == Producer(NEW, 0)


def test_a_fence_that_fails_uses_no_epoch_up() -> None:
    """Repeated failures leave the epoch where it was (TXN-03)."""
    shard = shard_in(State.ONGOING)
    shard.shard.commits_at_once = False
    for _ in range(3):
        shard.init()
        shard.shard.fail(ErrorCode.NOT_ENOUGH_REPLICAS)
        assert (shard.now.state, shard.now.epoch) == (State.ONGOING, 5)
    assert not shard.markers.sent
    shard.init()
    shard.shard.commit()
    assert shard.now.epoch == 6
    assert len(shard.markers.sent) == 1


def test_without_a_producer_id_at_hand_clients_wait() -> None:
    """14 until the next block of ids is here (TXN-04)."""
    shard = TransactionShard()
    shard.ids.left = 0
    assert code_of(shard.init) is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    shard.ids.left = 1
    assert shard.init().producer == Producer(NEW, 0)


def test_the_epoch_before_is_not_stored() -> None:
    """After a load a request that is sent again is fenced (REC-03)."""
    shard = shard_in(State.EMPTY)
    shard.init(Producer(PID, 5))
    assert shard.init(Producer(PID, 5)).producer == Producer(PID, 6)
    loaded = TransactionShard(log=shard.shard.log)
    assert code_of(lambda: loaded.init(Producer(PID, 5))) is FENCED


@pytest.mark.parametrize(("timeout_ms", "is_right"), [(-1, 0), (0, 0), (1, 1), (9, 1), (10, 0)])
def test_timeouts(timeout_ms: int, is_right: int) -> None:
    """50 below 1 ms and above `transaction.max.timeout.ms` (TXN-01)."""
    code = code_of(lambda: check_timeout(timeout_ms, 9))
    assert code is (ErrorCode.NONE if is_right else ErrorCode.INVALID_TRANSACTION_TIMEOUT)

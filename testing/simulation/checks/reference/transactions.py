"""Transactions: who may do what, how they end, what is loaded, what readers are told: TXN."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from barnabas.broker.core.coordination.groups.offsets.group_offsets import GroupOffsets
from barnabas.broker.core.coordination.groups.offsets.offset_table import OffsetTable
from barnabas.broker.core.coordination.transactions import ending, initialising, overdue, table
from barnabas.broker.core.coordination.transactions.transaction import State, Transaction
from barnabas.broker.core.coordination.transactions.transaction_machine import TransactionMachine
from barnabas.broker.core.log import aborted
from barnabas.broker.core.log.producers import Producers
from barnabas.broker.core.replication import end_markers
from barnabas.broker.handlers import add_partitions_to_txn
from barnabas.broker.server.coordinators.marker_sender import MarkerSender
from barnabas.protocol.errors import ErrorCode

from .comparing import Rule, Unsure, answer_of, refusal

EPOCH_MAX = 32767
"""Is given to nobody: the one that fences a producer whose epochs have run out."""

ENDINGS = {State.PREPARE_COMMIT: True, State.PREPARE_ABORT: False}
ENDED = {State.COMPLETE_COMMIT: True, State.COMPLETE_ABORT: False}


def ended(
    transactions: Any, transactional_id: str, producer: Any, is_commit: bool
) -> Generator[None, Any, None]:
    """TXN-13, from version 5 on: who may end it, and what it goes on with."""
    one = transactions.by_id.get(transactional_id)
    if one is None:
        yield
        return
    expected = _end_of(one, producer, is_commit=is_commit)
    found = yield
    if isinstance(found, ErrorCode) or isinstance(expected, ErrorCode):
        if found == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
            return  # no producer id is at hand
        assert found == expected, f"{producer} and {one}: it is {found!r}, should be {expected!r}"
    elif not isinstance(found, BaseException) and expected is not None:
        given = (found.answer.producer_id, found.answer.epoch)
        assert given == expected, f"{producer} and {one}: told is {given}, should be {expected}"


def _end_of(one: Any, producer: Any, *, is_commit: bool) -> Any:
    """The code of a refusal, or the pair to go on with; None: another producer id, whichever."""
    asks, has = (producer.producer_id, producer.epoch), (one.producer_id, one.epoch)
    is_again = asks == (has[0], has[1] - 1) or (
        asks == (one.previous_producer_id, EPOCH_MAX - 1) and one.epoch == 0 and asks[0] != has[0]
    )
    if asks != has and not is_again:
        if asks[0] == has[0]:
            return ErrorCode.PRODUCER_FENCED
        waits = one.state in ENDINGS and one.next_producer_id != -1
        is_next = waits and asks == (one.next_producer_id, 0)
        return (
            ErrorCode.CONCURRENT_TRANSACTIONS if is_next else ErrorCode.INVALID_PRODUCER_ID_MAPPING
        )
    if one.state in ENDINGS:
        is_same = not is_again or ENDINGS[one.state] == is_commit
        return ErrorCode.CONCURRENT_TRANSACTIONS if is_same else ErrorCode.INVALID_TXN_STATE
    if is_again:
        if one.state not in ENDED or one.epoch == EPOCH_MAX:
            return ErrorCode.PRODUCER_FENCED
        return has if ENDED[one.state] == is_commit else ErrorCode.INVALID_TXN_STATE
    if one.state is not State.ONGOING and is_commit:
        return ErrorCode.INVALID_TXN_STATE
    return (has[0], has[1] + 1) if has[1] < EPOCH_MAX - 1 else None


def taken_over(
    transactions: Any, transactional_id: str, current: Any, expected: Any
) -> Generator[None, Any, None]:
    """TXN-01: who takes an id has an epoch, or a producer id, that nobody had before."""
    del transactions, transactional_id
    given = yield
    if not isinstance(given, Transaction):
        return
    is_told_again = expected is not None and expected.epoch == current.last_epoch != current.epoch
    is_new = given.producer_id != current.producer_id or given.epoch > current.epoch
    is_same = (given.producer_id, given.epoch) == (current.producer_id, current.epoch)
    assert is_same if is_told_again else is_new, f"{current} is taken over by {given}"


def fenced_off(transactions: Any, transactional_id: str, answer: Any) -> Generator[None, Any, None]:
    """TXN-03: an abort against the producer leaves it without a valid epoch."""
    del answer
    before = transactions.by_id[transactional_id].epoch
    found = yield
    if not isinstance(found, BaseException | ErrorCode):
        after = found.records[0].value.producer_epoch
        assert after == min(before + 1, EPOCH_MAX), f"epoch {before} is fenced by {after}"


def overdue_now(transactions: Any, transactional_id: str) -> bool:
    """TXN-22: open for longer than its timeout."""
    one = transactions.by_id.get(transactional_id)
    if one is None or one.state != State.ONGOING:
        return False
    return bool(transactions.around.now_ms() - one.started_ms > one.timeout_ms)


def looked_for(transactions: Any) -> Generator[None, Any, None]:
    """TXN-22: it is looked again, and again."""
    yield
    assert transactions.around.timers.is_set("overdue"), "nobody will look again"


def loaded(machine: Any) -> Generator[None, Any, None]:
    """TXN-34, TXN-22: who has loaded sends the markers, and looks after time."""
    yield
    timers = machine.transactions.around.timers
    left = [key for key in ("markers", "overdue", "expired") if not timers.is_set(key)]
    assert not left, f"nothing is done about {left}"


def read_back(record: Any) -> Generator[None, Any, None]:
    """TXN-34: a record says the state, and all partitions."""
    value = record.value
    found = yield
    if not isinstance(found, Transaction) or value is None:
        return
    count = sum(len(one.partition_ids) for one in value.transaction_partitions or ())
    assert len(found.partitions) == count, f"{count} partitions were written, loaded is {found}"
    assert found.state == value.transaction_status, f"{value.transaction_status} is {found.state}"


def added(
    transaction: Any, partitions: frozenset[Any], client_version: int, now_ms: int
) -> Generator[None, Any, None]:
    """TXN-10: what was in the open transaction stays in it."""
    del client_version
    found = yield
    is_open = transaction.state is State.ONGOING
    expected = partitions | (transaction.partitions if is_open else frozenset())
    assert found.partitions == expected, f"{transaction} with {partitions} is {found}"
    started_ms = transaction.started_ms if is_open else now_ms
    assert found.started_ms == started_ms, f"began at {found.started_ms}, not {started_ms}"


def asked_to_add(
    transactions: Any,
    transactional_id: str,
    producer: Any,
    partitions: frozenset[Any],
    client_version: int,
) -> Generator[None, Any, None]:
    """TXN-10: only what is in the transaction already is not written."""
    del producer, client_version
    one = transactions.by_id.get(transactional_id)
    found = yield
    if one is not None and not isinstance(found, BaseException | ErrorCode):
        is_known = one.state is State.ONGOING and partitions <= one.partitions
        assert bool(found.records) != is_known, f"{partitions} come to {one}: {found.records}"


def marker_fits(partition: Any, marker: Any) -> None:
    """TXN-31: of a present coordinator, and of a present epoch."""
    entry = partition.log.producers.by_id.get(marker.producer_id)
    if entry is None:
        return
    if entry.coordinator_epoch > marker.coordinator_epoch:
        raise refusal(ErrorCode.TRANSACTION_COORDINATOR_FENCED)
    lowest = entry.epoch
    if marker.client_version >= 2 and entry.transaction_first_offset >= 0 and lowest != EPOCH_MAX:
        lowest += 1  # the epoch of the records is spent with them
    if marker.epoch < lowest:
        raise refusal(ErrorCode.INVALID_PRODUCER_EPOCH)


def begins(producers: Any, producer_id: int, epoch: int, first: int, last: int) -> bool:
    """TXN-50: the coordinator is asked before what opens a transaction."""
    entry = producers.by_id.get(producer_id)
    if entry is None or entry.epoch < epoch:
        return True
    if entry.epoch > epoch:
        return False
    if producer_id in producers.open_transactions().values():
        return False
    return not any(one[0] == last and (last - first) % (1 << 31) == one[2] for one in entry.batches)


def told(entries: list[Any], from_offset: int, upto_offset: int) -> tuple[list[Any], bool]:
    """98-06: every aborted transaction that has a record in the range, and its marker behind it."""
    needed = [
        one
        for one in entries
        if not (one.last_offset < from_offset or upto_offset <= one.first_offset)
    ]
    return needed, any(upto_offset <= one.last_stable_offset for one in entries)


def taken_over_by_a_cut(producers: Any, other: Any) -> Generator[None, Any, None]:
    """TXN-40: after a cut those transactions are open that the shorter log has open."""
    expected = sorted(
        one.transaction_first_offset
        for one in other.by_id.values()
        if one.transaction_first_offset >= 0
    )
    yield
    found = list(producers.open_transactions())
    assert found == expected, f"open are those that began at {found}, not at {expected}"


def all_told(sender: Any, one: Any) -> Generator[None, Any, None]:
    """TXN-34: a transaction is complete when no partition is left."""
    del sender
    left = set(one.left)
    yield
    assert not left, f"{one.ending.transactional_id} is complete, {left} left"


def codes_heard(sender: Any, one: Any, codes: Mapping[Any, Any]) -> Generator[None, Any, None]:
    """TXN-33: only a partition that has its marker is done."""
    del sender
    before = set(one.left)
    yield
    if not one.is_over:
        expected = before - {where for where, code in codes.items() if code == 0}
        gone = expected - one.left
        assert not gone, f"{gone} did not write the marker of {one.ending.transactional_id}"


def staged_ended(offsets: Any, producer: Any, *, is_commit: bool) -> Generator[None, Any, None]:
    """OFF-09: what was staged counts if it is committed, and nothing later was."""
    staged = offsets._staged.get(producer.producer_id)
    mine = dict(staged.items()) if staged is not None else {}
    before = {key: offsets.get(*key) for key in mine}
    yield
    for key, one in mine.items():
        known = before[key]
        is_newer = known is None or known.record_offset < one.record_offset
        expected = one if is_commit and is_newer else known
        assert offsets.get(*key) is expected, f"{key}: {offsets.get(*key)}, not {expected}"
    left = offsets._staged.get(producer.producer_id)
    assert left is None or not len(left), f"{left} is still undecided"


def offset_told(
    offsets: Any,
    group_id: str,
    partition: Any,
    topic_id: bytes | None,
    at: int,
    is_stable: bool,
) -> Any:
    """OFF-08: what an open transaction may change is not told to those who want it stable."""
    del topic_id, at
    openers = offsets.table._openers.get(group_id)
    if is_stable and openers is not None and openers.get(partition):
        return ErrorCode.UNSTABLE_OFFSET_COMMIT
    raise Unsure


def commit_allowed(
    offsets: Any, group_id: str, committer: Any, partitions: Any
) -> Generator[None, Any, None]:
    """TXN-54: of a transaction too, the group decides who may commit."""
    group = offsets._around.groups.get(group_id)
    expected = None if group is None else answer_of(group.check_commit, committer, partitions)
    found = yield
    if group is not None:
        assert found == expected, f"{committer}: it is {found!r}, the group says {expected!r}"


RULES = (
    Rule("TXN-13", ending, "_end_with_next_epoch", ended, is_after=True),
    Rule("TXN-01", initialising, "_bumped", taken_over, is_after=True),
    Rule("TXN-03", initialising, "fence_and_abort", fenced_off, is_after=True),
    Rule("TXN-22", overdue, "fence_and_abort", fenced_off, is_after=True),
    Rule("TXN-22", overdue, "_is_overdue", overdue_now),
    Rule("TXN-22", overdue, "_abort_overdue", looked_for, is_after=True),
    Rule("TXN-34", TransactionMachine, "on_loaded", loaded, is_after=True),
    Rule("TXN-34", table, "transaction_of", read_back, is_after=True),
    Rule("TXN-10", Transaction, "with_partitions", added, is_after=True),
    Rule("TXN-10", add_partitions_to_txn, "add_partitions", asked_to_add, is_after=True),
    Rule("TXN-31", end_markers, "_check_epochs", marker_fits),
    Rule("TXN-50", Producers, "begins_transaction", begins),
    Rule("98-06", aborted, "collect_aborted", told),
    Rule("TXN-40", Producers, "take_over", taken_over_by_a_cut, is_after=True),
    Rule("TXN-34", MarkerSender, "_all_told", all_told, is_after=True),
    Rule("TXN-33", MarkerSender, "_on_codes", codes_heard, is_after=True),
    Rule("OFF-09", OffsetTable, "end", staged_ended, is_after=True),
    Rule("OFF-08", GroupOffsets, "_fetch", offset_told),
    Rule("TXN-54", GroupOffsets, "_check_commit", commit_allowed, is_after=True),
)
"""All decisions that are compared with their rules."""

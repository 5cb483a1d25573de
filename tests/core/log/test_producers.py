"""Idempotent producers and transactions of a partition: 98-02 to 98-06."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from kit.examples import examples
from kit.log_batches import BASE_TIME, batch, marker
from kit.logs import SMALL, ManualClock, append, config_of, env_of, files_in, open_log

from barnabas.broker.core.log import open_log as opening
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.log.producer_entry import ProducerEntry
from barnabas.broker.core.log.producer_snapshots import decode_snapshot, encode_snapshot
from barnabas.broker.core.log.producers import fair_share
from barnabas.broker.core.replication.end_markers import EndMarker
from barnabas.protocol.errors import ErrorCode, KafkaError

PID = 1000
LAST = 2**31 - 1


def send(
    log: PartitionLog,
    sequence: int,
    count: int = 1,
    *,
    epoch: int = 0,
    pid: int = PID,
    txn: bool = False,
) -> tuple[int, int, bool]:
    """Append an idempotent batch: (base offset, last offset, duplicate)."""
    values = [b"x%d" % sequence] * count
    data = batch(
        *values, producer_id=pid, epoch=epoch, sequence=sequence, attributes=0x10 if txn else 0
    )
    result = append(log, data)
    return result.base_offset, result.last_offset, result.is_duplicate


def end(
    log: PartitionLog, pid: int = PID, *, commit: bool, epoch: int = 0, coordinator: int = 0
) -> int:
    """Append a marker; its offset."""
    data = marker(pid, epoch, commit=commit, coordinator_epoch=coordinator)
    return append(log, data, origin=Origin.COORDINATOR).base_offset


def refused(log: PartitionLog, sequence: int, count: int = 1, *, epoch: int = 0) -> ErrorCode:
    before = log.log_end_offset
    with pytest.raises(KafkaError) as raised:
        send(log, sequence, count, epoch=epoch)
    assert log.log_end_offset == before
    return raised.value.code


def test_a_repeated_batch_gets_its_first_answer(tmp_path: Path) -> None:
    """Goal: 98-02; exactly the last five batches are known, by their exact range of sequences."""
    log = open_log(tmp_path)
    answers = [send(log, number * 2, 2) for number in range(7)]
    end_offset = log.log_end_offset
    for number in range(2, 7):
        base, last, _ = answers[number]
        assert send(log, number * 2, 2) == (base, last, True)
    for number in range(2):
        assert refused(log, number * 2, 2) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert refused(log, 12, 1) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert refused(log, 13, 1) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert log.log_end_offset == end_offset


def test_the_first_answer_carries_the_first_append_time(tmp_path: Path) -> None:
    """Goal: 98-02; with LogAppendTime a retry gets the time of the first append, else none."""
    log = open_log(tmp_path, config_of(message_timestamp_type="LogAppendTime"))
    data = batch(producer_id=PID, epoch=0, sequence=0)
    first = append(log, bytearray(data), now_ms=BASE_TIME + 5)
    again = append(log, bytearray(data), now_ms=BASE_TIME + 99)
    assert first.append_time_ms == again.append_time_ms == BASE_TIME + 5
    assert (again.base_offset, again.is_duplicate) == (0, True)


def test_sequences_must_follow(tmp_path: Path) -> None:
    """Goal: 98-03; gaps are refused, an unknown producer may begin anywhere."""
    log = open_log(tmp_path)
    send(log, 41, 2)
    assert refused(log, 44) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 43)[0] == 2
    assert send(log, 0, pid=PID + 1)[0] == 3


def test_sequences_wrap(tmp_path: Path) -> None:
    """Goal: 98-03; after 2^31-1 comes 0, also within a batch, also for duplicates."""
    log = open_log(tmp_path)
    send(log, LAST - 1, 1)
    base, last, _ = send(log, LAST, 3)
    assert send(log, LAST, 3) == (base, last, True)
    assert refused(log, 0) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(log, 2)[2] is False


def test_epochs_fence(tmp_path: Path) -> None:
    """Goal: 98-03; a new epoch begins at 0, an older one is refused with 47."""
    log = open_log(tmp_path)
    send(log, 0)
    assert refused(log, 1, epoch=1) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    send(log, 0, epoch=1)
    assert refused(log, 1, epoch=0) == ErrorCode.INVALID_PRODUCER_EPOCH
    send(log, 1, epoch=1)


@pytest.mark.parametrize("clean", [True, False])
def test_state_survives_a_restart(tmp_path: Path, clean: bool) -> None:
    """Goal: 98-04; after a clean stop from the snapshot, after a kill from snapshot and log."""
    log = open_log(tmp_path)
    answer = (0, 0, False)
    for number in range(60):
        answer = send(log, number)
        send(log, number, pid=PID + number)
    log.close(clean=clean)
    again = open_log(tmp_path, clean=clean)
    assert send(again, 59) == (*answer[:2], True)
    assert refused(again, 61) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(again, 60)[2] is False
    assert len(again.producers.by_id) == 60


@pytest.mark.parametrize("retired", [True, False])
def test_producers_outlive_their_records(tmp_path: Path, retired: bool) -> None:
    """Goal: TXN-43, 98-04; all records were deleted, and a clean stop forgets nobody, whether the
    segments are gone too or nothing is read of them again."""
    log = open_log(tmp_path)
    answer = (0, 0, False)
    for number in range(30):
        answer = send(log, number)
    log.advance_log_start(log.log_end_offset)
    if retired:
        log.roll()
        log.retire_segments(BASE_TIME)
    log.close()
    end = answer[1] + 1
    assert f"{end:020d}.snapshot" in [path.name for path in files_in(tmp_path, ".snapshot")]
    again = open_log(tmp_path, clean=True, log_start_offset=end)
    assert (again.log_start_offset, again.log_end_offset) == (end, end)
    assert send(again, 29) == (*answer[:2], True)
    assert refused(again, 31) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(again, 30)[2] is False


def test_state_after_truncation(tmp_path: Path) -> None:
    """Goal: 98-04; what was cut off was never received."""
    log = open_log(tmp_path)
    for number in range(50):
        send(log, number)
    log.truncate_to(20)
    assert log.producers.by_id[PID].next_sequence == 20
    assert send(log, 20)[0] == 20


def test_expiry(tmp_path: Path) -> None:
    """Goal: 98-04; a silent producer is forgotten after a day, not while a transaction is open."""
    log = open_log(tmp_path)
    send(log, 5)
    send(log, 7, pid=PID + 1, txn=True)
    day = 86_400_000
    assert log.producers.remove_expired(BASE_TIME + day - 1) == 0
    assert log.producers.remove_expired(BASE_TIME + day) == 1
    assert send(log, 99)[2] is False
    log.close()
    later = env_of(clock=ManualClock(BASE_TIME + 5 * day))
    assert list(open_log(tmp_path, SMALL, later, clean=True).producers.by_id) == [PID + 1]


def test_a_marker_counts_as_a_sign_of_life(tmp_path: Path) -> None:
    """Goal: TXN-43; a day counts from the marker, not from the data that it ends."""
    log = open_log(tmp_path)
    send(log, 0, txn=True)
    day = 86_400_000
    assert log.producers.remove_expired(BASE_TIME + 2 * day) == 0
    data = EndMarker(PID, 1, coordinator_epoch=0, is_commit=True).batch(BASE_TIME + 2 * day)
    append(log, bytearray(data), now_ms=BASE_TIME + 2 * day, origin=Origin.COORDINATOR)
    assert log.producers.remove_expired(BASE_TIME + 3 * day - 1) == 0
    assert log.producers.remove_expired(BASE_TIME + 3 * day) == 1


def test_last_stable_offset_and_aborted_ranges(tmp_path: Path) -> None:
    """Goal: 98-06; the oldest open transaction holds back, aborted ones are named."""
    log = open_log(tmp_path)
    send(log, 0, pid=1)
    first, _, _ = send(log, 0, 2, pid=2, txn=True)
    second, _, _ = send(log, 0, pid=3, txn=True)
    assert log.last_stable_offset == first == 1
    abort = end(log, 3, commit=False)
    assert log.last_stable_offset == 1
    assert log.aborted_transactions(0, 100) == [(3, second)]
    commit = end(log, 2, commit=True)
    assert log.last_stable_offset == log.log_end_offset == commit + 1
    assert log.aborted_transactions(second, second + 1) == [(3, second)]
    assert log.aborted_transactions(0, second) == []
    assert log.aborted_transactions(abort + 1, 100) == []


def test_a_decided_transaction_holds_back_until_replicated(tmp_path: Path) -> None:
    """Goal: 98-06, TXN-40; the marker itself must be below the high watermark."""
    log = open_log(tmp_path)
    send(log, 0, pid=2, txn=True)
    view = memoryview(marker(2, 0, commit=True))
    log.append_batch(view, 0, len(view), 0, BASE_TIME, Origin.COORDINATOR)
    assert (log.high_watermark, log.last_stable_offset) == (1, 0)
    log.high_watermark = 2
    assert log.last_stable_offset == 2


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("commit", [True, False])
def test_it_holds_back_after_a_restart_too(tmp_path: Path, clean: bool, commit: bool) -> None:
    """98-06, TXN-40: a snapshot behind the marker does not know where its transaction began; nor
    does the one that a log begins from after it was cut."""
    log = open_log(tmp_path)
    send(log, 0, pid=3, txn=True)
    end(log, 3, commit=False)
    send(log, 0, pid=2, txn=True)
    at = end(log, 2, commit=commit)
    log.close(clean=clean)
    folder, env = str(tmp_path), env_of()
    again = opening.open_log(
        folder, env, SMALL, topic="t", partition=0, high_watermark=at, clean=clean
    )
    assert (again.high_watermark, again.last_stable_offset) == (at, 2)
    view = memoryview(batch(b"x", producer_id=4, epoch=0, sequence=0))
    again.append_batch(view, 0, len(view), 0, BASE_TIME)
    assert again.producers.map_end_offset == at + 1, "a cut begins at the snapshot there"
    again.truncate_to(at + 1)
    assert (again.log_end_offset, again.last_stable_offset) == (at + 1, 2)
    again.high_watermark = at + 1
    assert again.last_stable_offset == at + 1


def test_each_marker_must_be_replicated(tmp_path: Path) -> None:
    """TXN-40: of closed transactions too the oldest holds back, in whatever order they closed."""
    log = open_log(tmp_path)
    view = memoryview(marker(3, 0, commit=False))
    send(log, 0, pid=2, txn=True)
    send(log, 0, pid=3, txn=True)
    log.append_batch(view, 0, len(view), 0, BASE_TIME, Origin.COORDINATOR)
    view = memoryview(marker(2, 0, commit=True))
    log.append_batch(view, 0, len(view), 0, BASE_TIME, Origin.COORDINATOR)
    assert (log.high_watermark, log.last_stable_offset) == (2, 0)
    log.high_watermark = 3
    assert log.last_stable_offset == 0
    log.high_watermark = 4
    assert log.last_stable_offset == 4


def test_transaction_states(tmp_path: Path) -> None:
    """Goal: plain writes inside a transaction are refused; markers are fenced by both epochs."""
    log = open_log(tmp_path)
    send(log, 0, txn=True)
    assert refused(log, 1) == ErrorCode.INVALID_TXN_STATE
    send(log, 1, txn=True)
    with pytest.raises(KafkaError) as raised:
        end(log, commit=True, epoch=-1)
    assert raised.value.code == ErrorCode.INVALID_PRODUCER_EPOCH
    end(log, commit=True, coordinator=4)
    with pytest.raises(KafkaError) as raised:
        end(log, commit=True, coordinator=3)
    assert raised.value.code == ErrorCode.TRANSACTION_COORDINATOR_FENCED
    assert send(log, 2)[2] is False
    end(log, commit=True, epoch=1, coordinator=4)
    assert refused(log, 3) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert send(log, 0, epoch=1)[2] is False


@pytest.mark.parametrize("clean", [True, False])
def test_transactions_survive_a_restart(tmp_path: Path, clean: bool) -> None:
    """Goal: open transaction, aborted ranges and last stable offset are as before."""
    log = open_log(tmp_path)
    for number in range(40):
        send(log, number, pid=5, txn=True)
        if number % 4 == 3:
            end(log, 5, commit=number % 8 == 3)
    send(log, 0, pid=9, txn=True)
    send(log, 40, pid=5, txn=True)
    end(log, 5, commit=False)
    aborted = log.aborted_transactions(0, 1000)
    stable = log.last_stable_offset
    assert len(aborted) == 6
    assert len(log.segments) == 2
    log.close(clean=clean)
    again = open_log(tmp_path, clean=clean)
    assert again.last_stable_offset == stable
    assert again.aborted_transactions(0, 1000) == aborted
    assert again.producers.open_transactions() == {stable: 9}


def test_truncation_takes_aborted_entries_back(tmp_path: Path) -> None:
    """Goal: an entry whose marker was cut off is gone; its transaction is open again."""
    log = open_log(tmp_path)
    send(log, 0, txn=True)
    at = end(log, commit=False)
    send(log, 1)
    log.truncate_to(at)
    log.high_watermark = log.log_end_offset
    assert log.aborted_transactions(0, 100) == []
    assert log.last_stable_offset == 0
    assert end(log, commit=False) == at
    assert len(log.aborted_transactions(0, 100)) == 1


def test_truncation_takes_the_epoch_of_a_marker_back(tmp_path: Path) -> None:
    """Goal: 98-04; a marker may bring its producer an epoch without ending anything here."""
    log = open_log(tmp_path)
    send(log, 0)
    send(log, 1)
    assert log.read(0, 1000, 2)  # a follower has all up to here, where the log may be cut
    at = end(log, commit=False, epoch=1)
    log.high_watermark = at  # nobody has the marker
    assert refused(log, 2) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert log.try_truncate(at) is not None, "the producer's state is to be worked out anew"
    log.truncate_to(at)
    assert send(log, 1) == (1, 1, True)
    assert send(log, 2) == (2, 2, False)


def test_snapshots_kept(tmp_path: Path) -> None:
    """Goal: one at each segment's start and one at the end; strays go at the next start."""
    log = open_log(tmp_path)
    for number in range(60):
        send(log, number)
    bases = [segment.base_offset for segment in log.segments]
    log.close()
    assert [int(path.stem) for path in files_in(tmp_path, ".snapshot")] == [*bases[1:], 60]
    (tmp_path / f"{bases[1] + 1:020d}.snapshot").write_bytes(encode_snapshot([]))
    again = open_log(tmp_path, clean=True)
    assert [int(path.stem) for path in files_in(tmp_path, ".snapshot")] == [*bases[1:], 60]
    again.close()


def test_snapshot_bytes() -> None:
    """Goal: the layout of Kafka's ProducerSnapshot, version 1, with its checksum."""
    entry = ProducerEntry(7, 2, 3, BASE_TIME, 11)
    entry.batches.append((LAST, 40, 4, BASE_TIME))
    data = encode_snapshot([entry, ProducerEntry(8)])
    assert data[:2] == b"\0\1"
    assert len(data) == 10 + 2 * 46
    decoded = decode_snapshot(data)
    assert encode_snapshot(decoded) == data
    assert decoded[0].next_sequence == 0


@pytest.mark.parametrize("seed", range(examples(40)))
def test_a_damaged_transaction_index(tmp_path: Path, seed: int) -> None:
    """Goal: P-15, 98-06; one flipped bit neither hides committed records nor shows aborted ones."""
    random = Random(seed)
    log = open_log(tmp_path)
    for number in range(30):
        send(log, number // 2, pid=5 + number % 2, txn=True)
        if number % 3 == 2:
            end(log, 5, commit=number % 2 == 0)
            end(log, 6, commit=number % 4 == 1)
    ranges = [(start, start + 7) for start in range(0, log.log_end_offset, 3)]
    answers = [log.aborted_transactions(*between) for between in ranges]
    assert any(answers)
    log.close(clean=True)
    path = random.choice(files_in(tmp_path, ".txnindex"))
    data = bytearray(path.read_bytes())
    at = random.randrange(len(data))
    data[at] ^= 1 << random.randrange(8)
    path.write_bytes(data)
    again = open_log(tmp_path, clean=True)
    assert [again.aborted_transactions(*between) for between in ranges] == answers
    again.close(clean=False)


def test_the_most_silent_producers_make_way(tmp_path: Path) -> None:
    """98-04: those that wrote last are kept; who is in a transaction stays; who is gone is new."""
    log = open_log(tmp_path)
    for pid in range(10):
        send(log, 0, pid=pid, txn=pid == 1)
    send(log, 1, pid=0)
    assert log.producers.keep_latest(4) == 6
    assert sorted(log.producers.by_id) == [0, 1, 8, 9]
    assert log.producers.keep_latest(4) == 0
    assert send(log, 1, pid=0)[2], "a retry is still recognised"
    assert not send(log, 0, pid=5)[2]


def test_a_fair_share_takes_from_who_has_most() -> None:
    """Goal: what is left of a limit is shared by those that have more than that."""
    assert fair_share([1, 2, 3], 6) == 6
    assert fair_share([1, 2, 300], 103) == 100
    assert fair_share([50, 1, 300], 101) == 50
    assert fair_share([10, 10], 10) == 5
    for counts in ([5, 5, 5], [0, 1, 99], [7]):
        share = fair_share(counts, 9)
        assert sum(min(count, share) for count in counts) <= 9

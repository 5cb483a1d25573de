"""A copy of a replica in another directory takes its place with all that the replica knew."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.compacting import COMPACTED, compact, keyed, table_of
from kit.log_batches import batch, marker
from kit.logs import append, config_of, read_all
from kit.replica_stores import FIRST_ID, Local, topic

from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.reads import CHANGED, finish, unless_changed
from barnabas.broker.core.replication import future_replica
from barnabas.broker.core.replication.future_replica import FutureReplica
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.broker.core.replication.truncation import Restart, Truncation
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord


def filled(tmp_path: Path) -> Local:
    """A partition with an aborted transaction, an open one, and an idempotent producer."""
    local = Local(tmp_path / "a", tmp_path / "b")
    local.apply(*topic(replicas=[1], isr=[1]))
    log = local.partition().log
    append(log, batch(b"plain"))
    append(log, batch(b"gone", producer_id=7, epoch=0, sequence=0, attributes=16))
    append(log, marker(7, 0, commit=False), origin=Origin.COORDINATOR)
    append(log, batch(b"once", producer_id=8, epoch=0, sequence=0))
    append(log, batch(b"open", producer_id=9, epoch=0, sequence=0, attributes=16))
    return local


def begun(local: Local) -> FutureReplica:
    partition = local.partition()
    source = local.store.directory_of(partition)
    (target,) = [one for one in local.directories if one is not source]
    local.store.moves.begin(partition, source, target)
    move = local.store.moves.of(partition)
    assert move is not None
    return move


def copy_all(move: FutureReplica) -> None:
    assert move.divergence() is None
    while move.lag:
        move.append(finish(move.reading()))  # type: ignore[arg-type]  # nothing is lent
    move.follow_offsets()


def replaced(local: Local, move: FutureReplica) -> None:
    move.log.flush()
    assert move.may_replace
    local.store.moves.replace(move)


def test_transactions_and_producers_go_with_it(tmp_path: Path) -> None:
    """KIP-113, 98-02, 98-06: aborted ones are known, open ones open, repeated batches told."""
    local = filled(tmp_path)
    partition = local.partition()
    former = partition.log
    move = begun(local)
    copy_all(move)
    replaced(local, move)
    log = partition.log
    assert log is move.log
    assert read_all(log) == read_all(former)
    assert log.aborted_transactions(0, 10) == [(7, 1)]
    assert (log.last_stable_offset, log.high_watermark) == (4, 5)
    assert append(log, batch(b"once", producer_id=8, epoch=0, sequence=0)).base_offset == 3
    assert log.leader_epochs.entries() == former.leader_epochs.entries()
    assert Path(log.directory) == tmp_path / "b" / "t-0"
    assert former.directory.endswith("-delete")
    append(log, marker(9, 0, commit=True), origin=Origin.COORDINATOR)
    partition.advance(log.log_end_offset)
    assert log.last_stable_offset == log.log_end_offset


def test_an_epoch_without_records_goes_with_it(tmp_path: Path) -> None:
    """101-01: followers ask the leader about it."""
    local = filled(tmp_path)
    partition = local.partition()
    move = begun(local)
    copy_all(move)
    partition.log.assign_epoch(6)
    replaced(local, move)
    assert partition.log.end_offset_for_epoch(6) == (6, 5)


def test_a_search_that_began_before_does_not_go_on(tmp_path: Path) -> None:
    """KIP-113: what is read of the former log beside the exchange is dropped."""
    local = filled(tmp_path)
    partition = local.partition()
    former = partition.log
    steps = unless_changed(former.reader.finding(0, 1000, 5), lambda: partition.log.reader.changes)
    next(steps)
    move = begun(local)
    copy_all(move)
    replaced(local, move)
    assert partition.log.reader.changes == former.reader.changes
    with pytest.raises(StopIteration) as end:
        steps.send(b"")
    assert end.value.value is CHANGED


def test_what_was_truncated_goes_from_the_copy(tmp_path: Path) -> None:
    """KIP-113, 279-01: as far as leader epochs say that both logs are one."""
    local = filled(tmp_path)
    partition = local.partition()
    move = begun(local)
    copy_all(move)
    partition.log.high_watermark = 3
    partition.log.truncate_to(3)
    append(partition.log, batch(b"other"), leader_epoch=4)
    assert move.divergence() == Truncation(3, is_complete=True)
    move.log.truncate_to(3)
    copy_all(move)
    replaced(local, move)
    assert [len(one) for one in read_all(partition.log)] == [len(one) for one in read_all(move.log)]
    assert partition.log.leader_epochs.entries() == [(0, 0), (4, 3)]


def test_a_log_that_begins_inside_a_batch(tmp_path: Path) -> None:
    """KIP-107: the copy has the whole batch, and begins where the replica's log does."""
    local = Local(tmp_path / "a", tmp_path / "b")
    local.apply(*topic(replicas=[1], isr=[1]))
    log = local.partition().log
    append(log, batch(b"1", b"2", b"3"))
    append(log, batch(b"4"))
    log.advance_log_start(2)
    move = begun(local)
    assert move.divergence() == Restart(2)
    move.log.truncate_fully_and_start_at(2)
    copy_all(move)
    replaced(local, move)
    assert (local.partition().log.log_start_offset, len(read_all(move.log))) == (2, 2)


def test_compaction_rests_and_its_holes_are_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KIP-113, CMP-15: a copy of a compacted log is opened after a crash as it was."""
    monkeypatch.setattr(future_replica, "PIECE_BYTES", 400)
    local = Local(tmp_path / "a", tmp_path / "b")
    local.apply(*topic(replicas=[1], isr=[1]))
    log = local.partition().log
    log.update_config(COMPACTED)
    for number in range(30):
        append(log, keyed((b"k%d" % (number % 3), b"%d" % number * 9)))
    log.roll()
    append(log, keyed((b"last", b"1")))
    log.flush()
    compact(log)
    source = local.directories[0]
    source.cleaner_write().run()
    source.checkpoint_write().run()
    clean_end, table = log.compaction.clean_end, table_of(log)
    assert clean_end is not None
    move = begun(local)
    assert not log.compaction.may_be_due(log.log_end_offset, log.log_end_offset)
    move.target.cleaner_write().run()
    move.target.checkpoint_write().run()
    copy_all(move)
    again = Local(tmp_path / "a", tmp_path / "b")  # nothing was closed
    again.image = local.image
    LogLoader(again.store).load(again.image)
    (going_on,) = again.store.moves
    assert going_on.log.log_end_offset == move.log.log_end_offset
    assert table_of(going_on.log) == table
    copy_all(going_on)
    replaced(again, going_on)
    assert going_on.log.compaction.clean_end == clean_end
    assert not going_on.log.compaction.is_paused


def test_settings_of_the_topic_go_with_it(tmp_path: Path) -> None:
    """KIP-113: the copy obeys what was set while it was made."""
    local = filled(tmp_path)
    move = begun(local)
    copy_all(move)
    local.partition().configure(config_of(max_message_bytes=77))
    replaced(local, move)
    assert local.partition().log.rules.max_message_bytes == 77


def test_a_copy_that_was_left_goes_with_its_topic(tmp_path: Path) -> None:
    """KIP-113: given up since a disk failed; a new topic of that name may be in its directory."""
    local = filled(tmp_path)
    move = begun(local)
    assert local.store.moves.leave(local.partition()) is move
    assert move.key in move.target.futures
    local.apply(RemoveTopicRecord(topic_id=FIRST_ID))
    assert move.target.all_logs() == {}
    assert [one.name for one in (tmp_path / "b").glob("*-future")] == []
    move.source.failures.append(LogDirectoryFailure("a", "writing", OSError(5, "planted")))
    local.apply(*topic(b"\x02" * 16, replicas=[1], isr=[1]))
    assert local.store.directory_of(local.partition()) is move.target

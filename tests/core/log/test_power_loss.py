"""Random lives of a log on a disk that loses power, forgets unsynced writes and tears the last."""

from __future__ import annotations

from random import Random

import pytest
from kit.examples import examples
from kit.log_batches import BASE_TIME, batch, marker
from kit.logs import append, config_of, env_of, offsets_of, open_log, read_all

from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.testing.simulation.disk import SimulatedDisk

CONFIG = config_of(internal_segment_bytes=900, index_interval_bytes=150)


class Life:
    """One log over several crashes; the model is what was written and how far it was flushed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.disk = SimulatedDisk(Random(seed + 1))
        self.disk.make_directory("/d")
        self.written: list[bytes] = []
        self.flushed = 0
        self.checkpoint = 0
        self.sequence = 0
        self.epoch = 0
        self.log: PartitionLog = self.open()
        self.log.flush()  # the folder and its first segment have a name from here on

    def open(self) -> PartitionLog:
        return open_log("/d/t-0", CONFIG, env_of(self.disk), recovery_point=self.checkpoint)

    def append(self) -> None:
        if self.random.random() < 0.1:
            self.epoch += 1
        values = [self.random.randbytes(self.random.randrange(60))] * self.random.randint(1, 3)
        data = batch(
            *values,
            producer_id=1,
            epoch=0,
            sequence=self.sequence,
            timestamp=BASE_TIME + self.random.randrange(1000),
        )
        append(self.log, data, leader_epoch=self.epoch)
        self.sequence += len(values)
        self.written.append(bytes(self.log.read(self.log.log_end_offset - 1, 1, 1 << 40)))

    def flush(self) -> None:
        self.log.flush()
        self.flushed = self.log.log_end_offset
        if self.random.random() < 0.5:
            self.checkpoint = self.log.recovery_point

    def lose_power(self) -> None:
        self.disk.lose_power()
        self.log = self.open()
        kept = read_all(self.log)
        assert kept == self.written[: len(kept)], "recovery invented or changed a batch"
        end = offsets_of(kept[-1])[1] + 1 if kept else 0
        assert self.log.log_end_offset == end
        assert end >= self.flushed, "a flushed batch was lost"
        self.check_state(kept)
        self.written = kept
        self.flushed = 0 if self.checkpoint == 0 else self.checkpoint
        self.log.flush()
        self.flushed = self.log.log_end_offset

    def check_state(self, kept: list[bytes]) -> None:
        entry = self.log.producers.by_id.get(1)
        self.sequence = self.log.log_end_offset
        assert (entry.next_sequence if entry else 0) == self.sequence
        epochs: list[tuple[int, int]] = []
        for raw in kept:
            epoch = int.from_bytes(raw[12:16], "big")
            if not epochs or epochs[-1][0] != epoch:
                epochs.append((epoch, offsets_of(raw)[0]))
        assert self.log.leader_epochs.entries() == epochs
        self.epoch = epochs[-1][0] if epochs else 0


@pytest.mark.parametrize("seed", range(examples(40)))
def test_flushed_records_survive_power_loss(seed: int) -> None:
    """Goal: I-5 for one log; what was flushed is there, what is there is what was written."""
    life = Life(seed)
    for _ in range(6):
        for _ in range(life.random.randrange(40)):
            if life.random.random() < 0.1:
                life.flush()
            else:
                life.append()
        life.lose_power()


@pytest.mark.parametrize("count", [1, 2, 30])
@pytest.mark.parametrize("seed", range(examples(40)))
def test_what_was_cut_does_not_come_back(seed: int, count: int) -> None:
    """I-2: segments behind a truncation are gone for good with the next flush."""
    random = Random(seed)
    disk = SimulatedDisk(Random(seed))
    log = open_log("/d/t-0", CONFIG, env_of(disk))
    for sequence in range(40):
        append(log, batch(b"x" * 90, producer_id=1, epoch=0, sequence=sequence))
    log.flush()
    assert len(log.segments) > 4
    log.truncate_to(random.randrange(1, 30))
    for sequence in range(count):
        append(log, batch(b"y" * 20, producer_id=2, epoch=0, sequence=sequence))
    log.flush()
    kept = read_all(log)
    states = {one: it.next_sequence for one, it in log.producers.by_id.items()}
    disk.lose_power()
    again = open_log("/d/t-0", CONFIG, env_of(disk), recovery_point=log.recovery_point)
    assert read_all(again) == kept
    assert {one: it.next_sequence for one, it in again.producers.by_id.items()} == states


def written(log: PartitionLog, count: int, epoch: int, *, rolling: bool = False) -> None:
    """Append records of one size, each in a segment of its own if `rolling`."""
    for _ in range(count):
        append(log, batch(bytes([epoch]) * 40), leader_epoch=epoch)
        if rolling:
            log.roll()


def flushed(disk: SimulatedDisk, count: int, *, rolling: bool = False) -> PartitionLog:
    """A log of so many records of epoch 0, all durable."""
    log = open_log("/d/t-0", CONFIG, env_of(disk))
    written(log, count, epoch=0, rolling=rolling)
    log.flush()
    return log


def after_power_loss(disk: SimulatedDisk, log: PartitionLog) -> list[int]:
    """Epochs of the records that are left."""
    disk.lose_power()
    again = open_log("/d/t-0", CONFIG, env_of(disk), recovery_point=log.recovery_point)
    kept = read_all(again)
    assert [offsets_of(raw)[0] for raw in kept] == list(range(len(kept)))
    epochs = [int.from_bytes(raw[12:16], "big") for raw in kept]
    assert [again.leader_epochs.epoch_of(offset) for offset in range(len(kept))] == epochs
    return epochs


@pytest.mark.parametrize("seed", range(examples(20)))
def test_a_segment_is_begun_behind_a_torn_one(seed: int) -> None:
    """I-2: the next flush also makes durable that recovery has cut the segment before."""
    disk = SimulatedDisk(Random(seed))
    log = open_log("/d/t-0", CONFIG, env_of(disk))
    written(log, 3, epoch=0)
    whole = b"".join(read_all(log))
    disk.put_back({f"/d/t-0/{0:020d}.log": whole + whole[:50]})
    log = open_log("/d/t-0", CONFIG, env_of(disk), recovery_point=3)
    log.roll()
    written(log, 2, epoch=1)
    log.flush()
    assert after_power_loss(disk, log) == [0, 0, 0, 1, 1]
    assert disk.read_file(f"/d/t-0/{0:020d}.log") == whole


@pytest.mark.parametrize("seed", range(examples(60)))
def test_a_segment_is_begun_behind_a_cut(seed: int) -> None:
    """I-2: the old tail does not come back before it."""
    disk = SimulatedDisk(Random(seed))
    log = flushed(disk, 6)
    log.truncate_to(3)
    written(log, 3, epoch=1)
    log.roll()
    written(log, 3, epoch=1)
    left = after_power_loss(disk, log)
    assert left in [[0, 0, 0] + [1] * new for new in range(7)] or left == [0] * len(left)


@pytest.mark.parametrize("seed", range(examples(60)))
def test_segments_of_the_same_names(seed: int) -> None:
    """I-2: what came instead of segments that were cut off is not mixed with them."""
    disk = SimulatedDisk(Random(seed))
    log = flushed(disk, 6, rolling=True)
    log.truncate_to(2)
    log.roll()
    written(log, 4, epoch=1, rolling=True)
    left = after_power_loss(disk, log)
    assert left in [[0] * 6, *([0, 0] + [1] * new for new in range(5))] or left == [0] * len(left)


@pytest.mark.parametrize("seed", range(examples(60)))
def test_a_segment_grows_where_the_next_was_cut_off(seed: int) -> None:
    """I-2: the next one may be back, and the recovery point is where it begins."""
    disk = SimulatedDisk(Random(seed))
    log = flushed(disk, 4, rolling=True)
    log.truncate_to(2)
    assert (log.recovery_point, len(log.segments)) == (2, 2)
    written(log, 3, epoch=1)
    left = after_power_loss(disk, log)
    assert left in [[0, 0] + [1] * new for new in range(4)] or left == [0] * len(left)


@pytest.mark.parametrize("seed", range(examples(8)))
def test_a_folder_lasts_from_the_first_flush_on(seed: int) -> None:
    """I-5: the name of a new log's folder is made durable too, where the folder lies."""
    disk = SimulatedDisk(Random(seed), forgets_directories=True)
    disk.set_up_directory("/d")
    log = open_log("/d/t-0", CONFIG, env_of(disk))
    written(log, 3, epoch=0)
    log.flush()
    assert len(after_power_loss(disk, log)) == 3


def test_a_hole_inside_a_segment() -> None:
    """I-2: a later record survived, an earlier one did not; only compaction leaves such holes."""
    disk = SimulatedDisk(Random(1))
    log = open_log("/d/t-0", CONFIG, env_of(disk))
    written(log, 5, epoch=0)
    whole = read_all(log)
    disk.put_back({f"/d/t-0/{0:020d}.log": b"".join([*whole[:3], *whole[4:]])})
    compacted = config_of(cleanup_policy=("compact",))
    assert len(read_all(open_log("/d/t-0", compacted, env_of(disk)))) == 4
    again = open_log("/d/t-0", CONFIG, env_of(disk))
    assert read_all(again) == whole[:3]
    assert "offsets 3 to 3 before it are lost" in str(again.report)


def test_epochs_as_the_batches_have_them() -> None:
    """101-01: the file is of before a cut and says that an epoch began later than it does now."""
    disk = SimulatedDisk(Random(1))
    log = open_log("/d/t-0", CONFIG, env_of(disk))
    written(log, 3, epoch=0)
    written(log, 3, epoch=1)
    files = disk.copy() | {"/d/t-0/leader-epoch-checkpoint": b"0\n2\n0 0\n1 5\n"}
    disk.put_back(files)
    assert open_log("/d/t-0", CONFIG, env_of(disk)).leader_epochs.entries() == [(0, 0), (1, 3)]


@pytest.mark.parametrize("begins_anew", [False, True])
def test_a_flush_does_not_vouch_for_what_replaced_a_cut(*, begins_anew: bool) -> None:
    """I-2: a flush on another thread ends after records that it flushed were cut and replaced."""
    log = flushed(SimulatedDisk(Random(1)), 6)
    written(log, 4, 0)
    end = log.log_end_offset
    files = log.flush_files()
    for file in files:
        file.fsync()
    if begins_anew:
        log.truncate_fully_and_start_at(2)
    else:
        log.truncate_to(4)
    cut_at = log.log_end_offset
    written(log, 6, 1)
    log.mark_flushed(end)
    assert log.recovery_point == cut_at
    log.flush()
    assert log.recovery_point == log.log_end_offset > cut_at


@pytest.mark.parametrize("seed", range(examples(10)))
def test_a_transaction_index_is_not_lost_with_a_second_power_failure(seed: int) -> None:
    """98-06: recovery reads the segment and leaves its index alone, or makes it durable at once;
    it may be below the recovery point by the next failure, where nothing is read again."""
    disk = SimulatedDisk(Random(seed))
    log = open_log("/d/t-0", CONFIG, env_of(disk))
    for first, is_known in ((0, True), (3, False)):
        append(log, batch(producer_id=7, epoch=0, sequence=first // 3, attributes=0x10))
        append(log, marker(7, 0, commit=False), origin=Origin.COORDINATOR)
        log.roll()
        append(log, batch())
        log.flush()
        if not is_known:
            disk.remove(f"/d/t-0/{2:020}.txnindex")
        disk.lose_power()
        log = open_log("/d/t-0", CONFIG, env_of(disk), recovery_point=0)
    disk.lose_power()
    log = open_log("/d/t-0", CONFIG, env_of(disk), recovery_point=log.log_end_offset)
    assert set(log.aborted_transactions(0, log.log_end_offset)) == {(7, 0), (7, 3)}


def after_a_clean_stop(disk: SimulatedDisk, log: PartitionLog) -> PartitionLog:
    """The log after it was closed in good order and the power failed then: nothing is recovered."""
    log.close(clean=True)
    disk.lose_power()
    return open_log("/d/t-0", CONFIG, env_of(disk), clean=True)


def abort(log: PartitionLog, sequence: int) -> None:
    """Append a transaction of producer 7, of one record, and its end."""
    append(log, batch(producer_id=7, epoch=0, sequence=sequence, attributes=0x10))
    append(log, marker(7, 0, commit=False), origin=Origin.COORDINATOR)


@pytest.mark.parametrize("is_follower", [False, True])
@pytest.mark.parametrize("seed", range(examples(8)))
def test_a_transaction_index_that_is_begun_later_lasts(seed: int, *, is_follower: bool) -> None:
    """98-06: its name is new in a folder whose names were durable (seed 485242)."""
    disk = SimulatedDisk(Random(seed))
    log = flushed(disk, 2)
    if is_follower:
        leader = flushed(SimulatedDisk(Random(seed)), 2)
        abort(leader, 0)
        log.append_as_follower(leader.read(2, 1 << 20, leader.log_end_offset))
    else:
        abort(log, 0)
    assert after_a_clean_stop(disk, log).aborted_transactions(0, 4) == [(7, 2)]


@pytest.mark.parametrize("seed", range(examples(8)))
def test_a_transaction_index_lasts_that_a_cut_wrote_anew(seed: int) -> None:
    """98-06: it is another file of the same name."""
    disk = SimulatedDisk(Random(seed))
    log = flushed(disk, 0)
    abort(log, 0)
    written(log, 2, epoch=0)
    log.flush()
    log.truncate_to(3)
    abort(log, 1)
    assert after_a_clean_stop(disk, log).aborted_transactions(0, 5) == [(7, 0), (7, 3)]


def test_epochs_that_a_killed_node_wrote_last() -> None:
    """101-01: the next one finds the file as it should be, and nobody has flushed it."""
    disk = SimulatedDisk(Random(1))
    written(flushed(disk, 3), 3, epoch=1)
    open_log("/d/t-0", CONFIG, env_of(disk), recovery_point=3)  # learns epoch 1, and is killed
    log = open_log("/d/t-0", CONFIG, env_of(disk), recovery_point=3)
    path = "/d/t-0/leader-epoch-checkpoint"
    assert not disk.is_durable(path, len(disk.content_of(path)))
    log.close(clean=True)
    assert disk.is_durable(path, len(disk.content_of(path)))
    disk.lose_power()
    again = open_log("/d/t-0", CONFIG, env_of(disk), clean=True)
    assert again.leader_epochs.entries() == [(0, 0), (1, 3)]


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("seed", range(examples(8)))
def test_a_stop_counts_on_no_flush_that_is_under_way(seed: int, *, is_cut: bool) -> None:
    """I-5: it had taken down what it was to sync, names too, and its thread did not come to it."""
    disk = SimulatedDisk(Random(seed))
    log = open_log("/d/t-0", CONFIG, env_of(disk))
    written(log, 3, epoch=0)
    if is_cut:
        log.flush()
        log.truncate_to(2)
    log.flush_files()
    end = log.log_end_offset
    again = after_a_clean_stop(disk, log)
    assert (again.log_end_offset, len(read_all(again))) == (end, end)
    assert disk.is_durable("/d/t-0/leader-epoch-checkpoint", 1)

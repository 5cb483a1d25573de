"""A log against a model: any order of appends, rolls, truncations, stops and kills."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from kit.examples import examples
from kit.log_batches import BASE_TIME, Batch, batch, marker
from kit.logs import (
    append,
    apply_retention,
    config_of,
    env_of,
    offset_for_timestamp,
    offsets_of,
    open_log,
    read_all,
)

from barnabas.broker.core.log.file_names import PRODUCER_SNAPSHOT, segment_file
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.testing.simulation.disk import SimulatedDisk

FOLDER = "/d/t-0"
CONFIG = config_of(
    internal_segment_bytes=700,
    index_interval_bytes=100,
    message_timestamp_after_max_ms=1 << 60,
    segment_ms=1 << 50,
)
TIMES = st.integers(0, 50).map(lambda number: BASE_TIME + number)


class Log(RuleBasedStateMachine):
    """The model: all batches as bytes with their times, what is open and aborted, the epochs."""

    def __init__(self) -> None:
        super().__init__()
        from random import Random

        self.disk = SimulatedDisk(Random(0), names_are_durable=True)
        self.batches: list[tuple[bytes, list[int]]] = []
        self.start = 0
        self.end = 0
        self.epoch = 0
        self.has_holes = False
        self.log: PartitionLog = open_log(FOLDER, CONFIG, env_of(self.disk))

    def keep(self, times: list[int]) -> None:
        raw = bytes(self.log.read(self.log.log_end_offset - 1, 1, 1 << 60))
        self.batches.append((raw, times))
        self.end = self.log.log_end_offset

    @rule(count=st.integers(1, 5), size=st.integers(0, 90), time=TIMES)
    def append(self, count: int, size: int, time: int) -> None:
        data = batch(*[b"x" * size] * count, timestamp=time)
        assert append(self.log, data, leader_epoch=self.epoch).base_offset == self.end
        self.keep([time + number for number in range(count)])

    @rule(pid=st.integers(1, 3), commit=st.sampled_from([None, True, False]))
    def transact(self, pid: int, commit: bool | None) -> None:
        entry = self.log.producers.by_id.get(pid)
        if commit is None:
            sequence = entry.next_sequence if entry else 0
            data = batch(producer_id=pid, epoch=0, sequence=sequence, attributes=0x10)
            append(self.log, data, leader_epoch=self.epoch)
        elif entry is not None and entry.transaction_first_offset >= 0:
            data = marker(pid, 0, commit=commit)
            append(self.log, data, leader_epoch=self.epoch, origin=Origin.COORDINATOR)
        else:
            return
        self.keep([BASE_TIME])

    @rule(gap=st.integers(0, 3), count=st.integers(1, 4), time=TIMES)
    def follow(self, gap: int, count: int, time: int) -> None:
        parts = []
        self.has_holes |= gap > 0
        base = self.end + gap
        for _ in range(count):
            part = Batch(
                base_offset=base, leader_epoch=self.epoch, timestamp=time, values=(b"a",) * 2
            )
            parts.append(part.encoded)
            self.batches.append((bytes(part.encoded), [time, time + 1]))
            base += 2
        assert self.log.append_as_follower(b"".join(parts)) == base
        self.end = base
        self.log.high_watermark = base

    @rule()
    def next_epoch(self) -> None:
        self.epoch += 1
        self.log.assign_epoch(self.epoch)

    @rule()
    def roll(self) -> None:
        self.log.roll()

    @rule()
    def flush(self) -> None:
        self.log.flush()

    @precondition(lambda self: self.end > self.start)
    @rule(data=st.data())
    def truncate(self, data: st.DataObject) -> None:
        self.truncate_to(data.draw(st.integers(self.start, self.end)))

    def truncate_to(self, offset: int) -> None:
        cut = [raw for raw, _ in self.batches if offsets_of(raw)[1] >= offset]
        kept = [raw for raw, _ in self.batches if offsets_of(raw)[1] < offset]
        is_in_hole = not cut or offsets_of(cut[0])[0] > offset
        lowest = max(offsets_of(kept[-1])[1] + 1 if kept else 0, self.start)
        end = self.log.truncate_to(offset)
        if offset == self.end:
            assert end == offset, "there is nothing to cut"
        elif is_in_hole:  # it ends in front of the hole, or where a segment begins in it
            assert min(lowest, offset) <= end <= offset
        else:
            assert end == offsets_of(cut[0])[0]
        self.end = end
        assert all(start < self.end for start in self.log.leader_epochs.starts)
        self.batches = [kept for kept in self.batches if offsets_of(kept[0])[1] < offset]
        self.start = min(self.start, self.end)

    @precondition(lambda self: self.end > self.start)
    @rule(data=st.data())
    def delete_records(self, data: st.DataObject) -> None:
        self.delete_upto(data.draw(st.integers(self.start, self.end)))

    def delete_upto(self, offset: int) -> None:
        self.log.advance_log_start(offset)
        self.start = max(self.start, offset)
        apply_retention(self.log, BASE_TIME)

    @rule(clean=st.booleans(), point=st.booleans())
    def stop_and_start(self, clean: bool, point: bool) -> None:
        before = (self.log.last_stable_offset, self.log.producers.open_transactions())
        aborted = self.log.aborted_transactions(self.start, self.end)
        epochs = self.epochs_of_records()
        # An end that only a truncation made, inside a hole, is not in any file.
        last = offsets_of(self.batches[-1][0])[1] + 1 if self.batches else self.start
        in_files = max(last, self.log.segments[-1].base_offset)
        snapshot = segment_file(FOLDER, self.start, PRODUCER_SNAPSHOT)
        has_snapshot = self.disk.exists(snapshot) or (clean and self.end == self.start)
        if in_files < self.start and not has_snapshot:
            # No file reaches the start: like Kafka the log begins anew there. What was open began
            # below it, where no reader comes any more.
            before = (self.start, {})
        # With a recovery point, a hole between segments would be taken for a loss.
        recovery_point = self.log.recovery_point if point and not self.has_holes else -1
        self.log.close(clean=clean)
        self.log = open_log(
            FOLDER,
            CONFIG,
            env_of(self.disk),
            clean=clean,
            recovery_point=recovery_point,
            log_start_offset=self.start,
        )
        end = self.log.log_end_offset
        assert end == max(in_files, self.start) <= self.end
        if end == self.end:
            assert (self.log.last_stable_offset, self.log.producers.open_transactions()) == before
        assert self.epochs_of_records() == epochs
        assert self.log.aborted_transactions(self.start, self.end) == aborted
        self.end = end

    def epochs_of_records(self) -> list[tuple[int, int]]:
        """Epochs that have records, and the first record of each.

        An epoch may begin in a hole. Where in it, is not the same for who was told of the epoch,
        who got its first batch, and who read that batch again after a crash: nobody can tell.
        """
        found: dict[int, int] = {}
        for epoch, start in self.log.leader_epochs.entries():
            first = next((raw for raw in self.readable() if offsets_of(raw)[1] >= start), None)
            if first is not None:
                found[max(offsets_of(first)[0], start)] = epoch
        return [(epoch, start) for start, epoch in found.items()]

    def readable(self) -> list[bytes]:
        return [raw for raw, _ in self.batches if offsets_of(raw)[1] >= self.start]

    @invariant()
    def everything_is_there(self) -> None:
        assert self.log.log_start_offset == self.start
        assert self.log.log_end_offset == self.end
        assert read_all(self.log, max_bytes=300) == self.readable()
        assert read_all(self.log, max_bytes=1) == self.readable()

    @invariant()
    def epochs_are_right(self) -> None:
        for raw in self.readable():
            first = max(offsets_of(raw)[0], self.start)
            epoch = int.from_bytes(raw[12:16], "big")
            assert self.log.epoch_of(first) == self.log.epoch_of(offsets_of(raw)[1]) == epoch

    @invariant()
    def times_are_right(self) -> None:
        known = [
            (time, offsets_of(raw)[0] + number)
            for raw, times in self.batches
            for number, time in enumerate(times)
            if offsets_of(raw)[0] + number >= self.start
        ]
        for time in (0, BASE_TIME, BASE_TIME + 25, BASE_TIME + 60):
            found = offset_for_timestamp(self.log, time)
            expected = next((pair for pair in known if pair[0] >= time), None)
            assert (found[:2] if found else None) == expected


Log.TestCase.settings = settings(
    max_examples=examples(60),
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestLog = Log.TestCase


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_epoch_begins_in_the_hole_behind_a_cut(cut: int) -> None:
    """101-01: cut at its start the log knows no epoch; a follower's next batch leaves a hole.

    The epoch begins with that batch then, but where the log begins for who reads it again after a
    crash, since the epoch has older batches below the start. Both hold for every record.
    """
    model = Log()
    for _ in range(3):
        model.append(count=1, size=0, time=BASE_TIME)
    model.delete_upto(cut)
    model.truncate_to(cut)
    assert model.log.leader_epochs.entries() == []
    model.follow(count=1, gap=1, time=BASE_TIME)
    assert model.log.leader_epochs.entries() == [(0, cut + 1)]
    model.stop_and_start(clean=False, point=False)
    assert model.log.leader_epochs.entries() == [(0, cut)]
    assert model.log.end_offset_for_epoch(0) == (0, cut + 3)
    model.epochs_are_right()


def test_epoch_that_a_crash_took_begins_with_its_first_batch() -> None:
    """101-01: an epoch that was not in the file yet is found in its batches, behind the hole."""
    model = Log()
    model.append(count=1, size=0, time=BASE_TIME)
    model.next_epoch()
    model.follow(count=1, gap=1, time=BASE_TIME)
    assert model.log.leader_epochs.entries() == [(0, 0), (1, 1)]
    model.stop_and_start(clean=False, point=False)
    assert model.log.leader_epochs.entries() == [(0, 0), (1, 2)]
    model.epochs_are_right()


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("cut", [2, 3])
def test_log_whose_files_end_below_its_start_begins_anew(cut: int, clean: bool) -> None:
    """98-06: a transaction that began below the start goes with the segments that held it, unless
    a clean stop wrote down what is open.

    The log is cut in a hole, at its start: no file reaches that. As in Kafka all goes, and what
    comes next is read as far as the high watermark.
    """
    model = Log()
    model.transact(commit=None, pid=1)
    model.follow(count=1, gap=1, time=BASE_TIME)
    model.delete_upto(2)
    model.truncate_to(cut)
    assert model.log.producers.open_transactions() == {0: 1}
    model.stop_and_start(clean=clean, point=False)
    assert "begun anew" in str(model.log.report)
    assert (model.log.log_start_offset, model.log.log_end_offset) == (2, 2)
    assert model.log.producers.open_transactions() == ({0: 1} if clean else {})
    if clean:
        model.transact(commit=False, pid=1)
        model.everything_is_there()
        return
    model.append(count=1, size=0, time=BASE_TIME)
    assert model.log.last_stable_offset == model.log.high_watermark == 3
    model.everything_is_there()
    model.epochs_are_right()


@pytest.mark.parametrize("clean", [True, False])
def test_log_that_begins_anew_at_a_snapshot_knows_its_producers(clean: bool) -> None:
    """98-06: a snapshot of just that offset says what is open there, so the marker still counts."""
    model = Log()
    model.transact(commit=None, pid=1)
    model.follow(count=1, gap=1, time=BASE_TIME)
    model.delete_upto(2)
    model.truncate_to(2)
    model.roll()
    model.append(count=1, size=0, time=BASE_TIME)
    model.truncate_to(2)
    model.delete_upto(2)
    model.stop_and_start(clean=clean, point=False)
    assert "begun anew" in str(model.log.report)
    assert model.log.producers.open_transactions() == {0: 1}
    model.transact(commit=False, pid=1)
    assert model.log.producers.open_transactions() == {}
    assert model.log.aborted_transactions(2, 3) == [(1, 0)]
    model.stop_and_start(clean=clean, point=False)
    model.everything_is_there()

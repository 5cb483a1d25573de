"""A log against a model: any order of appends, rolls, truncations, stops and kills."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.testing.simulation.disk import SimulatedDisk

from .batches import BASE_TIME, Batch, batch, marker
from .logs import append, config_of, env_of, offsets_of, open_log, read_all

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
        self.log: PartitionLog = open_log("/d/t-0", CONFIG, env_of(self.disk))

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
        offset = data.draw(st.integers(self.start, self.end))
        cut = [raw for raw, _ in self.batches if offsets_of(raw)[1] >= offset]
        self.end = min(offset, offsets_of(cut[0])[0]) if cut else offset
        assert self.log.truncate_to(offset) == self.end
        self.batches = [kept for kept in self.batches if offsets_of(kept[0])[1] < offset]
        self.start = min(self.start, self.end)

    @precondition(lambda self: self.end > self.start)
    @rule(data=st.data())
    def delete_records(self, data: st.DataObject) -> None:
        offset = data.draw(st.integers(self.start, self.end))
        self.log.advance_log_start(offset)
        self.start = max(self.start, offset)
        self.log.apply_retention(BASE_TIME)

    @rule(clean=st.booleans(), point=st.booleans())
    def stop_and_start(self, clean: bool, point: bool) -> None:
        before = (self.log.last_stable_offset, self.log.producers.open_transactions())
        aborted = self.log.aborted_transactions(self.start, self.end)
        epochs = self.log.leader_epochs.entries()
        # With a recovery point, a hole between segments would be taken for a loss.
        recovery_point = self.log.recovery_point if point and not self.has_holes else -1
        self.log.close(clean=clean)
        self.log = open_log(
            "/d/t-0",
            CONFIG,
            env_of(self.disk),
            clean=clean,
            recovery_point=recovery_point,
            log_start_offset=self.start,
        )
        # An end that only a truncation made, inside a hole, is not in any file.
        last = offsets_of(self.batches[-1][0])[1] + 1 if self.batches else self.start
        end = self.log.log_end_offset
        assert max(last, self.start) <= end <= self.end
        if end == self.end:
            assert (self.log.last_stable_offset, self.log.producers.open_transactions()) == before
            found = [entry for entry in self.log.leader_epochs.entries() if entry[1] < end]
            assert found == [entry for entry in epochs if entry[1] < end]
        assert self.log.aborted_transactions(self.start, self.end) == aborted
        self.end = end

    def readable(self) -> list[bytes]:
        return [raw for raw, _ in self.batches if offsets_of(raw)[1] >= self.start]

    @invariant()
    def everything_is_there(self) -> None:
        assert self.log.log_start_offset == self.start
        assert self.log.log_end_offset == self.end
        assert read_all(self.log, max_bytes=300) == self.readable()
        assert read_all(self.log, max_bytes=1) == self.readable()

    @invariant()
    def times_are_right(self) -> None:
        known = [
            (time, offsets_of(raw)[0] + number)
            for raw, times in self.batches
            for number, time in enumerate(times)
            if offsets_of(raw)[0] + number >= self.start
        ]
        for time in (0, BASE_TIME, BASE_TIME + 25, BASE_TIME + 60):
            found = self.log.offset_for_timestamp(time)
            expected = next((pair for pair in known if pair[0] >= time), None)
            assert (found[:2] if found else None) == expected


Log.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestLog = Log.TestCase

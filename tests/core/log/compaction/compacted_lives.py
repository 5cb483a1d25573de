"""Random lives of a compacted log on a disk that loses power, with rounds that go step by step.

After each power failure the log is one that it had been since its last flush: no record but those
of that log, and of those that were flushed all but superseded ones. Nothing of what was cut off is
behind what came instead, a reader at any offset gets on, and what the checkpoint calls clean is
clean. The same holds while rounds go on, for all records and not only for flushed ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from kit.compacting import keyed, limits, steps
from kit.logs import append, config_of, offsets_of, read_all

from barnabas.broker.core.log.compaction.log_compaction import (
    CHECKPOINT,
    CompactionAbandonedError,
)
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.record import Record
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.protocol.records import decode_batch

from ..lives import LifeWithThreads

Content = tuple[int, bytes, "bytes | None"]
"""Leader epoch, key, value."""

EPOCHS_FILE = "/d/t-0/leader-epoch-checkpoint"


class Written:
    """A record as it was written."""

    __slots__ = ("content", "may_be_gone")

    def __init__(self, content: Content) -> None:
        self.content = content
        self.may_be_gone = False
        """A later one of its key was below the recovery point while a round went on."""


class Whole(NamedTuple):
    """A log as if it were not compacted, at one moment."""

    start: int
    records: dict[int, Written]
    """By offset; also those below `start`."""


class CompactedLife(LifeWithThreads):
    """A log that is compacted while everything else happens to it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.config = config_of(
            cleanup_policy=self.random.choice([("compact",), ("compact", "delete")]),
            internal_segment_bytes=self.random.choice([250, 500, 900]),
            index_interval_bytes=150,
            retention_bytes=self.random.choice([-1, 900]),
            retention_ms=-1,
            min_cleanable_dirty_ratio=0.0,
        )
        self.log.update_config(self.config)
        self.ever: set[tuple[int, Content]] = set()
        """All that was ever written, with its offset."""
        self.written: dict[int, Written] = {}
        """What was not cut off again, by offset."""
        self.wholes = [Whole(0, {})]
        """What the log was since its last flush."""
        self.round: Iterator[str] | None = None
        self.exchanged = 0
        self.clean_from = 0
        """The highest start of the log: what comes back below it with the power was not cleaned."""
        self.lost_epochs = False
        self.deeds |= {self.compaction_goes_on: 60, self.flush: 12, self.roll: 4}

    # --- what happens ---

    def append(self) -> None:
        if self.random.random() < 0.08:
            self.epoch += 1
        values = [None, b"%d" % self.epoch * 9]
        pairs = [
            (b"k%d" % self.random.randrange(6), self.random.choice(values))
            for _ in range(self.random.randint(1, 3))
        ]
        # Of many sizes: a batch that was cut off, and is back with the power, must not end by
        # chance where a later one begins, for nobody could tell that.
        data = keyed(*pairs, padding=self.random.randrange(60))
        result = append(self.log, data, leader_epoch=self.epoch)
        for offset, pair in enumerate(pairs, result.base_offset):
            content = (self.epoch, *pair)
            self.ever.add((offset, content))
            self.written[offset] = Written(content)

    def compaction_goes_on(self) -> None:
        """One step of a round; the first if none is under way."""
        if self.round is None:
            self.round = steps(self.log, limits(self.random.choice([3, 1000]), 300))
        self.note_superseded()
        try:
            if next(self.round) == CHECKPOINT:
                self.directory.cleaner_write().run()
        except (StopIteration, CompactionAbandonedError):
            self.round = None
        self.exchanged += self.log.compaction.is_exchanging
        self.check_whole()

    def note_superseded(self) -> None:
        last: dict[bytes, Written] = {}
        for offset, one in sorted(self.written.items()):
            if offset < self.log.recovery_point:
                if (earlier := last.get(one.content[1])) is not None:
                    earlier.may_be_gone = True
                last[one.content[1]] = one

    def finish_exchange(self) -> None:
        """As a stop does."""
        while self.round is not None and self.log.compaction.is_exchanging:
            self.compaction_goes_on()
        self.round = None

    def flush(self) -> None:
        super().flush()
        self.note_flushed()
        self.wholes = []

    def flush_ends(self) -> None:
        was_under_way = self.files is not None
        super().flush_ends()
        if was_under_way:
            self.note_flushed()

    def note_flushed(self) -> None:
        """A log that was cut in a hole ends where its last batch does when it is opened again."""
        ends = [offsets_of(raw)[1] + 1 for raw in read_all(self.log)]
        self.flushed_end = max((end for end in ends if end <= self.log.recovery_point), default=0)

    def note_state(self) -> None:
        self.clean_from = max(self.clean_from, self.log.log_start_offset)
        self.wholes.append(Whole(self.log.log_start_offset, dict(self.written)))

    def after_cut(self, end: int) -> None:
        super().after_cut(end)
        self.written = {at: one for at, one in self.written.items() if at < end}
        self.note_flushed()

    def truncate(self) -> None:
        try:
            super().truncate()
        except KafkaError as error:
            self.not_now(error)
        if not self.ends_with_a_batch():
            self.append()

    def ends_with_a_batch(self) -> bool:
        kept = read_all(self.log)
        end = offsets_of(kept[-1])[1] + 1 if kept else self.log.log_start_offset
        return self.log.log_end_offset == end

    def begin_anew(self) -> None:
        if self.log.compaction.is_exchanging:
            with pytest.raises(KafkaError, match="are exchanged now"):
                self.log.truncate_fully_and_start_at(self.log.log_end_offset)
            return
        super().begin_anew()

    def not_now(self, error: KafkaError) -> None:
        assert "are exchanged now" in str(error)
        self.directory.release(("t", 0), self)

    def close(self) -> None:
        self.finish_exchange()
        super().close()
        self.note_flushed()
        self.wholes = []
        self.check_whole()

    def check_epochs(self, before: list[tuple[int, int]]) -> None:
        """If the file was lost, those of which all records went are not known."""
        if not self.lost_epochs:
            super().check_epochs(before)
        self.check_content(read_all(self.log))

    def lose_files(self) -> None:
        existed = self.disk.exists(EPOCHS_FILE)
        super().lose_files()
        self.lost_epochs = existed and not self.disk.exists(EPOCHS_FILE)

    def load(self) -> None:
        self.round = None
        super().load()

    # --- what must hold ---

    def check(self, kept: list[bytes]) -> None:
        """Behind what was flushed a lost tail may look like a hole that compaction made."""
        log = self.log
        sure = (
            at + 1
            for at, one in self.written.items()
            if at < self.flushed_end and not one.may_be_gone
        )
        assert log.log_end_offset >= max(sure, default=0)
        self.check_content(kept)
        here = contents_in(kept)
        assert any(self.is_left_of(whole, here, self.flushed_end) for whole in self.wholes), (
            f"the log was never like this: {here}"
        )
        self.check_clean_part(here)
        self.check_progress()
        self.written = {offset: Written(content) for offset, content in here.items()}

    def check_whole(self) -> None:
        """As it is now, with no power failure between."""
        here = contents_in(read_all(self.log))
        whole = Whole(self.log.log_start_offset, self.written)
        assert self.is_left_of(whole, here, self.log.log_end_offset), f"{here}"
        self.check_clean_part(here)
        self.check_progress()

    def is_left_of(self, whole: Whole, here: dict[int, Content], end: int) -> bool:
        """Whether `here` is what compaction may leave of `whole`, complete up to `end`."""
        start, records = whole
        if any(
            offset >= start and (offset not in records or records[offset].content != content)
            for offset, content in here.items()
        ):
            return False
        start = max(start, self.log.log_start_offset)
        return all(
            one.may_be_gone or offset in here or not start <= offset < end
            for offset, one in records.items()
        )

    def check_content(self, kept: list[bytes]) -> None:
        found = records_in(kept)
        offsets = [one.offset for one in found]
        assert offsets == sorted(set(offsets))
        for offset, content in contents_in(kept).items():
            assert (offset, content) in self.ever, f"{content} was never written at {offset}"
        headers = [header for raw in kept for _, header in iter_batch_headers(raw)]
        epochs = [header.partition_leader_epoch for header in headers]
        assert epochs == sorted(epochs), "what was cut off is behind what came instead"
        for header in headers:
            if header.base_offset >= self.log.log_start_offset:
                known_epoch = self.log.leader_epochs.epoch_of(header.last_offset)
                assert known_epoch == header.partition_leader_epoch

    def check_progress(self) -> None:
        """CMP-10, CMP-18: a reader at any offset gets on."""
        end = self.log.log_end_offset
        for offset in range(self.log.log_start_offset, end):
            assert self.log.read(offset, 50, end), f"nothing at {offset}"

    def check_clean_part(self, here: dict[int, Content]) -> None:
        """CMP-15: nothing below the checkpoint is superseded by something else below it."""
        clean_end = self.log.compaction.first_dirty(self.log.log_end_offset)
        start = max(self.log.log_start_offset, self.clean_from)
        keys = [content[1] for offset, content in here.items() if start <= offset < clean_end]
        assert len(keys) == len(set(keys)), f"not clean below {clean_end}"


def records_in(batches: list[bytes]) -> list[Record]:
    """All records of these batches, with the leader epochs of their batches."""
    return [record for raw in batches for record in decode_batch(raw)]


def contents_in(batches: list[bytes]) -> dict[int, Content]:
    """The same by offset."""
    return {
        one.offset: (one.leader_epoch, one.key or b"", one.value) for one in records_in(batches)
    }

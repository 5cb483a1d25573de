"""Random lives of a directory's log, for tests: everything that changes one, and power that fails.

After each power failure the log must be in a state that it had been in since its last flush, or
the beginning of one: no hole, nothing of what was cut off behind what came instead, nothing
flushed lost, and leader epochs that agree with the batches.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from kit.log_batches import BASE_TIME, batch
from kit.logs import ManualClock, append, config_of, env_of, offsets_of, read_all

from barnabas.broker.core.log.compaction.cleaner_offsets import vouched_end
from barnabas.broker.core.log.flushing import Syncable
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.log.retirement import Renaming
from barnabas.protocol.errors import KafkaError
from barnabas.testing.simulation.disk import SimulatedDisk

TOPIC_ID = bytes(range(16))
State = tuple[int, dict[int, bytes]]
"""Where the log begins, and its batches by their first offset."""


class Life:
    """A log, and the states that a power failure may leave."""

    latest_start = 0
    """Where the log began at the most."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.disk = SimulatedDisk(Random(seed + 1))
        self.clock = ManualClock()
        self.config = config_of(
            internal_segment_bytes=self.random.choice([250, 500, 900]),
            index_interval_bytes=150,
            retention_bytes=self.random.choice([-1, 300, 900]),
            retention_ms=-1,
        )
        self.epoch = 0
        self.flushed_end = 0
        self.directory = self.open()
        self.log: PartitionLog = self.directory.create("t", 0, TOPIC_ID, self.config)
        self.states: list[State] = [(0, {})]
        self.deeds = {
            self.append: 55,
            self.flush: 6,
            self.checkpoint: 7,
            self.truncate: 14,
            self.retire: 8,
            self.advance: 3,
            self.begin_anew: 2,
            self.roll: 2,
            self.close: 3,
            self.lose_power: 6,
        }

    def open(self) -> LogDirectory:
        directory = LogDirectory("/d", env_of(self.disk, self.clock))
        directory.open()
        return directory

    def live(self, deeds: int) -> None:
        """Do what chance says."""
        for deed in self.random.choices([*self.deeds], [*self.deeds.values()], k=deeds):
            deed()
            self.note_state()

    def note_state(self) -> None:
        """From now on a power failure may leave the log as it is now."""
        batches = {offsets_of(raw)[0]: raw for raw in read_all(self.log)}
        self.states.append((min([self.log.log_start_offset, *batches]), batches))
        self.latest_start = max(self.latest_start, self.log.log_start_offset)

    def append(self) -> None:
        if self.random.random() < 0.08:
            self.epoch += 1
        values = [self.random.randbytes(self.random.randrange(60))] * self.random.randint(1, 2)
        append(self.log, batch(*values), leader_epoch=self.epoch)

    def flush(self) -> None:
        self.log.flush()
        self.flushed_end = self.log.log_end_offset
        self.states = []

    def checkpoint(self) -> None:
        self.directory.write_checkpoints(durable=self.random.random() < 0.3)

    def truncate(self) -> None:
        """As a follower does; what comes instead is of a later epoch."""
        end = self.log.log_end_offset
        to = self.random.randint(max(self.log.log_start_offset, end - 12), end)
        self.distrust(to)
        foreseen = min(vouched_end(self.log), to)
        self.log.high_watermark = end = self.log.truncate_to(to)
        if vouched_end(self.log) < foreseen:
            self.directory.recovery_point_write().run()
        self.directory.release(("t", 0), self)
        self.after_cut(end)
        if self.random.random() < 0.2:
            self.flush()

    def distrust(self, offset: int) -> None:
        """The checkpoint says so before the cut, whatever is flushed and written in between."""
        if offset < vouched_end(self.log):
            self.directory.lower(("t", 0), offset, self)
            if self.random.random() < 0.3:
                self.checkpoint()
            self.directory.recovery_point_write().run()
            if self.random.random() < 0.3:
                self.flush()
                self.note_state()
            if self.random.random() < 0.3:
                self.checkpoint()
            self.log.durability.distrust_from(offset)

    def after_cut(self, end: int) -> None:
        self.flushed_end = min(self.flushed_end, end)
        self.epoch += 1

    def retire(self) -> None:
        self.log.retire_segments(BASE_TIME)
        if self.random.random() < 0.8:
            renaming = self.log.retirement.begin()
            renaming.run()
            self.log.retirement_ended(renaming, None)
        if self.random.random() < 0.5:
            self.clock.now_ms += 60_000
            self.directory.deletions.run_due(self.clock.monotonic_ms())

    def advance(self) -> None:
        start = self.random.randint(self.log.log_start_offset, self.log.high_watermark)
        self.log.advance_log_start(start)

    def begin_anew(self) -> None:
        self.distrust(0)
        self.log.truncate_fully_and_start_at(self.log.log_end_offset + self.random.randrange(5))
        self.directory.release(("t", 0), self)
        self.after_cut(0)

    def make_again(self) -> None:
        """The topic is deleted, and one of the same name is there at once."""
        self.directory.delete("t", 0)
        self.log = self.directory.create("t", 0, TOPIC_ID, self.config)
        self.states = []
        self.flushed_end = self.latest_start = 0

    def roll(self) -> None:
        self.log.roll()

    def close(self) -> None:
        """Stop in good order: nothing changes."""
        before = read_all(self.log)
        end = self.log.log_end_offset
        epochs = self.epochs()
        self.directory.close()
        self.load()
        assert read_all(self.log) == before
        assert self.log.log_end_offset == end
        self.check_epochs(epochs)
        self.states = []
        self.flushed_end = self.log.log_end_offset

    def check_epochs(self, before: list[tuple[int, int]]) -> None:
        """They are as before a stop in good order."""
        assert self.epochs() == before

    def epochs(self) -> list[tuple[int, int]]:
        """Those of records; of others nothing need be known after a stop."""
        entries = self.log.leader_epochs.entries()
        return [(epoch, start) for epoch, start in entries if start < self.log.log_end_offset]

    def lose_files(self) -> None:
        """Those that can be made again."""
        for name in self.disk.list_directory("/d/t-0"):
            if name.endswith((".index", ".timeindex", ".snapshot", "-checkpoint")) and (
                self.random.random() < 0.05
            ):
                self.disk.remove(f"/d/t-0/{name}")

    def load(self) -> None:
        self.directory = self.open()
        found = self.directory.partitions()
        if found:
            self.lose_files()
            self.log = self.directory.load(found[0], self.config)
        else:
            self.log = self.directory.create("t", 0, TOPIC_ID, self.config)
        self.log.high_watermark = self.log.log_end_offset

    def lose_power(self) -> None:
        self.disk.lose_power()
        self.load()
        kept = read_all(self.log)
        self.check(kept)
        self.epoch = max(self.epoch, self.log.leader_epochs.latest) + self.random.randrange(2)
        self.flush()

    def check(self, kept: list[bytes]) -> None:
        spans = [offsets_of(raw) for raw in kept]
        for before, after in pairwise(spans):
            assert after[0] == before[1] + 1, f"a hole: {spans}"
        end = self.log.log_end_offset
        assert end >= self.flushed_end, f"flushed to {self.flushed_end}, {end} is left"
        begins = min([self.log.log_start_offset, *(first for first, _ in spans)])
        latest = max((start for start, _ in self.states), default=begins)
        assert begins <= max(latest, self.latest_start), f"a hole before {begins}"
        assert end == (spans[-1][1] + 1 if spans else self.log.log_start_offset)
        # Older records than a state has may be back: they were one piece with it.
        assert any(
            all(
                first < start or batches.get(first) == raw
                for (first, _), raw in zip(spans, kept, strict=True)
            )
            for start, batches in self.states
        ), f"the log was never like this: {spans}"
        for (first, _), raw in zip(spans, kept, strict=True):
            epoch = int.from_bytes(raw[12:16], "big")
            if first >= self.log.log_start_offset:
                assert self.log.leader_epochs.epoch_of(first) == epoch


class LifeWithThreads(Life):
    """Flushes go file by file and renaming takes its time, with everything else in between."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        del self.deeds[self.retire]
        self.deeds |= {
            self.flush_begins: 8,
            self.sync_one: 20,
            self.flush_ends: 4,
            self.retire_begins: 8,
            self.rename: 6,
            self.retire_ends: 6,
        }
        self.files: list[Syncable] | None = None
        """Those that the flush under way has still to sync."""
        self.upto = 0
        self.renaming: Renaming | None = None
        self.is_renamed = False

    def make_again(self) -> None:
        """What is under way ends before a log is taken away."""
        self.flush_ends()
        self.rename()
        self.retire_ends()
        super().make_again()

    def flush_begins(self) -> None:
        if self.files is None:
            self.upto = self.log.log_end_offset
            self.files = self.log.flush_files()

    def sync_one(self) -> None:
        if self.files:
            self.files.pop(0).fsync()

    def flush_ends(self) -> None:
        if self.files is not None:
            for file in self.files:
                file.fsync()
            self.files = None
            self.log.mark_flushed(self.upto)

    def flush(self) -> None:
        """One at a time, as the group commit does."""
        self.flush_ends()
        super().flush()

    def retire_begins(self) -> None:
        if self.renaming is None:
            self.log.retire_segments(BASE_TIME)
            self.renaming = self.log.retirement.begin()
            self.is_renamed = False

    def rename(self) -> None:
        if self.renaming is not None and not self.is_renamed:
            self.is_renamed = True
            self.renaming.run()

    def retire_ends(self) -> None:
        if self.renaming is not None:
            self.rename()
            self.log.retirement_ended(self.renaming, None)
            self.renaming = None
            if self.random.random() < 0.5:
                self.clock.now_ms += 60_000
                self.directory.deletions.run_due(self.clock.monotonic_ms())

    def begin_anew(self) -> None:
        try:
            super().begin_anew()
        except KafkaError as error:
            assert "is being renamed" in str(error)

    def close(self) -> None:
        self.flush_ends()
        self.retire_ends()
        super().close()

    def load(self) -> None:
        self.files = self.renaming = None
        super().load()

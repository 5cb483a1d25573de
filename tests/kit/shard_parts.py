"""A real `Shard` over a log in memory, on a loop that runs when told, and a small state machine."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from barnabas.broker.core.coordination.loaded_batch import LoadedBatch, decode_slice
from barnabas.broker.core.coordination.machine import Outcome, Producer, Record, ShardTimers
from barnabas.broker.core.coordination.shard import Shard
from barnabas.broker.core.coordination.shard_writer import ShardRules
from barnabas.broker.core.coordination.timeline import Timeline, TimelineDict
from barnabas.broker.core.replication.end_markers import EndMarker
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.offset_commit_key import OffsetCommitKey
from barnabas.protocol.messages.offset_commit_value import OffsetCommitValue
from barnabas.protocol.record_batch import read_batch_header, set_base_offset

from .logs import ManualClock
from .shards import Kept


class _Timer:
    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class ManualLoop:
    """Callbacks that run when the test lets them."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._due: list[tuple[float, int, _Timer]] = []
        self._numbers = itertools.count()

    def now_ms(self) -> float:
        return self._clock.monotonic_ms()

    def call_soon(self, callback: Callable[[], object]) -> _Timer:
        return self.call_later(0, callback)

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> _Timer:
        timer = _Timer(callback)
        due = self._clock.monotonic_ms() + delay_ms
        heapq.heappush(self._due, (due, next(self._numbers), timer))
        return timer

    @property
    def waiting(self) -> int:
        """Callbacks that are to come."""
        return sum(timer.callback is not None for _, _, timer in self._due)

    def run(self, for_ms: float = 0) -> None:
        """Run what is due within so much time."""
        end = self._clock.monotonic_ms() + for_ms
        while self._due and self._due[0][0] <= end:
            due, _, timer = heapq.heappop(self._due)
            self._clock.now_ms = max(due, self._clock.now_ms)
            if timer.callback is not None:
                timer.callback()
        self._clock.now_ms = end

    def turn(self) -> bool:
        """Run what is due now, not what that sets, as a turn of a loop does; was there any?"""
        found = []
        while self._due and self._due[0][0] <= self._clock.monotonic_ms():
            found.append(heapq.heappop(self._due)[2])
        for timer in found:
            if timer.callback is not None:
                timer.callback()
        return bool(found)


class MemoryLog:
    """A log whose high watermark and failures the test decides."""

    def __init__(self) -> None:
        self.batches: list[bytes] = []
        self.end_offset = 0
        self.high_watermark = 0
        self.max_batch_bytes = 1_000_000
        self.refusal: KafkaError | None = None
        self._waiting: list[tuple[int, Callable[[ErrorCode], object]]] = []

    def append(self, batch: bytes) -> int:
        if self.refusal is not None:
            raise self.refusal
        stored = bytearray(batch)
        set_base_offset(stored, 0, self.end_offset, 0)
        self.batches.append(bytes(stored))
        base, self.end_offset = self.end_offset, read_batch_header(stored, 0).next_offset
        return base

    def append_marker(self, marker: EndMarker) -> int:
        return self.append(marker.batch(0))

    def when_committed(self, end_offset: int, waiter: Callable[[ErrorCode], object]) -> None:
        if end_offset <= self.high_watermark:
            waiter(ErrorCode.NONE)
        else:
            self._waiting.append((end_offset, waiter))

    def commit(self, offset: int | None = None) -> None:
        """The high watermark reaches `offset`, or the end."""
        self.high_watermark = self.end_offset if offset is None else offset
        due = [one for one in self._waiting if one[0] <= self.high_watermark]
        self._waiting = [one for one in self._waiting if one[0] > self.high_watermark]
        for _, waiter in due:
            waiter(ErrorCode.NONE)

    def give_up(self, code: ErrorCode) -> None:
        """This broker leads no more."""
        waiting, self._waiting = self._waiting, []
        for _, waiter in waiting:
            waiter(code)

    def load(self) -> list[LoadedBatch]:
        """All batches, as a shard replays them."""
        return decode_slice(b"".join(self.batches)).batches


class Counters:
    """A machine whose state is an offset a key, and the open ones of transactions."""

    def __init__(self, timeline: Timeline, timers: ShardTimers) -> None:
        self.timers = timers
        self.values: TimelineDict[str, int] = TimelineDict(timeline)
        self.events: list[str] = []

    def replay(self, record: Record, offset: int, producer: Producer | None) -> None:
        assert isinstance(record.key, OffsetCommitKey)
        if record.value is None:
            self.values.pop(record.key.group)
            return
        assert isinstance(record.value, OffsetCommitValue)
        if record.value.metadata == "broken":
            raise RuntimeError("a bug")
        self.values[record.key.group] = record.value.offset

    def replay_end(self, producer: Producer, *, is_commit: bool) -> None:
        self.events.append(f"end {producer.producer_id} {is_commit}")

    def on_loaded(self) -> None:
        self.events.append("loaded")

    def on_unloaded(self) -> None:
        self.events.append("unloaded")


def record(key: str, value: int | None, metadata: str = "") -> Record:
    """A record that sets a key of `Counters`, or removes it."""
    of = OffsetCommitKey(group=key, topic="t", partition=0)
    if value is None:
        return Record(of, None)
    return Record(of, OffsetCommitValue(offset=value, metadata=metadata), 4)


class Parts:
    """A shard, and what it stands on."""

    def __init__(self, log: MemoryLog | None = None, rules: ShardRules | None = None) -> None:
        self.clock = ManualClock()
        self.loop = ManualLoop(self.clock)
        self.log = log or MemoryLog()
        self.reports: list[str] = []
        self.lost = 0
        self.shard: Shard[Counters] = Shard(
            Counters,
            self.log,
            self.loop,
            self.clock,
            rules or ShardRules(),
            report=lambda event, fields: self.reports.append(event),
            on_lost=self._on_lost,
        )

    def _on_lost(self) -> None:
        self.lost += 1

    @property
    def state(self) -> dict[str, int]:
        """With what is not committed."""
        return dict(self.shard.machine.values.items())

    @property
    def committed(self) -> dict[str, int]:
        """As reads see it."""
        return self.shard.read(
            lambda machine, offset: dict(machine.values.items_at(offset)), may_be_old=True
        )

    def load(self) -> Parts:
        """Replay the log and become active."""
        self.shard.begin_at(0)
        for _ in self.shard.replay(self.log.load(), self.log.high_watermark):
            pass
        self.shard.activate()
        return self

    def write(self, outcome: Outcome[str]) -> Kept[str]:
        """Run an operation with this outcome."""
        reply: Kept[str] = Kept()
        self.shard.write(lambda: outcome, reply)
        return reply

"""What a log knows of its own records is what they say: leader epochs (101-01), producers (98-04).

And 98-03: in a log the sequences of a producer follow on; where it is compacted, they ascend.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

from barnabas.broker.core.cluster.topic_image import GROUPS_TOPIC
from barnabas.protocol.record_batch import CONTROL_MASK, HEADER, LOG_OVERHEAD
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

from .replica_logs import METADATA_TOPIC, Key, content_of, is_intact, key_of

_SEQUENCES = 1 << 31
REMEMBERED = 5


class Written(NamedTuple):
    """Of a batch: where it is, in which epoch, and who wrote it."""

    base: int
    last: int
    epoch: int
    producer: int
    """-1: nobody who has an id."""
    producer_epoch: int
    sequence: int
    """Of its first record; -1 for a marker."""
    is_intact: bool
    """Whether it matches its checksum: one that rotted on its disk says nothing."""

    @property
    def is_marker(self) -> bool:
        """Whether it ends a transaction."""
        return self.sequence < 0

    @property
    def last_sequence(self) -> int:
        """Sequences go from 2^31-1 to 0; behind a marker that brings an epoch there is none."""
        if self.is_marker:
            return self.sequence
        return (self.sequence + self.last - self.base) % _SEQUENCES


class LogState:
    """Listens to logs of partitions."""

    def __init__(self, bus: HookBus) -> None:
        self._written: dict[tuple[str, Key], list[Written]] = {}
        self._newest: dict[tuple[str, Key], dict[int, Written]] = {}
        self._remembered: dict[tuple[str, Key], dict[int, tuple[int, int]]] = {}
        """Of producers: epoch, and batches that the log knows."""
        self._rotten: set[tuple[str, Key]] = set()
        """Logs in which a batch had rotted when they were opened: what it said nobody can tell any
        more, neither here nor there. They soon get an empty disk."""
        self._lost: dict[tuple[str, Key], set[tuple[int, int]]] = {}
        """Producers, and their last offsets, that a compacted log has lost with the power and knows
        from a snapshot: no hole before a segment is taken for a loss there (CMP-15)."""
        bus.listen("log-opened", self._on_opened)
        bus.listen("append", self._on_append)
        bus.listen("truncate", self._on_truncate)
        bus.listen("compacted", self._on_compacted)
        bus.listen("leader", self._on_leader)

    def _on_opened(self, event: Event) -> None:
        log = event.fields["log"]
        if log.topic == METADATA_TOPIC:
            return
        key = (event.node, key_of(log))
        self._written[key] = written = [
            one
            for segment in log.segments
            for one in written_in(content_of(segment))
            if one.base < log.log_end_offset
        ]
        self._rotten.discard(key)
        if not all(one.is_intact for one in written):
            self._rotten.add(key)
            return
        self._learn(key, written)
        self._lost[key] = set(_lost_in_holes(log, written))
        for one in written:
            if one.base >= log.log_start_offset:
                _check_epoch(event.node, log, one)
        self._check_producers(event.node, log)

    def _on_append(self, event: Event) -> None:
        log = event.fields["log"]
        if not self._is_judged(event.node, log):
            return
        key = (event.node, key_of(log))
        newest, written = self._newest[key], self._written[key]
        came = list(written_in(event.fields["batches"]))
        for one in came:
            _check_intact(event.node, log, one)
            _check_epoch(event.node, log, one)
            if one.producer >= 0 and not one.is_marker:
                _check_sequence(event.node, log, newest.get(one.producer), one)
            _note(newest, one)
            written.append(one)
        last = written[-1] if written else None
        self._check_remembered(event.node, key, log, came)
        if last is not None and last.producer >= 0:
            self._check_entry(event.node, log, newest[last.producer])

    def _check_remembered(
        self, node: str, key: tuple[str, Key], log: Any, came: list[Written]
    ) -> None:
        """98-02: what is remembered of a producer grows with each batch, up to five."""
        counts = self._remembered[key]
        for producer in dict.fromkeys(one.producer for one in came if one.producer >= 0):
            entry = log.producers.by_id.get(producer)
            if entry is None:
                continue
            mine = [one for one in came if one.producer == producer]
            before = None if any(one.is_marker for one in mine) else counts.get(producer)
            now = (entry.epoch, len(entry.batches))
            if before is not None and all(one.producer_epoch == before[0] for one in mine):
                expected = min(before[1] + len(mine), REMEMBERED)
                if now[1] != expected:
                    raise InvariantError(
                        "98-02",
                        f"{node} {log.name}: {now[1]} batches of producer {producer} are"
                        f" remembered, should be {expected}",
                    )
            counts[producer] = now

    def _on_truncate(self, event: Event) -> None:
        log, offset = event.fields["log"], event.fields["offset"]
        if not self._is_judged(event.node, log):
            return
        key = (event.node, key_of(log))
        kept = [one for one in self._written[key] if one.last < offset]
        if log.first_segment_offset >= offset:
            kept = []
        self._written[key] = kept
        self._learn(key, kept)
        starts = log.leader_epochs.starts
        if starts and starts[-1] >= log.log_end_offset:
            raise InvariantError(
                "101-01",
                f"{event.node} {log.name} was cut to {log.log_end_offset} and knows of an epoch"
                f" that began at {starts[-1]}",
            )
        if log.recovery_point > log.log_end_offset:
            raise InvariantError(
                "I-5",
                f"{event.node} {log.name} was cut to {log.log_end_offset} and vouches for"
                f" {log.recovery_point}",
            )
        self._check_producers(event.node, log)

    def _on_compacted(self, event: Event) -> None:
        """CMP-09: the last batch of each producer is still there."""
        log, new = event.fields["log"], event.fields["new"]
        if not self._is_judged(event.node, log):
            return
        key = (event.node, key_of(log))
        data = content_of(new)
        first, end = new.base_offset, log.segments.end_of(new)
        known = self._written[key]
        before = [one for one in known if one.base < first]
        after = [one for one in known if one.base >= end]
        came = list(written_in(data))
        for one in came:
            _check_intact(event.node, log, one)
        self._written[key] = written = [*before, *came, *after]
        self._learn(key, written)
        self._check_producers(event.node, log)

    def _on_leader(self, event: Event) -> None:
        log = event.fields["partition"].log
        if self._is_judged(event.node, log):
            self._check_producers(event.node, log)

    def _is_judged(self, node: str, log: Any) -> bool:
        return log.topic != METADATA_TOPIC and (node, key_of(log)) not in self._rotten

    def _learn(self, key: tuple[str, Key], written: list[Written]) -> None:
        self._remembered[key] = {}
        newest = self._newest[key] = {}
        for one in written:
            _note(newest, one)

    def _check_producers(self, node: str, log: Any) -> None:
        """98-04: everybody who wrote what is in the log, and where each is."""
        for one in self._newest[node, key_of(log)].values():
            if one.base >= log.log_start_offset:
                self._check_entry(node, log, one)

    def _check_entry(self, node: str, log: Any, one: Written) -> None:
        entry = log.producers.by_id.get(one.producer)
        known = None if entry is None else (entry.epoch, entry.last_sequence, entry.next_sequence)
        if log.rules.compact and entry is not None:
            if entry.epoch > one.producer_epoch:
                return  # a marker brought the epoch, and is cleaned away
            if (one.producer, entry.last_offset) in self._lost[node, key_of(log)]:
                return
        last = one.last_sequence
        if known != (one.producer_epoch, last, (last + 1) % _SEQUENCES):
            raise InvariantError(
                "98-04",
                f"{node} {log.name}: producer {one.producer} wrote up to sequence {last} in epoch"
                f" {one.producer_epoch} (offset {one.last}); known is {known}",
            )


def _note(newest: dict[int, Written], one: Written) -> None:
    """A marker tells nothing new of a producer, unless it brings another epoch (TXN-32)."""
    before = newest.get(one.producer)
    is_known = before is not None and before.producer_epoch == one.producer_epoch
    if one.producer >= 0 and not (one.is_marker and is_known):
        newest[one.producer] = one


def _check_epoch(node: str, log: Any, one: Written) -> None:
    known = log.epoch_of(one.base)
    if known != one.epoch:
        raise InvariantError(
            "101-01", f"{node} {log.name}@{one.base} is of epoch {one.epoch}, its log says {known}"
        )


def _lost_in_holes(log: Any, written: list[Written]) -> Iterator[tuple[int, int]]:
    """What producers wrote last, where it lies in a hole before a segment of a compacted log."""
    if not log.rules.compact:
        return
    bases = [one.base for one in written]
    segments = {segment.base_offset for segment in log.segments}
    for entry in log.producers.by_id.values():
        at = bisect_right(bases, entry.last_offset)
        is_in_hole = at == 0 or written[at - 1].last < entry.last_offset
        if is_in_hole and at < len(bases) and bases[at] in segments:
            yield entry.producer_id, entry.last_offset


def _check_intact(node: str, log: Any, one: Written) -> None:
    """I-2: what a replica stores is what was sent, and never what rotted on another's disk."""
    if not one.is_intact:
        raise InvariantError(
            "I-2", f"{node} stores {log.name}@{one.base}, which does not match its checksum"
        )


def _check_sequence(node: str, log: Any, before: Written | None, one: Written) -> None:
    if log.topic == GROUPS_TOPIC:
        return  # offsets of transactions are written by the coordinator, which numbers nothing
    if before is None or before.base < log.log_start_offset:
        return
    expected = (before.last_sequence + 1) % _SEQUENCES
    if one.producer_epoch > before.producer_epoch:
        expected = 0
    # A follower of a compacted log gets what its leader has left: batches are missing (CMP-23).
    may_skip = log.rules.compact and (
        one.producer_epoch > before.producer_epoch or one.sequence > expected
    )
    is_next = one.sequence == expected or may_skip
    if one.producer_epoch < before.producer_epoch or not is_next:
        raise InvariantError(
            "98-03",
            f"{node} {log.name}@{one.base}: producer {one.producer} comes with sequence"
            f" {one.sequence} of epoch {one.producer_epoch} after {before}",
        )


def written_in(data: bytes | bytearray | memoryview) -> Iterator[Written]:
    """The whole batches in these bytes, but for control batches of nobody."""
    position, size = 0, len(data)
    while position + HEADER.size <= size:
        fields = HEADER.unpack_from(data, position)
        base, length, epoch, _, _, attributes, delta, _, _, producer, producer_epoch, first, _ = (
            fields
        )
        end = position + LOG_OVERHEAD + length
        if end > size:
            return
        if not attributes & CONTROL_MASK or producer >= 0:
            intact = is_intact(data, position)
            yield Written(base, base + delta, epoch, producer, producer_epoch, first, intact)
        position = end

"""What every replica holds, as its log told it: batch by batch, on disk and off.

The model of all other checks, and the check of I-2: two replicas that hold a batch with the same
offset and leader epoch hold the same batch there, and the same one before it. Compaction takes
records out of batches, and whole batches out of logs, of each replica at its own time (CMP-22): of
a topic that is compacted every record is looked at instead, and what was before is not compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

from barnabas.protocol.checksum import crc32c
from barnabas.protocol.record import Record
from barnabas.protocol.record_batch import (
    ATTRIBUTES_AT,
    HEADER,
    LOG_OVERHEAD,
    iter_batch_headers,
)
from barnabas.protocol.records import decode_batch
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

METADATA_TOPIC = "__cluster_metadata"

Key = tuple[str, int]
"""A partition: its topic id in hex (the name, for the metadata log) and its index."""


class Batch(NamedTuple):
    """What tells one batch from all others."""

    base: int
    last: int
    epoch: int
    crc: int


class ReplicaLog:
    """The batches of one replica, oldest first."""

    __slots__ = ("bases", "batches", "begun", "end", "had", "start")

    def __init__(self, start: int, end: int) -> None:
        self.batches: list[Batch] = []
        self.bases: list[int] = []
        self.start = start
        self.begun = 0
        """Where it began anew: nothing before that was ever in it, nor who had written it."""
        self.end = end
        self.had = 0
        """Where it ended before it lost power: what it had told its leader is still believed."""

    def at(self, offset: int) -> int:
        """Index of the first batch that ends at `offset` or later."""
        index = bisect_left(self.bases, offset)
        if index and self.batches[index - 1].last >= offset:
            return index - 1
        return index

    def between(self, start: int, end: int) -> list[Batch]:
        """Batches with any offset in that range."""
        return self.batches[self.at(start) : bisect_left(self.bases, end)]


class ReplicaLogs:
    """The model of all logs of all nodes."""

    def __init__(self, bus: HookBus) -> None:
        self.logs: dict[tuple[str, Key], ReplicaLog] = {}
        """By node and partition; what a dead node had stays until it opens it again."""
        self.names: dict[Key, str] = {}
        self._known: dict[tuple[Key, int, int], tuple[int, int, tuple[int, int] | None]] = {}
        self._compacted = CompactedLogs()
        bus.listen("log-opened", self._on_opened)
        bus.listen("append", self._on_append)
        bus.listen("truncate", self._on_truncate)
        bus.listen("log-start", self._on_start)
        bus.listen("compacted", self._on_compacted)

    def of(self, node: str, key: Key) -> ReplicaLog | None:
        """A replica's log as its node told it last."""
        return self.logs.get((node, key))

    def _on_opened(self, event: Event) -> None:
        log = event.fields["log"]
        key = key_of(log)
        self.names[key] = log.name
        model = ReplicaLog(log.log_start_offset, log.log_end_offset)
        before = self.logs.get((event.node, key))
        model.had = 0 if before is None else max(before.end, before.had)
        if before is not None and log.log_end_offset:  # an empty one is new, or was wiped
            model.begun = before.begun
        self.logs[event.node, key] = model
        for segment in log.segments:
            data = content_of(segment)
            self._compacted.look(event.node, key, log, data)
            for position, batch in _placed_batches(data):
                if batch.base < log.log_end_offset:
                    sent = self._as_sent(key, batch, data, position)
                    self._add(event.node, key, model, sent)

    def _as_sent(self, key: Key, batch: Batch, data: bytes, position: int) -> Batch:
        """The batch as it was before it rotted on its disk: what its header says of its end, then,
        nobody has written. Who reads it finds that it does not match its checksum."""
        known = self._known.get((key, batch.base, batch.epoch))
        if known is None or known[0] == batch.last or is_intact(data, position):
            return batch
        return batch._replace(last=known[0])

    def _on_append(self, event: Event) -> None:
        log = event.fields["log"]
        key = key_of(log)
        model = self.logs[event.node, key]
        self._compacted.look(event.node, key, log, event.fields["batches"])
        for batch in batches_of(event.fields["batches"]):
            if batch.base < model.end:
                raise InvariantError(
                    "I-2",
                    f"{event.node} appends {log.name}@{batch.base}, its log ends at {model.end}",
                )
            self._add(event.node, key, model, batch)
        model.end = log.log_end_offset

    def _on_truncate(self, event: Event) -> None:
        log, offset = event.fields["log"], event.fields["offset"]
        model = self.logs[event.node, key_of(log)]
        at = bisect_left(model.bases, offset)
        del model.batches[at:], model.bases[at:]
        if log.first_segment_offset >= offset:  # the whole log: it begins anew there
            model.batches.clear()
            model.bases.clear()
            model.begun = offset
        model.end = model.had = log.log_end_offset
        model.start = log.log_start_offset

    def _on_compacted(self, event: Event) -> None:
        log = event.fields["log"]
        key = key_of(log)
        model = self.logs[event.node, key]
        kept = self._compacted.exchanged(event.node, key, event.fields)
        end = log.segments.end_of(event.fields["new"])
        first, last = model.at(event.fields["new"].base_offset), bisect_left(model.bases, end)
        model.batches[first:last] = kept
        model.bases[first:last] = [batch.base for batch in kept]

    def is_compacted(self, key: Key) -> bool:
        """Whether replicas of this partition may differ in records that are superseded."""
        return key in self._compacted.keys

    def has_gone_elsewhere(self, key: Key, batch: Batch) -> bool:
        """Whether compaction took this batch out of another replica. Who follows that one may be
        told to part from it before the batch: of its epoch nothing need be left there."""
        return self.is_compacted(key) and any(
            where == key and log.end > batch.last and not log.between(batch.base, batch.last + 1)
            for (_, where), log in self.logs.items()
        )

    def _on_start(self, event: Event) -> None:
        log = event.fields["log"]
        self.logs[event.node, key_of(log)].start = event.fields["offset"]

    def _add(self, node: str, key: Key, model: ReplicaLog, batch: Batch) -> None:
        previous = model.batches[-1] if model.batches else None
        if previous is not None and previous.last < model.start:
            previous = None  # nobody reads it any more; a leader that has it no more cannot compare
        before = None if previous is None else (previous.base, previous.epoch)
        place = (key, batch.base, batch.epoch)
        if self.is_compacted(key):
            # Where it ends stays, whatever is taken out of it.
            self._known.setdefault(place, (batch.last, batch.crc, None))
            model.batches.append(batch)
            model.bases.append(batch.base)
            return
        known = self._known.get(place)
        if known is None:
            self._known[place] = (batch.last, batch.crc, before)
        else:
            if known[:2] != (batch.last, batch.crc):
                raise InvariantError(
                    "I-2",
                    f"{self.names[key]}@{batch.base} epoch {batch.epoch}: {node} holds another"
                    f" batch (last {batch.last}, crc {batch.crc:08x}) than was there before"
                    f" (last {known[0]}, crc {known[1]:08x})",
                )
            if before is not None and known[2] is None:
                self._known[place] = (batch.last, batch.crc, before)
            elif before is not None and known[2] != before:
                raise InvariantError(
                    "I-2",
                    f"{self.names[key]}@{batch.base} epoch {batch.epoch}: before it {node} holds"
                    f" (offset, epoch) {before}, another replica {known[2]}",
                )
        model.batches.append(batch)
        model.bases.append(batch.base)


class CompactedLogs:
    """The records of topics that are compacted: each is the same in all replicas that have it.

    And CMP-04 at each exchange of segments: a record goes only if a later one has its key, if it
    deletes its key, or if its transaction was aborted.
    """

    def __init__(self) -> None:
        self.keys: set[Key] = set()
        self._records: dict[tuple[Key, int, int], tuple[bytes | None, bytes | None, int]] = {}

    def look(self, node: str, key: Key, log: Any, data: bytes | bytearray | memoryview) -> None:
        """Records of a log; the first time that its topic is seen to be compacted it is noted."""
        if not log.rules.compact and key not in self.keys:
            return
        self.keys.add(key)
        for record in _records(data):
            place = key, record.offset, record.leader_epoch
            found = record.key, record.value, record.timestamp
            if self._records.setdefault(place, found) != found:
                raise InvariantError(
                    "I-2", f"{node} {log.name}@{record.offset} holds another record than others"
                )

    def exchanged(self, node: str, key: Key, fields: dict[str, Any]) -> list[Batch]:
        """The batches that a log has now instead of others."""
        log, new = fields["log"], fields["new"]
        data = content_of(new)
        self.look(node, key, log, data)
        kept = {record.offset for record in _records(data)}
        last = self._last_offsets(log)
        before = [
            record
            for old in fields["old"]
            for record in _records(log.env.disk.content_of(old.path())[: old.size], plain=True)
        ]
        # A record and the deletion of its key may go together: a replica that copied the deletion
        # late has it already with the time at which it goes.
        last |= {one.key: one.offset for one in before if last.get(one.key, -1) < one.offset}
        for record in before:
            is_last = last[record.key] <= record.offset
            if record.offset not in kept and is_last and record.value is not None:
                raise InvariantError(
                    "CMP-04",
                    f"{node} {log.name}@{record.offset} is gone, the last of {record.key!r}",
                )
        return list(batches_of(data))

    def _last_offsets(self, log: Any) -> dict[bytes | None, int]:
        found: dict[bytes | None, int] = {}
        for segment in log.segments:
            records = _records(content_of(segment))
            found |= {record.key: record.offset for record in records}
        return found


def content_of(segment: Any) -> bytes:
    """The batches of a segment. A fault of the disk is for the node to meet: one that came to it
    out of a check would look like its own."""
    if not segment.size:
        return b""
    try:
        return bytes(segment.file.pread(segment.size, 0))
    except OSError:
        return bytes(segment.file.content[: segment.size])


def _records(data: bytes | bytearray | memoryview, *, plain: bool = False) -> Iterator[Record]:
    """Those of clients and coordinators; `plain`: outside of transactions. A batch that has rotted
    on its disk is for the node to meet, and says nothing here."""
    for at, header in iter_batch_headers(data):
        if header.is_control or (plain and header.is_transactional):
            continue
        if is_intact(data, at):
            yield from decode_batch(data, at)


def key_of(log: Any) -> Key:
    """The partition that a log is of."""
    return (METADATA_TOPIC if log.topic == METADATA_TOPIC else log.topic_id.hex(), log.partition)


def key_of_partition(partition: Any) -> Key:
    """The same for a hosted replica."""
    return partition.topic_id.hex(), partition.index


def is_intact(data: bytes | bytearray | memoryview, position: int) -> bool:
    """Whether the batch that begins here matches its checksum."""
    _, length, _, _, crc = HEADER.unpack_from(data, position)[:5]
    end = position + LOG_OVERHEAD + length
    return bool(crc == crc32c(memoryview(data)[position + ATTRIBUTES_AT : end]))


def batches_of(data: bytes | bytearray | memoryview) -> Iterator[Batch]:
    """The whole batches in these bytes."""
    return (batch for _, batch in _placed_batches(data))


def _placed_batches(data: bytes | bytearray | memoryview) -> Iterator[tuple[int, Batch]]:
    """Each with where it begins."""
    position, size = 0, len(data)
    while position + HEADER.size <= size:
        base, length, epoch, _, crc, _, delta = HEADER.unpack_from(data, position)[:7]
        end = position + LOG_OVERHEAD + length
        if end > size:
            return
        yield position, Batch(base, base + delta, epoch, crc)
        position = end

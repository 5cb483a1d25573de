"""The batches of transactions as they were appended: who wrote them, what they say."""

from __future__ import annotations

from typing import NamedTuple

from barnabas.protocol.control_records import ControlType, read_end_marker
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.protocol.records import decode_batch
from barnabas.testing.simulation.checks.replica_logs import Batch, Key, key_of
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.workload.transactions.attempts import TOPICS


class Stored(NamedTuple):
    """A transactional batch, or a marker."""

    base: int
    last: int
    producer_id: int
    epoch: int
    records: tuple[tuple[int, bytes], ...]
    """Offsets and values; none for a marker."""
    is_marker: bool
    is_commit: bool = False
    coordinator_epoch: int = -1


class StoredBatches:
    """Every batch of the topics that are written in transactions, read once."""

    def __init__(self, bus: HookBus) -> None:
        self._by_place: dict[tuple[Key, Batch], Stored] = {}
        bus.listen("append", self._on_append, early=True)

    def of(self, key: Key, batch: Batch) -> Stored:
        """What this batch says."""
        return self._by_place[key, batch]

    def _on_append(self, event: Event) -> None:
        log = event.fields["log"]
        if log.topic not in TOPICS:
            return
        key, data = key_of(log), event.fields["batches"]
        for at, header in iter_batch_headers(data):
            base, last = header.base_offset, header.base_offset + header.last_offset_delta
            place = key, Batch(base, last, header.partition_leader_epoch, header.crc)
            if place in self._by_place:
                continue
            records = decode_batch(data, at)
            writer = header.producer_id, header.producer_epoch
            if header.is_control:
                read = read_end_marker(records[0].key, records[0].value)
                assert read is not None, "the topics have no other control records"
                kind, coordinator_epoch = read
                is_commit = kind is ControlType.COMMIT
                stored = Stored(base, last, *writer, (), True, is_commit, coordinator_epoch)
            else:
                values = tuple((one.offset, one.value or b"") for one in records)
                stored = Stored(base, last, *writer, values, False)
            self._by_place[place] = stored

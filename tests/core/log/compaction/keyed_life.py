"""A log of keyed records, transactions and producers, beside a plain model of what it must hold."""

from __future__ import annotations

from random import Random

from kit.compacting import COMPACTED, compact, keyed, limits
from kit.log_batches import marker
from kit.logs import ManualClock, append, config_of, env_of, open_log, split

from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.ports import Disk
from barnabas.protocol.compression import Codec
from barnabas.protocol.record import Record
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.protocol.records import decode_batch
from barnabas.testing.simulation.disk import SimulatedDisk

RETENTION_MS = 1000
CONFIG = config_of(
    **{name: getattr(COMPACTED, name) for name in ("cleanup_policy", "index_interval_bytes")},
    internal_segment_bytes=500,
    min_cleanable_dirty_ratio=0.0,
    delete_retention_ms=RETENTION_MS,
)

Pairs = tuple[tuple[bytes, "bytes | None"], ...]


class Written:
    """A record as it was produced, and when."""

    __slots__ = ("at_ms", "key", "offset", "value")

    def __init__(self, offset: int, key: bytes, value: bytes | None, at_ms: int) -> None:
        self.offset = offset
        self.key = key
        self.value = value
        self.at_ms = at_ms


class KeyedLife:
    """Writes to a log, compacts it, opens it anew; `check` holds it against what was written."""

    def __init__(self, disk: Disk | None = None, folder: str = "/d/t-0") -> None:
        self.disk = disk or SimulatedDisk(Random(1))
        self.folder = folder
        self.clock = ManualClock()
        self.config = CONFIG
        self.log: PartitionLog = open_log(folder, CONFIG, env_of(self.disk, self.clock))
        self.committed: list[Written] = []
        self.open: dict[int, list[Written]] = {}
        """Records of transactions that are not decided, by producer."""
        self.sequences: dict[int, int] = {}

    @property
    def now_ms(self) -> int:
        return self.clock.wall_ms()

    def write(self, pairs: Pairs, codec: Codec = Codec.NONE, producer: int = -1) -> None:
        """A batch, of an idempotent producer if one is named."""
        self._append(pairs, codec, producer, self.committed)

    def transact(self, pairs: Pairs, producer: int) -> None:
        """A batch inside the transaction of a producer."""
        self._append(pairs, Codec.NONE, producer, self.open.setdefault(producer, []))

    def _append(self, pairs: Pairs, codec: Codec, producer: int, records: list[Written]) -> None:
        sequence = self.sequences.get(producer, 0)
        is_open = records is not self.committed
        who = (producer, 0, sequence) if producer >= 0 else (-1, -1, -1)
        data = keyed(*pairs, time=self.now_ms, codec=codec, producer=who, transactional=is_open)
        base = append(self.log, data, now_ms=self.now_ms).base_offset
        if producer >= 0:
            self.sequences[producer] = sequence + len(pairs)
        records += [
            Written(base + number, key, value, self.now_ms)
            for number, (key, value) in enumerate(pairs)
        ]

    def end(self, producer: int, *, commit: bool) -> None:
        """Decide the transaction of a producer, also one without records."""
        data = marker(producer, 0, commit=commit)
        append(self.log, data, now_ms=self.now_ms, origin=Origin.COORDINATOR)
        written = self.open.pop(producer, [])
        if commit:
            self.committed = sorted(self.committed + written, key=lambda one: one.offset)

    def wait(self, ms: int) -> None:
        self.clock.now_ms += ms

    def compact(self, keys: int = 100_000) -> None:
        """Rounds until nothing is dirty."""
        while compact(self.log, limits(keys)):
            self.check_table(read_committed(self.log))
        self.check()

    def reopen(self, *, clean: bool, without: tuple[str, ...] = ()) -> None:
        """Stop and open again; files that end like `without` are lost meanwhile."""
        if clean:
            self.log.close()
        for name in self.disk.list_directory(self.folder):
            if without and name.endswith(without):
                self.disk.remove(f"{self.folder}/{name}")
        self.log = open_log(
            self.folder,
            self.config,
            env_of(self.disk, self.clock),
            clean=clean,
            log_start_offset=self.log.log_start_offset,
        )
        assert not self.log.report.cuts, str(self.log.report)

    # --- what must hold ---

    def check(self) -> None:
        """All that compaction promises."""
        found = read_committed(self.log)
        self.check_records(found)
        self.check_table(found)
        self.check_progress()
        self.check_producers()

    def check_records(self, found: list[Record]) -> None:
        """CMP-11: whatever is there is what was written at that offset, once, in order."""
        known = {one.offset: one for one in self.committed}
        offsets = [record.offset for record in found]
        assert offsets == sorted(set(offsets))
        for record in found:
            one = known[record.offset]
            assert (record.key, record.value) == (one.key, one.value)
            assert one.at_ms <= record.timestamp < one.at_ms + 100

    def check_table(self, found: list[Record]) -> None:
        """CMP-04, CMP-05: the last value of each key is there, and no tombstone went early."""
        last: dict[bytes, Written] = {}
        stable = self.log.last_stable_offset
        for one in self.committed:
            if one.offset < stable:
                last[one.key] = one
        here = {record.offset for record in found}
        for one in last.values():
            if one.value is not None or self.now_ms < one.at_ms + RETENTION_MS:
                assert one.offset in here, f"{one.key!r} at {one.offset} is lost"
        values = {record.key: record.value for record in found}
        for key, value in values.items():
            assert key is not None
            assert value == last[key].value, f"{key!r} has an old value"

    def check_progress(self) -> None:
        """CMP-10, CMP-18: who reads at any offset, also in a hole, gets on."""
        log = self.log
        for offset in range(
            log.log_start_offset, log.log_end_offset, 1 + len(self.committed) // 40
        ):
            raw = split(log.read(offset, 100, log.log_end_offset))
            assert raw, f"nothing at {offset}"
            _, header = next(iter_batch_headers(raw[-1]))
            assert header.next_offset > offset

    def check_producers(self) -> None:
        """CMP-09: the next sequence of each producer is known."""
        for producer, sequence in self.sequences.items():
            entry = self.log.producers.by_id[producer]
            assert entry.next_sequence == sequence, f"producer {producer}"
        ongoing = set(self.log.producers.open_transactions().values())
        assert ongoing == {one for one, records in self.open.items() if records}


def read_committed(log: PartitionLog) -> list[Record]:
    """As a consumer with `read_committed` reads all of it, by the list of aborted transactions."""
    found: list[Record] = []
    offset, end = log.log_start_offset, log.last_stable_offset
    while offset < end:
        raw = split(log.read(offset, 300, end))
        if not raw:
            break
        upto = next(iter_batch_headers(raw[-1]))[1].next_offset
        aborted = sorted(
            ((first, pid) for pid, first in log.aborted_transactions(offset, upto)), reverse=True
        )
        found += _committed(raw, offset, aborted)
        offset = upto
    return found


def _committed(raw: list[bytes], offset: int, aborted: list[tuple[int, int]]) -> list[Record]:
    found: list[Record] = []
    skipped: set[int] = set()
    for one in raw:
        _, header = next(iter_batch_headers(one))
        while aborted and aborted[-1][0] <= header.last_offset:
            skipped.add(aborted.pop()[1])
        if header.is_control:
            records = decode_batch(one)
            if records and records[0].key == b"\0\0\0\0":
                skipped.discard(header.producer_id)
        elif not (header.is_transactional and header.producer_id in skipped):
            found += [record for record in decode_batch(one) if record.offset >= offset]
    return found

"""The runtime of coordinators: what counts, what is taken back, what is loaded (CRT)."""

from __future__ import annotations

from ..planting import FineMutant

COORDINATION = "broker/core/coordination"
SERVER = "broker/server/coordinators"
WRITER = f"{COORDINATION}/shard_writer.py"

MUTANTS = (
    FineMutant(
        "answered-before-the-watermark",
        "CRT-06",
        "a change is answered one record before the watermark has passed it",
        WRITER,
        "(batch.end_offset, partial(self.on_committed, batch))\n        return KafkaError",
        "(batch.end_offset - 1, partial(self.on_committed, batch))\n        return KafkaError",
    ),
    FineMutant(
        "failed-append-not-taken-back",
        "CRT-07",
        "what could not be written stays in the state",
        WRITER,
        "        self._timeline.revert(batch.base_offset)\n",
        "",
    ),
    FineMutant(
        "last-layer-counts-early",
        "CRT-07",
        "the batch behind the watermark cannot be taken back any more",
        f"{COORDINATION}/timeline.py",
        "        while layers and layers[0].base_offset < offset:\n",
        "        while layers and layers[0].base_offset <= offset:\n",
    ),
    FineMutant(
        "revert-keeps-the-first-batch",
        "CRT-07",
        "the batch that failed is kept, those behind it are taken back",
        f"{COORDINATION}/timeline.py",
        "        while layers and layers[-1].base_offset >= base_offset:\n",
        "        while layers and layers[-1].base_offset > base_offset:\n",
    ),
    FineMutant(
        "newest-value-comes-back",
        "CRT-07",
        "what comes back is the value before the last change of a batch, not before the batch",
        f"{COORDINATION}/timeline.py",
        "            self._layers[-1].old.setdefault(part, {}).setdefault(key, value)",
        "            self._layers[-1].old.setdefault(part, {})[key] = value",
    ),
    FineMutant(
        "reads-what-is-not-committed",
        "CRT-09",
        "readers see what the watermark has not passed",
        f"{COORDINATION}/shard.py",
        "        return look(self.machine, self.committed_offset)",
        "        return look(self.machine, self.writer.next_offset)",
    ),
    FineMutant(
        "old-offsets-after-a-load",
        "CRT-09",
        "offsets are told before the watermark has passed what was loaded",
        f"{COORDINATION}/shard.py",
        "        if not may_be_old and self.is_behind:",
        "        if False:",
    ),
    FineMutant(
        "old-epoch-still-answers",
        "CRT-13",
        "a shard goes on when another broker leads",
        f"{SERVER}/led_shards.py",
        "            self._unload(number)\n            if partition.is_leader:\n",
        "            if partition.is_leader:\n                self._unload(number)\n",
    ),
    FineMutant(
        "leader-again-is-not-loaded",
        "CRT-13",
        "who leads again goes on with the state of before",
        f"{SERVER}/led_shards.py",
        "            if partition.is_leader:\n                self._load(",
        "            if partition.is_leader and (known < 0 or known + 1 < partition.leader_epoch"
        "):\n                self._load(",
    ),
    FineMutant(
        "last-batch-not-loaded",
        "CRT-14",
        "a load ends before the last record of the log",
        f"{SERVER}/log_slices.py",
        "        finding = log.reader.finding(offset, max_bytes, log.log_end_offset)",
        "        finding = log.reader.finding(offset, max_bytes, log.log_end_offset - 1)",
    ),
    FineMutant(
        "loads-what-is-committed",
        "CRT-14",
        "a load ends at the watermark",
        f"{SERVER}/log_slices.py",
        "        finding = log.reader.finding(offset, max_bytes, log.log_end_offset)",
        "        finding = log.reader.finding(offset, max_bytes, log.high_watermark)",
    ),
    FineMutant(
        "all-that-was-loaded-counts",
        "CRT-14",
        "what was loaded above the watermark counts as committed",
        WRITER,
        "        if end_offset <= high_watermark:\n",
        "        if end_offset <= high_watermark or not self.written:\n",
    ),
    FineMutant(
        "tombstones-not-loaded",
        "CRT-16",
        "offsets that were removed are back after a load",
        f"{COORDINATION}/groups/offsets/group_offsets.py",
        "            self.table.remove(key.group, partition)\n            return\n",
        "            return\n",
    ),
    FineMutant(
        "timer-not-tried-again",
        "CRT-17",
        "what a timer could not write is not tried again",
        f"{COORDINATION}/shard_timers.py",
        "        if key not in self._set:  #",
        "        if key in self._set:  #",
    ),
)

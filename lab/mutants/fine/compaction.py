"""Compaction of logs: CMP."""

from __future__ import annotations

from ..planting import FineMutant

FILTER = "broker/core/log/compaction/batch_filter.py"
EXCHANGE = "broker/core/log/compaction/exchange.py"
REWRITING = "broker/core/log/compaction/rewriting.py"

MUTANTS = (
    FineMutant(
        "last-of-its-key-goes",
        "CMP-04",
        "a record goes when the map has its own offset",
        FILTER,
        "            elif offset >= get(key) and",
        "            elif offset > get(key) and",
    ),
    FineMutant(
        "beyond-the-map-goes",
        "CMP-04",
        "what lies beyond the map goes if it deletes its key, or a key has a later record",
        "broker/core/log/compaction/offset_map.py",
        "        table[found] = self.latest_offset = offset\n",
        "        table[found] = max(table.get(found, 0), offset + 1)\n"
        "        self.latest_offset = offset\n",
    ),
    FineMutant(
        "horizon-moves-times",
        "CMP-05",
        "with a delete horizon the times of records change",
        REWRITING,
        "base_time - horizon_ms)",
        "horizon_ms - base_time)",
    ),
    FineMutant(
        "last-batch-goes",
        "CMP-09",
        "the last batch of a producer goes with its records",
        FILTER,
        "_NONE_WRITTEN)[0] == last_offset\n",
        "_NONE_WRITTEN)[0] > last_offset\n",
    ),
    FineMutant(
        "empty-batch-forgets-sequence",
        "CMP-09",
        "a batch that is emptied ends at the offset of its first record",
        REWRITING,
        "    values[_BASE_TIMESTAMP] = NO_TIMESTAMP\n    values[_COUNT] = 0\n",
        "    values[_BASE_TIMESTAMP] = NO_TIMESTAMP\n    values[11] = values[_COUNT] = 0\n",
    ),
    FineMutant(
        "cleaned-not-synced",
        "CMP-13",
        "the records of a cleaned segment are not synced",
        "broker/core/log/compaction/cleaned_segment.py",
        "        segment.file.fsync()\n",
        "",
    ),
    FineMutant(
        "last-names-not-synced",
        "CMP-13",
        "the last names of a cleaned segment are not synced",
        EXCHANGE,
        '        """On a thread: they have them for good. Raises OSError."""\n'
        "        self._disk.fsync_directory(self._directory)\n",
        '        """On a thread: they have them for good. Raises OSError."""\n',
    ),
    FineMutant(
        "readers-keep-places",
        "CMP-13",
        "readers go on in files that were exchanged",
        "broker/core/log/compaction/log_compaction.py",
        "            self._reader.forget_places()\n",
        "",
    ),
    FineMutant(
        "stuck-in-a-hole",
        "CMP-18",
        "a reader in a hole at the end of a segment gets nothing",
        "broker/core/log/reader.py",
        "                if position < segment.size:\n"
        "                    return segment, position\n",
        "                return (segment, position) if position < segment.size else None\n",
    ),
)

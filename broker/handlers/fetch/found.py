"""What was found of one fetch so far: a row for each partition, and how large they are together.

Large records are not read into memory: the row holds their place in the file, and the connection
reads them as the client takes them. So a client that asks but does not read costs no memory.
"""

from __future__ import annotations

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.messages.fetch_response import PartitionData

from ...core.log.stored_records import StoredRecords
from ...core.replication.partition import Partition

PARKED_BYTES_MAX = 1_024
"""A fetch that waits keeps no more bytes than that: it reads them again for its answer. Thousands
of fetches may wait, and it is the client that says for how long."""

LENT_FROM = 131_072
"""Records of one partition that have at least this size stay in the file until they are sent."""

KEPT_BYTES_MAX = 1_048_576
"""With so many bytes of records in memory, an answer leaves all further ones in their files;
`LENT_FROM` while the node's memory for answers is used up."""

LOANS_MAX = 64
"""Most places in files that one answer holds, each with a descriptor. Further partitions wait for
the next fetch."""

NEVER = 1 << 62


class Found:
    """The rows, by the number of their target, and which of them must be read again."""

    __slots__ = ("_kept", "_kept_max", "_loans", "must_answer", "news", "places", "rows", "size")

    def __init__(self, kept_max: int) -> None:
        """`kept_max`: with so many bytes in memory, further records stay in their files."""
        self._kept_max = kept_max
        self._kept = 0  # bytes of `size` that are in memory
        self._loans = 0
        self.rows: list[PartitionData] = []
        self.news: dict[int, None] = {}
        """Numbers of the rows that must be read again before the answer."""
        self.places: dict[Partition, int] = {}
        """Partition -> its number among the targets, for all that this broker hosts."""
        self.size = 0
        """Bytes of records in all rows."""
        self.must_answer = False
        """The answer has an error, a diverging epoch or a nearer replica, so it must not wait."""

    def room(self, max_bytes: int) -> int:
        """How many bytes of records may still come, if there may be `max_bytes` in all."""
        return max_bytes - self.size if self._loans < LOANS_MAX else 0

    @property
    def lent_from(self) -> int:
        """Records of so many bytes stay in their file."""
        if self._kept_max == NEVER:
            return NEVER
        return LENT_FROM if self._kept < self._kept_max else 1

    def add(self, row: PartitionData) -> None:
        """The row of the next target."""
        self.rows.append(row)
        if row.records:
            self._count(row.records, 1)

    def replace(self, number: int, row: PartitionData) -> None:
        """The row of a target that was read again; `drop` was called before."""
        self.news.pop(number, None)
        self.rows[number] = row
        if row.records:
            self._count(row.records, 1)

    def drop(self, number: int) -> None:
        """Free the records of a row that is about to be read again."""
        row = self.rows[number]
        if row.records:
            self._count(row.records, -1)
            row.records = b""

    def release(self) -> None:
        """Free the records if they are too large for a fetch that waits; they are read again."""
        if self.size <= PARKED_BYTES_MAX:
            return
        for number, row in enumerate(self.rows):
            if row.records:
                self.news[number] = None
                row.records = b""
        self.size = self._kept = self._loans = 0

    def _count(self, records: Buffer | StoredRecords, sign: int) -> None:
        """Add these records to the sums (`sign` 1), or take them away (-1)."""
        size = sign * len(records)
        self.size += size
        if type(records) is StoredRecords:
            self._loans += sign
        else:
            self._kept += size

"""Reading a log from its start to its end beside other work: slices, waited for off the loop."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from ...core.log.stored_records import StoredRecords
from ...core.ports import Buffer
from ...core.reads import CHANGED, unless_changed
from ...core.replication.partition import Partition
from ...serving.waiting import Loader, in_slices


async def read_slices(
    partition: Partition, node: Loader, max_bytes: int, next_offset: Callable[[], int]
) -> AsyncGenerator[Buffer, None]:
    """Whole batches from `next_offset()` on, until the log's end; the caller moves that offset on.

    Raises KafkaError, LogDirectoryFailure; KafkaError 1 if the log's start has overtaken it.
    """
    while (offset := next_offset()) < partition.log.log_end_offset:
        log = partition.log
        finding = log.reader.finding(offset, max_bytes, log.log_end_offset)
        data = await in_slices(node, unless_changed(finding, lambda: partition.log.reader.changes))
        if data is CHANGED:
            continue  # segments were removed or exchanged, or all moved: on at the same offset
        assert not isinstance(data, StoredRecords), "nothing is as large as that"
        if not len(data):
            return  # the rest was compacted away
        yield data

"""Loading a shard from its partition's log (CRT-13, CRT-14).

The log is read and decoded on threads and replayed in slices, so that others have their turn.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Final, Generic, TypeVar

from ...core.coordination.loaded_batch import LoadedSlice, RecordDecoder, decode_slice
from ...core.coordination.machine import Machine
from ...core.coordination.shard import Phase, Shard
from ...core.replication.partition import Partition
from .log_slices import read_slices
from .partition_as_log import PartitionAsLog
from .services import CoordinatorServices

MachineT = TypeVar("MachineT", bound=Machine)

SLICE_BYTES: Final = 64 * 1024
"""No more is decoded in one piece: a thread that decodes holds up the loop now and then."""


class Load(Generic[MachineT]):
    """One shard on its way."""

    def __init__(
        self,
        node: CoordinatorServices,
        decoder: RecordDecoder,
        load_bytes: int,
        partition: Partition,
        as_log: PartitionAsLog,
        shard: Shard[MachineT],
    ) -> None:
        self._node = node
        self._decoder = decoder
        self._load_bytes = load_bytes
        self._partition = partition
        self._as_log = as_log
        self._shard = shard
        self._offset = partition.log.log_start_offset
        self.records = 0
        """So many were replayed."""

    async def run(self) -> bool:
        """Replay the log, and make the shard active; False if it was unloaded meanwhile.

        Raises KafkaError, DecodeError, LogDirectoryFailure: it cannot be loaded.
        """
        shard, node = self._shard, self._node
        size = min(self._load_bytes, SLICE_BYTES)
        shard.begin_at(self._offset)
        reading = read_slices(self._partition, node, size, lambda: self._offset)
        async with aclosing(reading) as slices:
            async for data in slices:
                found = await node.in_thread(partial(decode_slice, data, self._decoder))
                if not self._is_wanted() or not found.batches:
                    break
                self._tell_unknown(found)
                for _ in shard.replay(found.batches, self._partition.high_watermark):
                    await asyncio.sleep(0)
                    if not self._is_wanted():
                        return False
                self.records += sum(len(batch.records) for batch in found.batches)
                self._offset = found.batches[-1].end_offset
        if not self._is_wanted():
            return False  # CRT-13: a log that went offline half way makes no empty shard
        shard.activate()
        return True

    def _is_wanted(self) -> bool:
        return self._shard.phase is Phase.LOADING and self._as_log.is_led

    def _tell_unknown(self, found: LoadedSlice) -> None:
        for kind, count in found.unknown.items():
            self._node.log.warning(
                "records of an unknown type are left unread",
                log=self._partition.log.name,
                type=kind,
                records=count,
            )

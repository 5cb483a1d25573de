"""How far the logs of a directory were cleaned: the file `cleaner-offset-checkpoint` (CMP-15).

As Kafka has it, so each goes on where the other stopped. A log that it names may have holes, so
none is taken out while the log exists, also when its topic is no longer compacted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...ports import Disk
from ..checkpoints import CheckpointFile, CheckpointWrite, PartitionKey
from ..failures import CorruptCheckpointError

if TYPE_CHECKING:
    from ..partition_log import PartitionLog


def vouched_end(log: PartitionLog) -> int:
    """Where what checkpoints say of a log ends: who cuts below has them lowered first (CMP-15).

    After a crash a log may be clean beyond its recovery point, for that is written less often.
    """
    return max(log.sure_recovery_point, log.compaction.clean_end or 0)


class CleanerOffsets:
    """Those of one directory."""

    __slots__ = ("_file", "_told", "found")

    def __init__(self, disk: Disk, path: str) -> None:
        self._file = CheckpointFile(disk, path)
        self.found: dict[PartitionKey, int] = {}
        """Of logs that were not opened yet; the others know it themselves."""
        self._told: Mapping[PartitionKey, int] = {}
        """What the file says."""

    def load(self) -> str:
        """Read the file; why it was passed over, if it was. Raises OSError.

        Then all is dirty, and recovery takes a hole for a lost tail only where the topic is not
        compacted any more.
        """
        try:
            self._told = self._file.read()
            self.found = dict(self._told)
        except CorruptCheckpointError as error:
            return f"{error}; passed over"
        return ""

    def of(self, key: PartitionKey) -> int | None:
        """Up to where a log was cleaned; None if it never was."""
        return self.found.get(key)

    def may_name(self, key: PartitionKey) -> bool:
        """Whether the file says something of this log, or will when a write ends."""
        return self._file.may_name(key)

    def keep_only(self, keys: Iterable[PartitionKey]) -> None:
        """Forget logs whose folders do not exist."""
        wanted = set(keys)
        self.found = {key: offset for key, offset in self.found.items() if key in wanted}

    def write(
        self, logs: Mapping[PartitionKey, PartitionLog], limits: Mapping[PartitionKey, int]
    ) -> CheckpointWrite:
        """The file as it is to be now; of a log in `limits` no more than is said there."""
        self._told = offsets = self._offsets(logs, limits)
        return CheckpointWrite([self._file.take_down(offsets)], durable=True)

    def _offsets(
        self, logs: Mapping[PartitionKey, PartitionLog], limits: Mapping[PartitionKey, int]
    ) -> dict[PartitionKey, int]:
        offsets = dict(self.found)
        for key, log in logs.items():
            if (clean_end := log.compaction.clean_end) is not None:
                offsets[key] = min(clean_end, limits.get(key, clean_end))
        return offsets

    def says_too_much(
        self, logs: Mapping[PartitionKey, PartitionLog], limits: Mapping[PartitionKey, int]
    ) -> bool:
        """Whether the file calls something clean that may be dirty soon, or is gone."""
        told = self._told
        return any(told.get(key, at) > at for key, at in self._offsets(logs, limits).items())

    def beside(
        self,
        write: CheckpointWrite,
        logs: Mapping[PartitionKey, PartitionLog],
        limits: Mapping[PartitionKey, int],
    ) -> CheckpointWrite:
        """Besides `write` this file, if it says too much: a log is about to be cut, or was.

        What comes instead of what is cut off is dirty, after a crash as well.
        """
        return write + self.write(logs, limits) if self.says_too_much(logs, limits) else write

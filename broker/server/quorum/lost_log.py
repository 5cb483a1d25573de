"""Refuses to start with a metadata log that is empty but should not be: it was lost, or not
restored.

A node that began with it would know no topic: it would set the folders of all partitions aside, or
vote as a node without any data. An empty log is right in these cases: a node that died between its
first `quorum-state` and its first record, a voter that has not fetched anything yet, a broker
without a vote, which fetches everything again, and a node with nothing to lose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from barnabas.protocol.errors import KafkaError

from ...core.config.field import ConfigError
from ...core.log import file_names
from ...core.log.checkpoints import read_offsets
from ...core.log.failures import CorruptCheckpointError, LogDirectoryFailure
from ...core.log.identity import write_clean_shutdown
from ...core.log.log_directory import LogDirectory
from ...core.ports import Disk
from ..formatting import MetadataError


class Situation(NamedTuple):
    """What is known about a controller whose metadata log is empty."""

    folder: str
    """The folder of the metadata log."""
    node_id: int
    epoch: int
    """The epoch in `quorum-state`; 0 if there is none."""
    has_segments: bool
    """Whether there was any `.log` file before the log was opened, which may create one."""
    is_alone: bool
    """Whether it is the only voter."""
    is_broker: bool
    """Whether this node is a broker too: only then do its folders show whether there is data."""
    was_clean: bool
    """The last stop left its marker: everything that was known then is on the disk."""


def has_segments(disk: Disk, folder: str) -> bool:
    """Whether the folder has a segment. Raises OSError."""
    return disk.exists(folder) and any(
        name.endswith(".log") for name in disk.list_directory(folder)
    )


def check_not_lost(situation: Situation, disk: Disk, directories: Sequence[LogDirectory]) -> None:
    """Call it for a controller whose log is empty, with no snapshot of any record.

    Raises MetadataError with what contradicts the empty log and what to do; OSError.
    """
    found = partition_folders(disk, directories)
    if situation.is_alone and situation.is_broker:
        reasons = []  # without folders there is nothing to lose
    else:
        reasons = list(_contradictions(situation))
    if found and (situation.is_alone or _has_known(situation, disk, directories)):
        reasons.append(f"there are folders of partitions ({len(found)}; one is {found[0]})")
    if reasons:
        _leave_as_found(situation, disk)
        raise MetadataError(
            f"{situation.folder}: the metadata log is empty, but {'; '.join(reasons)}. A node that"
            f" starts like this has forgotten every topic. {_what_to_do(situation, bool(found))}"
        )


def _leave_as_found(situation: Situation, disk: Disk) -> None:
    """Leave the folder as the next start must find it: without files that opening created."""
    if not situation.has_segments:
        disk.remove(file_names.segment_file(situation.folder, 0, ".log"))


@contextmanager
def markers_kept(disk: Disk, directories: Sequence[LogDirectory]) -> Iterator[None]:
    """A start that is refused here is no crash: its directories keep their markers of a clean stop,
    lest the next start takes what is damaged for a tail that was lost. Raises OSError."""
    try:
        yield
    except LogDirectoryFailure:
        raise
    except (ConfigError, MetadataError, KafkaError):
        for one in directories:
            if one.clean and not one.failures:
                write_clean_shutdown(disk, one.path, one.broker_epoch)
        raise


def _contradictions(situation: Situation) -> Iterator[str]:
    """Whether the folder of the metadata log itself shows that the log was not empty."""
    epoch = situation.epoch
    if epoch > 0 and not situation.has_segments:
        # Whoever writes that file has created the first segment before, in the same folder.
        yield f"quorum-state names epoch {epoch} and there is no .log file"
    elif epoch > 0 and situation.is_alone and situation.was_clean:
        yield f"its only voter has led up to epoch {epoch} and stopped cleanly"


def _has_known(situation: Situation, disk: Disk, directories: Sequence[LogDirectory]) -> bool:
    """Whether a voter of several had the metadata for certain, and durably.

    It makes folders of what it has fetched, and power may fail before that is flushed: folders
    alone say nothing. A clean stop, or a partition flushed so long ago that a checkpoint names it,
    does. A removed `quorum-state` is how somebody says that this is meant.
    """
    if situation.epoch <= 0:
        return False
    return situation.was_clean or any(_has_flushed(disk, one.path) for one in directories)


def _has_flushed(disk: Disk, path: str) -> bool:
    try:
        points = read_offsets(disk, f"{path}/{file_names.RECOVERY_POINTS}")
    except CorruptCheckpointError:
        return False
    return any(offset > 0 for offset in points.values())


def _what_to_do(situation: Situation, has_folders: bool) -> str:
    restore = f"Restore the .log and .checkpoint files of {situation.folder} from a copy"
    if not situation.is_alone:
        return (
            f"{restore}; or, only if a majority of the other voters still has the metadata, remove"
            f" {situation.folder}/quorum-state, and node {situation.node_id} fetches all of it"
        )
    if has_folders:
        return f"{restore}; or, to begin anew without this data, move the folders elsewhere"
    return f"{restore}; or, to begin a new cluster, remove {situation.folder}/quorum-state"


def partition_folders(disk: Disk, directories: Sequence[LogDirectory]) -> list[str]:
    """Paths of the folders of partitions that are in use: not deleted, not set aside. Raises
    OSError."""
    return [
        f"{directory.path}/{name}"
        for directory in directories
        for name in disk.list_directory(directory.path)
        if name != file_names.CLUSTER_METADATA_FOLDER
        and file_names.parse_partition_folder(name) is not None
    ]

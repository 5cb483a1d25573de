"""A metadata log that is empty where it cannot be: lost, or left out when files were restored.

A node that began with it would know no topic: it would set all partitions' folders aside, or give
its vote to others as empty. So it does not start. An empty log is right in these cases: a node that
died between its first `quorum-state` and its first record, a voter that has not fetched anything
yet, a broker without a vote, which fetches everything again, and a node with nothing to lose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...core.log import file_names
from ...core.log.checkpoints import read_offsets
from ...core.log.failures import CorruptCheckpointError
from ...core.log.identity import write_clean_shutdown
from ...core.log.log_directory import LogDirectory
from ...core.ports import Disk
from ..formatting import MetadataError


class Situation(NamedTuple):
    """What is known of a controller whose metadata log is empty."""

    folder: str
    """That of the metadata log."""
    node_id: int
    epoch: int
    """What `quorum-state` names; 0 if it is not there."""
    has_segments: bool
    """Whether any `.log` file was there before the log was opened, and perhaps made."""
    is_alone: bool
    """It is the only voter."""
    is_broker: bool
    """Its own folders show whether there is data; those of other brokers it cannot see."""
    was_clean: bool
    """The last stop left its marker: everything that was known then is on the disk."""


def has_segments(disk: Disk, folder: str) -> bool:
    """Whether there is a segment in the folder. Raises OSError."""
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
        _leave_as_found(situation, disk, directories)
        raise MetadataError(
            f"{situation.folder}: the metadata log is empty, but {'; '.join(reasons)}. A node that"
            f" starts like this has forgotten every topic. {_what_to_do(situation, bool(found))}"
        )


def _leave_as_found(situation: Situation, disk: Disk, directories: Sequence[LogDirectory]) -> None:
    """The next start must see the same: markers of a clean stop, and no file that opening made."""
    if not situation.has_segments:
        disk.remove(file_names.segment_file(situation.folder, 0, ".log"))
    for one in directories:
        if one.clean:
            write_clean_shutdown(disk, one.path, one.broker_epoch)


def _contradictions(situation: Situation) -> Iterator[str]:
    """What the folder of the metadata log itself says against its being empty."""
    epoch = situation.epoch
    if epoch > 0 and not situation.has_segments:
        # Whoever writes that file has made the first segment before, in the same folder.
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
    """Paths of partitions' folders that are in use: not deleted, not set aside. Raises OSError."""
    return [
        f"{directory.path}/{name}"
        for directory in directories
        for name in disk.list_directory(directory.path)
        if name != file_names.CLUSTER_METADATA_FOLDER
        and file_names.parse_partition_folder(name) is not None
    ]

"""Which of a broker's log directories a replica belongs in (KIP-858)."""

from __future__ import annotations

from collections.abc import Sequence

from barnabas.protocol.primitives import uuid_from_text

from ..cluster.topic_image import PartitionImage
from ..log.log_directory import LogDirectory


def named_directory(
    directories: Sequence[LogDirectory], assigned: PartitionImage, node_id: int
) -> LogDirectory | None:
    """The one that the metadata names for this broker's replica; None if it is not here."""
    if assigned.directories:
        wanted = assigned.directory_of(node_id)
        for directory in directories:
            own_id = None if directory.meta is None else directory.meta.directory_id
            if own_id is not None and uuid_from_text(own_id) == wanted:
                return directory
    return None


def directory_for(
    directories: Sequence[LogDirectory], assigned: PartitionImage, node_id: int
) -> LogDirectory:
    """The one that the metadata names, else of the whole ones that with the fewest logs."""
    named = named_directory(directories, assigned, node_id)
    if named is not None:
        return named
    whole = [directory for directory in directories if not directory.failures]
    return min(whole or directories, key=lambda directory: len(directory.logs))

"""Which of a broker's log directories a replica belongs in (KIP-858)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from barnabas.protocol.primitives import uuid_from_text

from ..cluster.topic_image import PartitionImage
from ..log.log_directory import LogDirectory


def id_of(directory: LogDirectory) -> bytes | None:
    """The id that the metadata has for it; None if it has none."""
    meta = directory.meta
    return None if meta is None or meta.directory_id is None else _decoded(meta.directory_id)


@cache
def _decoded(text: str) -> bytes:
    """A directory's id from its `meta.properties`; asked for at each change of each replica."""
    return uuid_from_text(text)


def named_directory(
    directories: Sequence[LogDirectory], assigned: PartitionImage, node_id: int
) -> LogDirectory | None:
    """The one that the metadata names for this broker's replica; None if it is not here."""
    if assigned.directories:
        wanted = assigned.directory_of(node_id)
        for directory in directories:
            if id_of(directory) == wanted:
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

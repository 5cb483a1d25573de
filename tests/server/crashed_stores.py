"""Replica stores over directories that were not closed in good order."""

from __future__ import annotations

from pathlib import Path

from kit.replica_stores import Local, topic
from kit.replicas import from_leader

RECORDS = 20


def crashed(*directories: Path) -> Local:
    """A store whose directories hold four partitions of ten batches, not stopped in good order."""
    before = Local(*directories)
    before.apply(*topic(partitions=4, leader=2))
    for partition in before.store:
        for offset in range(0, RECORDS, 2):
            partition.as_follower(0).append(from_leader(offset, 2), 1, 0)
        partition.log.close(clean=False)
    return again(*directories)


def again(*directories: Path) -> Local:
    after = Local(*directories)
    for record in topic(partitions=4, leader=2):
        after.image.apply(record, after.image.last_offset + 1)
    return after

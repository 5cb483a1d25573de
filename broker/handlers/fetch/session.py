"""The partitions of a fetch's session that rest, and those that begin to.

The rules are in `core/replication/resting_session.py`: a partition with nothing new rests, which
means that the fetches of its session skip it until something happens to its replica.
"""

from __future__ import annotations

from barnabas.protocol.errors import KafkaError

from ...core.replication.partition import Partition
from ...core.replication.replica_store import ReplicaStore
from ...core.replication.resting_session import FetchTarget, ParkedInSession
from .reading import Reading
from .rows import new_row


def enter_session(reading: Reading, fetch: ParkedInSession) -> bool:
    """Call `fetch` when a resting partition has news; True if one has had some since it came.

    Such a partition is then among the targets.
    """
    wanted, found = reading.asked.wanted, reading.found
    if wanted.session is None:
        return False
    wanted.session.parked[fetch] = None
    due = wanted.newly_due()
    for target in due:
        try:
            take_in(reading, reading.partition_of(target), target)
        except KafkaError as error:
            wanted.targets.append(target)
            found.add(reading.failed(None, target, error))
    return bool(due)


def leave_session(reading: Reading, fetch: ParkedInSession) -> None:
    """Call it no more; no error if `enter_session` was not called."""
    session = reading.asked.wanted.session
    if session is not None:
        session.parked.pop(fetch, None)


def take_in(reading: Reading, partition: Partition, target: FetchTarget) -> int:
    """Add a partition that rested when the fetch came; returns its number among the targets."""
    found = reading.found
    number = len(found.rows)
    reading.asked.wanted.targets.append(target)
    found.add(new_row(partition, target))
    found.places[partition] = number
    found.news[number] = None
    if reading.follower is not None:
        reading.follower.take_in(partition, target)
    return number


def let_rest(reading: Reading, replicas: ReplicaStore) -> None:
    """Let the partitions rest about which there is nothing new."""
    asked, found = reading.asked, reading.found
    session = asked.wanted.session
    if session is None:
        return
    for partition, number in found.places.items():
        row = found.rows[number]
        if (
            row.error_code
            or row.records
            or row.preferred_read_replica != -1
            or row.diverging_epoch.epoch != -1
            or (asked.client is not None and partition.is_leader)  # 392-04: may change
            or not replicas.holds(partition)
        ):
            continue
        if asked.reader.is_follower:
            end = partition.log.log_end_offset
        else:
            end = partition.readable_end(read_committed=asked.is_committed)
        session.rest(asked.wanted.targets[number], partition, end)

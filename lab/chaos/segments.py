"""What the segment files of each replica hold: the last word on lost and on invisible records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from barnabas.protocol.errors import KafkaError
from barnabas.protocol.record_batch import check_batch
from barnabas.protocol.records import decode_batch


class Stored(NamedTuple):
    """One batch in a file."""

    base_offset: int
    last_offset: int
    epoch: int
    digest: bytes


@dataclass(slots=True)
class ReplicaLog:
    """One replica of one partition, as its files are."""

    node_id: int
    partition: int
    batches: list[Stored] = field(default_factory=list)
    values: dict[int, bytes] = field(default_factory=dict)
    damage: str = ""
    """Where and why reading ended early."""

    @property
    def end(self) -> int:
        """The offset behind the last record."""
        return self.batches[-1].last_offset + 1 if self.batches else 0


def read_replica(directory: Path, node_id: int, partition: int) -> ReplicaLog:
    """All segments of a partition's directory; a directory that is not there holds nothing."""
    replica = ReplicaLog(node_id, partition)
    for path in sorted(directory.glob("*.log")):
        data = path.read_bytes()
        position = 0
        while position < len(data):
            try:
                header = check_batch(data, position, len(data))
                records = [] if header.is_control else decode_batch(data, position)
            except KafkaError as error:
                replica.damage = f"{path} @{position}: {error}"
                return replica
            whole = data[position : position + header.size]
            replica.batches.append(
                Stored(
                    header.base_offset,
                    header.last_offset,
                    header.partition_leader_epoch,
                    hashlib.blake2b(whole, digest_size=16).digest(),
                )
            )
            replica.values.update((one.offset, bytes(one.value or b"")) for one in records)
            position += header.size
    return replica


def read_replicas(
    directories: Mapping[int, Path], topic: str, partitions: int
) -> dict[int, list[ReplicaLog]]:
    """By partition: the replica of each node."""
    return {
        number: [
            read_replica(directory / f"{topic}-{number}", node_id, number)
            for node_id, directory in directories.items()
        ]
        for number in range(partitions)
    }


def divergences(replicas: Iterable[ReplicaLog]) -> list[str]:
    """I-2 over the files of one partition, and who has less than the others, in words."""
    found: list[str] = []
    known: dict[int, tuple[int, Stored]] = {}
    logs = list(replicas)
    end = max((log.end for log in logs), default=0)
    for log in logs:
        where = f"partition {log.partition} on node {log.node_id}"
        if log.damage:
            found.append(f"{where} is damaged: {log.damage}")
        for batch in log.batches:
            node_id, other = known.setdefault(batch.base_offset, (log.node_id, batch))
            if other != batch:
                found.append(
                    f"I-2: {where} at offset {batch.base_offset} (epoch {batch.epoch}) is not what"
                    f" node {node_id} has there (epoch {other.epoch})"
                )
                break
        if log.end < end:
            found.append(f"{where} ends at {log.end}, another replica at {end}")
    return found

"""What the controllers decided during a run, read from the metadata logs that they left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from barnabas.broker.core.raft.metadata_batches import Entry, entries
from barnabas.protocol.errors import KafkaError, ProtocolError
from barnabas.protocol.messages.leader_change_message import LeaderChangeMessage
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

_DIRECTORY = "__cluster_metadata-0"
_UNCHANGED = -2
"""The value of PartitionChangeRecord.leader if the record does not change the leader."""


@dataclass(slots=True)
class Decisions:
    """Counts from a given moment on."""

    isr_changes: int = 0
    leader_changes: int = 0
    elections: int = 0
    """Controllers that became active."""
    quorum_epoch: int = 0


def decisions_since(directories: Iterable[Path], wall_ms: int) -> Decisions:
    """The counts in the longest metadata log of these nodes, without records of earlier times."""
    logs = [_entries(directory / _DIRECTORY) for directory in directories]
    longest = max(logs, key=lambda found: found[-1].offset if found else -1, default=[])
    decisions = Decisions()
    for entry in longest:
        decisions.quorum_epoch = max(decisions.quorum_epoch, entry.epoch)
        if entry.timestamp < wall_ms:
            continue
        message = entry.message
        if isinstance(message, LeaderChangeMessage):
            decisions.elections += 1
        elif isinstance(message, PartitionChangeRecord):
            decisions.isr_changes += message.isr is not None
            decisions.leader_changes += message.leader != _UNCHANGED
    return decisions


def _entries(directory: Path) -> list[Entry]:
    found: list[Entry] = []
    for path in sorted(directory.glob("*.log")):
        try:
            found += entries(path.read_bytes())
        except (KafkaError, ProtocolError):
            break  # a damaged log: another node's is longer
    return found

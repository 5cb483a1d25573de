"""The version in which a metadata record is written, so that every node of the cluster can read it.

The finalised level of `metadata.version` decides; levels and versions are Kafka 4.3.1's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from barnabas.protocol.message import Message

METADATA_VERSION_MIN: Final = 7  # 3.3-IV3, the oldest that Kafka 4 starts from
METADATA_VERSION_MAX: Final = 30  # 4.3-IV0

_MIGRATION: Final = 8
DIRECTORY_ASSIGNMENT_MIN: Final = 17  # 3.7-IV2: from here on records name log directories
ELIGIBLE_LEADER_REPLICAS_MIN: Final = 23  # from here on records of partitions have fields for them
CORDONED_DIRECTORIES_MIN: Final = 30  # 4.3-IV0: records name directories that take no more

LOSING_DOWNGRADES: Final = (8, 11, 13, 14, 15, 16, 17, 18, 20, 23, 30)
"""The levels that added records or fields: a downgrade below one of them would lose data."""


def record_version(record: Message, metadata_version: int) -> int:
    """The version in which to write `record`; fields that this version lacks are cleared."""
    choose = _CHOICES.get(record.NAME)
    return 0 if choose is None else choose(record, metadata_version)


def _register_broker(record: Any, level: int) -> int:
    if level < CORDONED_DIRECTORIES_MIN:
        record.cordoned_log_dirs = None
    if level >= CORDONED_DIRECTORIES_MIN:
        return 4
    if level >= DIRECTORY_ASSIGNMENT_MIN:
        return 3
    record.log_dirs = []
    return 2 if level >= _MIGRATION else 1


def _change_broker(record: Any, level: int) -> int:
    # As in Kafka: the lowest version that can express this change.
    del level
    if record.cordoned_log_dirs is not None:
        return 3
    if record.log_dirs:
        return 2
    return 1 if record.in_controlled_shutdown else 0


def _partition(record: Any, level: int) -> int:
    if level < ELIGIBLE_LEADER_REPLICAS_MIN:
        record.eligible_leader_replicas = None
        record.last_known_elr = None
    if level < DIRECTORY_ASSIGNMENT_MIN:
        record.directories = [] if record.NAME == "PartitionRecord" else None
        return 0
    return 2 if level >= ELIGIBLE_LEADER_REPLICAS_MIN else 1


_CHOICES: Final[dict[str, Callable[[Any, int], int]]] = {
    "RegisterBrokerRecord": _register_broker,
    "BrokerRegistrationChangeRecord": _change_broker,
    "PartitionRecord": _partition,
    "PartitionChangeRecord": _partition,
}

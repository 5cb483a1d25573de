"""The epochs of a consumer group, and topics that a pattern stands for: values of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FIRST_EPOCH: Final = 1


@dataclass(frozen=True, slots=True)
class Numbers:
    """Epochs of the group as a whole; records of key types 3, 4 and 6 hold them."""

    epoch: int = FIRST_EPOCH
    """Goes up when the group must be assigned anew (848-04, 848-10)."""
    metadata_hash: int = 0
    """Of the subscribed topics, when the epoch went up (848-11); 64 bits, signed."""
    assignment_epoch: int = 0
    """Epoch of the group that the target assignment is for; 0: there is none yet."""
    assigned_at_ms: int = 0
    """When the target was worked out, wall clock in milliseconds (848-12)."""
    has_old_record: bool = False
    """Whether there is a record of key type 4, which Kafka 4.0 and older wrote."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Topics that match a pattern; a record of key type 16 holds them (848-23)."""

    topics: frozenset[str]
    version: int
    """Offset of the metadata that was looked through."""
    at_ms: int
    """When, by the wall clock in milliseconds."""

"""Who appends to a log."""

from __future__ import annotations

from enum import Enum


class Origin(Enum):
    """Who appends: it decides what is checked."""

    CLIENT = "client"
    """A producer: everything is checked."""
    COORDINATOR = "coordinator"
    """A group or transaction coordinator, or a transaction marker: control batches are allowed."""
    RAFT = "raft"
    """The metadata quorum: nothing is checked or changed."""

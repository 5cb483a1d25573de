"""What the quorum tells the other parts of a node: who leads, and what was committed."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message

from ...core.raft.messages import NOBODY, LeaderAndEpoch
from ...core.raft.snapshot_file import SnapshotId

__all__ = ["NOBODY", "LeaderAndEpoch", "NotLeaderError", "QuorumListener"]


class NotLeaderError(KafkaError):
    """This node does not lead the metadata quorum (any more)."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.NOT_CONTROLLER, message)


class QuorumListener(Protocol):
    """Gets everything: the newest snapshot, then each batch that is committed, in order.

    Calls come on the event loop, in the order of the log, one after the other. If a call returns an
    awaitable, it is awaited before this listener gets more, and before the leader is told that this
    node has applied what it was handed. So a listener may work in slices.
    """

    def on_leader(self, leader: LeaderAndEpoch) -> None:
        """The leader or the epoch has changed. A node that leads is told when its epoch has
        begun."""
        ...

    def on_committed(
        self,
        base_offset: int,
        epoch: int,
        records: Sequence[Message],
        append_wall_ms: int,
        last_offset: int,
    ) -> Awaitable[object] | None:
        """One committed batch; the next one begins at `last_offset` + 1.

        Batches of the quorum itself (control batches) come without records. `append_wall_ms` is the
        wall clock of the leader that appended it.
        """
        ...

    def on_snapshot(
        self, snapshot_id: SnapshotId, records: Sequence[Message], append_wall_ms: int
    ) -> Awaitable[object] | None:
        """The state up to `snapshot_id.end_offset` (exclusive), which replaces everything before.

        `append_wall_ms` is when the last record before the snapshot was appended.
        """
        ...

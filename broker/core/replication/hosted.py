"""What a role sees of the replica that is in it."""

from __future__ import annotations

from typing import Protocol

from ..config.topic import TopicConfig
from ..log.failures import LogDirectoryFailure
from ..log.partition_log import PartitionLog
from ..ports import Hooks
from .waiters import Waiters


class HostedReplica(Protocol):
    """A replica on this broker, whatever its role."""

    topic: str
    topic_id: bytes
    index: int
    log: PartitionLog
    config: TopicConfig
    waiters: Waiters
    hooks: Hooks | None
    """The simulator's; None in production."""

    def tell(self, event: str, **fields: object) -> None:
        """Tell the simulator, if this node runs in one."""
        ...

    def advance(self, high_watermark: int) -> None:
        """Move the watermark on, and wake who waits for that."""
        ...

    def request_flush(self) -> None:
        """Have the log flushed soon."""
        ...

    def on_disk_failure(self, failure: LogDirectoryFailure) -> None:
        """The disk refused something of the log."""
        ...

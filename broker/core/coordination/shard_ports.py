"""What a shard of a coordinator needs of the server: its log, and the event loop's timers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from barnabas.protocol.errors import ErrorCode

from ..replication.end_markers import EndMarker


class ShardLog(Protocol):
    """The partition over which a shard stands, as its leader in one epoch."""

    @property
    def end_offset(self) -> int:
        """The offset of the next record."""
        ...

    @property
    def max_batch_bytes(self) -> int:
        """`max.message.bytes` of the topic."""
        ...

    def append(self, batch: bytes) -> int:
        """Append a batch of magic 2; its base offset.

        Raises KafkaError: 6 if this broker leads no more in this epoch, 19 if too few replicas are
        in sync, 56 if the disk refused it.
        """
        ...

    def append_marker(self, marker: EndMarker) -> int:
        """Append the marker of a transaction's end; its offset.

        Raises KafkaError: those of `append`, and 47 and 52 for epochs that are over (TXN-31).
        """
        ...

    def when_committed(self, end_offset: int, waiter: Callable[[ErrorCode], object]) -> None:
        """Call back with NONE when the high watermark reaches `end_offset`, at once if it has, or
        with the reason why it will not in this epoch."""
        ...


class Cancellable(Protocol):
    """A timer that can be called off."""

    def cancel(self) -> None: ...


class ShardLoop(Protocol):
    """The event loop, as a shard uses it."""

    def now_ms(self) -> float:
        """The loop's clock, by which callbacks come, in milliseconds."""
        ...

    def call_soon(self, callback: Callable[[], object]) -> Cancellable:
        """Run the callback behind everything that is queued now."""
        ...

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> Cancellable:
        """Run the callback once so many milliseconds have passed."""
        ...

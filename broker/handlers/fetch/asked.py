"""What one fetch asks for: by whom, which partitions, how much, and how long it may wait."""

from __future__ import annotations

from barnabas.protocol.messages.fetch_request import FetchRequest

from ...core.replication.fetch_session import FetchContext
from ...core.replication.replica_selector import ClientView
from ...serving.context import BrokerContext
from .rules import FOLLOWER_READS_SINCE, Reader

READ_COMMITTED = 1


class Asked:
    """The request with what its session adds; nothing of it changes but the targets.

    A partition of the session that rested when the fetch came may join them.
    """

    __slots__ = (
        "came_ms",
        "client",
        "is_committed",
        "max_bytes",
        "max_wait_ms",
        "min_bytes",
        "reader",
        "rights",
        "wanted",
    )

    def __init__(
        self,
        context: BrokerContext,
        request: FetchRequest,
        wanted: FetchContext,
        reader: Reader,
        came_ms: float,
    ) -> None:
        node = context.node
        self.reader = reader
        self.rights = None if node.access is None or reader.is_follower else context.rights
        """By which each partition must be allowed; None if no further right is needed."""
        self.wanted = wanted
        """The partitions to look at, and the session."""
        self.came_ms = came_ms
        """Monotonic time at which it came."""
        self.is_committed = request.isolation_level == READ_COMMITTED and not reader.is_follower
        """Whether undecided and aborted transactions are kept back (98-06)."""
        self.max_bytes = min(request.max_bytes, node.config.fetch_max_bytes)
        if node.quotas.counts_fetch and not reader.is_follower:
            # More than that could never leave (QTA-10).
            allowed = node.quotas.fetch_bytes_max(context.principal, context.header.client_id)
            self.max_bytes = self.max_bytes if allowed is None else min(self.max_bytes, allowed)
        self.min_bytes = min(request.min_bytes, self.max_bytes)
        self.max_wait_ms = request.max_wait_ms
        self.client: ClientView | None = None
        """A consumer that may be sent to a nearer replica (392-04); None for everybody else."""
        if (
            not reader.is_follower
            and reader.version >= FOLLOWER_READS_SINCE
            and node.replicas.selector is not None
        ):
            self.client = ClientView(
                context.header.client_id or "",
                request.rack_id,
                context.listener_name,
                context.client_host,
            )

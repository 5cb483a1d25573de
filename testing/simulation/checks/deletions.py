"""I-38: records that an administrator was told are deleted are so in every replica that counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

from .committed import name_of
from .replica_logs import Key, key_of, key_of_partition


class Deletions:
    """Where the logs begin, and what was told of it (KIP-107)."""

    def __init__(self, bus: HookBus, is_active_for: Callable[[str, int], bool]) -> None:
        """`is_active_for(node, broker_id)`: whether the node takes that broker for active."""
        self._is_active_for = is_active_for
        self._starts: dict[tuple[str, Key], int] = {}
        """The latest beginning that a replica ever had. One that was killed may come back with
        an earlier one, as with Kafka: only a fetch tells its leader."""
        bus.listen("log-start log-opened truncate", self._on_start)
        bus.listen("records-deleted", self._on_deleted)

    def _on_start(self, event: Event) -> None:
        log = event.fields["log"]
        key = (event.node, key_of(log))
        self._starts[key] = max(self._starts.get(key, 0), log.log_start_offset)

    def _on_deleted(self, event: Event) -> None:
        partition: Any = event.fields["partition"]
        offset = event.fields["offset"]
        leader = int(event.node.removeprefix("node-"))
        for replica in (leader, *partition.leader.followers):
            start = self._starts.get((f"node-{replica}", key_of_partition(partition)), 0)
            is_counted = replica == leader or self._is_active_for(event.node, replica)
            if is_counted and start < offset:
                raise InvariantError(
                    "I-38",
                    f"{name_of(partition)}: {event.node} says that what is below {offset} is"
                    f" deleted, and the log of {replica} begins at {start}",
                )

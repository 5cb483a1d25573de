"""I-33: the last stable offset of each replica is what its records and its watermark say.

It is counted here from the batches: below the first record of every open transaction, and of every
closed one whose marker the watermark has not passed (TXN-40). A watermark may go back where it was
known before: then markers that are committed may count already, and need not. So may those that a
replica finds in its log when it opens it: where a closed transaction began is not kept, in Kafka
neither. Readers lose nothing by it, as the coordinator writes a marker that is lost again.
"""

from __future__ import annotations

from typing import Any

from barnabas.testing.simulation.checks.committed import Committed
from barnabas.testing.simulation.checks.replica_logs import Key, ReplicaLogs, key_of_partition
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError
from barnabas.testing.simulation.workload.transactions.attempts import TOPICS

from .stored import Stored, StoredBatches


class ReplicaView:
    """The transactions of one replica, as far as its batches were looked at."""

    __slots__ = ("closed", "opened", "seen")

    def __init__(self) -> None:
        self.seen = 0
        """Batches of the model that were looked at."""
        self.opened: dict[int, int] = {}
        """By producer id: the first offset of its open transaction."""
        self.closed: list[tuple[int, int]] = []
        """First offsets and markers of those that the watermark has not passed."""

    def add(self, stored: Stored) -> None:
        """The next batch of the log."""
        if not stored.is_marker:
            self.opened.setdefault(stored.producer_id, stored.base)
            return
        first = self.opened.pop(stored.producer_id, None)
        if first is not None:
            self.closed.append((first, stored.base))

    def stable(self, high_watermark: int, passed: int) -> int:
        """The last stable offset, if the markers below `passed` count."""
        held = [first for first, marker in self.closed if marker >= passed]
        return min([high_watermark, *held, *self.opened.values()])


class StableOffsets:
    """Looks at each watermark, and at each answer to a reader of committed records."""

    def __init__(
        self, bus: HookBus, logs: ReplicaLogs, committed: Committed, stored: StoredBatches
    ) -> None:
        self._logs = logs
        self._committed = committed
        self._stored = stored
        self._views: dict[tuple[str, Key], ReplicaView] = {}
        self._found: dict[tuple[str, Key], int] = {}
        """Where the log ended when it was opened, or was cut since."""
        bus.listen("log-opened truncate", self._on_changed)
        bus.listen("hw", self._on_watermark)
        bus.listen("fetch-answered", self._on_fetch)

    def _on_changed(self, event: Event) -> None:
        """The log is another one: its batches are looked at anew."""
        log = event.fields["log"]
        if log.topic in TOPICS:
            key = log.topic_id.hex(), log.partition
            place = event.node, key
            self._views.pop(place, None)
            is_opened = event.name == "log-opened"
            end = log.log_end_offset
            self._found[place] = end if is_opened else min(self._found.get(place, 0), end)

    def _on_watermark(self, event: Event) -> None:
        partition = event.fields["partition"]
        if partition.topic not in TOPICS:
            return
        lowest, highest = self._expected(event.node, partition)
        found = partition.log.last_stable_offset
        if not lowest <= found <= highest:
            raise InvariantError(
                "I-33",
                f"{partition.topic}-{partition.index}: the last stable offset of {event.node} is"
                f" {found} with watermark {partition.log.high_watermark}; by its records it is"
                f" {lowest} to {highest}",
            )

    def _on_fetch(self, event: Event) -> None:
        partition = event.fields["partition"]
        if not event.fields["read_committed"] or partition.topic not in TOPICS:
            return
        end, (_, expected) = event.fields["end_offset"], self._expected(event.node, partition)
        if end > expected:
            raise InvariantError(
                "I-33",
                f"{partition.topic}-{partition.index}: {event.node} hands out up to {end} as"
                f" committed; a transaction is open since {expected}",
            )

    def _expected(self, node: str, partition: Any) -> tuple[int, int]:
        """The lowest and the highest that it may be."""
        key = key_of_partition(partition)
        log = self._logs.of(node, key)
        assert log is not None, "a log that nobody told of"
        view = self._views.setdefault((node, key), ReplicaView())
        for batch in log.batches[view.seen :]:
            view.add(self._stored.of(key, batch))
        view.seen = len(log.batches)
        high_watermark = partition.log.high_watermark
        ghost = self._committed.ghosts.get(key)
        passed = max(
            high_watermark, self._found.get((node, key), 0), 0 if ghost is None else ghost.end
        )
        lowest = view.stable(high_watermark, high_watermark)
        highest = view.stable(high_watermark, passed)
        view.closed = [one for one in view.closed if one[1] >= high_watermark]
        return max(lowest, log.start), max(highest, log.start)

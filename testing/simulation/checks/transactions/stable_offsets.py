"""I-33: the last stable offset of each replica is what its records and its watermark say.

It is counted here from the batches: below the first record of every open transaction, and of every
closed one whose marker the watermark has not passed (TXN-40). What a replica has passed counts on,
though its watermark may go back. So may the markers that it finds in its log when it opens it or
has cut it, and only those: it reads the state of producers from a snapshot then, which does not say
where a closed transaction began, in Kafka neither. Readers lose nothing by it, as the coordinator
writes a marker that is lost again.
"""

from __future__ import annotations

from typing import Any

from barnabas.testing.simulation.checks.replica_logs import (
    Key,
    ReplicaLogs,
    key_of,
    key_of_partition,
)
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError
from barnabas.testing.simulation.workload.transactions.attempts import TOPICS

from .stored import Stored, StoredBatches


class ReplicaView:
    """The transactions of one replica, as far as its batches were looked at."""

    __slots__ = ("closed", "counts_below", "opened", "seen")

    def __init__(self, counts_below: int) -> None:
        self.counts_below = counts_below
        """Markers before this offset may count, wherever the watermark is: they were found when
        the log was opened or cut, or the watermark has passed them since."""
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

    def advance(self, high_watermark: int) -> tuple[int, int]:
        """The lowest and the highest last stable offset at this watermark."""
        self.closed = [one for one in self.closed if one[1] >= high_watermark]
        self.counts_below = max(self.counts_below, high_watermark)
        held = [first for first, _ in self.closed]
        surely_held = [first for first, marker in self.closed if marker >= self.counts_below]
        highest = min([high_watermark, *surely_held, *self.opened.values()])
        return min([highest, *held]), highest


class StableOffsets:
    """Looks at each watermark, and at each answer to a reader of committed records."""

    def __init__(self, bus: HookBus, logs: ReplicaLogs, stored: StoredBatches) -> None:
        self._logs = logs
        self._stored = stored
        self._views: dict[tuple[str, Key], ReplicaView] = {}
        bus.listen("log-opened truncate", self._on_changed)
        bus.listen("hw", self._on_watermark)
        bus.listen("fetch-answered", self._on_fetch)

    def _on_changed(self, event: Event) -> None:
        """The log is another one: its batches are looked at anew."""
        log = event.fields["log"]
        if log.topic in TOPICS:
            self._views[event.node, key_of(log)] = ReplicaView(log.log_end_offset)

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
        view = self._views[node, key]
        for batch in log.batches[view.seen :]:
            view.add(self._stored.of(key, batch))
        view.seen = len(log.batches)
        lowest, highest = view.advance(partition.log.high_watermark)
        return max(lowest, log.start), max(highest, log.start)

"""The ghost of each partition: what was ever below a leader's watermark stays, whatever happens.

I-1 (one leader an epoch), I-3 (the watermark exposes nothing that is not committed), I-4
(committed is immutable), I-5 (acknowledged survives), I-6 (min.insync.replicas is honoured).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError
from barnabas.testing.simulation.workload.history import Send

from .replica_logs import Batch, Key, ReplicaLog, ReplicaLogs, key_of, key_of_partition


class Ghost:
    """The committed log of one partition."""

    __slots__ = ("batches", "end", "ends", "forgotten", "is_compacted", "is_unclean", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.batches: dict[int, Batch] = {}
        self.end = 0
        self.ends: dict[int, int] = {}
        """By leader epoch: how far its leader has committed."""
        self.forgotten = 0
        """Leaders began their logs there, after retention: they cannot know of a batch before that
        when it is sent again (98-03, no state is kept)."""
        self.is_unclean = False
        """A leader was elected that was not in sync, which was allowed: promises are off."""
        self.is_compacted = False
        """Batches lose records, which `replica_logs` watches; offsets and epochs stay."""

    def take(self, node: str, epoch: int, log: ReplicaLog, high_watermark: int) -> None:
        """A leader says that everything below `high_watermark` is committed."""
        if high_watermark <= self.end or self.is_unclean:
            return
        for batch in log.between(self.end, high_watermark):
            known = self.batches.setdefault(batch.base, batch)
            if not self.is_same(known, batch):
                raise InvariantError(
                    "I-4", f"{self.name}: {node} commits {batch}, committed there was {known}"
                )
        self.end = self.ends[epoch] = high_watermark

    def is_same(self, known: Batch | None, batch: Batch) -> bool:
        """Whether the committed batch is this one, perhaps with other records left in it."""
        if self.is_compacted and known is not None:
            return known[:3] == batch[:3]
        return known == batch

    def end_before(self, epoch: int) -> int:
        """How far leaders of earlier epochs have committed."""
        return max((end for known, end in self.ends.items() if known < epoch), default=0)


class Committed:
    """I-1, I-3, I-4, I-5 and I-6 of partitions."""

    def __init__(
        self,
        bus: HookBus,
        logs: ReplicaLogs,
        *,
        acked_means_flushed: bool,
        is_recovering: Callable[[str, Any], bool],
    ) -> None:
        self._logs = logs
        self._acked_means_flushed = acked_means_flushed
        self._is_recovering = is_recovering
        self.unclean_elections = 0
        self.ghosts: dict[Key, Ghost] = {}
        self._leaders: dict[tuple[Key, int], tuple[str, int]] = {}
        bus.listen("leader", self._on_leader)
        bus.listen("hw", self._on_high_watermark)
        # Before the model forgets what is cut off.
        bus.listen("truncate", self._on_truncate, early=True)
        bus.listen("produce-acked", self._on_acked)
        bus.listen("fetch-answered", self._on_fetch)

    def ghost(self, key: Key, name: str) -> Ghost:
        """What is committed of a partition."""
        found = self.ghosts.get(key)
        if found is None:
            found = self.ghosts[key] = Ghost(name)
        found.is_compacted = self._logs.is_compacted(key)
        return found

    def ghost_of(self, topic_id: bytes, index: int) -> Ghost | None:
        """The same for readers."""
        return self.ghosts.get((topic_id.hex(), index))

    # --- leaders ------------------------------------------------------------------------------

    def _on_leader(self, event: Event) -> None:
        partition = event.fields["partition"]
        key = key_of_partition(partition)
        epoch = partition.leader_epoch
        who = (event.node, event.incarnation)
        known = self._leaders.setdefault((key, epoch), who)
        if known[0] != event.node:
            raise InvariantError(
                "I-1", f"{name_of(partition)} epoch {epoch}: {event.node} and {known[0]} lead"
            )
        ghost = self.ghost(key, name_of(partition))
        log = self._logs.of(event.node, key)
        assert log is not None, "a log that nobody told of"
        ghost.forgotten = max(ghost.forgotten, log.begun)
        if ghost.is_unclean:
            return
        try:
            self._check_holds(event.node, ghost, log, epoch)
        except InvariantError:
            if not self._is_recovering(event.node, partition):
                raise
            # An election that was allowed to lose records, and says so (966-02, 966-05).
            ghost.is_unclean = True
            self.unclean_elections += 1

    def _check_holds(self, node: str, ghost: Ghost, log: ReplicaLog, epoch: int) -> None:
        """I-3: whoever is elected in good order has all that was committed in earlier epochs.

        Not in later ones: who was cut off learns of its election when others lead already.
        """
        end = ghost.end_before(epoch)
        if log.end < end:
            raise InvariantError(
                "I-3",
                f"{ghost.name}: {node} leads epoch {epoch} with an end of {log.end}, committed"
                f" before is {end}",
            )
        for batch in log.between(log.start, end):
            known = ghost.batches.get(batch.base)
            if known is not None and not ghost.is_same(known, batch):
                raise InvariantError(
                    "I-4", f"{ghost.name}: {node} leads with {batch}, committed is {known}"
                )

    # --- watermarks ---------------------------------------------------------------------------

    def _on_high_watermark(self, event: Event) -> None:
        if not event.fields["as_leader"]:
            return
        partition = event.fields["partition"]
        high_watermark = event.fields["high_watermark"]
        key = key_of_partition(partition)
        log = self._logs.of(event.node, key)
        assert log is not None
        if high_watermark > log.end:
            raise InvariantError(
                "I-3", f"{name_of(partition)}: watermark {high_watermark} above end {log.end}"
            )
        ghost = self.ghost(key, name_of(partition))
        self._check_maximal(event, partition, key, high_watermark)
        ghost.take(event.node, partition.leader_epoch, log, high_watermark)

    def _check_maximal(self, event: Event, partition: Any, key: Key, high_watermark: int) -> None:
        """I-3a: every member of the maximal set has all below the watermark."""
        maximal = maximal_of(partition)
        for member in maximal:
            held = self._logs.of(f"node-{member}", key)
            end = 0 if held is None else held.end
            if held is not None and not self._acked_means_flushed:
                end = max(end, held.had)
            if end < high_watermark:
                raise InvariantError(
                    "I-3",
                    f"{name_of(partition)}: {event.node} moves its watermark to {high_watermark},"
                    f" member {member} of {maximal} ends at {end}",
                )
        least = partition.leader.in_sync.min_count
        if partition.log.high_watermark == high_watermark and len(maximal) < least:
            raise InvariantError(
                "I-6",
                f"{name_of(partition)}: watermark {high_watermark} with in-sync set {maximal},"
                f" min.insync.replicas is {least}",
            )

    # --- truncation ---------------------------------------------------------------------------

    def _on_truncate(self, event: Event) -> None:
        log, offset = event.fields["log"], event.fields["offset"]
        key = key_of(log)
        ghost = self.ghosts.get(key)
        model = self._logs.of(event.node, key)
        if ghost is None or model is None or ghost.is_unclean:
            return
        for batch in model.between(offset, ghost.end):
            if batch.base < offset or self._logs.has_gone_elsewhere(key, batch):
                continue
            if ghost.is_same(ghost.batches.get(batch.base), batch):
                raise InvariantError(
                    "I-4", f"{ghost.name}: {event.node} drops {batch}, which is committed"
                )

    # --- answers ------------------------------------------------------------------------------

    def _on_acked(self, event: Event) -> None:
        partition = event.fields["partition"]
        last_offset, acks = event.fields["last_offset"], event.fields["acks"]
        if acks != -1:
            return
        ghost = self.ghost(key_of_partition(partition), name_of(partition))
        if ghost.end <= last_offset and not ghost.is_unclean:
            raise InvariantError(
                "I-6", f"{ghost.name}@{last_offset} is acknowledged, committed is {ghost.end}"
            )

    def _on_fetch(self, event: Event) -> None:
        if event.fields["replica_id"] >= 0:
            return
        partition = event.fields["partition"]
        end_offset = event.fields["end_offset"]
        if end_offset > partition.log.high_watermark:
            raise InvariantError(
                "I-3",
                f"{name_of(partition)}: {event.node} hands out up to {end_offset}, its watermark"
                f" is {partition.log.high_watermark}",
            )

    def on_client_acked(self, send: Send, topic_id: bytes | None) -> None:
        """I-5, at the moment of the answer: what a producer is told is committed is so."""
        if topic_id is None or send.acks != -1 or send.offset < 0:
            return
        ghost = self.ghosts.get((topic_id.hex(), send.where.partition))
        if ghost is not None and ghost.is_unclean:
            return
        if ghost is None or ghost.end <= send.offset:
            end = None if ghost is None else ghost.end
            raise InvariantError(
                "I-5", f"{send.where}@{send.offset} acknowledged to a client, committed is {end}"
            )


def maximal_of(partition: Any) -> tuple[int, ...]:
    """Who the watermark must wait for (497-03), counted here: the product may count wrongly."""
    in_sync = partition.leader.in_sync
    proposed = () if in_sync.change is None else tuple(one for one, _ in in_sync.change.isr)
    return tuple(dict.fromkeys((*in_sync.committed, *proposed)))


def name_of(partition: Any) -> str:
    """`topic-index`."""
    return f"{partition.topic}-{partition.index}"

"""Who leaves and joins the in-sync set, and why: I-11, I-12; and the log's start: I-13."""

from __future__ import annotations

from typing import Any

from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

from .committed import name_of
from .replica_logs import ReplicaLogs, key_of, key_of_partition


class InSyncSets:
    """Listens to proposals, pending fetches and log starts."""

    def __init__(self, bus: HookBus, logs: ReplicaLogs, *, keeps_pending: bool) -> None:
        self._logs = logs
        self._keeps_pending = keeps_pending
        self._pending: dict[tuple[str, int, str], dict[Any, int]] = {}
        self._starts: dict[tuple[str, int, Any], int] = {}
        bus.listen("pending-added", self._on_added)
        bus.listen("pending-removed", self._on_removed)
        bus.listen("leader follower", self._on_role)
        bus.listen("isr-proposed relinquish", self._on_proposed)
        bus.listen("isr-committed", self._on_committed)
        bus.listen("log-start log-opened", self._on_log_start)

    def _on_added(self, event: Event) -> None:
        partition = event.fields["partition"]
        key = (event.node, event.incarnation, name_of(partition))
        self._pending.setdefault(key, {})[event.fields["key"]] = event.fields["replica_id"]

    def _on_removed(self, event: Event) -> None:
        key = (event.node, event.incarnation, name_of(event.fields["partition"]))
        self._pending.get(key, {}).pop(event.fields["key"], None)

    def _on_role(self, event: Event) -> None:
        """A new epoch: what was open says nothing about it."""
        key = (event.node, event.incarnation, name_of(event.fields["partition"]))
        self._pending.pop(key, None)

    def _on_committed(self, event: Event) -> None:
        """I-10: whoever is in sync has all that lies below the watermark."""
        partition = event.fields["partition"]
        key = key_of_partition(partition)
        watermark = partition.log.high_watermark
        for member in event.fields["isr"]:
            held = self._logs.of(f"node-{member}", key)
            end = 0 if held is None else max(held.end, held.had)
            if end < watermark:
                raise InvariantError(
                    "I-10",
                    f"{name_of(partition)}: {member} is in the ISR {event.fields['isr']} and ends"
                    f" at {end}, the watermark of {event.node} is {watermark}",
                )

    def _on_proposed(self, event: Event) -> None:
        partition, change = event.fields["partition"], event.fields["change"]
        members = tuple(member for member, _ in change.isr)
        committed = partition.leader.in_sync.committed
        if change.relinquish:
            self._check_relinquish(event, partition, members, committed)
            return
        self._check_added(event, partition, [one for one in members if one not in committed])
        removed = [member for member in committed if member not in members]
        own = int(event.node.removeprefix("node-"))
        if own in removed:
            raise InvariantError(
                "I-10", f"{name_of(partition)}: leader {own} proposes itself out of {committed}"
            )
        key = (event.node, event.incarnation, name_of(partition))
        pending = set(self._pending.get(key, {}).values())
        dropped = [member for member in removed if member in pending]
        if self._keeps_pending and dropped:
            raise InvariantError(
                "I-11",
                f"{name_of(partition)}: {event.node} proposes to remove {dropped}, whose fetches"
                " are being worked on",
            )

    def _check_added(self, event: Event, partition: Any, added: list[int]) -> None:
        """I-10, 497-04: who is to join has what is committed and where this epoch began."""
        floor = max(partition.log.high_watermark, partition.leader.epoch_start_offset)
        for member in added:
            held = self._logs.of(f"node-{member}", key_of_partition(partition))
            if held is None or max(held.end, held.had) < floor:
                end = None if held is None else held.end
                raise InvariantError(
                    "I-10",
                    f"{name_of(partition)}: {event.node} proposes to add {member}, which ends at"
                    f" {end}; the watermark or the epoch's start is {floor}",
                )

    def _check_relinquish(
        self, event: Event, partition: Any, members: tuple[int, ...], committed: tuple[int, ...]
    ) -> None:
        """I-12: the same members, the old leader last."""
        own = int(event.node.removeprefix("node-"))
        where = name_of(partition)
        if set(members) != set(committed) or members[-1] != own:
            raise InvariantError(
                "I-12", f"{where}: hand-over with ISR {members}, committed is {committed}"
            )
        if not self._keeps_pending:
            raise InvariantError("I-12", f"{where}: hand-over although KIP-501 is off")

    def _on_log_start(self, event: Event) -> None:
        log = event.fields["log"]
        key = (event.node, event.incarnation, key_of(log))
        start = log.log_start_offset
        known = self._starts.get(key, 0)
        if start < known and log.log_end_offset > start:
            raise InvariantError("I-13", f"{event.node} {log.name}: start {start} after {known}")
        self._starts[key] = start
        if start > max(log.high_watermark, 0):
            raise InvariantError(
                "I-13",
                f"{event.node} {log.name}: start {start} above the watermark {log.high_watermark}",
            )

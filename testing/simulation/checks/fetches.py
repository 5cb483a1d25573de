"""I-24: a fetch session tells what a full fetch would; I-28: answers and waits have limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

from .committed import name_of
from .replica_logs import batches_of

PRODUCER_BATCHES_MAX = 5

Place = tuple[Any, int]
"""Topic, by name or id as the session has it, and partition."""


class Told(NamedTuple):
    """What a fetcher knows of a partition, or would know after a full fetch."""

    is_error: bool
    high_watermark: int
    log_start_offset: int


class Session:
    """A fetcher's side of a session: every answer so far put together."""

    __slots__ = ("told", "truth")

    def __init__(self) -> None:
        self.told: dict[Place, Told] = {}
        self.truth: dict[Place, Told] = {}
        """What a full fetch would have said when the last answer left."""


class Fetches:
    """Listens to answers as they leave."""

    def __init__(
        self, bus: HookBus, held_until_s: Callable[[str], float], *, late_ms: float
    ) -> None:
        """`held_until_s`: until when a node was last paused, or waited for its disk. `late_ms`: by
        how much another one may be late."""
        self._held_until_s = held_until_s
        self._late_ms = late_ms
        self._sessions: dict[tuple[str, int, int], Session] = {}
        bus.listen("fetch-told", self._on_fetch)
        bus.listen("produce-acked", self._on_acked)

    def _on_fetch(self, event: Event) -> None:
        rows = rows_of(event.fields["response"])
        self._check_size(event, rows)
        self._check_wait(event)
        self._check_session(event, rows)

    # --- I-28 ---------------------------------------------------------------------------------

    def _check_size(self, event: Event, rows: list[tuple[Place, Any]]) -> None:
        """No more bytes than were asked for, but for one batch, which comes whatever its size."""
        wanted: dict[Place, Any] = {}
        left, is_first = event.fields["max_bytes"], True
        for place, row in rows:
            size = len(row.records) if row.records else 0
            if not size:
                continue
            if not wanted:
                wanted = {(one.topic, one.partition): one for one in event.fields["fetch"].targets}
            limit = min(left, wanted[place].max_bytes)
            if size > limit and not (is_first and _is_one_batch(row.records)):
                raise InvariantError(
                    "I-28", f"{event.node} answers {size} bytes of {place}, allowed are {limit}"
                )
            left, is_first = left - size, False

    def _check_wait(self, event: Event) -> None:
        """A parked fetch ends in its time, unless the whole node stood still."""
        waited_ms, limit_ms = event.fields["waited_ms"], event.fields["max_wait_ms"]
        came_s = event.at_s - waited_ms / 1000.0
        if waited_ms > limit_ms + self._late_ms and came_s > self._held_until_s(event.node):
            raise InvariantError(
                "I-28", f"{event.node} answers a fetch after {waited_ms:.0f} ms of {limit_ms}"
            )

    def _on_acked(self, event: Event) -> None:
        partition = event.fields["partition"]
        for entry in partition.log.producers.by_id.values():
            if len(entry.batches) > PRODUCER_BATCHES_MAX:
                raise InvariantError(
                    "I-28",
                    f"{event.node} {name_of(partition)} remembers {len(entry.batches)} batches of"
                    f" producer {entry.producer_id}",
                )

    # --- I-24 ---------------------------------------------------------------------------------

    def _check_session(self, event: Event, rows: list[tuple[Place, Any]]) -> None:
        fetch, reader = event.fields["fetch"], event.fields["reader"]
        if fetch.session is None:
            return
        key = (event.node, event.incarnation, fetch.session_id)
        session = self._sessions.get(key)
        if session is None or not fetch.is_incremental:
            session = self._sessions[key] = Session()
        for place, row in rows:
            session.told[place] = Told(
                bool(row.error_code), row.high_watermark, row.log_start_offset
            )
        replicas, truth = event.fields["replicas"], {}
        for one in fetch.session.targets.values():
            place = (one.topic, one.partition)
            now = truth[place] = full_fetch(replicas, one, reader)
            before, told = session.truth.get(place), session.told.get(place)
            # What is told as it is now cannot be stale, whatever it was before.
            if told is None or (told != now and before is not None and is_stale(told, before, now)):
                raise InvariantError(
                    "I-24",
                    f"{event.node} session {fetch.session_id} of reader {reader.replica_id}:"
                    f" {place[1]} of {place[0]!r} was told as {told}; at the last answer it was"
                    f" {before}, and is {now} now",
                )
        session.truth = truth


def is_stale(told: Told, before: Told, now: Told) -> bool:
    """Whether news that was there at the last answer is not in what was told since."""
    if before.is_error or now.is_error:
        return before.is_error and now.is_error and not told.is_error
    if told.is_error:
        return False  # an epoch or an offset of the fetcher's own is wrong: told each time
    return (
        told.high_watermark < before.high_watermark <= now.high_watermark
        or told.log_start_offset < before.log_start_offset <= now.log_start_offset
    )


def full_fetch(replicas: Any, target: Any, reader: Any) -> Told:
    """What a fetch without a session would say of this partition at this moment."""
    if isinstance(target.topic, str):
        partition = replicas.get(target.topic, target.partition)
    else:
        partition = replicas.get_by_id(target.topic, target.partition)
    # What a failed disk still gives stays readable.
    if partition is None or (reader.needs_leader and not partition.is_leader):
        return Told(True, -1, -1)
    return Told(False, partition.log.high_watermark, partition.log.log_start_offset)


def rows_of(response: Any) -> list[tuple[Place, Any]]:
    """The rows of an answer with the topic of each, by name or id as the answer has it."""
    return [
        ((topic.topic or topic.topic_id, row.partition_index), row)
        for topic in response.responses
        for row in topic.partitions
    ]


def _is_one_batch(records: Any) -> bool:
    try:
        return len(list(batches_of(bytes(records)))) <= 1
    except OSError:  # still in its file, and the disk has a fault
        return True

"""What answers to fetches say besides records: 392-02, 392-08, 516-01, 74-02, 951-01 to 951-04."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from barnabas.protocol.errors import ErrorCode
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

from .committed import name_of
from .fetches import rows_of

HINTED = (ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH)
UNKNOWN = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID)
ENDPOINTS_SINCE = 16


CLOCKS_APART = 0.06
"""Part by which the clock of a node may go slow or fast (`clock_rate_spread`), and some more."""


class Answers:
    """Listens to answers to fetches as they leave."""

    def __init__(
        self,
        bus: HookBus,
        held_until_s: Callable[[str], float],
        *,
        hints_may_lack: bool,
        late_ms: float,
    ) -> None:
        """`held_until_s`: until when a node was last paused, or waited for its disk. `late_ms`: by
        how much another one may be late."""
        self._held_until_s = held_until_s
        self._hints_may_lack = hints_may_lack
        self._late_s = late_ms / 1000.0
        self._changed_s: dict[tuple[str, int, str], float] = {}
        bus.listen("leader follower", self._on_role)
        bus.listen("fetch-told", self._on_fetch)

    def _on_role(self, event: Event) -> None:
        key = (event.node, event.incarnation, name_of(event.fields["partition"]))
        self._changed_s[key] = event.at_s

    def _on_fetch(self, event: Event) -> None:
        response, replicas = event.fields["response"], event.fields["replicas"]
        reader = event.fields["reader"]
        told = {one.node_id: one for one in response.node_endpoints}
        cluster = replicas.surroundings.cluster
        for node_id in told:
            if cluster.image is not None and cluster.image.brokers[node_id].fenced:
                raise InvariantError("951-03", f"{event.node} tells where fenced {node_id} is")
        for (topic, index), row in rows_of(response):
            code = ErrorCode(row.error_code)
            if code in UNKNOWN and _is_known(cluster.image, topic, index):
                rule = "392-02" if isinstance(topic, str) else "516-01"
                raise InvariantError(rule, f"{event.node} has {topic!r}-{index}: {code.name}")
            if code is ErrorCode.OFFSET_OUT_OF_RANGE and reader.replica_id < 0:
                _check_range(event, row)
            self._check_hint(event, reader, replicas, (topic, index), row, told)
        self._check_woken(event, replicas)

    def _check_hint(
        self, event: Event, reader: Any, replicas: Any, place: Any, row: Any, told: Any
    ) -> None:
        leader = (row.current_leader.leader_id, row.current_leader.leader_epoch)
        if row.error_code not in HINTED:
            if leader != (-1, -1):
                raise InvariantError("951-04", f"{event.node} names {leader} with {row.error_code}")
            return
        if reader.version < ENDPOINTS_SINCE or self._hints_may_lack:
            return
        topic, index = place
        get = replicas.get if isinstance(topic, str) else replicas.get_by_id
        hosted = get(topic, index)
        if hosted is None or hosted.leader_id < 0:
            return
        known = (hosted.leader_id, hosted.leader_epoch)
        if leader != known:
            raise InvariantError("951-01", f"{event.node} names {leader}, it knows {known}")
        is_there = replicas.surroundings.cluster.has_endpoint(known[0], "PLAINTEXT")
        if is_there and known[0] not in told:
            raise InvariantError("951-01", f"{event.node} names {known} and not where that is")

    def _check_woken(self, event: Event, replicas: Any) -> None:
        """74-02: who waits is told of another leader, or another epoch, at once."""
        # The node's clock told how long: it may be that much slower than the simulation's.
        came_s = event.at_s - event.fields["waited_ms"] / 1000.0 * (1.0 - CLOCKS_APART)
        if came_s <= self._held_until_s(event.node):
            return
        for target in event.fields["fetch"].targets:
            get = replicas.get if isinstance(target.topic, str) else replicas.get_by_id
            partition = get(target.topic, target.partition)
            if partition is None:
                continue
            key = (event.node, event.incarnation, name_of(partition))
            changed_s = self._changed_s.get(key, 0.0)
            if came_s < changed_s < event.at_s - self._late_s:
                raise InvariantError(
                    "74-02",
                    f"{event.node} {name_of(partition)} changed at {changed_s:.6f}; a fetch of"
                    f" {came_s:.6f} is answered now",
                )


def _is_known(image: Any, topic: str | bytes, index: int) -> bool:
    if image is None:
        return False
    topics = image.topics_by_name if isinstance(topic, str) else image.topics_by_id
    found = topics.get(topic)
    return found is not None and index in found.partitions


def _check_range(event: Event, row: Any) -> None:
    """392-07, 392-08."""
    if row.high_watermark < 0 or row.log_start_offset < 0:
        raise InvariantError("392-08", f"{event.node} does not tell the range that there is")

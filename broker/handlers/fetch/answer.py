"""The answer to one fetch, made of its rows when its turn to leave has come."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)

from ...core.reads import Steps
from ...core.replication.resting_session import FetchTarget
from ...serving.context import BrokerContext
from ...serving.leader_hints import FETCH_ENDPOINTS_SINCE, HINTED, LeaderHints
from ...serving.waiting import Late
from .reading import Reading
from .rows import next_offset
from .session import let_rest

FRONT_BYTES: Final = 40
ROW_BYTES: Final = 64
"""What an answer has beside its records, and how much that is for one partition, topic included:
about, since it is counted before the answer is made."""


class FetchAnswer(Late):
    """Makes the response from what a fetch has found."""

    __slots__ = ("_context", "reading")

    def __init__(self, context: BrokerContext, reading: Reading) -> None:
        self._context = context
        self.reading = reading

    @property
    def row_count(self) -> int:
        """The largest number of rows that the answer may have."""
        return len(self.reading.found.rows)

    def release(self) -> None:
        """Free the records if they are large: they are read again."""
        self.reading.found.release()

    def making(self) -> Steps[FetchResponse]:
        """The response, with what was freed or has news read again."""
        yield from self.reading.look_again()
        return self.now()

    def now(self) -> FetchResponse:
        """The response with the last rows, without those that the session has told before."""
        reading = self.reading
        asked, found, follower = reading.asked, reading.found, reading.follower
        node = self._context.node
        if follower is not None:
            follower.end()
            follower.count(found)
            if follower.has_watermark_news and not reading.has_enough:
                follower.note_watermark_told()
        elif node.quotas.is_on and (throttle_ms := self._throttle_ms()):
            return self._empty(throttle_ms)
        response = FetchResponse(session_id=asked.wanted.session_id)
        hints = LeaderHints(node, self._context.peer) if found.must_answer else None
        topic: str | bytes | None = None
        rows: list[PartitionData] = []
        for target, row in asked.wanted.select(found.rows):
            if target.topic != topic:
                topic = target.topic
                rows = []
                answered = FetchableTopicResponse(partitions=rows)
                if isinstance(topic, str):
                    answered.topic = topic
                else:
                    answered.topic_id = topic
                response.responses.append(answered)
            if hints is not None and row.error_code in HINTED:
                self._hint(hints, target, row)
            rows.append(row)
        if hints is not None and asked.reader.version >= FETCH_ENDPOINTS_SINCE:
            response.node_endpoints = [
                NodeEndpoint(node_id=node_id, host=host, port=port, rack=rack)
                for node_id, host, port, rack in hints.addresses()
            ]
        if node.env.hooks is not None:
            self._tell(response)
        let_rest(reading, node.replicas)
        found.rows = []
        return response

    def _throttle_ms(self) -> int:
        """Count the answer; above zero the consumer is over its quota (QTA-10)."""
        context, found = self._context, self.reading.found
        rows = sum(1 for row in found.rows if row.records)
        size = FRONT_BYTES + rows * ROW_BYTES + found.size
        quotas = context.node.quotas
        return quotas.fetch_throttle_ms(context.principal, context.header.client_id, size)

    def _empty(self, throttle_ms: int) -> FetchResponse:
        """227-04: nothing of the session is changed, and a new one is not begun."""
        wanted = self.reading.asked.wanted
        self.reading.found.rows = []
        self.reading.found.news.clear()
        if not wanted.is_incremental:
            self._context.node.sessions.discard(wanted)
        return FetchResponse(throttle_time_ms=throttle_ms, session_id=wanted.session_id)

    def _hint(self, hints: LeaderHints, target: FetchTarget, row: PartitionData) -> None:
        if not hints.may_name(self.reading.asked.reader.version):
            return
        leader = hints.leader_of(target.topic, target.partition)
        if leader is not None:
            row.current_leader = LeaderIdAndEpoch(leader_id=leader[0], leader_epoch=leader[1])

    def _tell(self, response: FetchResponse) -> None:
        """Tell the simulator what was read of each partition."""
        node, asked, found = self._context.node, self.reading.asked, self.reading.found
        hooks = node.env.hooks
        assert hooks is not None
        hooks.on(
            "fetch-told",
            fetch=asked.wanted,
            response=response,
            reader=asked.reader,
            replicas=node.replicas,
            max_bytes=asked.max_bytes,
            max_wait_ms=asked.max_wait_ms,
            waited_ms=node.env.clock.monotonic_ms() - asked.came_ms,
        )
        for partition, number in found.places.items():
            row = found.rows[number]
            if row.records:
                hooks.on(
                    "fetch-answered",
                    partition=partition,
                    replica_id=asked.reader.replica_id,
                    fetch_offset=asked.wanted.targets[number].fetch_offset,
                    end_offset=next_offset(row.records),
                    read_committed=asked.is_committed,
                )

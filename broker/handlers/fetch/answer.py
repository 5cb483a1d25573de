"""The answer to one fetch, made of its rows when its turn to leave has come."""

from __future__ import annotations

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
            if follower.has_watermark_news and not reading.has_enough:
                follower.note_watermark_told()
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

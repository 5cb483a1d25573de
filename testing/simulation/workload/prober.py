"""A client that asks what no other client asks, in every version, and judges the answers.

Offsets just inside and outside of what there is, epochs of before and after, topics that do not
exist, batches that come again or leave a gap. Most answers are judged where they are made
(`checks/reference`); here is what only the one who asked can tell.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from barnabas.client import Admin, TopicPartition
from barnabas.client.errors import ClientError
from barnabas.protocol.errors import DecodeError, ErrorCode
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.fetch_response import FetchResponse
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.protocol.messages.list_offsets_response import ListOffsetsResponse
from barnabas.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from barnabas.protocol.messages.offset_for_leader_epoch_response import (
    OffsetForLeaderEpochResponse,
)
from barnabas.testing.simulation.settings import RACKS

from .clients import Office, started
from .repeated import Repeating

PAUSE_S = 0.04
TIMEOUT_S = 1.0
UNKNOWN_ID = bytes(15) + b"\x77"
TOPIC_IDS_SINCE = 13
NEAR = 3
"""So far from an end offsets are asked for."""

REFUSED = (ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH)


class Prober:
    """One such client."""

    def __init__(self, office: Office, name: str, random: Random) -> None:
        self._office = office
        self._name = name
        self._random = random
        self._ends: dict[TopicPartition, tuple[int, int]] = {}
        """Where logs began and ended, as answers told."""
        self._session: tuple[int, int] | None = None
        """Node and id of the last fetch session."""
        self._repeating = Repeating(office, name, random)

    async def run(self) -> None:
        """Until the run is over."""
        office, random = self._office, self._random
        admin = await started(office, lambda: Admin(**office.options(self._name)))
        if admin is None:
            return
        office.track(self._name, admin)
        admin._cluster.track(sorted({where.topic for where in office.where}))
        admin._cluster.refresh_soon()
        asks = (self._fetch, self._fetch, self._offsets, self._epochs, self._repeating.step)
        while not office.is_over:
            await asyncio.sleep(random.expovariate(1.0 / PAUSE_S))
            cluster = admin._cluster
            nodes = sorted(cluster.metadata.nodes.items())
            if not nodes:
                continue
            where = random.choice(office.where)
            leader = cluster.metadata.leader(*where)
            node = leader if leader is not None and random.random() < 0.6 else nodes[0][1]
            node = random.choice(nodes)[1] if random.random() < 0.3 else node
            try:
                await random.choice(asks)(cluster, node, where)
            except (ClientError, OSError, DecodeError) as error:
                office.history.note_error(error)
                cluster.refresh_soon()
        await admin.stop()

    def _judge(self, rule: str, text: str) -> None:
        self._office.history.wrong(rule, f"{self._name}: {text}")

    def _epoch_near(self, cluster: Any, where: TopicPartition) -> int:
        known: int = cluster.metadata.leader_epoch(*where)
        return max(known + self._random.choice((-1, 0, 0, 1)), -1)

    def _offset_near(self, where: TopicPartition) -> int:
        start, end = self._ends.get(where, (0, 0))
        near = self._random.randint(-NEAR, NEAR)
        return max(self._random.choice((start, end, end, end + 50)) + near, 0)

    async def _send(self, cluster: Any, node: Any, request: Any, answer: Any, version: int) -> Any:
        connection = await cluster.connection(node)
        return await connection.send(request, answer, version, TIMEOUT_S)

    # --- Fetch ----------------------------------------------------------------------------------

    async def _fetch(self, cluster: Any, node: Any, where: TopicPartition) -> None:
        random = self._random
        version = random.choice((4, 7, 10, 11, 12, 13, 16, 17))
        known = cluster.metadata.topics.get(where.topic)
        if known is None:
            return
        kind = random.choice(("", "", "", "", "", "", "no-topic", "no-partition"))
        offset = self._offset_near(where)
        asked = FetchPartition(
            partition=99 if kind == "no-partition" else where.partition,
            current_leader_epoch=self._epoch_near(cluster, where) if random.random() < 0.5 else -1,
            fetch_offset=offset,
            partition_max_bytes=random.choice((1, 500, 1 << 20)),
        )
        if version >= 12 and random.random() < 0.3:
            asked.last_fetched_epoch = max(self._epoch_near(cluster, where), 0)
        topic = FetchTopic(partitions=[asked])
        if version >= TOPIC_IDS_SINCE:
            topic.topic_id = UNKNOWN_ID if kind == "no-topic" else known.topic_id
        else:
            topic.topic = "no-such-topic" if kind == "no-topic" else where.topic
        request = FetchRequest(
            max_wait_ms=random.choice((0, 20, 20, 600)),
            min_bytes=random.choice((1, 1, 1 << 20)),
            max_bytes=random.choice((1, 500, 1 << 20)),
            topics=[topic],
            rack_id=random.choice(("", *RACKS)) if version >= 11 else "",
        )
        if random.random() < 0.4 and version >= 7:
            request.session_epoch = 0
            if self._session is not None and self._session[0] == node.node_id:
                # In an epoch that is right or not, by topic names or ids as before or not.
                request.session_id = self._session[1]
                request.session_epoch = random.choice((1, 1, 2, 3))
        answer = await self._send(cluster, node, request, FetchResponse, version)
        self._session = (node.node_id, answer.session_id) if answer.session_id else None
        for found in answer.responses:
            is_topic = (found.topic, found.topic_id) == (topic.topic, topic.topic_id)
            for row in found.partitions:
                if not is_topic or row.partition_index != asked.partition:
                    continue  # the session had it from an earlier question
                known_offset = offset if asked.last_fetched_epoch < 0 else -1
                self._judge_fetch(version, kind, where, known_offset, row, answer)

    def _judge_fetch(
        self, version: int, kind: str, where: TopicPartition, offset: int, row: Any, answer: Any
    ) -> None:
        """`offset` is -1 where the last epoch was told too: then that decides what is in range."""
        code = ErrorCode(row.error_code)
        if kind:
            self._judge_unknown(version, kind, code)
            return
        if code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            return  # a broker that has not heard of it yet
        if code is ErrorCode.OFFSET_NOT_AVAILABLE and version < 11:
            self._judge("392-05", f"version {version} is answered {code.name}")
        if code is ErrorCode.OFFSET_OUT_OF_RANGE:
            if row.high_watermark < 0 or (version >= 5 and row.log_start_offset < 0):
                self._judge("392-08", "who is out of range is not told the range")
            elif version >= 5 and row.log_start_offset <= offset <= row.high_watermark:
                self._judge("392-07", f"{offset} is out of range of a log that has it")
        if code is ErrorCode.NONE and row.high_watermark >= 0:
            self._ends[where] = (max(row.log_start_offset, 0), row.high_watermark)
        self._judge_told(version, offset, code, row, answer)

    def _judge_told(
        self, version: int, offset: int, code: ErrorCode, row: Any, answer: Any
    ) -> None:
        if row.records and offset >= row.high_watermark:
            self._judge("392-09", f"{offset} is answered, committed is {row.high_watermark}")
        leader = row.current_leader
        if leader.leader_id >= 0 and code not in REFUSED:
            self._judge("951-04", f"{code.name} comes with a hint")
        if leader.leader_id >= 0 and version >= 16:
            known = [one.node_id for one in answer.node_endpoints]
            if len(known) != len(set(known)):
                self._judge("951-01", f"nodes are told twice: {known}")

    def _judge_unknown(self, version: int, kind: str, code: ErrorCode) -> None:
        expected = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        if kind == "no-topic" and version >= TOPIC_IDS_SINCE:
            expected = ErrorCode.UNKNOWN_TOPIC_ID
        # A broker that has not heard of the topic yet does not know its partitions either.
        others = (ErrorCode.UNKNOWN_TOPIC_ID,) if version >= TOPIC_IDS_SINCE else ()
        if code is not expected and (kind == "no-topic" or code not in others):
            self._judge("516-01", f"{kind} in version {version} is answered {code.name}")

    # --- ends and epochs ------------------------------------------------------------------------

    async def _offsets(self, cluster: Any, node: Any, where: TopicPartition) -> None:
        random = self._random
        version = random.choice((1, 2, 4, 5, 7, 8, 10))
        timestamp = random.choice((-1, -1, -2, -3, -4, 0, 1 << 50))
        asked = ListOffsetsPartition(partition_index=where.partition, timestamp=timestamp)
        if version >= 4 and random.random() < 0.4:
            asked.current_leader_epoch = self._epoch_near(cluster, where)
        is_twice = random.random() < 0.1
        topic = ListOffsetsTopic(name=where.topic, partitions=[asked] * (1 + is_twice))
        replica_id = random.choice((-1, -1, -1, -2))
        request = ListOffsetsRequest(replica_id=replica_id, topics=[topic])
        answer = await self._send(cluster, node, request, ListOffsetsResponse, version)
        for row in answer.topics[0].partitions:
            code = ErrorCode(row.error_code)
            since = {-3: 7, -4: 8}.get(timestamp, 0)
            if is_twice and code is not ErrorCode.INVALID_REQUEST:
                self._judge("207-07", f"a partition that is named twice is answered {code.name}")
            elif not is_twice and version < since and code is not ErrorCode.UNSUPPORTED_VERSION:
                self._judge("207-07", f"{timestamp} in version {version} is answered {code.name}")
            if code is ErrorCode.OFFSET_NOT_AVAILABLE and version < 5:
                self._judge("207-01", f"version {version} is answered {code.name}")
            if code is not ErrorCode.NONE and row.offset != -1:
                self._judge("207-01", f"{code.name} comes with the offset {row.offset}")

    async def _epochs(self, cluster: Any, node: Any, where: TopicPartition) -> None:
        random = self._random
        version = random.choice((2, 3, 4))
        known = max(cluster.metadata.leader_epoch(*where), 0)
        asked = OffsetForLeaderPartition(
            partition=where.partition, leader_epoch=random.randint(0, known + 1)
        )
        if random.random() < 0.4:
            asked.current_leader_epoch = self._epoch_near(cluster, where)
        topic = OffsetForLeaderTopic(topic=where.topic, partitions=[asked])
        request = OffsetForLeaderEpochRequest(topics=[topic])
        if version >= 3:
            request.replica_id = -1
        await self._send(cluster, node, request, OffsetForLeaderEpochResponse, version)

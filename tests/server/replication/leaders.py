"""A leader that serves fetches of real logs by the rules, and what its script says instead."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, cast

from kit.log_batches import BASE_TIME, Batch
from kit.logs import config_of, env_of, open_log

from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.replication.fetch_session import FetchSessionCache
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.core.replication.resting_session import FetchTarget
from barnabas.broker.handlers.fetch.rules import Reader, diverging_epoch
from barnabas.broker.server.peer_channel import PeerUnavailableError
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from barnabas.protocol.messages.list_offsets_request import ListOffsetsRequest
from barnabas.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)

REPLICA = Reader(1, -1, 17)

Key = tuple[bytes, int]
Script = Callable[[FetchRequest], FetchResponse | None]


class Led:
    """A partition of the leader."""

    def __init__(self, log: PartitionLog, leader_epoch: int) -> None:
        self.log = log
        self.leader_epoch = leader_epoch
        self.high_watermark = 0
        self.error_code = 0
        """Answered instead of anything else."""
        self.spoil: Callable[[bytes], bytes] = lambda records: records

    def append(self, count: int = 1, size: int = 10, *, batches: int = 1) -> None:
        """So many batches of so many records."""
        for _ in range(batches):
            data = Batch(values=(b"v" * size,) * count).encoded
            view = memoryview(data)
            self.log.append_batch(view, 0, len(view), self.leader_epoch, BASE_TIME)

    def commit(self) -> None:
        """Everything is on enough replicas."""
        self.high_watermark = self.log.high_watermark = self.log.log_end_offset


class FakeLeader:
    """A broker that leads; `connect` is what fetchers get their channels from."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.led: dict[Key, Led] = {}
        self.sessions = FetchSessionCache(10, Random(1))
        self.requests: list[FetchRequest] = []
        """On the main connection; `late` are those on the other one."""
        self.late: list[FetchRequest] = []
        self.listed: list[ListOffsetsRequest] = []
        self.script: deque[Script | Exception] = deque()
        self.parked = 0
        self.channels: list[FakeChannel] = []
        self._news = asyncio.Event()

    def connect(self, leader_id: int, purpose: str) -> FakeChannel:
        channel = FakeChannel(self, purpose == "fetcher")
        self.channels.append(channel)
        return channel

    def lead(self, topic_id: bytes, index: int = 0, leader_epoch: int = 0, **config: object) -> Led:
        """Begin to lead a partition with an empty log."""
        folder = self.directory / f"leader-{topic_id.hex()[-4:]}-{index}-{len(self.led)}"
        led = Led(open_log(folder, config_of(**config), env_of()), leader_epoch)
        led.log.assign_epoch(leader_epoch)
        self.led[(topic_id, index)] = led
        return led

    def tell(self) -> None:
        """Have parked fetches look again."""
        self._news.set()
        self._news = asyncio.Event()

    # --- serving ------------------------------------------------------------------------------

    async def serve(self, request: Message, *, is_main: bool) -> Message:
        if isinstance(request, ListOffsetsRequest):
            self.listed.append(request)
            return self._list(request)
        assert isinstance(request, FetchRequest)
        (self.requests if is_main else self.late).append(request)
        if is_main and self.script:
            scripted = self.script.popleft()
            if isinstance(scripted, Exception):
                raise scripted
            answer = scripted(request)
            if answer is not None:
                return answer
        return await self._fetch(request)

    async def _fetch(self, request: FetchRequest) -> FetchResponse:
        try:
            context = self.sessions.resolve(request, 18, is_follower=True, now_ms=0.0)
        except KafkaError as error:
            return FetchResponse(error_code=int(error.code))
        deadline = asyncio.get_running_loop().time() + request.max_wait_ms / 1000
        while True:
            news = self._news
            results = [self._read(target) for target in context.targets]
            left = deadline - asyncio.get_running_loop().time()
            if any(map(_is_urgent, results)) or left <= 0:
                break
            self.parked += 1
            try:
                with suppress(TimeoutError):
                    async with asyncio.timeout(left):
                        await news.wait()
            finally:
                self.parked -= 1
        response = FetchResponse(session_id=context.session_id)
        for target, data in context.select(results):
            assert isinstance(target.topic, bytes)
            response.responses.append(
                FetchableTopicResponse(topic_id=target.topic, partitions=[data])
            )
        return response

    def _read(self, target: FetchTarget) -> PartitionData:
        assert isinstance(target.topic, bytes)
        data = PartitionData(partition_index=target.partition)
        led = self.led.get((target.topic, target.partition))
        if led is None:
            data.error_code = 100
            return data
        if led.error_code or target.current_leader_epoch != led.leader_epoch:
            is_old = target.current_leader_epoch < led.leader_epoch
            data.error_code = led.error_code or (74 if is_old else 75)
            return data
        log, offset = led.log, target.fetch_offset
        data.high_watermark, data.log_start_offset = led.high_watermark, log.log_start_offset
        if offset < log.log_start_offset:
            data.error_code = 1
            return data
        if target.last_fetched_epoch >= 0:
            try:
                told = diverging_epoch(cast(Any, led), target, REPLICA)
            except KafkaError as error:
                data.error_code = error.code
                return data
            if told is not None:
                data.diverging_epoch = told
                return data
        if offset > log.log_end_offset:
            data.error_code = 1
            return data
        records = log.read(offset, target.max_bytes, log.log_end_offset)
        data.records = led.spoil(bytes(records))
        return data

    def _list(self, request: ListOffsetsRequest) -> ListOffsetsResponse:
        response = ListOffsetsResponse()
        by_index = {index: led for (_, index), led in self.led.items()}
        for topic in request.topics:
            answers = []
            for one in topic.partitions:
                led = by_index[one.partition_index]
                assert one.current_leader_epoch == led.leader_epoch
                log = led.log
                offset = log.log_end_offset if one.timestamp == -1 else log.log_start_offset
                answers.append(
                    ListOffsetsPartitionResponse(partition_index=one.partition_index, offset=offset)
                )
            response.topics.append(ListOffsetsTopicResponse(name=topic.name, partitions=answers))
        return response


class FakeChannel:
    """A connection to the leader; everything on it goes through the codec."""

    def __init__(self, leader: FakeLeader, is_main: bool) -> None:
        self.leader = leader
        self.is_main = is_main
        self.is_closed = False

    async def call(
        self, request: Message, *, timeout_ms: float, versions: tuple[int, int] | None = None
    ) -> Any:
        assert versions is not None
        if self.is_closed:
            raise PeerUnavailableError("the channel was closed")
        version = versions[1]
        sent = type(request).decode(request.encode(version), version)
        answer = await self.leader.serve(sent, is_main=self.is_main)
        return type(answer).decode(answer.encode(version), version)

    def close(self) -> None:
        self.is_closed = True


def same(partition: Partition, led: Led) -> bool:
    """Whether the follower's log ends where the leader's does."""
    return partition.log.log_end_offset == led.log.log_end_offset


def _is_urgent(data: PartitionData) -> bool:
    return bool(data.records or data.error_code or data.diverging_epoch.end_offset >= 0)

"""The markers that one broker is to be sent: a queue, and one request at a time from it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from barnabas.protocol.errors import EncodeError, ErrorCode
from barnabas.protocol.messages.write_txn_markers_request import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)
from barnabas.protocol.messages.write_txn_markers_response import WriteTxnMarkersResponse

from ...core.coordination.transactions.surroundings import Ending
from ...core.coordination.transactions.transaction import TopicPartition
from ..peer_errors import PeerError

ENDINGS_AT_ONCE: Final = 500
"""So many transactions' ends go into one request; the others wait for the next one."""

PARTITIONS_AT_ONCE: Final = 10_000
"""And so many partitions: a broker refuses a request with very many of them whole, and would do so
each time that it is sent again."""

Codes = dict[TopicPartition, ErrorCode]
Send = Callable[[WriteTxnMarkersRequest], Awaitable[WriteTxnMarkersResponse]]


class UnderWay:
    """The end of one transaction whose partitions have not all been told."""

    __slots__ = ("attempts", "ending", "is_over", "left", "shard_number")

    def __init__(self, shard_number: int, ending: Ending) -> None:
        self.shard_number = shard_number
        self.ending = ending
        self.left = set(ending.partitions)
        """Partitions without the marker, as far as is known."""
        self.attempts = 0
        self.is_over = False
        """Nobody waits for it any more."""


Done = Callable[[UnderWay, Codes], object]


class MarkerQueue:
    """Ends of transactions for one broker; it has a task only while there are some."""

    def __init__(self, send: Send, done: Done, report_bug: Callable[[Exception], object]) -> None:
        """`done` hears what became of each partition; a broker that does not answer is 13."""
        self._send = send
        self._done = done
        self._report_bug = report_bug
        self._waiting: dict[UnderWay, set[TopicPartition]] = {}
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, one: UnderWay, partitions: Iterable[TopicPartition]) -> None:
        """Send this end to these partitions, together with what else waits."""
        self._waiting.setdefault(one, set()).update(partitions)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Nothing more is sent."""
        self._waiting.clear()
        task = self._task
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        try:
            while self._waiting:
                await self._send_some()
        finally:
            self._task = None

    async def _send_some(self) -> None:
        some: dict[int, tuple[UnderWay, list[TopicPartition]]] = {}
        room = PARTITIONS_AT_ONCE
        for one in list(self._waiting):
            if len(some) == ENDINGS_AT_ONCE or not room:
                break
            # Answers name the producer id alone: one end of each goes into a request.
            if one.ending.producer_id not in some:
                partitions = sorted(self._waiting.pop(one))
                if len(partitions) > room:
                    self._waiting[one] = set(partitions[room:])
                    del partitions[room:]
                some[one.ending.producer_id] = one, partitions
                room -= len(partitions)
        some = {key: entry for key, entry in some.items() if not entry[0].is_over}
        if not some:
            return
        request = WriteTxnMarkersRequest(
            markers=[_marker(one.ending, partitions) for one, partitions in some.values()]
        )
        try:
            found = _codes(await self._send(request))
        except (PeerError, EncodeError):
            found = {}
        except Exception as error:  # all is tried again, so that no transaction stays open
            self._report_bug(error)
            found = {}
        for producer_id, (one, partitions) in some.items():
            codes = found.get(producer_id, {})
            lost = ErrorCode.NETWORK_EXCEPTION
            self._done(one, {part: codes.get(part, lost) for part in partitions})


def _marker(ending: Ending, partitions: Iterable[TopicPartition]) -> WritableTxnMarker:
    topics: defaultdict[str, list[int]] = defaultdict(list)
    for topic, partition in partitions:
        topics[topic].append(partition)
    return WritableTxnMarker(
        producer_id=ending.producer_id,
        producer_epoch=ending.epoch,
        transaction_result=ending.is_commit,
        topics=[
            WritableTxnMarkerTopic(name=name, partition_indexes=indexes)
            for name, indexes in topics.items()
        ],
        coordinator_epoch=ending.coordinator_epoch,
        transaction_version=ending.client_version,
    )


def _codes(response: WriteTxnMarkersResponse) -> dict[int, Codes]:
    found: dict[int, Codes] = {}
    for marker in response.markers:
        codes = found.setdefault(marker.producer_id, {})
        for topic in marker.topics:
            for one in topic.partitions:
                codes[topic.name, one.partition_index] = error_code_of(one.error_code)
    return found


def error_code_of(number: int) -> ErrorCode:
    """The error of this number; -1 for one that is not known."""
    try:
        return ErrorCode(number)
    except ValueError:
        return ErrorCode.UNKNOWN_SERVER_ERROR

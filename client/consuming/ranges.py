"""Reading one range of offsets of one partition from front to back, as fast as it goes.

For programs that split the work themselves, such as the Spark reader: no positions, no sessions;
the next fetch is under way while the program works on what came.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.fetch_session import NO_SESSION, SESSIONLESS_EPOCH
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.fetch_response import FetchResponse, PartitionData
from barnabas.protocol.primitives import ZERO_UUID

from ..config import ConsumerConfig
from ..errors import ConfigurationError, RangeNotAvailableError, error_of
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.leadership import LEADERSHIP_ERRORS
from ..wire.metadata import endpoints_of
from ..wire.pool import Lane
from .columns import RecordColumns
from .fetch_requests import FETCH_VERSION_BY_NAME_MAX, FETCH_VERSION_MAX
from .fetched import FetchedRecords, end_offset_of, whole_batches


class Piece(NamedTuple):
    """One answer: its bytes, where it was asked from, where the next begins."""

    data: bytes
    fetch_offset: int
    end_offset: int
    aborted: list[tuple[int, int]]


async def read_range(
    cluster: Cluster, config: ConsumerConfig, where: TopicPartition, start: int, end: int
) -> AsyncIterator[RecordColumns]:
    """See `Consumer.fetch_range`."""
    async for piece in read_pieces(cluster, config, where, start, end):
        fetched = FetchedRecords(
            where,
            piece.data,
            piece.fetch_offset,
            aborted=piece.aborted if config.isolation else None,
            check_crcs=config.check_crcs,
            decompressed_bytes_max=config.decompressed_batch_max_bytes,
        )
        while (columns := fetched.next_columns()) is not None:
            if columns.offsets[-1] >= end:
                kept = sum(1 for each in columns.offsets if each < end)
                columns = columns.part(0, kept)
            if len(columns):
                yield columns
            # A range is long, and other tasks want their turn too.
            await asyncio.sleep(0)


async def read_range_raw(
    cluster: Cluster, config: ConsumerConfig, where: TopicPartition, start: int, end: int
) -> AsyncIterator[bytes]:
    """See `Consumer.fetch_range_raw`."""
    async for piece in read_pieces(cluster, config, where, start, end):
        yield whole_batches(piece.data)


async def read_pieces(
    cluster: Cluster, config: ConsumerConfig, where: TopicPartition, start: int, end: int
) -> AsyncIterator[Piece]:
    """Answers that cover the range, each fetched while the one before it is worked on."""
    if start < 0 or end < start:
        raise ConfigurationError(f"{where}: {start} to {end} is no range of offsets")
    if start == end:
        return
    loop = asyncio.get_running_loop()
    ahead: asyncio.Task[Piece] = loop.create_task(next_piece(cluster, config, where, start, end))
    try:
        while True:
            piece = await ahead
            is_last = piece.end_offset >= end
            if not is_last:
                ahead = loop.create_task(next_piece(cluster, config, where, piece.end_offset, end))
            yield piece
            if is_last:
                return
    finally:
        ahead.cancel()
        await asyncio.gather(ahead, return_exceptions=True)


async def next_piece(
    cluster: Cluster, config: ConsumerConfig, where: TopicPartition, start: int, end: int
) -> Piece:
    """The records from `start` on, waiting for them and for a leader if need be."""

    async def attempt() -> Piece:
        answer = await fetch_once(cluster, config, where, start)
        if answer.error_code:
            raise error_of(
                answer.error_code,
                f"{where}: reading from offset {start}; the log has"
                f" {answer.log_start_offset} to {answer.high_watermark}",
            )
        data = bytes(answer.records or b"")  # no copy: decoded messages have bytes
        end_offset = end_offset_of(data, start)
        if end_offset == start:
            readable = answer.last_stable_offset if config.isolation else answer.high_watermark
            raise StillWaitingError(
                f"{where}: the range to {end} cannot be read beyond {start} (readable: {readable})"
            )
        aborted = [
            (each.producer_id, each.first_offset) for each in answer.aborted_transactions or ()
        ]
        return Piece(data, start, end_offset, aborted)

    try:
        return await cluster.retrying(attempt, f"reading {where} from offset {start}")
    except StillWaitingError as error:
        raise RangeNotAvailableError(str(error)) from None


class StillWaitingError(RangeNotAvailableError):
    """Nothing yet; asked for again until the time is up."""

    retriable = True


async def fetch_once(
    cluster: Cluster, config: ConsumerConfig, where: TopicPartition, start: int
) -> PartitionData:
    """One fetch of one partition, without a session."""
    node = await cluster.leader(*where)
    info = await cluster.topic(where.topic)
    connection = await cluster.connection(node, Lane.FETCH)
    bytes_max = max(config.max_partition_fetch_bytes, 4 * 1024 * 1024)
    request = FetchRequest(
        replica_id=-1,
        max_wait_ms=config.fetch_max_wait_ms,
        min_bytes=config.fetch_min_bytes,
        max_bytes=config.fetch_max_bytes,
        isolation_level=config.isolation,
        session_id=NO_SESSION,
        session_epoch=SESSIONLESS_EPOCH,
        topics=[
            FetchTopic(
                topic=where.topic,
                topic_id=info.topic_id,
                partitions=[
                    FetchPartition(
                        partition=where.partition,
                        current_leader_epoch=cluster.metadata.leader_epoch(*where),
                        fetch_offset=start,
                        partition_max_bytes=bytes_max,
                    )
                ],
            )
        ],
    )
    by_id = info.topic_id != ZERO_UUID
    response = await connection.call(
        request,
        FetchResponse,
        timeout_s=cluster.request_timeout_s + config.fetch_max_wait_ms / 1000,
        at_most=FETCH_VERSION_MAX if by_id else FETCH_VERSION_BY_NAME_MAX,
    )
    if response.error_code:
        raise error_of(response.error_code, f"reading {where}")
    for topic in response.responses:
        for each in topic.partitions:
            if each.partition_index == where.partition:
                if each.error_code in LEADERSHIP_ERRORS:
                    cluster.take_hint(where, each.current_leader, endpoints_of(response))
                return each
    raise error_of(ErrorCode.UNKNOWN_SERVER_ERROR, f"{node} did not answer for {where}")

"""What a consumer sees of a log that another broker wrote."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from kit.kafka_directory import STOPPED_MS, _line, _visible
from kit.raw_client import RawClient

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.ports import Env
from barnabas.broker.node import Node
from barnabas.broker.storage.files import RealClock, RealDisk
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.protocol.record_batch import iter_batch_headers


class PinnedClock(RealClock):
    """The wall stands still soon after the last record of the directory was written."""

    def wall_ms(self) -> int:
        return STOPPED_MS


async def start(path: Path) -> Node:
    """A node that takes a directory over."""
    config = replace(BrokerConfig(), log_dirs=(str(path),), listeners=("PLAINTEXT://127.0.0.1:0",))
    return await Node.start(config, Env(PinnedClock(), RealDisk(), Random()))


async def consume(client: RawClient, topic: str, index: int, start: int, level: int) -> Any:
    """All that a consumer of this isolation level sees, as the expectations have it."""
    offset, records = start, []
    while True:
        wanted = FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=5000)
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=1,
            isolation_level=level,
            topics=[FetchTopic(topic=topic, partitions=[wanted])],
        )
        answer = await client.ask(request, 11)
        data = answer.responses[0].partitions[0]
        assert data.error_code == 0
        if not data.records:
            break
        aborted = [(one.producer_id, one.first_offset) for one in data.aborted_transactions or ()]
        records += [one for one in _visible(data.records, aborted) if one.offset >= offset]
        offset = list(iter_batch_headers(data.records))[-1][1].next_offset
    digest = hashlib.sha256(b"".join(map(_line, records))).hexdigest()
    first, last = (records[0].offset, records[-1].offset) if records else (None, None)
    return {"records": len(records), "first": first, "last": last, "sha256": digest}


async def offset_of(client: RawClient, topic: str, index: int, timestamp: int, level: int) -> int:
    wanted = ListOffsetsPartition(partition_index=index, timestamp=timestamp)
    request = ListOffsetsRequest(
        replica_id=-1,
        isolation_level=level,
        topics=[ListOffsetsTopic(name=topic, partitions=[wanted])],
    )
    row = (await client.ask(request, 5)).topics[0].partitions[0]
    assert row.error_code == 0
    offset: int = row.offset
    return offset

"""Fetch requests, and what is looked at in their answers."""

from __future__ import annotations

import struct
from typing import Any

from barnabas.protocol.messages.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
)

from .raw_client import RawClient


def wanted(offset: int = 0, index: int = 0, size: int = 1 << 20, **fields: Any) -> FetchPartition:
    """One partition's part of a fetch."""
    return FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=size, **fields)


def fetch(*partitions: FetchPartition, topic: str | bytes = "t", **fields: Any) -> FetchRequest:
    """A request for partitions of one topic, by name or by id; it does not wait unless told to."""
    named = FetchTopic(partitions=list(partitions))
    if isinstance(topic, str):
        named.topic = topic
    else:
        named.topic_id = topic
    fields.setdefault("max_wait_ms", 0)
    fields.setdefault("min_bytes", 1)
    return FetchRequest(topics=[named], **fields)


async def read(client: RawClient, request: FetchRequest, version: int = 11) -> Any:
    """The only partition of the answer."""
    answer = await client.ask(request, version)
    assert answer.error_code == 0
    return answer.responses[0].partitions[0]


def base_offsets(records: bytes) -> list[int]:
    """Where each batch begins, all of them whole."""
    found, at = [], 0
    while at < len(records):
        base, length = struct.unpack_from(">qi", records, at)
        found.append(base)
        at += 12 + length
    assert at == len(records), "a batch is cut"
    return found


def fetch_all(topic: str) -> FetchRequest:
    """Partition 0 from its beginning."""
    return fetch(wanted(), topic=topic)


async def fetch_once(client: RawClient, topic_id: bytes, offset: int, wait_ms: int) -> Any:
    """Read partition 0 from an offset, with no session."""
    request = fetch(wanted(offset), topic=topic_id, max_wait_ms=wait_ms)
    answer = await client.ask(request, 13)
    return answer.responses[0].partitions[0]


def long_poll(max_wait_ms: int = 60_000) -> FetchRequest:
    """A fetch of partition 0 of topic `idle`, where nothing may ever be written."""
    return fetch(wanted(), topic="idle", max_wait_ms=max_wait_ms)

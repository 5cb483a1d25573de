"""Rows of one task as records, sent by a producer that the caller has started."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from barnabas.client import Producer
from barnabas.client.structs import Header, ProducerRecord

from .errors import OptionError

if TYPE_CHECKING:
    import pyarrow as pa

UNCONFIRMED_MAX = 20_000
"""Records that one task may have sent without having seen their confirmation."""


async def send_all(producer: Producer, batches: Iterable[pa.RecordBatch], topic: str | None) -> int:
    """Send every row, to this topic or to that of its column, and wait until all are stored.

    Raises:
        OptionError: a row has no topic.
    """
    unconfirmed: deque[tuple[int, asyncio.Future[Any]]] = deque()
    waiting = written = 0
    for batch in batches:
        for count, future in await _send(producer, batch, topic):
            unconfirmed.append((count, future))
            waiting += count
        while waiting > UNCONFIRMED_MAX:
            count, future = unconfirmed.popleft()
            await future
            waiting -= count
        written += batch.num_rows
    await producer.flush()
    for _, future in unconfirmed:
        await future
    return written


async def _send(
    producer: Producer, batch: pa.RecordBatch, topic: str | None
) -> list[tuple[int, asyncio.Future[Any]]]:
    """Hand over the rows; returns how many records each future stands for."""
    columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
    rows = range(batch.num_rows)
    keys, values = (
        [_bytes(each) for each in columns[name]] if name in columns else [None] * len(rows)
        for name in ("key", "value")
    )
    headers = [_headers(each) for each in columns.get("headers", [None] * len(rows))]
    topics = [topic] * len(rows) if topic else columns["topic"]
    if None in topics:
        raise OptionError("a row has no topic, and the option 'topic' is not set")
    partitions = columns.get("partition", [None] * len(rows))
    if topic and "partition" not in columns:
        records = map(ProducerRecord, values, keys, headers)
        return [(len(rows), await producer.send_many(topic, records))]
    return [
        (
            1,
            await producer.send(
                topics[row], values[row], keys[row], partitions[row], headers=headers[row]
            ),
        )
        for row in rows
    ]


def _bytes(value: bytes | str | None) -> bytes | None:
    return value.encode() if isinstance(value, str) else value


def _headers(value: list[dict[str, Any]] | None) -> tuple[Header, ...]:
    return tuple((each["key"], each["value"]) for each in value or ())

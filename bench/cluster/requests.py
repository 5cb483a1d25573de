"""What a cluster is asked beyond `bench.wire`: members, topics of three replicas, parked fetches.

As bytes, without the generated messages: Metadata 12, CreateTopics 7, Fetch 12, all flexible.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from barnabas.protocol.varints import uvarint

from ..wire import (
    METADATA,
    METADATA_VERSION,
    NO_TAGS,
    Reader,
    RefusedError,
    Wire,
    compact,
    frame,
)

CREATE_TOPICS, CREATE_TOPICS_VERSION = 19, 7
FETCH, FETCH_VERSION = 1, 12
CREATE_TIMEOUT_MS = 30_000
REPLICAS = 3


def read_members(connection: Wire) -> set[int]:
    """Ids of the brokers in one node's metadata."""
    body = connection.call(
        frame(METADATA, METADATA_VERSION, 1, uvarint(1) + bytes([0, 0]) + NO_TAGS)
    )
    reader = Reader(body)
    reader.number(4)
    members = set()
    for _ in range(reader.count()):
        members.add(reader.number(4))
        reader.text()
        reader.number(4)
        reader.text()
        reader.skip_tags()
    return members


def create_topic_request(
    topic: str, partitions: int, assignment: Sequence[Sequence[int]] | None = None
) -> bytes:
    """Create one topic: three replicas placed by the controller, or `assignment`."""
    placed = b"".join(
        struct.pack(">i", index)
        + uvarint(len(brokers) + 1)
        + struct.pack(f">{len(brokers)}i", *brokers)
        + NO_TAGS
        for index, brokers in enumerate(assignment or ())
    )
    count, replicas = (-1, -1) if assignment else (partitions, REPLICAS)
    one = compact(topic.encode()) + struct.pack(">ih", count, replicas)
    one += uvarint(len(assignment or ()) + 1) + placed + uvarint(1) + NO_TAGS
    body = b"\x02" + one + struct.pack(">ib", CREATE_TIMEOUT_MS, 0) + NO_TAGS
    return frame(CREATE_TOPICS, CREATE_TOPICS_VERSION, 4, body)


def read_created(body: bytes) -> None:
    """`RefusedError` if the only topic of a CreateTopics 7 answer was not created."""
    reader = Reader(body)
    reader.number(4)
    if reader.count() != 1:
        raise EOFError("CreateTopics answered with another count of topics than asked")
    reader.text()
    reader.take(16)
    if code := reader.number(2):
        raise RefusedError("CreateTopics", code)


def fetch_request(
    topic: str, partition: int, offset: int, *, max_wait_ms: int, max_bytes: int = 1 << 20
) -> bytes:
    """A consumer's Fetch of one partition, outside of any session."""
    head = struct.pack(">iiiibii", -1, max_wait_ms, 1, max_bytes, 0, 0, -1)
    one = struct.pack(">iiqiqi", partition, -1, offset, -1, -1, max_bytes) + NO_TAGS
    in_topic = compact(topic.encode()) + b"\x02" + one + NO_TAGS
    body = head + b"\x02" + in_topic + uvarint(1) + compact(b"") + NO_TAGS
    return frame(FETCH, FETCH_VERSION, 5, body)


def read_fetched(body: bytes) -> tuple[int, int]:
    """Error code and bytes of records of the only partition of a Fetch 12 answer; 0 and 0 if it
    names none."""
    reader = Reader(body)
    reader.number(4)
    if code := reader.number(2):
        return code, 0
    reader.number(4)
    if reader.count() != 1:
        return 0, 0
    reader.text()
    if reader.count() != 1:
        return 0, 0
    reader.number(4)
    error = reader.number(2)
    reader.take(3 * 8)  # high watermark, last stable offset, log start
    for _ in range(reader.count()):
        reader.take(16)
        reader.skip_tags()
    reader.number(4)
    return error, reader.count()

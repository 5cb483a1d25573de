"""The few requests that the load generator sends, as bytes, without the generated messages.

Apache Kafka and barnabas are driven with the same bytes, and a mistake in our messages or batches
cannot hide in both ends; only varints are read and written by barnabas' own code. All layouts are
the flexible ones: Metadata 12, ListOffsets 7, Produce 11.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from crc32c import crc32c

from barnabas.protocol.errors import DecodeError
from barnabas.protocol.varints import read_uvarint, uvarint

METADATA, PRODUCE, LIST_OFFSETS = 3, 0, 2
METADATA_VERSION, PRODUCE_VERSION, LIST_OFFSETS_VERSION = 12, 11, 7
CLIENT_ID = b"bench"
ACKS_ALL = -1
NO_TAGS = b"\x00"
FRAME_BYTES_MAX = 16 * 2**20


class RefusedError(Exception):
    """The broker answered with an error code."""

    def __init__(self, what: str, code: int) -> None:
        super().__init__(f"{what}: error code {code}")
        self.code = code


def compact(data: bytes) -> bytes:
    """A compact string or byte array: its length plus one, then its bytes."""
    return uvarint(len(data) + 1) + data


def frame(api_key: int, version: int, correlation_id: int, body: bytes) -> bytes:
    """A whole request: length, header of version 2, body."""
    head = struct.pack(">hhih", api_key, version, correlation_id, len(CLIENT_ID))
    payload = head + CLIENT_ID + NO_TAGS + body
    return struct.pack(">i", len(payload)) + payload


def one_record_batch(value: bytes, timestamp_ms: int) -> bytes:
    """A batch of magic 2 with one record: no key, no headers, no compression, not idempotent."""
    zigzag_length = uvarint(len(value) << 1)
    record = b"\x00\x00\x00\x01" + zigzag_length + value + b"\x00"
    record = uvarint(len(record) << 1) + record
    covered = struct.pack(">hiqqqhii", 0, 0, timestamp_ms, timestamp_ms, -1, -1, -1, 1) + record
    after_length = struct.pack(">iBI", -1, 2, crc32c(covered)) + covered
    return struct.pack(">qi", 0, len(after_length)) + after_length


def produce_request(
    topic: str, partition: int, batch: bytes, correlation_id: int, acks: int = ACKS_ALL
) -> bytes:
    """Produce of one batch to one partition."""
    in_partition = struct.pack(">i", partition) + compact(batch) + NO_TAGS
    in_topic = compact(topic.encode()) + b"\x02" + in_partition + NO_TAGS
    body = b"\x00" + struct.pack(">hi", acks, 30_000) + b"\x02" + in_topic + NO_TAGS
    return frame(PRODUCE, PRODUCE_VERSION, correlation_id, body)


def produce_success_prefix(topic: str, partition: int, correlation_id: int) -> bytes:
    """What the answer to `produce_request` holds behind its length, up to the error code 0."""
    head = struct.pack(">i", correlation_id) + NO_TAGS + b"\x02" + compact(topic.encode())
    return head + b"\x02" + struct.pack(">ih", partition, 0)


class Reader:
    """Walks a response; every method takes what it returns."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        piece = self.data[self.at : self.at + count]
        if len(piece) < count:
            raise EOFError(f"{count} bytes wanted at {self.at} of {len(self.data)}")
        self.at += count
        return piece

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big", signed=True)

    def uvarint(self) -> int:
        try:
            value, self.at = read_uvarint(self.data, self.at)
        except (IndexError, DecodeError):
            raise EOFError(f"no varint at {self.at} of {len(self.data)}") from None
        return value

    def count(self) -> int:
        """Elements of a compact array; 0 for null."""
        return max(self.uvarint() - 1, 0)

    def text(self) -> str:
        """A compact string; empty for null."""
        return self.take(self.count()).decode()

    def skip_tags(self) -> None:
        for _ in range(self.uvarint()):
            self.uvarint()
            self.take(self.uvarint())


@dataclass(frozen=True, slots=True)
class TopicState:
    """What Metadata says of one topic: its error, and per partition the error and the leader."""

    error: int
    partitions: dict[int, tuple[int, int]]

    def is_ready(self) -> bool:
        """Whether every partition has a leader."""
        return (
            self.error == 0
            and bool(self.partitions)
            and all(error == 0 and leader >= 0 for error, leader in self.partitions.values())
        )


def metadata_request(topic: str, *, create: bool) -> bytes:
    """Metadata of one topic by name, creating it if `create`."""
    one = bytes(16) + compact(topic.encode()) + NO_TAGS
    return frame(METADATA, METADATA_VERSION, 1, b"\x02" + one + bytes([create, 0]) + NO_TAGS)


def read_metadata(body: bytes) -> TopicState:
    """The only topic of a Metadata 12 answer."""
    reader = Reader(body)
    reader.number(4)
    for _ in range(reader.count()):
        reader.number(4)
        reader.text()
        reader.number(4)
        reader.text()
        reader.skip_tags()
    reader.text()
    reader.number(4)
    if reader.count() != 1:
        raise EOFError("Metadata answered with another count of topics than asked")
    error = reader.number(2)
    reader.text()
    reader.take(16 + 1)
    partitions = {}
    for _ in range(reader.count()):
        partition_error, index, leader = reader.number(2), reader.number(4), reader.number(4)
        reader.number(4)
        for _ in range(3):
            reader.take(4 * reader.count())
        reader.skip_tags()
        partitions[index] = (partition_error, leader)
    return TopicState(error, partitions)


def end_offsets_request(topic: str, partitions: Iterable[int]) -> bytes:
    """ListOffsets of the end of these partitions."""
    each = [struct.pack(">iiq", index, -1, -1) + NO_TAGS for index in partitions]
    in_topic = compact(topic.encode()) + uvarint(len(each) + 1) + b"".join(each) + NO_TAGS
    body = struct.pack(">ib", -1, 0) + b"\x02" + in_topic + NO_TAGS
    return frame(LIST_OFFSETS, LIST_OFFSETS_VERSION, 2, body)


def read_end_offsets(body: bytes) -> dict[int, int]:
    """Partition to end offset, of a ListOffsets 7 answer; `RefusedError` on any error code."""
    reader = Reader(body)
    reader.number(4)
    ends = {}
    for _ in range(reader.count()):
        reader.text()
        for _ in range(reader.count()):
            index, error = reader.number(4), reader.number(2)
            reader.number(8)
            ends[index] = reader.number(8)
            reader.number(4)
            reader.skip_tags()
            if error:
                raise RefusedError("ListOffsets", error)
        reader.skip_tags()
    return ends


class Wire:
    """A blocking connection that sends one request and reads its answer."""

    def __init__(self, port: int, timeout_s: float = 10.0) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout_s)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def call(self, request: bytes) -> bytes:
        """The answer's body, behind correlation id and header tags; `OSError` when cut off."""
        self.socket.sendall(request)
        return self.receive()

    def receive(self) -> bytes:
        """The body of the next answer."""
        size = int.from_bytes(self._receive(4), "big")
        if not 5 <= size <= FRAME_BYTES_MAX:
            raise OSError(f"an answer of {size} bytes")
        return self._receive(size)[5:]

    def _receive(self, size: int) -> bytes:
        parts = []
        while size:
            part = self.socket.recv(size)
            if not part:
                raise ConnectionResetError("closed by the broker")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def topic(self, name: str, *, create: bool = False) -> TopicState:
        """The state of a topic."""
        return read_metadata(self.call(metadata_request(name, create=create)))

    def end_offsets(self, topic: str, partitions: int) -> dict[int, int]:
        """Partition to end offset, of partitions 0 to `partitions` - 1."""
        return read_end_offsets(self.call(end_offsets_request(topic, range(partitions))))

    def end_offset(self, topic: str, partition: int) -> int:
        """End offset of one partition, which this broker leads."""
        return read_end_offsets(self.call(end_offsets_request(topic, [partition])))[partition]

    def produce_one(self, topic: str, partition: int, batch: bytes, acks: int = ACKS_ALL) -> int:
        """Produce one batch; its base offset, or `RefusedError`."""
        answer = self.call(produce_request(topic, partition, batch, 3, acks))
        at = 2 + len(compact(topic.encode())) + 4
        error, base_offset = struct.unpack_from(">hq", answer, at)
        if error:
            raise RefusedError("Produce", error)
        return int(base_offset)

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

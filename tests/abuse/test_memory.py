"""What peers can make a node hold: answers that nobody reads, sessions, records of who waits.

Bytes are bounded with wide margins: a node that keeps what it is asked to keep fails by far.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.batches import batch

from barnabas.protocol.header import decode_response_header
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.fetch_response import FetchResponse
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.testing.process import NodeProcess

from .wire import (
    MIB,
    Wire,
    complaints,
    create_topic,
    forget_peak,
    is_served,
    memory,
    peak_memory,
    produce,
)

pytestmark = pytest.mark.slow

STORED = 30 * MIB
RESPONSES_MAX = 16 * MIB
SESSION_PARTITIONS = 20_000
UNKNOWN_TOPIC = 3


@pytest.fixture(scope="module")
def small_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """A node with little room for answers and sessions, and a topic of 30 MB."""
    settings = {
        "queued.max.response.bytes": str(RESPONSES_MAX),
        "connections.max.unread.ms": "500",
        "max.incremental.fetch.session.cache.partitions": str(SESSION_PARTITIONS),
    }
    with NodeProcess(tmp_path_factory.mktemp("small") / "data", settings=settings) as node:
        create_topic(node, "stored")
        with Wire(node) as wire:
            for _ in range(STORED // 900_000):
                assert produce(wire, "stored", batch(bytes(900_000))).error_code == 0
        yield node
        assert complaints(node) == []


def fetch(topic: str, size: int, replica_id: int = -1) -> FetchRequest:
    """Up to `size` bytes from the beginning of partition 0."""
    partition = FetchPartition(partition_max_bytes=size)
    return FetchRequest(
        replica_id=replica_id,
        max_wait_ms=0,
        min_bytes=1,
        max_bytes=size,
        topics=[FetchTopic(topic=topic, partitions=[partition])],
    )


@pytest.mark.parametrize("replica_id", [-1, 7], ids=["consumer", "follower"])
def test_fetches_that_nobody_reads(small_node: NodeProcess, replica_id: int) -> None:
    """Goal: 40 times 30 MB are asked for and not read; they stay on the disk (ENV-13)."""
    with Wire(small_node) as honest:
        resident = forget_peak(small_node)
        wires = [Wire(small_node) for _ in range(40)]
        for wire in wires:
            wire.send(wire.frame(fetch("stored", 50 * MIB, replica_id=replica_id), 11))
        for _ in range(200):
            assert is_served(honest)
        # A consumer costs some pieces of a file. Followers share the room for answers, and one
        # more of each is on its way when it is full.
        allowed = 20 * MIB if replica_id < 0 else RESPONSES_MAX + 3 * STORED
        assert peak_memory(small_node) - resident < allowed
        for wire in wires:
            wire.reset()
        assert is_served(honest)


def test_a_slow_reader_gets_a_large_answer_whole(small_node: NodeProcess) -> None:
    """ENV-08: what is read bit by bit arrives as it was announced, and the next answer behind."""
    with Wire(small_node) as wire, Wire(small_node) as other:
        large = wire.frame(fetch("stored", 50 * MIB), 11)
        small = wire.frame(fetch("stored", 1000), 11)
        wire.send(large + small)
        size = int.from_bytes(wire.read_exactly(4), "big")
        assert size > STORED // 900_000 * 900_000
        content = bytearray()
        while len(content) < size:
            content += wire.read_exactly(min(3 * MIB, size - len(content)))
            assert is_served(other)
        _, at = decode_response_header(bytes(content[:64]), 0, 1, 11)
        rows = FetchResponse.decode(bytes(content[at:]), 11).responses[0].partitions
        offsets = [header.base_offset for _, header in iter_batch_headers(rows[0].records or b"")]
        assert offsets == list(range(STORED // 900_000))
        assert len(wire.read_frame()) > 900_000  # the first batch comes whatever its size


def waiting(topic: str, partitions: int) -> FetchRequest:
    """From the beginning of so many partitions, until there is more than there ever will be."""
    wanted = [FetchPartition(partition=n, partition_max_bytes=MIB) for n in range(partitions)]
    return FetchRequest(
        max_wait_ms=60_000,
        min_bytes=1 << 30,
        max_bytes=1 << 30,
        session_epoch=-1,
        topics=[FetchTopic(topic=topic, partitions=wanted)],
    )


def test_records_of_fetches_that_wait(small_node: NodeProcess) -> None:
    """74-02: 2,000 fetches of 60 KB wait for more; they hold what they ask for, not records."""
    create_topic(small_node, "some")
    with Wire(small_node) as honest:
        assert produce(honest, "some", batch(bytes(60_000))).error_code == 0
        resident = forget_peak(small_node)
        wires = [Wire(small_node) for _ in range(20)]
        for wire in wires:
            wire.send(wire.frame(waiting("some", 1), 11) * 100)
        for _ in range(200):
            assert is_served(honest)
        assert peak_memory(small_node) - resident < 40 * MIB
        for wire in wires:
            wire.reset()


def test_rows_of_fetches_that_wait(small_node: NodeProcess) -> None:
    """74-02: 1,000 fetches of 600 partitions; of one connection only a few wait at a time."""
    create_topic(small_node, "wide", 600)
    with Wire(small_node) as honest:
        resident = forget_peak(small_node)
        wires = [Wire(small_node) for _ in range(10)]
        for wire in wires:
            wire.try_to_send(wire.frame(waiting("wide", 600), 11) * 100)
        for _ in range(200):
            assert is_served(honest)
        assert peak_memory(small_node) - resident < 60 * MIB
        for wire in wires:
            wire.reset()
        assert is_served(honest)


def test_descriptions_that_nobody_reads(small_node: NodeProcess) -> None:
    """Goal: Metadata of 500 long names for clients that do not read; who waits is served then."""
    names = [CreatableTopic(name="t" * 200 + str(n), num_partitions=1) for n in range(500)]
    with Wire(small_node) as wire:
        for topic in names:
            topic.replication_factor = 1
        wire.ask(CreateTopicsRequest(topics=names, timeout_ms=60_000), 7)
        ask = wire.frame(MetadataRequest(topics=None), 9)
        wire.send(ask)
        size = len(wire.read_frame())
        resident = forget_peak(small_node)
        # Each of them asks for enough to be stopped by its own unread answers.
        count = 4 * RESPONSES_MAX // MIB
        wires = [Wire(small_node) for _ in range(count)]
        for one in wires:
            one.try_to_send(ask * (8 * MIB // size))
        for _ in range(200):
            assert is_served(wire)
        assert peak_memory(small_node) - resident < RESPONSES_MAX + 64 * MIB
        # An honest client has to wait until those who do not read are closed, and is answered.
        wire.send(ask)
        assert len(wire.read_frame()) == size
        for one in wires:
            one.reset()


def test_questions_about_very_many_topics(small_node: NodeProcess) -> None:
    """Goal: 12 clients name 90,000 topics each and read nothing; answers are made one by one, and
    only while there is room for them."""
    names = [MetadataRequestTopic(name=str(number)) for number in range(90_000)]
    asked = MetadataRequest(topics=names, allow_auto_topic_creation=False)
    with Wire(small_node) as honest:
        frame = honest.frame(asked, 9)
        honest.send(frame)
        size = len(honest.read_frame())
        resident = forget_peak(small_node)
        wires = [Wire(small_node) for _ in range(12)]
        for wire in wires:
            wire.try_to_send(frame)
        for _ in range(200):
            assert is_served(honest)
        # The honest client's turn comes after theirs, or after those have been closed.
        honest.send(frame)
        assert len(honest.read_frame()) == size
        frames = len(wires) * len(frame)
        assert peak_memory(small_node) - resident < RESPONSES_MAX + frames + 80 * MIB
        for wire in wires:
            wire.reset()


def unknown(first: int, count: int) -> list[FetchTopic]:
    """Partitions of a topic that does not exist."""
    wanted = [FetchPartition(partition=first + n, partition_max_bytes=1) for n in range(count)]
    return [FetchTopic(topic="nowhere", partitions=wanted)]


def test_sessions_of_partitions_that_do_not_exist(small_node: NodeProcess) -> None:
    """227-03: sessions are refused by their number of partitions; one that grows too far ends."""
    half = SESSION_PARTITIONS // 8
    with Wire(small_node) as wire:
        before = memory(small_node)
        ids = []
        for _ in range(12):
            request = FetchRequest(session_id=0, session_epoch=0, topics=unknown(0, half))
            answer = wire.ask(request, 11)
            assert len(answer.responses[0].partitions) == half
            assert answer.responses[0].partitions[0].error_code == UNKNOWN_TOPIC
            ids.append(answer.session_id)
        assert all(ids[:7])
        assert not any(ids[8:])
        large = FetchRequest(session_id=0, session_epoch=0, topics=unknown(0, 6 * half))
        assert wire.ask(large, 11).session_id == 0
        grown = FetchRequest(session_id=ids[0], session_epoch=1, topics=unknown(half, 6 * half))
        assert wire.ask(grown, 11).error_code == 70
        assert memory(small_node) - before < 60 * MIB

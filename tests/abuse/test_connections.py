"""Connections that sit, crawl, flood or come and go: others do not notice, nothing stays behind.

F-8 and F-9, small.
"""

from __future__ import annotations

import random
import selectors
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from kit.batches import batch

from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
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
    produce_request,
)

pytestmark = pytest.mark.slow

CONNECTIONS_MAX = 200
HALF_FRAME_MS = 500


@pytest.fixture(scope="module")
def strict_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """A node with low limits."""
    settings = {
        "max.connections": str(CONNECTIONS_MAX),
        "max.connections.per.ip": "150",
        "connections.half.frame.timeout.ms": str(HALF_FRAME_MS),
        "connections.max.output.bytes": str(MIB),
    }
    with NodeProcess(tmp_path_factory.mktemp("strict") / "data", settings=settings) as node:
        yield node
        assert complaints(node) == []


def files_of(node: NodeProcess) -> int:
    return int(psutil.Process(node.pid).num_fds())


def wait_for_files(node: NodeProcess, most: int) -> None:
    """Until the node has closed what was closed; ten seconds at most."""
    with Wire(node) as wire:
        deadline = time.monotonic() + 10
        while files_of(node) > most + 1:  # this connection is one
            assert is_served(wire)
            assert time.monotonic() < deadline, f"{files_of(node)} files open, {most} before"


def test_a_flood_of_idle_connections(strict_node: NodeProcess) -> None:
    """max.connections.per.ip and max.connections: what is too many is closed, others work on."""
    node = strict_node
    before = files_of(node)
    with Wire(node) as honest:
        assert is_served(honest)
        wires = [Wire(node, "127.0.0.2") for _ in range(400)]
        open_now = [wire for wire in wires if not was_closed(wire)]
        assert len(open_now) == 150
        more = [Wire(node, "127.0.0.3") for _ in range(100)]
        assert sum(not was_closed(wire) for wire in more) == CONNECTIONS_MAX - 150 - 1
        assert files_of(node) <= before + CONNECTIONS_MAX + 2
        assert is_served(honest)
        assert is_served(open_now[0])
        for wire in wires + more:
            wire.socket.close()
    wait_for_files(node, before)
    with Wire(node) as wire:
        assert is_served(wire)


def was_closed(wire: Wire) -> bool:
    """Ask; who was refused gets no answer."""
    try:
        return not is_served(wire)
    except ConnectionError:
        return True


@pytest.mark.parametrize("sent", [1, 3, 4, 8, 30, 200])
def test_half_a_frame_is_closed(strict_node: NodeProcess, sent: int) -> None:
    """Goal: in the length, in the header, in the body: after the timeout it is over."""
    create_topic_once(strict_node, "half")
    with Wire(strict_node) as wire, Wire(strict_node) as honest:
        wire.send(wire.frame(produce_request("half", batch(bytes(500))), 9)[:sent])
        began = time.monotonic()
        while not has_ended(wire):
            assert is_served(honest)
            assert time.monotonic() - began < 10
        assert time.monotonic() - began > HALF_FRAME_MS / 1000 / 2


def has_ended(wire: Wire) -> bool:
    """Whether the node closed by now, without waiting for it."""
    with selectors.DefaultSelector() as selector:
        selector.register(wire.socket, selectors.EVENT_READ)
        if not selector.select(0.01):
            return False
    try:
        return not wire.socket.recv(1)
    except ConnectionError:
        return True


def create_topic_once(node: NodeProcess, name: str) -> None:
    if not (Path(node.directory) / f"{name}-0").exists():
        create_topic(node, name)


def fetch_request(topic: str, max_wait_ms: int = 0) -> FetchRequest:
    partition = FetchPartition(partition_max_bytes=4 * MIB)
    return FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        topics=[FetchTopic(topic=topic, partitions=[partition])],
    )


def test_who_never_reads_costs_little(strict_node: NodeProcess) -> None:
    """Goal: 20 clients ask for 200 times 4 MiB and read nothing; memory stays bounded."""
    node = strict_node
    create_topic_once(node, "unread")
    with Wire(node) as honest:
        for _ in range(5):
            assert produce(honest, "unread", batch(bytes(900_000))).error_code == 0
        before = memory(node)
        wires = [Wire(node) for _ in range(20)]
        for wire in wires:
            frame = wire.frame(fetch_request("unread"), 11)
            wire.try_to_send(frame * 200)
        for _ in range(200):
            assert is_served(honest)
        # One answer and one limit of output for each.
        assert memory(node) - before < 20 * 8 * MIB
        for wire in wires:
            wire.reset()
        assert is_served(honest)


@pytest.mark.parametrize("max_wait_ms", [0, 300], ids=["at once", "parked"])
def test_large_answers_are_not_all_made_at_once(node: NodeProcess, max_wait_ms: int) -> None:
    """Goal: 100 fetches of 10 MB in one packet are answered as the client reads, or not at all."""
    create_topic_once(node, "large")
    with Wire(node) as honest, Wire(node) as wire:
        if produce(honest, "large", batch(b"first")).base_offset == 0:
            for _ in range(10):
                assert produce(honest, "large", batch(bytes(1_000_000))).error_code == 0
        request = fetch_request("large", max_wait_ms)
        request.topics[0].partitions[0].partition_max_bytes = request.max_bytes = 50 * MIB
        request.min_bytes = 2**31 - 1 if max_wait_ms else 1
        resident = forget_peak(node)
        wire.send(wire.frame(request, 11) * 100)
        try:
            assert len(wire.read_frame()) > 10_000_000
        except ConnectionError:  # so many answers at the same moment are too many
            assert max_wait_ms
        for _ in range(100):
            assert is_served(honest)
        assert peak_memory(node) - resident < 150 * MIB


def test_a_slow_reader_gets_everything(strict_node: NodeProcess) -> None:
    """Goal: back-pressure is no error: who reads late reads all, in order."""
    create_topic_once(strict_node, "late")
    with Wire(strict_node) as wire:
        assert produce(wire, "late", batch(bytes(500_000))).error_code == 0
        frame = wire.frame(fetch_request("late"), 11)
        for number in range(30):
            wire.send(frame[:8] + number.to_bytes(4, "big") + frame[12:])
        with Wire(strict_node) as other:
            for _ in range(20):
                assert is_served(other)
        for number in range(30):
            content = wire.read_frame()
            assert int.from_bytes(content[:4], "big") == number
            assert len(content) > 500_000


def test_churn_leaves_nothing(strict_node: NodeProcess) -> None:
    """F-9, small: 2,000 connections end at a random byte, by FIN or RST, some in a long poll."""
    node = strict_node
    create_topic_once(node, "churn")
    rng = random.Random(9)
    with Wire(node) as honest:
        assert is_served(honest)
        before_files, before = files_of(node), memory(node)
        for number in range(2000):
            wire = Wire(node)
            if number % 4 == 0:
                wire.send(wire.frame(fetch_request("churn", 60_000), 11))
            frame = wire.frame(produce_request("churn", batch(b"v")), 9)
            wire.send(frame[: rng.randrange(len(frame) + 1)])
            if rng.random() < 0.5:
                wire.reset()
            else:
                wire.socket.close()
            if number % 200 == 0:
                assert is_served(honest)
        wait_for_files(node, before_files)
        assert memory(node) - before < 30 * MIB
        assert is_served(honest)


def test_ten_thousand_requests_before_the_first_answer_is_read(node: NodeProcess) -> None:
    """F-10, ENV-08: the node stops reading when the answers pile up; order is kept."""
    create_topic(node, "pipeline")
    count = 10_000
    before = memory(node)
    with Wire(node) as wire, Wire(node) as honest:
        produce_one = wire.frame(produce_request("pipeline", batch(b"v" * 50)), 9)
        ask = wire.frame(ApiVersionsRequest(), 0)
        frames = b"".join(
            frame[:8] + number.to_bytes(4, "big") + frame[12:]
            for number in range(count)
            for frame in ((produce_one, ask)[number % 2],)
        )
        wire.socket.setblocking(False)
        left, read = memoryview(frames), bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(wire.socket, selectors.EVENT_WRITE)
            while left and selector.select(0.3):  # until nobody takes any more
                left = left[wire.socket.send(left) :]
            assert is_served(honest)
            assert memory(node) - before < 30 * MIB
            selector.modify(wire.socket, selectors.EVENT_READ | selectors.EVENT_WRITE)
            numbers: list[int] = []
            while len(numbers) < count:
                ((_, events),) = selector.select(10)
                if events & selectors.EVENT_WRITE and left:
                    left = left[wire.socket.send(left) :]
                if events & selectors.EVENT_READ:
                    read += wire.socket.recv(MIB)
                    numbers += take_numbers(read)
                if not left:
                    selector.modify(wire.socket, selectors.EVENT_READ)
        assert numbers == list(range(count))


def take_numbers(read: bytearray) -> list[int]:
    """The correlation ids of the whole frames in what was read, which are taken out of it."""
    found, at = [], 0
    while len(read) - at >= 8:
        size = int.from_bytes(read[at : at + 4], "big")
        if len(read) - at < 4 + size:
            break
        found.append(int.from_bytes(read[at + 4 : at + 8], "big"))
        at += 4 + size
    del read[:at]
    return found


def test_an_unknown_key_among_pipelined_requests(node: NodeProcess) -> None:
    """F-10, ENV-05: what came before it is answered or not; what came behind it has no effect."""
    create_topic(node, "interleaved")
    with Wire(node) as wire:
        good = wire.frame(produce_request("interleaved", batch(b"v")), 9)
        bad = good[:4] + (999).to_bytes(2, "big") + good[6:]
        wire.send(good * 10 + bad + good * 10)
        assert wire.is_closed()
    with Wire(node) as wire:
        row = produce(wire, "interleaved", batch(b"last"))
        assert row.error_code == 0
        assert row.base_offset <= 10

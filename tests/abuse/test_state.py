"""Clients that make the node remember things, and requests with every field wrong.

F-4 and F-11, small.
"""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from fuzz.corpus import read_corpus
from fuzz.seeds import GOLDEN, seeds

from barnabas.protocol.apis import message_class
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.testing.process import NodeProcess

from .wire import MIB, Wire, create_topic, is_served, memory

pytestmark = pytest.mark.slow

INVALID_TOPIC, INVALID_PARTITIONS, INVALID_REPLICATION, POLICY = 17, 37, 38, 44
SESSIONS = 10_000
SLOTS = 1000


def create(node: NodeProcess, *topics: CreatableTopic) -> Any:
    with Wire(node) as wire:
        return wire.ask(CreateTopicsRequest(topics=list(topics), timeout_ms=10_000), 7).topics


def directories(node: NodeProcess) -> int:
    return len(list(Path(node.directory).iterdir()))


@pytest.mark.parametrize(
    ("partitions", "code"),
    [
        (0, INVALID_PARTITIONS),
        (-2, INVALID_PARTITIONS),
        (10_001, POLICY),
        (1_000_000, POLICY),
        (2**31 - 1, POLICY),
    ],
)
def test_impossible_numbers_of_partitions(node: NodeProcess, partitions: int, code: int) -> None:
    """Goal: refused at once, and nothing of it is left."""
    before = directories(node)
    topic = CreatableTopic(name="absurd", num_partitions=partitions, replication_factor=1)
    (row,) = create(node, topic)
    assert row.error_code == code
    assert directories(node) == before


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a" * 250, "a/b", "../a", "ü", "a b", "x\0", "\n", "a\\b", "%s"]
)
def test_impossible_names(node: NodeProcess, name: str) -> None:
    """Goal: names become directories, so only Kafka's own letters go."""
    before = directories(node)
    (row,) = create(node, CreatableTopic(name=name, num_partitions=1, replication_factor=1))
    assert row.error_code == INVALID_TOPIC
    assert directories(node) == before


@pytest.mark.parametrize("factor", [0, -2, 2, 32767])
def test_impossible_replication_factors(node: NodeProcess, factor: int) -> None:
    (row,) = create(node, CreatableTopic(name="f", num_partitions=1, replication_factor=factor))
    assert row.error_code == INVALID_REPLICATION


def test_many_topics_in_one_request(node: NodeProcess) -> None:
    """F-11: more than one request may ask for is refused as a whole; others are served."""
    topics = [
        CreatableTopic(name=f"many-{number}", num_partitions=1, replication_factor=1)
        for number in range(20_000)
    ]
    before = directories(node)
    with Wire(node) as wire, Wire(node) as honest:
        wire.send(wire.frame(CreateTopicsRequest(topics=topics, timeout_ms=10_000), 7))
        assert is_served(honest)
        rows = wire.receive(19, 7).topics
    assert {row.error_code for row in rows} == {POLICY}
    assert directories(node) == before


def test_ten_thousand_fetch_sessions(node: NodeProcess) -> None:
    """F-11, 227-03: the cache has its slots; who gets none is served without a session."""
    create_topic(node, "sessions")
    partition = FetchPartition(partition_max_bytes=MIB)
    request = FetchRequest(
        session_id=0,
        session_epoch=0,
        topics=[FetchTopic(topic="sessions", partitions=[partition])],
    )
    before = memory(node)
    ids: list[int] = []
    with Wire(node) as wire, Wire(node) as honest:
        for _ in range(SESSIONS // 100):
            wire.send(b"".join(wire.frame(request, 11) for _ in range(100)))
            answers = [wire.receive(1, 11) for _ in range(100)]
            assert all(answer.error_code == 0 for answer in answers)
            ids += [answer.session_id for answer in answers]
        assert is_served(honest)
    given = [number for number in ids if number]
    assert len(set(given)) == len(given)
    assert len(given) >= SLOTS
    assert memory(node) - before < 30 * MIB


def test_ten_thousand_producer_ids(node: NodeProcess) -> None:
    """F-11: each is another one; nobody remembers them before they write."""
    before = memory(node)
    ids = set()
    with Wire(node) as wire:
        for _ in range(100):
            request = InitProducerIdRequest(transactional_id=None)
            wire.send(b"".join(wire.frame(request, 4) for _ in range(100)))
            for _ in range(100):
                answer = wire.receive(22, 4)
                assert answer.error_code == 0
                ids.add(answer.producer_id)
    assert len(ids) == 10_000
    assert memory(node) - before < 20 * MIB


def hostile_requests() -> list[bytes]:
    """Frames that the fuzzer kept, Kafka's own extremes, and both with a byte changed."""
    frames = [*seeds("headers"), *read_corpus("headers")]
    rng = random.Random(4)
    found = []
    for frame in frames:
        changed = bytearray(frame)
        if len(changed) > 12:
            changed[rng.randrange(12, len(changed))] ^= 1 << rng.randrange(8)
        found += [frame, bytes(changed)]
    return found


def test_requests_with_every_field_wrong(tmp_path: Path) -> None:
    """F-4, small: no request leads to an error that nobody expected, and the node lives on."""
    with NodeProcess(tmp_path / "data") as node:
        create_topic(node, "t")
        with Wire(node) as honest:
            frames = hostile_requests()
            for at in range(0, len(frames), 5):
                with Wire(node) as wire:
                    for frame in frames[at : at + 5]:
                        wire.try_to_send(frame)
                if at % 500 == 0:
                    assert is_served(honest)
            assert is_served(honest)
        unexpected = [line for line in list(node.output) if b"unexpected" in line]
        assert unexpected == []
        assert node.stop() == 0


def golden_requests() -> list[tuple[str, int, int, bytes]]:
    """Name, API key, version and body of all requests that Kafka's classes wrote."""
    found = []
    for path in sorted(GOLDEN.glob("*Request.jsonl.gz")):
        with gzip.open(path, "rt") as file:
            for line in file:
                vector = json.loads(line)
                body = bytes.fromhex(vector["hex"])
                found.append((vector["message"], vector["api_key"], vector["version"], body))
    return found


def test_kafkas_own_extremes(tmp_path: Path) -> None:
    """F-4: minima, maxima, nulls and random values in all fields of all served requests."""
    with NodeProcess(tmp_path / "data") as node:
        create_topic(node, "t")
        with Wire(node) as honest:
            for name, key, version, body in golden_requests():
                header = key.to_bytes(2, "big") + version.to_bytes(2, "big") + b"\0\0\0\1\xff\xff"
                if is_flexible(name, version):
                    header += b"\0"
                with Wire(node) as wire:
                    frame = header + body
                    wire.try_to_send(len(frame).to_bytes(4, "big") + frame)
            assert is_served(honest)
        unexpected = [line for line in list(node.output) if b"unexpected" in line]
        assert unexpected == []
        assert node.stop() == 0


def is_flexible(name: str, version: int) -> bool:
    since = message_class(name).FLEXIBLE_SINCE
    return since is not None and version >= since

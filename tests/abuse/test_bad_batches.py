"""Record batches that are none, over the wire: the right code, and a log that does not change.

F-5, with the codes 2, 76 and 87, and ENV-13.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import pytest
from kit.batches import batch, record
from kit.varints import varint

from barnabas.protocol.compression import Codec, compress
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.testing.process import NodeProcess

from .wire import Wire, create_topic, fingerprint, is_served, produce, produce_request

pytestmark = pytest.mark.slow

CORRUPT, UNSUPPORTED_CODEC, INVALID, TOO_LARGE, INVALID_TIMESTAMP = 2, 76, 87, 10, 32

GOOD = batch(b"a", b"b")


def changed(at: int, new: bytes) -> bytes:
    return GOOD[:at] + new + GOOD[at + len(new) :]


BAD = [
    pytest.param(None, INVALID, id="no records at all"),
    pytest.param(b"", INVALID, id="empty"),
    pytest.param(b"\0", CORRUPT, id="one byte"),
    pytest.param(GOOD[:17], CORRUPT, id="cut in the magic"),
    pytest.param(GOOD[:60], CORRUPT, id="cut in the header"),
    pytest.param(GOOD[:-1], CORRUPT, id="cut in the records"),
    pytest.param(GOOD + b"\0", INVALID, id="a byte behind"),
    pytest.param(GOOD + GOOD, INVALID, id="two batches"),
    pytest.param(changed(8, struct.pack(">i", -1)), CORRUPT, id="length -1"),
    pytest.param(changed(8, struct.pack(">i", 0)), CORRUPT, id="length 0"),
    pytest.param(changed(8, struct.pack(">i", 2**31 - 1)), CORRUPT, id="length 2^31-1"),
    pytest.param(changed(17, b"\0\0\0\0"), CORRUPT, id="another checksum"),
    pytest.param(changed(70, b"\xff"), CORRUPT, id="another byte"),
    pytest.param(changed(16, b"\0"), INVALID, id="magic 0"),
    pytest.param(changed(16, b"\1"), INVALID, id="magic 1"),
    pytest.param(changed(16, b"\3"), CORRUPT, id="magic 3"),
    pytest.param(changed(16, b"\xff"), CORRUPT, id="magic 255"),
    pytest.param(batch(b"a", base_offset=5), INVALID, id="base offset 5"),
    pytest.param(batch(b"a", base_offset=-1), INVALID, id="base offset -1"),
    pytest.param(batch(count=0), INVALID, id="no records"),
    pytest.param(batch(b"a", count=-1), INVALID, id="count -1"),
    pytest.param(batch(b"a", count=2, last_offset_delta=0), INVALID, id="more than the delta"),
    pytest.param(batch(b"a", last_offset_delta=5), INVALID, id="gaps"),
    pytest.param(batch(b"a", last_offset_delta=-1), INVALID, id="delta -1"),
    pytest.param(batch(b"a", last_offset_delta=2**31 - 1), INVALID, id="delta 2^31-1"),
    pytest.param(batch(b"a", attributes=5), UNSUPPORTED_CODEC, id="codec 5"),
    pytest.param(batch(b"a", attributes=6), UNSUPPORTED_CODEC, id="codec 6"),
    pytest.param(batch(b"a", attributes=7), UNSUPPORTED_CODEC, id="codec 7"),
    pytest.param(batch(b"a", attributes=0x20), INVALID, id="control"),
    pytest.param(batch(b"a", attributes=0x08), INVALID_TIMESTAMP, id="append time"),
    pytest.param(batch(b"a", producer_id=7, producer_epoch=0), INVALID, id="no sequence"),
    pytest.param(batch(b"a", timestamp=2**62), INVALID_TIMESTAMP, id="in ages"),
    pytest.param(batch(bytes(1_100_000)), TOO_LARGE, id="larger than max.message.bytes"),
]


@pytest.fixture(scope="module")
def topic(abused_node: NodeProcess) -> str:
    create_topic(abused_node, "batches")
    with Wire(abused_node) as wire:
        assert produce(wire, "batches", GOOD).error_code == 0
    return "batches"


@pytest.mark.parametrize(("records", "code"), BAD)
def test_refused_with_its_code(
    node: NodeProcess, topic: str, records: bytes | None, code: int
) -> None:
    """Goal: every fault has its code, on the oldest and the newest version, and leaves no trace."""
    before = fingerprint(node, topic)
    with Wire(node) as wire:
        for version in (3, 8, 11):
            row = produce(wire, topic, records, version)
            assert (row.error_code, row.base_offset) == (code, -1), row
        assert is_served(wire)
    assert fingerprint(node, topic) == before


def test_zstd_in_an_old_version(node: NodeProcess, topic: str) -> None:
    """KIP-110: zstd is for Produce 7 and later."""
    records = batch(b"a", attributes=4, records=compress(Codec.ZSTD, record(0, b"a")), count=1)
    with Wire(node) as wire:
        assert produce(wire, topic, records, 6).error_code == UNSUPPORTED_CODEC
        assert produce(wire, topic, records, 7).error_code == 0


def test_acks_0_and_a_bad_batch_close(node: NodeProcess, topic: str) -> None:
    """ENV-09: nothing else could tell the client."""
    before = fingerprint(node, topic)
    with Wire(node) as wire:
        wire.send(wire.frame(produce_request(topic, GOOD + GOOD, acks=0), 9))
        assert wire.is_closed()
    assert fingerprint(node, topic) == before


def mutants(rng: random.Random) -> bytes:
    """A batch with one to four bytes changed, cut, or with something behind it."""
    found = bytearray(GOOD)
    for _ in range(rng.randrange(1, 5)):
        found[rng.randrange(8, len(found))] ^= rng.randrange(1, 256)
    end = rng.choice((len(found), rng.randrange(len(found))))
    return bytes(found[:end]) + rng.randbytes(rng.choice((0, 0, rng.randrange(100))))


def test_two_thousand_damaged_batches(node: NodeProcess, topic: str) -> None:
    """Goal: none gets in; the connection that sent them works on."""
    rng = random.Random(5)
    before = fingerprint(node, topic)
    with Wire(node) as wire:
        for start in range(0, 2000, 100):
            version = 3 + start % 9
            for _ in range(100):
                records = mutants(rng)
                # The leader epoch is the broker's, and covered by no checksum.
                records = records[:12] + GOOD[12:16] + records[16:]
                if records == GOOD:
                    records = GOOD[:-1]
                wire.send(wire.frame(produce_request(topic, records), version))
            for _ in range(100):
                answer = wire.receive(0, version)
                row = answer.responses[0].partition_responses[0]
                assert row.error_code in (CORRUPT, INVALID), row
    assert fingerprint(node, topic) == before


INSIDE: list[tuple[str, Callable[[], bytes]]] = [
    ("random bytes", lambda: bytes(range(200, 250))),
    ("a varint that never ends", lambda: b"\xff" * 20),
    ("a negative length", lambda: varint(-5) + b"\0" * 10),
    ("a huge count of headers", lambda: b"\x14\0\0\0\1\1\xfe\xff\xff\xff\x0f"),
    ("nothing", lambda: b""),
]


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize(("what", "inside"), INSIDE, ids=[what for what, _ in INSIDE])
def test_records_that_are_none(
    node: NodeProcess, codec: Codec, what: str, inside: Callable[[], bytes]
) -> None:
    """Goal: whatever is inside a batch with a right header, no later request trips over it."""
    name = f"inside-{codec.name.lower()}-{what.replace(' ', '-')}"
    create_topic(node, name)
    with Wire(node) as wire:
        body = compress(codec, inside())
        row = produce(wire, name, batch(attributes=codec, records=body, count=3))
        assert row.error_code in (0, INVALID), row
        for timestamp in (-1, -2, -3, 1, 2**60):
            assert not is_bug(list_offsets(wire, name, timestamp))
        partition = FetchPartition(partition_max_bytes=1 << 20)
        fetch = FetchRequest(topics=[FetchTopic(topic=name, partitions=[partition])])
        answer = wire.ask(fetch, 11)
        assert answer.responses[0].partitions[0].error_code == 0
        assert is_served(wire)


def list_offsets(wire: Wire, topic: str, timestamp: int) -> int:
    partitions = [ListOffsetsPartition(timestamp=timestamp)]
    request = ListOffsetsRequest(topics=[ListOffsetsTopic(name=topic, partitions=partitions)])
    answer = wire.ask(request, 7)
    code: int = answer.topics[0].partitions[0].error_code
    return code


def is_bug(code: int) -> bool:
    return code == -1

"""Goal: a record that cannot be sent is refused at once, by name; nothing else suffers from it."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from barnabas.client import Producer, ProducerConfig, ProducerRecord
from barnabas.client.errors import ClientError, ConfigurationError
from barnabas.client.producing.partition_queue import PartitionQueue
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import decode_batch

from .fake_cluster import FakeCluster

BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"value": "text"}, TypeError, "value must be bytes or None, not str: str.encode()"),
    ({"value": 5}, TypeError, "value must be bytes or None, not int"),
    ({"value": {"a": 1}}, TypeError, "value must be bytes or None, not dict"),
    ({"key": "k"}, TypeError, "key must be bytes or None, not str"),
    ({"timestamp_ms": "2024-01-01"}, TypeError, "timestamp_ms must be an int or None, not str"),
    ({"timestamp_ms": 1.5}, TypeError, "timestamp_ms must be an int or None, not float"),
    ({"timestamp_ms": -1}, ValueError, "timestamp_ms must be 0 to 2^63-1"),
    ({"timestamp_ms": 2**63}, ValueError, "timestamp_ms must be 0 to 2^63-1"),
    ({"headers": {"ab": b"1"}}, TypeError, "headers must be a sequence of"),
    ({"headers": "ab"}, TypeError, "headers must be a sequence of"),
    ({"headers": ["ab"]}, TypeError, "headers[0] must be a pair (name, value), not 'ab'"),
    ({"headers": [("a", b"1", 2)]}, TypeError, "headers[0] must be a pair"),
    ({"headers": [("a", "1")]}, TypeError, "the value of header 'a' must be bytes or None"),
    ({"headers": [("a", b""), (b"b", b"")]}, TypeError, "the name of headers[1] must be a str"),
    ({"headers": [("\ud800", b"1")]}, ValueError, "is not UTF-8"),
    ({"partition": "0"}, TypeError, "partition must be an int or None, not str"),
    ({"partition": True}, TypeError, "partition must be an int or None, not bool"),
    ({"topic": b"t"}, TypeError, "topic must be a str, not bytes"),
]


def stored(cluster: FakeCluster) -> list[bytes | None]:
    batches = cluster.partition("t").batches
    return [record.value for _, _, data in batches for record in decode_batch(data, 0)]


@pytest.mark.parametrize(("wrong", "kind", "text"), BAD)
async def test_it_is_named_and_the_partition_goes_on(
    wrong: dict[str, Any], kind: type[Exception], text: str
) -> None:
    """Goal: TypeError or ValueError in the call itself; sends before and after it, flush and stop
    are as if it had not been made."""
    async with FakeCluster() as cluster, asyncio.timeout(10):
        cluster.add_topic("t")
        producer = Producer(bootstrap_servers=cluster.bootstrap, linger_ms=1)
        await producer.start()
        first = await producer.send("t", b"before")
        with pytest.raises(kind) as caught:
            await producer.send_and_wait(**{"topic": "t", "value": b"x", **wrong})
        assert text in str(caught.value)
        assert not isinstance(caught.value, ClientError)
        await producer.send_and_wait("t", b"after")
        assert (await first).offset == 0
        with pytest.raises(kind):
            producer.send_nowait(**{"topic": "t", "value": b"x", **wrong})
        await producer.flush()
        await producer.stop()
        assert stored(cluster) == [b"before", b"after"]


async def test_as_the_first_record_of_all() -> None:
    """Goal: the very first record may be a wrong one: no empty batch is left behind."""
    async with FakeCluster() as cluster, asyncio.timeout(10):
        cluster.add_topic("t")
        async with Producer(bootstrap_servers=cluster.bootstrap) as producer:
            with pytest.raises(TypeError, match="value must be bytes"):
                await producer.send_and_wait("t", cast("Any", "text"))
            assert (await producer.send_and_wait("t", b"good")).offset == 0
        assert stored(cluster) == [b"good"]


async def test_among_many() -> None:
    """Goal: send_many names the wrong one; those before it are stored, and nothing hangs."""
    async with FakeCluster() as cluster, asyncio.timeout(10):
        cluster.add_topic("t")
        async with Producer(bootstrap_servers=cluster.bootstrap) as producer:
            with pytest.raises(TypeError, match="value must be bytes or None, not str"):
                await producer.send_many("t", cast("Any", [b"one", "two"]))
            with pytest.raises(TypeError, match="key must be bytes"):
                await producer.send_many("t", [ProducerRecord(b"x", cast("Any", 1))])
            await producer.send_and_wait("t", b"three")
        assert stored(cluster) == [b"one", b"three"]


async def test_buffers_and_numpy_like_numbers_are_taken() -> None:
    """Goal: what Python takes for bytes and for an index is taken, and copied in the call."""

    class Two:
        def __index__(self) -> int:
            return 2

    async with FakeCluster() as cluster, asyncio.timeout(10):
        cluster.add_topic("t")
        async with Producer(bootstrap_servers=cluster.bootstrap, linger_ms=1) as producer:
            buffer = bytearray(b"abc")
            sent = await producer.send(
                "t",
                cast("Any", buffer),
                cast("Any", memoryview(b"key")),
                timestamp_ms=cast("Any", Two()),
                headers=[("h", cast("Any", bytearray(b"1")))],
            )
            buffer[:] = b"xyz"
            await sent
        (record,) = decode_batch(cluster.partition("t").batches[0][2], 0)
        assert (record.key, record.value, record.timestamp) == (b"key", b"abc", 2)
        assert tuple(record.headers) == (("h", b"1"),)


async def test_a_record_that_fails_inside_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Goal: whatever goes wrong while a record is written, its batch is not registered."""
    async with FakeCluster() as cluster, asyncio.timeout(10):
        cluster.add_topic("t")
        async with Producer(bootstrap_servers=cluster.bootstrap) as producer:
            await producer.ready("t")

            def fail(*_: object) -> int:
                raise MemoryError("no room")

            with monkeypatch.context() as patched:
                patched.setattr(RecordBatchBuilder, "append", fail)
                with pytest.raises(MemoryError):
                    producer.send_nowait("t", b"x")
            assert (await producer.send_and_wait("t", b"good")).offset == 0
        assert stored(cluster) == [b"good"]


async def test_a_batch_that_cannot_be_encoded_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: its records get the error; the partition goes on with the next."""
    async with FakeCluster() as cluster, asyncio.timeout(10):
        cluster.add_topic("t")
        async with Producer(bootstrap_servers=cluster.bootstrap) as producer:
            await producer.send_and_wait("t", b"one")
            build = RecordBatchBuilder.build

            def fail(*_: object) -> bytes:
                monkeypatch.setattr(RecordBatchBuilder, "build", build)
                raise MemoryError("no room")

            monkeypatch.setattr(RecordBatchBuilder, "build", fail)
            with pytest.raises(MemoryError):
                await producer.send_and_wait("t", b"two")
            await producer.send_and_wait("t", b"three")
        assert stored(cluster) == [b"one", b"three"]


@pytest.mark.parametrize("level", [-5, "9"])
def test_a_level_that_the_codec_does_not_have_is_refused_at_once(level: Any) -> None:
    """Goal: not when the first batch is sent, where nobody would hear of it."""
    with pytest.raises(ConfigurationError, match=r"compression_level=.* is none of gzip"):
        ProducerConfig(compression_type="gzip", compression_level=level)


def test_a_queue_takes_no_empty_batch() -> None:
    """Goal: what a batch without records would do to its partition cannot happen."""
    from barnabas.client import TopicPartition
    from barnabas.protocol.compression import Codec

    queue = PartitionQueue(TopicPartition("t", 0), is_idempotent=False, in_flight_max=1)
    with pytest.raises(AssertionError):
        queue.add(queue.new_batch(Codec.NONE, None, 1000, 0.0))
    assert queue.is_idle
    assert queue.open_batch is None

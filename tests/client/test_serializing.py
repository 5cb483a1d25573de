"""Goal: keys and values of the program's kinds go there and back; what cannot be read is named and
loses nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from barnabas.client import Consumer, Producer, ProducerRecord
from barnabas.client.errors import ConfigurationError, DeserializationError

from .consuming import T0, consuming, put
from .fake_cluster import FakeCluster


class Words:
    """A serializer as a class, which knows the topic."""

    def serialize(self, topic: str, value: Any) -> bytes:
        return f"{topic}:{value}".encode()

    def deserialize(self, topic: str, data: bytes) -> str:
        return data.decode().removeprefix(f"{topic}:")


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()


async def test_there_and_back() -> None:
    """Goal: functions and classes, for keys and values; None stays a tombstone."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with Producer(
            bootstrap_servers=cluster.bootstrap, key_serializer=Words(), value_serializer=as_json
        ) as producer:
            await producer.send_and_wait("t", {"a": 1}, key=7)
            await producer.send_and_wait("t", None, key="k")
            await (await producer.send_many("t", [ProducerRecord([1], key="m")]))
            with pytest.raises(TypeError):
                await producer.send("t", object())
        async with consuming(
            cluster, T0, key_deserializer=Words(), value_deserializer=json.loads
        ) as consumer:
            found = [await consumer.getone() for _ in range(3)]
        assert [(each.key, each.value) for each in found] == [
            ("7", {"a": 1}),
            ("k", None),
            ("m", [1]),
        ]
        assert [each.serialized_value_size for each in found] == [-1, -1, -1]


@pytest.mark.slow
async def test_a_record_that_cannot_be_read_is_named() -> None:
    """Goal: those before it are handed out; it is told each time until the program seeks past."""

    def no_sevens(data: bytes) -> int:
        if data.endswith(b"7"):
            raise ValueError("a seven")
        return int(data)

    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 30)
        async with consuming(cluster, T0, value_deserializer=no_sevens) as consumer:
            assert [(await consumer.getone()).value for _ in range(7)] == list(range(7))
            for _ in range(3):
                with pytest.raises(
                    DeserializationError, match="t-0, offset 7: ValueError"
                ) as caught:
                    await consumer.getone()
                assert caught.value.record.value == b"7"
                assert await consumer.position(T0) == 7
            found: list[int] = []
            while len(found) < 20:
                try:
                    batches = await consumer.getmany(timeout_ms=1000)
                except DeserializationError as error:
                    consumer.seek(T0, error.record.offset + 1)
                    continue
                found += [row.value for rows in batches.values() for row in rows]
            assert found == [each for each in range(8, 30) if each % 10 != 7]


async def test_what_comes_before_a_bad_batch_is_handed_out() -> None:
    """Goal: also when both came in one answer, and the bad record is the first of its batch."""

    def no_twos(data: bytes) -> int:
        if data == b"2":
            raise ValueError("a two")
        return int(data)

    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        put(cluster, 4, per_batch=1)
        async with consuming(cluster, T0, value_deserializer=no_twos) as consumer:
            batches = await consumer.getmany(timeout_ms=10_000)
            assert [row.value for row in batches[T0]] == [0, 1]
            for _ in range(2):
                with pytest.raises(DeserializationError, match="t-0, offset 2"):
                    await consumer.getmany(timeout_ms=10_000)
                assert await consumer.position(T0) == 2
            consumer.seek(T0, 3)
            batches = await consumer.getmany(timeout_ms=10_000)
            assert [row.value for row in batches[T0]] == [3]


def test_what_cannot_serialize_is_refused() -> None:
    """Goal: a start with something that is no serializer names it."""
    wrong: Any = 17
    with pytest.raises(ConfigurationError, match="value_serializer=17"):
        Producer(value_serializer=wrong)
    with pytest.raises(ConfigurationError, match="key_deserializer=17"):
        Consumer(key_deserializer=wrong)

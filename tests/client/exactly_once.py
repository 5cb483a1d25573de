"""What a read_committed consumer sees of a topic, and whether it is each input exactly once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from barnabas.client import Consumer, Producer, TopicPartition
from barnabas.client.errors import ClientError

PATIENCE_S = 120


class Source:
    """Puts different values into a topic, as long as it is asked to; keys are the partitions'
    numbers, so that the records of one stay together wherever they are copied to."""

    def __init__(self, bootstrap: str, topic: str, partitions: int) -> None:
        self._bootstrap = bootstrap
        self._topic = topic
        self._partitions = partitions
        self.values: list[bytes] = []
        """What is stored."""

    async def add(self, count: int) -> None:
        """So many more, all of them stored in the end."""
        async with Producer(bootstrap_servers=self._bootstrap) as producer:
            await self._add(producer, count)

    async def flow(self, until: asyncio.Event) -> None:
        """More and more, as fast as they are stored, until it is enough."""
        async with Producer(bootstrap_servers=self._bootstrap) as producer:
            while not until.is_set():
                await self._add(producer, 20)

    async def _add(self, producer: Producer, count: int) -> None:
        sent = []
        for number in range(len(self.values), len(self.values) + count):
            value, partition = b"%07d" % number, number % self._partitions
            self.values.append(value)
            sent.append(
                await producer.send(self._topic, value, key=b"%d" % partition, partition=partition)
            )
        await asyncio.gather(*sent)


async def committed(bootstrap: str, topic: str) -> list[bytes]:
    """Every value that is committed, up to the last stable offset at this moment."""
    async with Consumer(
        bootstrap_servers=bootstrap, isolation_level="read_committed", auto_offset_reset="earliest"
    ) as consumer:
        partitions = await consumer.all_partitions(topic)
        ends = await consumer.end_offsets(partitions)
        consumer.assign([each for each in partitions if ends[each]])
        values: list[bytes] = []
        while await _is_before(consumer, ends):
            for records in (await consumer.getmany(timeout_ms=200)).values():
                values += [bytes(each.value or b"") for each in records]
        return values


async def _is_before(consumer: Consumer, ends: dict[TopicPartition, int]) -> bool:
    places = [await consumer.position(each) < ends[each] for each in consumer.assignment()]
    return any(places)


def check_once(values: list[bytes], expected: list[bytes], order_of: int) -> None:
    """Each expected value once, and nothing else; those of one input partition in their order."""
    counts = Counter(values)
    twice = sorted(value for value, count in counts.items() if count > 1)
    assert not twice, f"seen more than once: {twice[:10]}"
    strange = sorted(counts.keys() - set(expected))
    assert not strange, f"nobody sent these: {strange[:10]}"
    missing = sorted(set(expected) - counts.keys())
    assert not missing, f"lost: {missing[:10]}"
    for residue in range(order_of):
        of_one = [value for value in values if int(value) % order_of == residue]
        assert of_one == sorted(of_one), "records of one input partition changed their order"


async def until_more(bootstrap: str, topic: str, count: int) -> list[bytes]:
    """Read until more values than this are committed, or patience ends; returns them."""
    values: list[bytes] = []
    async with asyncio.timeout(PATIENCE_S):
        while len(values) <= count:
            try:
                values = await committed(bootstrap, topic)
            except ClientError:
                continue
    return values


async def supervised(work: Callable[[], Awaitable[None]], restarts: list[BaseException]) -> None:
    """Run it again whenever it ends with an error, as a supervisor of processes would."""
    while True:
        try:
            await work()
        except ClientError as error:
            restarts.append(error)

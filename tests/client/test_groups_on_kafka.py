"""Goal: members of both protocols with Apache Kafka's own coordinators."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Unpack

import pytest
from click.testing import CliRunner
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess

from barnabas.cli.main import command
from barnabas.client import (
    Admin,
    Consumer,
    GroupState,
    OffsetReset,
    Producer,
    ResetTo,
    TopicPartition,
)
from barnabas.client.errors import GroupIdNotFoundError, GroupSubscribedError, NonEmptyGroupError
from barnabas.client.options import ConsumerOptions

from .brokers import create
from .grouping import Noted, becomes, numbers, take

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

SETTINGS = {
    "group.initial.rebalance.delay.ms": "100",
    "group.min.session.timeout.ms": "1000",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.consumer.heartbeat.interval.ms": "200",
    "group.consumer.assignment.interval.ms": "0",
    "group.consumer.min.assignment.interval.ms": "0",
    "offsets.topic.num.partitions": "1",
}


@pytest.fixture(scope="module")
def kafka(
    kafka_jars: KafkaJars, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KafkaProcess]:
    """A node whose groups rebalance fast."""
    process = KafkaProcess(kafka_jars, tmp_path_factory.mktemp("kafka"), SETTINGS)
    process.start()
    yield process
    process.stop()


@asynccontextmanager
async def member(
    kafka: KafkaProcess, topic: str, **options: Unpack[ConsumerOptions]
) -> AsyncIterator[tuple[Consumer, Noted]]:
    merged: ConsumerOptions = {
        "auto_offset_reset": "earliest",
        "heartbeat_interval_ms": 100,
        "session_timeout_ms": 6_000,
        "group_id": f"of-{topic}",
        **options,
        "bootstrap_servers": kafka.address,
    }
    noted = Noted()
    consumer = Consumer(**merged)
    consumer.subscribe(topic, listener=noted)
    async with consumer:
        yield consumer, noted


async def fill(kafka: KafkaProcess, topic: str, partitions: int, count: int) -> None:
    async with Producer(bootstrap_servers=kafka.address) as producer:
        for number in range(count):
            await producer.send(topic, b"%d" % number, partition=number % partitions)


@pytest.mark.parametrize("protocol", ["classic", "cooperative", "consumer"])
async def test_three_members_come_and_go(kafka: KafkaProcess, topic: str, protocol: str) -> None:
    """Goal: six partitions are shared by one, two, three, two members; each record is read once,
    and what stays with a cooperative member is never revoked."""
    await create(kafka.address, topic, 6)
    await fill(kafka, topic, 6, 60)
    options: ConsumerOptions = {}
    if protocol == "consumer":
        options["group_protocol"] = "consumer"
    if protocol == "cooperative":
        options["partition_assignment_strategy"] = ("cooperative-sticky",)
    seen: list[bytes | None] = []

    async def read(consumer: Consumer) -> None:
        async for record in consumer:
            seen.append(record.value)  # noqa: PERF401 - it is looked at meanwhile

    tasks = []
    async with AsyncExitStack() as stack:
        members = []
        for _ in range(3):
            one, noted = await stack.enter_async_context(member(kafka, topic, **options))
            members.append((one, noted))
            tasks.append(asyncio.create_task(read(one)))
            await becomes(lambda: {len(numbers(c)) for c, _ in members} == {6 // len(members)})
        first, noted = members[0]
        if protocol != "classic":
            gone = set().union(*(what for name, what in noted.calls if name == "revoked"))
            assert not gone & set(numbers(first))
        await fill(kafka, topic, 6, 60)
        await becomes(lambda: len(seen) >= 120)
        tasks[2].cancel()
        await members[2][0].stop()
        await becomes(lambda: sum(len(numbers(c)) for c, _ in members[:2]) == 6)
        assert {c.state.state for c, _ in members[:2]} <= {
            GroupState.STABLE,
            GroupState.REBALANCING,
        }
        for task in tasks:
            task.cancel()
    assert len(seen) == 120


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
async def test_a_static_member_restarts_without_a_rebalance(
    kafka: KafkaProcess, topic: str, protocol: str
) -> None:
    """CLI-11: the other member notices nothing of a restart; offsets go on where they were."""
    await create(kafka.address, topic, 2)
    await fill(kafka, topic, 2, 40)
    async with member(kafka, topic, group_protocol=protocol) as (other, noted):
        await becomes(lambda: len(numbers(other)) == 2)
        async with member(kafka, topic, group_protocol=protocol, group_instance_id="i") as (one, _):
            reading = asyncio.create_task(other.getone())
            await becomes(lambda: (len(numbers(one)), len(numbers(other))) == (1, 1))
            mine = numbers(one)
            assert await reading
            assert len(await take(one, 5)) == 5
        before = list(noted.calls)
        async with member(kafka, topic, group_protocol=protocol, group_instance_id="i") as (one, _):
            await becomes(lambda: numbers(one) == mine)
            assert (await take(one, 1))[0].offset == 5
        assert noted.calls == before


async def test_an_admin_looks_and_resets(kafka: KafkaProcess, topic: str) -> None:
    """Goal: both kinds of group are described and refused while somebody is in them; then reset."""
    await create(kafka.address, topic, 2)
    await fill(kafka, topic, 2, 20)
    t0 = TopicPartition(topic, 0)
    async with Admin(bootstrap_servers=kafka.address) as admin:
        for protocol in ("classic", "consumer"):
            name = f"{protocol}-{topic}"
            async with member(kafka, topic, group_protocol=protocol, group_id=name) as (one, _):
                assert len(await take(one, 20)) == 20
                await one.commit()
                (found,) = (await admin.describe_groups([name])).values()
                assert (found.group_type, found.state) == (protocol, "Stable")
                assert len(found.members[0].assignment) == 2
                with pytest.raises(NonEmptyGroupError, match="barnabas at"):
                    await admin.reset_group_offsets(name, OffsetReset(ResetTo.EARLIEST))
                with pytest.raises(NonEmptyGroupError, match="barnabas at"):
                    await admin.delete_groups([name])
                with pytest.raises(GroupSubscribedError):
                    await admin.delete_group_offsets(name, [t0])
            moved = await admin.reset_group_offsets(name, OffsetReset(ResetTo.SHIFT, -3))
            assert set(moved.values()) == {7}
            await admin.delete_group_offsets(name, [t0])
            assert list(await admin.list_group_offsets(name)) == [TopicPartition(topic, 1)]
            listed = await admin.list_groups(states=["empty"], types=[protocol])
            assert name in {each.group_id for each in listed}
            await admin.delete_groups([name])
            with pytest.raises(GroupIdNotFoundError):
                await admin.describe_groups([name])


async def test_the_coordinator_restarts(kafka: KafkaProcess, topic: str) -> None:
    """Goal: members go on with the same generation when the broker comes back, and commit."""
    await create(kafka.address, topic, 1)
    await fill(kafka, topic, 1, 20)
    async with (
        member(kafka, topic, session_timeout_ms=30_000) as (classic, _),
        member(kafka, topic, group_protocol="consumer", group_id=f"848-{topic}") as (modern, _),
    ):
        assert len(await take(classic, 10)) == 10
        assert len(await take(modern, 10)) == 10
        await becomes(lambda: modern.state.state is GroupState.STABLE)
        before = classic.state.generation, modern.state.generation
        await asyncio.to_thread(kafka.restart)
        await classic.commit()
        await modern.commit()
        assert len(await take(classic, 10)) == 10
        assert len(await take(modern, 10)) == 10
        assert (classic.state.generation, modern.state.generation) == before


async def test_the_command_line(kafka: KafkaProcess, topic: str) -> None:
    """Goal: `consume -g` goes on where it was; `group` lists, describes, resets and deletes."""
    await create(kafka.address, topic, 2)
    await fill(kafka, topic, 2, 4)

    async def run(*arguments: str) -> str:
        invoke = partial(CliRunner().invoke, command, [*arguments, "-b", kafka.address])
        result = await asyncio.to_thread(invoke)
        assert result.exit_code == 0, result.output
        return str(result.stdout)

    shown = await run("consume", topic, "-g", "cli", "-e")
    assert sorted(shown.split()) == ["0", "1", "2", "3"]
    assert await run("consume", topic, "-g", "cli", "-e") == ""
    (row,) = json.loads(await run("group", "describe", "cli", "--json"))
    assert [each["lag"] for each in row["partitions"]] == [0, 0]
    assert "cli" in await run("group", "list", "--state", "empty")
    await run("group", "reset", "cli", "--shift", "-1", "-t", f"{topic}:1")
    assert await run("consume", topic, "-g", "cli", "-e") == "3\n"
    assert "1 partition" in await run("group", "delete-offsets", "cli", "-t", f"{topic}:0")
    assert await run("group", "delete", "cli") == "deleted cli\n"

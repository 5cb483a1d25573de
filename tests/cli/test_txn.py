"""Goal: `barnabas txn` shows and ends transactions, for people and for machines."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable

import pytest

from barnabas.client import Outcome, Producer
from barnabas.client.errors import ProducerFencedError
from barnabas.testing.process import NodeProcess

pytestmark = pytest.mark.slow

Barnabas = Callable[..., "subprocess.CompletedProcess[str]"]


async def test_an_open_transaction_is_listed_and_described(
    barnabas: Barnabas, node: NodeProcess
) -> None:
    """KIP-664: state, producer, time and partitions, while it is open and afterwards."""

    async def run(*arguments: str) -> str:
        return (await asyncio.to_thread(barnabas, *arguments)).stdout

    assert await run("txn", "list") == "no transactions\n"
    await run("topic", "create", "seen", "-p", "2")
    async with Producer(bootstrap_servers=node.bootstrap, transactional_id="pay") as producer:
        async with producer.transaction() as txn:
            await producer.send_and_wait("seen", b"1", partition=1)
            (listed,) = json.loads(await run("txn", "list", "--state", "Ongoing", "--json"))
            assert (listed["transactional_id"], listed["state"]) == ("pay", "Ongoing")
            (described,) = json.loads(await run("txn", "describe", "pay", "--json"))
            assert described["partitions"] == ["seen-1"]
            assert 0 <= described["open_ms"] <= described["timeout_ms"] == 60_000
            assert "open for" in await run("txn", "describe", "pay")
            assert "seen-1" in await run("txn", "describe", "pay")
        assert txn.outcome is Outcome.COMMITTED
    assert json.loads(await run("txn", "list", "--pattern", "p.y", "--json")) != []
    assert json.loads(await run("txn", "list", "--pattern", "pa", "--json")) == []
    assert json.loads(await run("txn", "list", "--producer-id", "999999", "--json")) == []
    assert "time limit 60000 ms" in await run("txn", "describe", "pay")


async def test_producers_are_shown_and_one_partition_is_aborted(
    barnabas: Barnabas, node: NodeProcess
) -> None:
    """TXN-42: a transaction that is alive does not hang; a marker ends it in one partition."""

    async def run(*arguments: str, status: int = 0) -> str:
        found = await asyncio.to_thread(lambda: barnabas(*arguments, status=status))
        return found.stdout or found.stderr

    await run("topic", "create", "held", "-p", "2")
    assert await run("txn", "producers", "held") == "no producers\n"
    assert await run("txn", "find-hanging", "-t", "held") == "no hanging transactions\n"
    async with Producer(bootstrap_servers=node.bootstrap, transactional_id="hold") as producer:
        await producer.begin_transaction()
        await producer.send_and_wait("held", b"1", partition=0)
        (shown,) = json.loads(await run("txn", "producers", "held:0", "--json"))
        assert (shown["topic"], shown["partition"], shown["open_since_offset"]) == ("held", 0, 0)
        assert "open-since-offset" in await run("txn", "producers", "held")
        alive = json.loads(await run("txn", "find-hanging", "--open-longer-than", "0", "--json"))
        assert alive == []
        wrong = await run("txn", "abort", "held:0", "--start-offset", "9", status=1)
        assert wrong == "barnabas: held:0: no transaction is open there from offset 9\n"
        number = str(shown["producer_id"])
        assert "aborted in held:0" in await run("txn", "abort", "held:0", "--producer-id", number)
        (shown,) = json.loads(await run("txn", "producers", "held:0", "--json"))
        assert shown["open_since_offset"] is None
        assert shown["coordinator_epoch"] is not None


async def test_fence_ends_what_is_open(barnabas: Barnabas, node: NodeProcess) -> None:
    """KIP-664: the producer can do nothing more, and its transaction is aborted."""
    await asyncio.to_thread(barnabas, "topic", "create", "fenced", "-p", "1")
    async with Producer(bootstrap_servers=node.bootstrap, transactional_id="old") as producer:
        with pytest.raises(ProducerFencedError):
            async with producer.transaction():
                await producer.send_and_wait("fenced", b"1")
                found = await asyncio.to_thread(barnabas, "txn", "fence", "old", "--json")
                assert json.loads(found.stdout)[0]["transactional_id"] == "old"
    described = await asyncio.to_thread(barnabas, "txn", "describe", "old", "--json")
    assert json.loads(described.stdout)[0]["open_ms"] is None


def test_wrong_calls_say_what_is_wrong(barnabas: Barnabas) -> None:
    """One line, that names it; one object with --json."""
    assert "Odd" in barnabas("txn", "list", "--state", "Odd", status=1).stderr
    missing = barnabas("txn", "describe", "nobody", status=1).stderr
    assert missing.startswith("barnabas: TRANSACTIONAL_ID_NOT_FOUND (105)")
    assert "'nobody'" in missing
    told = json.loads(barnabas("txn", "describe", "nobody", "--json", status=1).stderr)
    assert told["type"] == "TransactionalIdNotFoundError"
    assert "TOPIC:PARTITION" in barnabas("txn", "abort", "t", status=2).stderr
    assert "give one of --start-offset" in barnabas("txn", "abort", "t:0", status=2).stderr
    bad = barnabas("txn", "list", "--pattern", "(", status=1).stderr
    assert "INVALID_REGULAR_EXPRESSION" in bad

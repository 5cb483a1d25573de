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

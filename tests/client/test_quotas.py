"""Quotas: the admin sets them, and clients wait as long as brokers say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.client import ANY_NAME, Admin, Consumer, NewTopic, Producer, QuotaEntity
from barnabas.client.errors import InvalidRequestError

EVERYBODY = QuotaEntity.of({"user": None})


@asynccontextmanager
async def limited(directory: Path, **settings: Any) -> AsyncIterator[tuple[str, Admin]]:
    """A node with topic `t`, and an admin; rates are over one second at least."""
    config = replace(
        BrokerConfig(),
        listeners=("PLAINTEXT://127.0.0.1:0",),
        log_dirs=(str(directory),),
        quota_window_num=2,
        **settings,
    )
    node = await Node.start(config)
    address = f"127.0.0.1:{node.port}"
    try:
        async with Admin(bootstrap_servers=address) as admin:
            await admin.create_topics([NewTopic("t", 1, 1)])
            yield address, admin
    finally:
        await node.stop()


async def test_the_admin_sets_and_describes_quotas(tmp_path: Path) -> None:
    """QTA-04, QTA-05: entities by type and name, in any order; refusals name what is wrong."""
    pair = QuotaEntity.of({"user": "alice", "client-id": "c"})
    async with limited(tmp_path) as (_, admin):
        await admin.alter_client_quotas(
            {pair: {"request_percentage": 50}, EVERYBODY: {"producer_byte_rate": 1000}}
        )
        assert await admin.describe_client_quotas() == {
            pair: {"request_percentage": 50},
            EVERYBODY: {"producer_byte_rate": 1000},
        }
        found = await admin.describe_client_quotas({"user": None}, strict=True)
        assert list(found) == [EVERYBODY]
        assert list(await admin.describe_client_quotas({"user": ANY_NAME, "client-id": "c"})) == [
            pair
        ]
        assert str(pair) == "client-id c, user alice"
        assert str(EVERYBODY) == "default user"
        with pytest.raises(InvalidRequestError, match=r"alice.*greater than 0"):
            await admin.alter_client_quotas({pair: {"request_percentage": -1}})
        await admin.alter_client_quotas({pair: {"request_percentage": 1}}, validate_only=True)
        await admin.alter_client_quotas({pair: {"request_percentage": None}})
        assert list(await admin.describe_client_quotas()) == [EVERYBODY]


async def test_a_producer_waits(tmp_path: Path) -> None:
    """QTA-12: it sends again only when the time is over, and tells how long it was."""
    async with limited(tmp_path) as (address, admin):
        await admin.alter_client_quotas({EVERYBODY: {"producer_byte_rate": 20_000}})
        async with Producer(bootstrap_servers=address) as producer:
            await producer.send_and_wait("t", b"x" * 21_000)
            told = producer.throttle_times
            assert (told.count, told.total_ms) == (1, told.last_ms)
            assert 0 < told.last_ms < 500
            began = asyncio.get_running_loop().time()
            await producer.send_and_wait("t", b"y")
            assert asyncio.get_running_loop().time() - began >= told.last_ms / 2000


@pytest.mark.slow
async def test_a_consumer_waits(tmp_path: Path) -> None:
    """QTA-12, 227-04: an empty answer is no error; the records come when the time is over."""
    async with limited(tmp_path) as (address, admin):
        async with Producer(bootstrap_servers=address) as producer:
            for number in range(4):
                await producer.send_and_wait("t", b"%d" % number * 9000)
        await admin.alter_client_quotas({EVERYBODY: {"consumer_byte_rate": 10_000}})
        async with Consumer("t", bootstrap_servers=address, auto_offset_reset="earliest") as it:
            read = [(await anext(it)).offset for _ in range(3)]
            assert read == [0, 1, 2]
            assert it.throttle_times.count > 0

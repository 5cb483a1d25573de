"""A node in place of Kafka: its directory, its topics, its records, read over the wire."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.batches import batch
from kit.kafka_directory import STOPPED_MS, expectations, unpack
from kit.producing import send
from kit.raw_client import RawClient

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.node import Node

from .taken_over import consume, offset_of, start

EXPECTED = expectations()["topics"]


async def check_everything(client: RawClient) -> None:
    for topic, facts in EXPECTED.items():
        for number, wanted in facts["partitions"].items():
            index = int(number)
            start = await offset_of(client, topic, index, -2, 0)
            assert start == wanted["log_start_offset"], topic
            assert await offset_of(client, topic, index, -1, 0) == wanted["high_watermark"], topic
            assert await offset_of(client, topic, index, -1, 1) == wanted["last_stable_offset"]
            for level, name in enumerate(("read_uncommitted", "read_committed")):
                if name in wanted:
                    found = await consume(client, topic, index, start, level)
                    assert found == wanted[name], (topic, index, name)


async def test_kafkas_directory_is_taken_over(tmp_path: Path) -> None:
    """Decision 4: the same records at both isolation levels, and again after our own clean stop."""
    path = unpack(tmp_path)
    for _ in range(2):
        node = await start(path)
        try:
            assert node.cluster_id == expectations()["cluster_id"]
            assert set(node.image.topics_by_name) == set(EXPECTED)
            async with RawClient("127.0.0.1", node.port) as client:
                await check_everything(client)
        finally:
            await node.stop()
        assert (path / ".kafka_cleanshutdown").exists()


async def test_kafkas_logs_are_gone_on_with(tmp_path: Path) -> None:
    """Goal: appends follow Kafka's last offset, and survive a stop without good-bye."""
    path = unpack(tmp_path)
    node = await start(path)
    try:
        async with RawClient("127.0.0.1", node.port) as client:
            row = await send(client, batch(b"ours", timestamp=STOPPED_MS), topic="events", index=1)
            assert (row.error_code, row.base_offset) == (0, 750)
    finally:
        await node.abort()
    assert not (path / ".kafka_cleanshutdown").exists()
    node = await start(path)
    try:
        async with RawClient("127.0.0.1", node.port) as client:
            assert await offset_of(client, "events", 1, -1, 0) == 751
    finally:
        await node.stop()


async def test_a_new_directory_is_formatted_and_found_again(tmp_path: Path) -> None:
    """Goal: an empty directory becomes a cluster of one, which has the same id next time."""
    node = await start(tmp_path / "new")
    cluster = node.cluster_id
    await node.stop()
    node = await start(tmp_path / "new")
    assert node.cluster_id == cluster
    assert node.image.brokers[node.node_id].is_active
    await node.stop()


async def test_a_directory_is_used_by_one_node_only(tmp_path: Path) -> None:
    """Goal: the second node on a directory is refused, and leaves the first alone."""
    from barnabas.broker.storage.lock import DirectoryLockedError

    node = await start(tmp_path)
    with pytest.raises(DirectoryLockedError):
        await start(tmp_path)
    await node.stop()


async def test_a_directory_is_named_once(tmp_path: Path) -> None:
    """Goal: a directory that is named by a second path is told as that, not as in use."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to("a")
    directories = (str(tmp_path / "a"), str(tmp_path / "b"))
    config = BrokerConfig(log_dirs=directories, listeners=("PLAINTEXT://127.0.0.1:0",))
    with pytest.raises(ConfigError, match=rf"{directories[1]} for configuration log\.dirs.*same"):
        await Node.start(config)
    config = BrokerConfig(log_dirs=directories[:1], listeners=("PLAINTEXT://127.0.0.1:0",))
    await (await Node.start(config)).stop()  # nothing is left locked

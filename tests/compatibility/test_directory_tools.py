"""Kafka's own tools move replicas to another log directory, and a node is killed meanwhile."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kit.kafka_jars import KafkaJars

from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.testing.process import NodeProcess

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

TOOLS = "org.apache.kafka.tools"
MOVE = "reassign.ReassignPartitionsCommand"
PATIENCE_S = 60.0
RECORDS = 3000


@pytest.fixture
def node(tmp_path: Path) -> Iterator[NodeProcess]:
    """A broker with the directories `a` and `b`."""
    settings = {"log.dirs": f"{tmp_path}/a,{tmp_path}/b"}
    with NodeProcess(tmp_path, settings=settings) as running:
        yield running


@pytest.fixture
def tool(node: NodeProcess, kafka_jars: KafkaJars) -> Callable[..., str]:
    """Runs one of Kafka's commands; what it printed."""

    def run(name: str, *arguments: str) -> str:
        done = kafka_jars.run(f"{TOOLS}.{name}", "--bootstrap-server", node.bootstrap, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


async def filled(node: NodeProcess) -> None:
    async with Admin(bootstrap_servers=node.bootstrap) as admin:
        await admin.create_topics([NewTopic("t", 1, 1)])
    async with Producer(bootstrap_servers=node.bootstrap, acks="all") as producer:
        for number in range(RECORDS):
            await producer.send("t", b"%d" % number + b"x" * 1000, partition=0)


async def numbers(node: NodeProcess) -> list[int]:
    async with Consumer(bootstrap_servers=node.bootstrap, auto_offset_reset="earliest") as consumer:
        here = TopicPartition("t", 0)
        consumer.assign([here])
        found: list[int] = []
        while len(found) < RECORDS:
            got = await consumer.getmany(timeout_ms=1000)
            found += [int(one.value.rstrip(b"x")) for one in got.get(here, ())]
    return found


def described(tool: Callable[..., str]) -> dict[str, tuple[str, bool]]:
    """What `kafka-log-dirs` says: folder name of each directory -> partition, is it a future."""
    text = tool("LogDirsCommand", "--describe", "--topic-list", "t")
    (answer,) = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return {
        Path(directory["logDir"]).name: (one["partition"], one["isFuture"])
        for broker in answer["brokers"]
        for directory in broker["logDirs"]
        for one in directory["partitions"]
    }


def plan(tmp_path: Path, target: Path) -> str:
    content: dict[str, Any] = {
        "version": 1,
        "partitions": [{"topic": "t", "partition": 0, "replicas": [1], "log_dirs": [str(target)]}],
    }
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(content))
    return str(path)


async def test_reassignment_with_directories(
    node: NodeProcess, tool: Callable[..., str], tmp_path: Path
) -> None:
    """KIP-113: held up by the tool's throttle, killed in the midst, and finished after that."""
    await filled(node)
    ((here, told),) = described(tool).items()
    assert told == ("t-0", False)
    there = "b" if here == "a" else "a"
    plan_file = ("--reassignment-json-file", plan(tmp_path, tmp_path / there))
    throttle = ("--replica-alter-log-dirs-throttle", "1")
    tool(MOVE, "--execute", *plan_file, *throttle)
    assert described(tool) == {here: ("t-0", False), there: ("t-0", True)}
    verified = tool(MOVE, "--verify", *plan_file, "--preserve-throttles")
    assert "is still in progress" in verified
    node.kill()
    node.start()
    assert described(tool) == {here: ("t-0", False), there: ("t-0", True)}
    tool(
        MOVE,
        "--execute",
        "--additional",
        *plan_file,
        "--replica-alter-log-dirs-throttle",
        "1000000000",
    )
    deadline = time.monotonic() + PATIENCE_S
    while described(tool) != {there: ("t-0", False)}:
        assert time.monotonic() < deadline, described(tool)
    assert "completed successfully" in tool(MOVE, "--verify", *plan_file)
    assert await numbers(node) == list(range(RECORDS))

"""Goal: `topic describe` and `quorum describe` show a cluster in trouble as it is, in time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from click.testing import CliRunner, Result

from barnabas.cli.main import command
from barnabas.protocol.messages import describe_configs_response as configs
from barnabas.protocol.messages import describe_topic_partitions_response as described

from .admins import DIRECTORY, answering, quorum_of_two
from .consuming import put
from .fake_cluster import FakeCluster, FakeNode


async def run(cluster: FakeCluster, *arguments: str) -> Result:
    """The command, as a user types it, beside the loop that the fake brokers run on."""
    arguments = (*arguments, "--bootstrap-server", cluster.bootstrap)
    result = await asyncio.to_thread(CliRunner().invoke, command, arguments)
    assert result.exit_code == 0, result.output
    return result


async def test_quorum_describe() -> None:
    async with FakeCluster() as cluster:
        answering(cluster, 55, (0, 2), quorum_of_two())
        shown = (await run(cluster, "quorum", "describe")).stdout
        lines = [line for line in shown.splitlines() if line.strip()]
        assert lines[0] == "leader 1, epoch 7, high watermark 48, 2 voters, 1 observer"
        assert "leader" in next(line for line in lines if " 50 " in line)
        found = json.loads((await run(cluster, "quorum", "describe", "--json")).stdout)
        assert (found["leader"], found["leader_epoch"], found["high_watermark"]) == (1, 7, 48)
        first, second = found["voters"]
        assert (first["role"], first["lag"], first["ms_since_fetch"]) == ("leader", 0, 0)
        assert first["listeners"] == ["CONTROLLER://h:9093"]
        assert len(first["directory"]) == 22, DIRECTORY
        assert (second["role"], second["lag"], second["ms_since_fetch"]) == ("voter", 3, 100)
        assert second["ms_since_caught_up"] is None
        [observer] = found["observers"]
        assert (observer["node"], observer["role"], observer["lag"]) == (3, "observer", 10)


async def test_quorum_without_a_leader() -> None:
    async with FakeCluster() as cluster:
        answering(cluster, 55, (0, 2), quorum_of_two(leader_id=-1))
        assert (await run(cluster, "quorum", "describe")).stdout.startswith("no leader, epoch 7")


async def test_topic_describe_shows_leaderless_partitions_and_elr() -> None:
    partitions = [
        described.DescribeTopicPartitionsResponsePartition(
            partition_index=0, leader_id=1, leader_epoch=4, replica_nodes=[1, 2], isr_nodes=[1]
        ),
        described.DescribeTopicPartitionsResponsePartition(
            partition_index=1,
            leader_id=-1,
            leader_epoch=5,
            replica_nodes=[2, 3],
            isr_nodes=[],
            eligible_leader_replicas=[2, 3],
            offline_replicas=[2, 3],
        ),
    ]
    topic = described.DescribeTopicPartitionsResponseTopic(name="t", partitions=partitions)
    setting = configs.DescribeConfigsResult(resource_type=2, resource_name="t", configs=[])
    answers = {
        "DescribeTopicPartitionsRequest": described.DescribeTopicPartitionsResponse(topics=[topic]),
        "DescribeConfigsRequest": configs.DescribeConfigsResponse(results=[setting]),
    }

    def script(node: FakeNode, request: Any) -> Any:
        return answers.get(type(request).NAME)

    async with FakeCluster() as cluster:
        cluster.served |= {75: (0, 0), 32: (1, 4)}
        cluster.add_topic("t")
        put(cluster, 10)
        cluster.script = script
        shown = (await run(cluster, "topic", "describe", "t")).stdout
        assert "ELR" in shown
        assert "2,3" in shown
        [found] = json.loads((await run(cluster, "topic", "describe", "t", "--json")).stdout)
        led, leaderless = found["partitions"]
        assert (led["leader"], led["isr"], led["earliest"], led["latest"]) == (1, [1], 0, 10)
        assert (leaderless["leader"], leaderless["elr"]) == (None, [2, 3])
        assert (leaderless["earliest"], leaderless["latest"]) == (None, None)

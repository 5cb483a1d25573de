"""Apache Kafka's own tools look at a cluster of three, change it, and read its metadata's files."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.storage.files import real_env
from barnabas.client import Producer
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import plan_cluster
from barnabas.testing.process_cluster import ProcessCluster

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

TOOLS = "org.apache.kafka.tools"
PATIENCE_S = 60.0
METADATA = "__cluster_metadata-0"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessCluster]:
    """Metadata snapshots come after every few records."""
    layout = plan_cluster(
        cluster_id=uuid_to_text(random_uuid(real_env())),
        brokers=3,
        racks=("a", "b", "c"),
        settings={"controller.snapshot.minimum.records": "30"},
    )
    folder = tmp_path_factory.mktemp("brokers") / "cluster"
    with ProcessCluster.create(folder, layout) as running:
        yield running


Tool = Callable[..., str]


@pytest.fixture
def tool(cluster: ProcessCluster, kafka_jars: KafkaJars) -> Tool:
    """Runs a tool against the brokers; what it printed."""

    def run(name: str, *arguments: str) -> str:
        done = kafka_jars.run(
            name if name.startswith("kafka.") else f"{TOOLS}.{name}",
            "--bootstrap-server",
            cluster.bootstrap,
            *arguments,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def controllers(cluster: ProcessCluster) -> str:
    return ",".join(f"127.0.0.1:{node.controller_port}" for node in cluster.layout.nodes)


def facts(text: str) -> dict[str, str]:
    """`Name:   value` lines."""
    return {
        name.strip(): value.strip()
        for name, _, value in (line.partition(":") for line in text.splitlines())
    }


def test_metadata_quorum(cluster: ProcessCluster, tool: Tool, kafka_jars: KafkaJars) -> None:
    """KIP-595, 919: status and replication, asked through a broker and through a controller."""
    status = facts(tool("MetadataQuorumCommand", "describe", "--status"))
    assert status["ClusterId"] == cluster.layout.cluster_id
    assert int(status["LeaderId"]) in (1, 2, 3)
    voters = json.loads(status["CurrentVoters"])
    assert [one["id"] for one in voters] == [1, 2, 3]
    addresses = ",".join(one["endpoints"][0].removeprefix("CONTROLLER://") for one in voters)
    assert addresses == controllers(cluster)
    assert status["CurrentObservers"] == "[]"
    rows = tool("MetadataQuorumCommand", "describe", "--replication").splitlines()[1:]
    assert sorted(line.split()[0] for line in rows) == ["1", "2", "3"]
    roles = sorted(line.split()[-1] for line in rows)
    assert roles == ["Follower", "Follower", "Leader"]
    asked = kafka_jars.run(
        f"{TOOLS}.MetadataQuorumCommand",
        *("--bootstrap-controller", controllers(cluster), "describe", "--status"),
    )
    assert asked.returncode == 0, asked.stderr
    assert facts(asked.stdout)["LeaderId"] == status["LeaderId"]


def test_topics_and_configs(tool: Tool) -> None:
    """Goal: the tools create, describe and configure a replicated topic."""
    create = ("--create", "--topic", "described", "--partitions", "3", "--replication-factor", "2")
    assert "Created topic described." in tool("TopicCommand", *create)
    text = tool("TopicCommand", "--describe", "--topic", "described")
    assert "PartitionCount: 3\tReplicationFactor: 2" in text
    rows = re.findall(r"Leader: (\d)\tReplicas: (\d),(\d)\tIsr: (\d),(\d)\tElr: \t", text)
    assert len(rows) == 3
    assert all(sorted(row[1:3]) == sorted(row[3:5]) and row[0] == row[1] for row in rows)
    entity = ("--entity-type", "topics", "--entity-name", "described")
    tool("kafka.admin.ConfigCommand", "--alter", *entity, "--add-config", "min.insync.replicas=2")
    assert "min.insync.replicas=2" in tool("kafka.admin.ConfigCommand", "--describe", *entity)
    assert tool("TopicCommand", "--describe", "--under-replicated-partitions") == ""


def test_client_quotas(tool: Tool) -> None:
    """KIP-546, QTA-04, QTA-05: quotas of users, clients and addresses come and go."""
    config = "kafka.admin.ConfigCommand"
    user = ("--entity-type", "users", "--entity-name", "alice")
    client = ("--entity-type", "clients", "--entity-name", "app")
    default = ("--entity-type", "clients", "--entity-default")
    address = ("--entity-type", "ips", "--entity-name", "10.0.0.1")
    limits = "producer_byte_rate=1024,request_percentage=12.5"
    assert "Completed updating" in tool(config, "--alter", *client, "--add-config", limits)
    tool(config, "--alter", *user, *default, "--add-config", "consumer_byte_rate=2048")
    tool(config, "--alter", *address, "--add-config", "connection_creation_rate=5")
    shown = tool(config, "--describe", *client)
    assert "producer_byte_rate=1024.0" in shown
    assert "request_percentage=12.5" in shown
    both = tool(config, "--describe", *user, *default)
    assert "consumer_byte_rate=2048.0" in both
    assert "connection_creation_rate=5.0" in tool(config, "--describe", *address)
    tool(config, "--alter", *client, "--delete-config", "producer_byte_rate,request_percentage")
    tool(config, "--alter", *user, *default, "--delete-config", "consumer_byte_rate")
    tool(config, "--alter", *address, "--delete-config", "connection_creation_rate")
    assert "byte_rate" not in tool(config, "--describe", "--entity-type", "clients")


def test_a_throttled_reassignment(cluster: ProcessCluster, tool: Tool, tmp_path: Path) -> None:
    """QTA-20: it moves with a throttle, and verify takes the throttle away when it is done."""
    create = ("--create", "--topic", "slow", "--replica-assignment", "1:2")
    tool("TopicCommand", *create)
    plan = tmp_path / "plan.json"
    move = {"topic": "slow", "partition": 0, "replicas": [3, 1]}
    plan.write_text(json.dumps({"version": 1, "partitions": [move]}))
    arguments = ("--reassignment-json-file", str(plan))
    reassign = "reassign.ReassignPartitionsCommand"
    done = tool(reassign, "--execute", *arguments, "--throttle", "1000000")
    assert "throttle limit was set to 1000000 B/s" in done
    deadline = time.monotonic() + PATIENCE_S
    while "is completed" not in (text := tool(reassign, "--verify", *arguments)):
        assert time.monotonic() < deadline, text
    assert "Clearing broker-level throttles" in text
    broker = ("--entity-type", "brokers", "--entity-name", "1")
    assert "throttled" not in tool("kafka.admin.ConfigCommand", "--describe", *broker)


async def fill(bootstrap: str, topic: str) -> None:
    async with Producer(bootstrap_servers=bootstrap, acks="all") as producer:
        sent = [
            await producer.send(topic, b"value %d" % number, partition=number % 2)
            for number in range(500)
        ]
        await asyncio.gather(*sent)


def test_reassignment(cluster: ProcessCluster, tool: Tool, tmp_path: Path) -> None:
    """Goal: execute moves replicas with their data, verify says so, leaders are elected there."""
    create = ("--create", "--topic", "moved", "--replica-assignment", "1:2,2:3")
    tool("TopicCommand", *create)
    asyncio.run(fill(cluster.bootstrap, "moved"))
    wanted = {0: [3, 1], 1: [1, 3]}
    plan = tmp_path / "plan.json"
    partitions = [
        {"topic": "moved", "partition": index, "replicas": replicas}
        for index, replicas in wanted.items()
    ]
    plan.write_text(json.dumps({"version": 1, "partitions": partitions}))
    command = "reassign.ReassignPartitionsCommand"
    done = tool(command, "--reassignment-json-file", str(plan), "--execute")
    assert "Successfully started partition reassignments for moved-0,moved-1" in done
    assert '"replicas":[1,2]' in done
    deadline = time.monotonic() + PATIENCE_S
    while True:
        text = tool(command, "--reassignment-json-file", str(plan), "--verify")
        if text.count("is completed.") == 2:
            break
        assert time.monotonic() < deadline, text
    assert "No partition reassignments found." in tool(command, "--list")
    elect = ("--election-type", "preferred", "--topic", "moved", "--partition", "0")
    tool("LeaderElectionCommand", *elect)
    text = tool("TopicCommand", "--describe", "--topic", "moved")
    assert re.search(r"Partition: 0\tLeader: 3\tReplicas: 3,1\tIsr: (3,1|1,3)\t", text), text
    assert re.search(r"Partition: 1\tLeader: \d\tReplicas: 1,3\tIsr: (3,1|1,3)\t", text), text
    assert sorted(tool("GetOffsetShell", "--topic", "moved").split()) == [
        "moved:0:250",
        "moved:1:250",
    ]


def test_metadata_files(
    cluster: ProcessCluster, tool: Tool, kafka_jars: KafkaJars, tmp_path: Path
) -> None:
    """630-01: DumpLogSegments and MetadataShell read our metadata log and our snapshots."""
    tool("TopicCommand", "--create", "--topic", "kept", "--replica-assignment", "1:2:3")
    folder = cluster.directory_of(1) / METADATA
    snapshot = snapshot_with(kafka_jars, folder, "kept")
    # The shell takes the lock of the folder above, which the running node has.
    copied = shutil.copy(snapshot, tmp_path)
    shell = kafka_jars.run(
        "org.apache.kafka.shell.MetadataShell",
        *("--snapshot", str(copied), "cat", "/image/topics/byName/kept/0"),
    )
    assert shell.returncode == 0, shell.stdout + shell.stderr
    assert "replicas=[1, 2, 3]" in shell.stdout
    assert "isr=[1, 2, 3]" in shell.stdout
    log = dump(kafka_jars, folder / "00000000000000000000.log")
    for kind in ("TOPIC_RECORD", "PARTITION_RECORD", "REGISTER_BROKER_RECORD", "NO_OP_RECORD"):
        assert f'"type":"{kind}"' in log


def dump(jars: KafkaJars, file: Path) -> str:
    done = jars.run(f"{TOOLS}.DumpLogSegments", "--cluster-metadata-decoder", "--files", str(file))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    for complaint in ("Could not", "Exception", "isvalid: false", "UNKNOWN"):
        assert complaint not in done.stdout + done.stderr, done.stdout[-3000:] + done.stderr
    return done.stdout


def snapshot_with(jars: KafkaJars, folder: Path, topic: str) -> Path:
    """The first snapshot that has this topic, which will come."""
    seen: set[Path] = set()
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for path in sorted(set(folder.glob("*.checkpoint")) - seen):
            seen.add(path)
            text = dump(jars, path)
            assert "SnapshotHeader" in text
            assert "SnapshotFooter" in text
            if f'"name":"{topic}"' in text:
                return path
        time.sleep(0.1)  # another process makes it, of its no-op records if nothing else
    raise AssertionError(f"no snapshot with {topic} in {PATIENCE_S} s, only {sorted(seen)}")

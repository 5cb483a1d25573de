"""Nodes and peers that do not belong: each is refused by name, and the cluster goes on."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from barnabas.broker.server.peer_channel import PeerChannel
from barnabas.broker.storage.files import RealClock
from barnabas.client import Admin, NewTopic, Producer
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)
from barnabas.testing.cluster_layout import ClusterLayout, NodeLayout, free_ports, plan_cluster
from barnabas.testing.process_cluster import ProcessCluster

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

ID = "AAAAAAAAAAAAAAAAAAAAAQ"
OTHER_ID = "AAAAAAAAAAAAAAAAAAAAAg"
LIMIT_S = 20.0
GARBAGE = {
    "HTTP": b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
    "TLS": bytes.fromhex("16030100c2010000be0303"),
    "zeros": bytes(64),
    "negative": b"\xff" * 64,
    "a request that ends early": b"\x00\x00\x00\x04\x00\x34\x00\x00",
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessCluster]:
    """One controller (node 3) and two brokers, for all tests here: none may do it any harm."""
    layout = plan_cluster(
        cluster_id=ID, brokers=2, controllers=1, settings={"broker.session.timeout.ms": "3000"}
    )
    made = ProcessCluster.create(tmp_path_factory.mktemp("refusals") / "cluster", layout)
    try:
        yield made.start()
    finally:
        made.down()


def stranger(
    cluster: ProcessCluster, directory: Path, node_id: int, cluster_id: str = ID
) -> ProcessCluster:
    """One more broker for the same controller, in a folder of its own."""
    known = cluster.layout
    node = NodeLayout(node_id, ("broker",), port=free_ports(1)[0])
    layout = ClusterLayout(
        cluster_id, (node, known.node(3)), {**known.settings, "process.roles": "broker"}
    )
    return ProcessCluster.create(directory, layout)


def said_by(cluster: ProcessCluster, node_id: int) -> str:
    return cluster.output_of(node_id).read_text(encoding="utf-8", errors="replace")


async def until(condition: Callable[[], bool], text: Callable[[], str]) -> None:
    async with asyncio.timeout(LIMIT_S):
        try:
            while not condition():  # noqa: ASYNC110 - another process, which sets no event
                await asyncio.sleep(0.02)
        except asyncio.CancelledError:
            pytest.fail(f"it did not come to that; the node said:\n{text()}")


async def refusal_of(node: ProcessCluster, node_id: int, *words: str) -> str:
    """What the node says when it is refused: wait until its output has all these words."""
    node.spawn([node_id])

    def output() -> str:
        return said_by(node, node_id)

    try:
        await until(lambda: all(word in output() for word in words), output)
        assert "Traceback" not in output()
        return output()
    finally:
        await asyncio.get_running_loop().run_in_executor(None, node.down)


async def assert_it_works(cluster: ProcessCluster) -> None:
    """Both brokers are there, and a record can be written."""
    async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
        found = await admin.describe_cluster()
        assert sorted(one.node_id for one in found.brokers) == [1, 2]
        assert found.cluster_id == ID
        topic = f"works-{len(await admin.list_topics())}"
        await admin.create_topics([NewTopic(topic, 1, 2)])
    async with Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer:
        await producer.send_and_wait(topic, b"yes")


@pytest.mark.parametrize("kind", GARBAGE)
async def test_garbage_on_the_controllers_port(cluster: ProcessCluster, kind: str) -> None:
    """3.2-7: what is no Kafka protocol ends its own connection, and is named in the log."""
    controller = cluster.layout.node(3)
    reader, writer = await asyncio.open_connection("127.0.0.1", controller.controller_port)
    writer.write(GARBAGE[kind])
    writer.write_eof()
    async with asyncio.timeout(LIMIT_S):
        assert await reader.read() == b""
    writer.close()
    await assert_it_works(cluster)
    assert "Traceback" not in said_by(cluster, 3)


async def test_a_node_of_another_cluster(cluster: ProcessCluster, tmp_path: Path) -> None:
    """631: a broker with another cluster's id is refused; both logs name both ids, the
    controller's once, and the broker does not wait for what cannot come."""
    node = stranger(cluster, tmp_path / "other", 4, OTHER_ID)
    node.spawn([4])
    await until(lambda: node.state_of(4) == "stopped", lambda: said_by(node, 4))
    said = said_by(node, 4)
    assert f"belongs to cluster {ID}, this node to {OTHER_ID}" in said
    assert "no controller that the settings name is of this cluster" in said
    assert "Traceback" not in said
    heard = said_by(cluster, 3)
    assert heard.count(f"node 4 of another cluster is refused: it says {OTHER_ID}") == 1
    await assert_it_works(cluster)


async def test_a_directory_of_another_cluster(cluster: ProcessCluster, tmp_path: Path) -> None:
    """631: a directory says whose it is, and settings that contradict it stop the start."""
    cluster.stop(1)
    properties = cluster.directory_of(1) / "meta.properties"
    content = properties.read_text()
    properties.write_text(content.replace(ID, OTHER_ID))
    said = cluster.output_of(1).stat().st_size
    cluster.spawn([1])

    def output() -> str:
        return cluster.output_of(1).read_bytes()[said:].decode()

    await until(lambda: cluster.state_of(1) == "stopped", output)
    assert OTHER_ID in output()
    assert "Traceback" not in output()
    properties.write_text(content)
    cluster.spawn([1])
    await cluster.wait_until_ready()
    await assert_it_works(cluster)


async def test_two_nodes_with_one_id(cluster: ProcessCluster, tmp_path: Path) -> None:
    """631-02: a second broker 2 is refused while the first one lives, and told why."""
    node = stranger(cluster, tmp_path / "twin", 2)
    await refusal_of(node, 2, "DUPLICATE_BROKER_REGISTRATION", "this node.id is alive")
    await until(lambda: "a broker is refused" in said_by(cluster, 3), lambda: said_by(cluster, 3))
    await assert_it_works(cluster)


async def test_a_directory_from_an_older_backup(cluster: ProcessCluster) -> None:
    """966-03: the controller's log and its own name it; in the end it holds all records again."""
    directory = cluster.directory_of(2)
    backup = directory.with_suffix(".backup")
    cluster.stop(2)
    shutil.copytree(directory, backup)
    cluster.spawn([2])
    await cluster.wait_until_ready()
    await assert_it_works(cluster)
    cluster.stop(2)
    shutil.rmtree(directory)
    backup.rename(directory)
    cluster.spawn([2])
    await cluster.wait_until_ready()
    assert "older copy of its directory" in said_by(cluster, 3)
    own = "this directory is an older copy"
    await until(lambda: own in said_by(cluster, 2), lambda: said_by(cluster, 2))
    assert said_by(cluster, 2).count(own) == 1
    await assert_it_works(cluster)


async def test_a_follower_that_claims_offsets_it_has_not(cluster: ProcessCluster) -> None:
    """903-01, 392-05: neither a wrong broker epoch nor an offset beyond the end moves anything."""
    async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
        created = await admin.create_topics([NewTopic("t", replica_assignments={0: [1, 2]})])
        topic_id = created["t"].topic_id
    async with Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer:
        await producer.send_and_wait("t", b"one")
    port = cluster.layout.node(1).port
    with closing(
        PeerChannel(lambda: ("127.0.0.1", port), client_id="liar", clock=RealClock())
    ) as channel:
        for epoch, offset in ((10_000, 0), (10_000, 1_000), (-1, 1_000)):
            partition = FetchPartition(partition=0, fetch_offset=offset, current_leader_epoch=0)
            request = FetchRequest(
                replica_state=ReplicaState(replica_id=2, replica_epoch=epoch),
                max_wait_ms=0,
                max_bytes=1000,
                topics=[FetchTopic(topic_id=topic_id, partitions=[partition])],
            )
            answer = await channel.call(request, timeout_ms=5000, versions=(15, 17))
            (found,) = answer.responses[0].partitions
            assert found.error_code in {
                ErrorCode.STALE_BROKER_EPOCH,
                ErrorCode.OFFSET_OUT_OF_RANGE,
                ErrorCode.NOT_LEADER_OR_FOLLOWER,
            } or (offset == 0 and found.high_watermark == 1)
            assert found.high_watermark <= 1
    await assert_it_works(cluster)

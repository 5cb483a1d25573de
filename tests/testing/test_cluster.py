"""The in-process cluster: it runs, and its faults are those that its names promise."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from barnabas.broker.core.config.field import ConfigError
from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.testing import CLIENTS, Cluster, ClusterError, LayoutError

SHORT = {"broker.session.timeout.ms": 1500, "broker.heartbeat.interval.ms": 300}
"""For tests in which a node falls silent: its session ends sooner than by default."""

LIMIT_S = 60


async def create(cluster: Cluster, topic: str = "t", replicas: int = 3) -> int:
    """A topic of one partition, all replicas in sync; its leader."""
    async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
        await admin.create_topics([NewTopic(topic, 1, replicas)])
    await cluster.wait_until(lambda: len(cluster.partition(topic).isr) == replicas, "full ISR")
    return await cluster.wait_for_leader(topic)


async def write(cluster: Cluster, values: Sequence[str], topic: str = "t") -> None:
    async with Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer:
        sent = [await producer.send(topic, value.encode()) for value in values]
        await asyncio.wait_for(asyncio.gather(*sent), LIMIT_S)


async def read(cluster: Cluster, count: int, topic: str = "t") -> list[str]:
    partition = TopicPartition(topic, 0)
    bootstrap = cluster.bootstrap
    async with Consumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest") as consumer:
        consumer.assign([partition])
        taking = (consumer.getone(partition) for _ in range(count))
        records = [await asyncio.wait_for(one, LIMIT_S) for one in taking]
    return [bytes(record.value or b"").decode() for record in records]


async def test_a_cluster_runs_and_goes(tmp_path: Path) -> None:
    """Three brokers in three racks; at the end a folder that was given has clean logs."""
    folder = tmp_path / "kept"
    async with Cluster(3, racks=("a", "b", "c"), directory=folder) as cluster:
        assert sorted(cluster.nodes) == [1, 2, 3]
        assert [cluster.image.brokers[one].rack for one in (1, 2, 3)] == ["a", "b", "c"]
        assert cluster.bootstrap.count(",") == 2
        await create(cluster)
        await write(cluster, ["a", "b"])
    assert cluster.nodes == {}
    assert all((folder / f"node-{one}" / ".kafka_cleanshutdown").exists() for one in (1, 2, 3))


@pytest.mark.parametrize("secure", [False, True])
async def test_a_cluster_goes_on_in_its_folder(tmp_path: Path, secure: bool) -> None:
    """Goal: what one cluster left in a folder that was given, the next one there has."""
    async with (
        Cluster(1, directory=tmp_path, secure=secure) as first,
        Admin(**first.client_options("admin")) as admin,
    ):
        await admin.create_topics([NewTopic("t", 1, 1)])
    async with Cluster(1, directory=tmp_path, secure=secure) as second:
        assert second.layout.cluster_id == first.layout.cluster_id
        assert second.partition("t").leader == 1


async def test_without_a_folder_nothing_stays() -> None:
    """A temporary folder is removed; addresses are free again."""
    async with Cluster(1) as cluster:
        folder = cluster.directory_of(1)
        await create(cluster, replicas=1)
        await write(cluster, ["a"])
        assert folder.exists()
        port = cluster.layout.node(1).port
    assert not folder.parent.exists()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


@pytest.mark.slow
async def test_a_killed_leader() -> None:
    """kill: no clean marker, another leads, what was acknowledged is there, and it comes back."""
    async with Cluster(3, settings={"min.insync.replicas": 2}) as cluster:
        leader = await create(cluster)
        await write(cluster, ["a", "b"])
        epoch = cluster.partition("t").leader_epoch
        await cluster.kill(leader)
        assert not (cluster.directory_of(leader) / ".kafka_cleanshutdown").exists()
        second = await cluster.wait_for_leader("t", not_=leader)
        await cluster.wait_for_fencing(leader)
        assert cluster.partition("t").leader_epoch > epoch
        await write(cluster, ["c"])
        with pytest.raises(ClusterError, match="does not run"):
            cluster.node(leader)
        await cluster.start(leader)
        await cluster.wait_for_isr("t", 0, [1, 2, 3])
        assert await read(cluster, 3) == ["a", "b", "c"]
        end = cluster.replica(second, "t").log.log_end_offset
        assert cluster.replica(leader, "t").log.log_end_offset == end == 3


@pytest.mark.slow
async def test_a_stopped_broker_hands_over_and_restarts() -> None:
    """631-03: stop: the marker of a clean stop is there, leaderships went first."""
    async with Cluster(3) as cluster:
        leader = await create(cluster)
        await cluster.stop(leader)
        assert (cluster.directory_of(leader) / ".kafka_cleanshutdown").exists()
        assert await cluster.wait_for_leader("t") != leader
        await cluster.restart(leader)
        await cluster.wait_for_isr("t", 0, [1, 2, 3])


@pytest.mark.slow
async def test_a_paused_leader() -> None:
    """pause: it answers nobody, is fenced by its session, and after resume follows again."""
    async with Cluster(3, settings=SHORT) as cluster:
        leader = await create(cluster)
        cluster.pause(leader)
        second = await cluster.wait_for_leader("t", not_=leader)
        await write(cluster, ["a"])
        assert cluster.replica(leader, "t").log.log_end_offset == 0
        cluster.resume(leader)
        await cluster.wait_for_isr("t", 0, [1, 2, 3])
        assert await read(cluster, 1) == ["a"]
        assert second == cluster.partition("t").leader


@pytest.mark.slow
async def test_a_follower_that_is_cut_off_leaves_the_isr() -> None:
    """cut: only this way is closed, so that the broker lives on and only its replica is late."""
    settings = {"replica.lag.time.max.ms": 700, "min.insync.replicas": 2}
    async with Cluster(3, controllers=1, settings=settings) as cluster:
        leader = await create(cluster)
        late = next(one for one in (1, 2, 3) if one != leader)
        cluster.cut(leader, late)
        await write(cluster, ["a"])
        await cluster.wait_for_isr("t", 0, {1, 2, 3} - {late})
        assert cluster.replica(late, "t").log.log_end_offset == 0
        assert not cluster.image.brokers[late].fenced
        cluster.heal()
        await cluster.wait_for_isr("t", 0, [1, 2, 3])
        assert cluster.replica(late, "t").log.log_end_offset == 1


@pytest.mark.slow
async def test_requests_pass_where_answers_are_lost() -> None:
    """cut(one_way=True): what the leader answers is lost, what it is sent is written."""
    async with Cluster(1) as cluster:
        await create(cluster, replicas=1)
        async with Producer(bootstrap_servers=cluster.bootstrap) as producer:
            await asyncio.wait_for(await producer.send("t", b"a"), LIMIT_S)
            cluster.cut(1, CLIENTS, one_way=True)
            sent = await producer.send("t", b"b")
            log = cluster.replica(1, "t").log
            await cluster.wait_until(lambda: log.log_end_offset == 2, "the second record")
            assert not sent.done()
            cluster.heal()
            assert (await asyncio.wait_for(sent, LIMIT_S)).offset == 1


@pytest.mark.slow
async def test_an_active_controller_that_is_isolated() -> None:
    """isolate: the others elect another; the old one learns of it when it is back."""
    async with Cluster(3, settings=SHORT) as cluster:
        old = cluster.active_controller
        assert old is not None
        cluster.isolate(old.node_id)
        await cluster.wait_until(
            lambda: cluster.active_controller not in (None, old), "another active controller"
        )
        await cluster.wait_for_fencing(old.node_id)
        cluster.heal()
        await cluster.wait_for_brokers([1, 2, 3])
        assert cluster.active_controller is not old


@pytest.mark.slow
async def test_a_node_without_a_quorum_waits_and_can_be_killed() -> None:
    """begin_start: one of three voters starts when a second is there, and not before."""
    async with Cluster(3) as cluster:
        for node_id in (1, 2, 3):
            await cluster.kill(node_id)
        first = await cluster.begin_start(1)
        with pytest.raises(ClusterError, match="runs already"):
            await cluster.begin_start(1)
        await cluster.kill(1)
        assert first.cancelled()
        first, second = await cluster.begin_start(1), await cluster.begin_start(2)
        await asyncio.wait_for(asyncio.gather(first, second), LIMIT_S)
        await cluster.wait_for_brokers([1, 2])
        assert sorted(cluster.nodes) == [1, 2]


async def test_what_is_refused() -> None:
    """Errors name what is wrong, and what there is."""
    with pytest.raises(LayoutError, match="2 racks"):
        Cluster(1, racks=("a", "b"))
    with pytest.raises(ConfigError, match=r"broker\.session\.timeout\.ms"):
        await Cluster(3, settings={"broker.session.timeout.ms": 1}).__aenter__()
    async with Cluster(1) as cluster:
        with pytest.raises(LayoutError, match="no node 7"):
            cluster.cut(1, 7)
        with pytest.raises(LayoutError, match="'client' is neither"):
            cluster.cut(1, "client")
        with pytest.raises(ClusterError, match="no partition t-0"):
            cluster.partition("t")
        with pytest.raises(ClusterError, match=r"other than 1 did not come in 0.01 s; running"):
            await cluster.wait_for_leader("t", not_=1, timeout_s=0.01)


SCENARIOS: list[Callable[..., Coroutine[Any, Any, None]]] = [
    test_a_killed_leader,
    test_a_paused_leader,
    test_requests_pass_where_answers_are_lost,
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario", SCENARIOS, ids=lambda one: one.__name__ if inspect.isfunction(one) else None
)
def test_on_uvloop(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """The same on the loop that `barnabas serve` runs on."""
    uvloop = pytest.importorskip("uvloop")
    uvloop.run(scenario())

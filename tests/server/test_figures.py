"""What a broker counts can be asked for in one place."""

from __future__ import annotations

from barnabas.broker.server.broker import Broker
from barnabas.client import Admin, NewTopic
from barnabas.testing import Cluster


async def test_figures_of_replication_are_among_a_brokers() -> None:
    """Goal: fetchers, ISR changes and partitions that lack a replica, by Kafka's names."""
    async with Cluster(2) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 2)])
        leader = await cluster.wait_for_leader("t")
        follower = 3 - leader
        await cluster.wait_until(
            lambda: broker(cluster, follower).figures()["ReplicaFetcherManager.FetcherCount"] == 1,
            "a fetcher",
        )
        figures = broker(cluster, leader).figures()
        assert figures["ReplicaManager.UnderReplicatedPartitions"] == 0
        assert figures["ReplicaManager.FailedIsrUpdatesTotal"] == 0


def broker(cluster: Cluster, node_id: int) -> Broker:
    role = cluster.nodes[node_id].role
    assert role is not None
    return role.broker

"""Voters of a running cluster become changeable: kraft.version 1 by UpdateFeatures (KIP-853)."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.server.quorum.quorum import Quorum
from barnabas.client import Admin, FeatureUpdate, NewTopic, UpgradeType
from barnabas.client.errors import BrokerError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.remove_raft_voter_request import RemoveRaftVoterRequest
from barnabas.testing import Cluster

KRAFT_VERSION = "kraft.version"


def quorums(cluster: Cluster) -> list[Quorum]:
    return [node.quorum for node in cluster.nodes.values()]


@pytest.mark.slow
async def test_a_cluster_gets_voters_that_can_change() -> None:
    """853-01: configured voters, then voters of the log, then one fewer; the cluster goes on."""
    async with Cluster(3) as cluster:
        await cluster.wait_until(
            lambda: any(one.kraft_version_obstacle(1) is None for one in quorums(cluster)),
            "all voters told the leader who they are",
        )
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await admin.update_features({KRAFT_VERSION: FeatureUpdate(1)})
            assert (await finalised(cluster))[KRAFT_VERSION] == 1
            with pytest.raises(BrokerError, match="downgrade"):
                down = FeatureUpdate(0, UpgradeType.SAFE_DOWNGRADE)
                await admin.update_features({KRAFT_VERSION: down})
            await cluster.wait_until(
                lambda: {one.kraft_version for one in quorums(cluster)} == {1}, "level 1 everywhere"
            )
            leaving = next(one for one in quorums(cluster) if not one.is_leader)
            await remove(cluster, leaving)
            await cluster.wait_until(lambda: not leaving.is_voter, "a voter less")
            await cluster.restart(leaving.node_id)
            await admin.create_topics([NewTopic("t", 1, 3)])
            assert sorted(len(one.raft.voters.members) for one in quorums(cluster)) == [2, 2, 2]


async def remove(cluster: Cluster, leaving: Quorum) -> None:
    """By way of a broker, which sends it on to the active controller."""
    request = RemoveRaftVoterRequest(
        cluster_id=leaving.cluster_id,
        voter_id=leaving.node_id,
        voter_directory_id=leaving.directory_id,
    )
    answer = await ask(cluster, leaving.node_id, request)
    assert (answer.error_code, answer.error_message) == (0, None)


async def finalised(cluster: Cluster) -> dict[str, int]:
    """Levels of features as the active controller tells them."""
    request = ApiVersionsRequest(client_software_name="test", client_software_version="1")
    answer = await ask(cluster, 1, request)
    return {one.name: one.max_version_level for one in answer.finalized_features}


async def ask(cluster: Cluster, node_id: int, request: Message) -> Any:
    """The active controller's answer to that broker."""
    role = cluster.nodes[node_id].role
    assert role is not None
    return await role.broker.controllers.call(request, timeout_ms=10_000)

"""Goal: calls about quorum, leaders, replicas and features ask for what they say, give back what
came, and raise the typed error of each partition that was refused."""

from __future__ import annotations

import pytest

from barnabas.client import (
    ElectionType,
    FeatureUpdate,
    PartitionReassignment,
    QuorumReplica,
    UpgradeType,
)
from barnabas.client.errors import BrokerError, InvalidReplicaAssignmentError
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import alter_partition_reassignments_response as altered
from barnabas.protocol.messages import describe_quorum_response as quorum
from barnabas.protocol.messages import elect_leaders_response as elected
from barnabas.protocol.messages import list_partition_reassignments_response as moving
from barnabas.protocol.messages import update_features_response as updated
from barnabas.protocol.messages.unregister_broker_response import UnregisterBrokerResponse

from .admins import DIRECTORY, admin_of, answering, quorum_of_two
from .consuming import T0, T1
from .fake_cluster import FakeCluster


async def test_the_quorum() -> None:
    async with FakeCluster() as cluster:
        not_leader = quorum.DescribeQuorumResponse(error_code=int(ErrorCode.NOT_LEADER_OR_FOLLOWER))
        answering(cluster, 55, (0, 2), not_leader, quorum_of_two())
        async with admin_of(cluster) as admin:
            found = await admin.describe_quorum()
        assert cluster.node.count("DescribeQuorum") == 2, "asked again while there is no leader"
        assert (found.leader_id, found.leader_epoch, found.high_watermark) == (1, 7, 48)
        assert found.voters[0] == QuorumReplica(1, DIRECTORY, 50, 9_000, 9_000)
        assert [found.lag_of(each) for each in found.voters + found.observers] == [0, 3, 10]
        assert found.nodes == {1: (("CONTROLLER", "h", 9093),)}


async def test_electing_leaders() -> None:
    """ELECTION_NOT_NEEDED is no failure; what is one comes by partition."""
    partial = elected.ElectLeadersResponse(
        replica_election_results=[
            elected.ReplicaElectionResult(
                topic="t",
                partition_result=[
                    elected.PartitionResult(partition_id=0),
                    elected.PartitionResult(
                        partition_id=1, error_code=int(ErrorCode.ELECTION_NOT_NEEDED)
                    ),
                ],
            )
        ]
    )
    async with FakeCluster() as cluster:
        answering(cluster, 43, (0, 2), partial)
        async with admin_of(cluster) as admin:
            assert await admin.elect_leaders() == [T0]
            assert await admin.elect_leaders(ElectionType.UNCLEAN, [T0, T1]) == [T0]
        first, second = cluster.node.of("ElectLeaders")
        assert (first.election_type, first.topic_partitions) == (0, None)
        assert second.election_type == 1
        assert [(each.topic, each.partitions) for each in second.topic_partitions] == [
            ("t", [0, 1])
        ]
        results = partial.replica_election_results[0].partition_result
        results[1].error_code = int(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE)
        async with admin_of(cluster) as admin:
            with pytest.raises(BrokerError, match="t-1") as caught:
                await admin.elect_leaders()
        assert list(caught.value.failures) == [T1]


async def test_moving_replicas() -> None:
    refused = altered.AlterPartitionReassignmentsResponse(
        responses=[
            altered.ReassignableTopicResponse(
                name="t",
                partitions=[
                    altered.ReassignablePartitionResponse(partition_index=0),
                    altered.ReassignablePartitionResponse(
                        partition_index=1,
                        error_code=int(ErrorCode.INVALID_REPLICA_ASSIGNMENT),
                        error_message="there is no broker 9",
                    ),
                ],
            )
        ]
    )
    moved = altered.AlterPartitionReassignmentsResponse(error_code=int(ErrorCode.NOT_CONTROLLER))
    async with FakeCluster() as cluster:
        answering(cluster, 45, (0, 1), moved, refused)
        async with admin_of(cluster) as admin:
            with pytest.raises(InvalidReplicaAssignmentError, match="t-1: there is no broker 9"):
                await admin.alter_partition_reassignments({T0: None, T1: [1, 9]})
        assert cluster.node.count("AlterPartitionReassignments") == 2
        [topic] = cluster.node.of("AlterPartitionReassignments")[-1].topics
        assert [each.replicas for each in topic.partitions] == [None, [1, 9]]


async def test_replicas_on_the_move() -> None:
    answer = moving.ListPartitionReassignmentsResponse(
        topics=[
            moving.OngoingTopicReassignment(
                name="t",
                partitions=[
                    moving.OngoingPartitionReassignment(
                        partition_index=1,
                        replicas=[1, 2, 3],
                        adding_replicas=[3],
                        removing_replicas=[1],
                    )
                ],
            )
        ]
    )
    async with FakeCluster() as cluster:
        answering(cluster, 46, (0, 0), answer)
        async with admin_of(cluster) as admin:
            found = await admin.list_partition_reassignments()
            await admin.list_partition_reassignments([T1])
        assert found == {T1: PartitionReassignment((1, 2, 3), (3,), (1,))}
        every, some = cluster.node.of("ListPartitionReassignments")
        assert every.topics is None
        assert [(each.name, each.partition_indexes) for each in some.topics] == [("t", [1])]


@pytest.mark.parametrize("version", [0, 2])
async def test_features(version: int) -> None:
    """Version 0 knows only whether a level may go down."""
    answer = updated.UpdateFeaturesResponse(
        error_code=int(ErrorCode.FEATURE_UPDATE_FAILED), error_message="level 99 is not supported"
    )
    async with FakeCluster() as cluster:
        answering(cluster, 57, (version, version), answer)
        async with admin_of(cluster) as admin:
            with pytest.raises(BrokerError, match="level 99 is not supported"):
                await admin.update_features(
                    {"metadata.version": FeatureUpdate(99, UpgradeType.SAFE_DOWNGRADE)}
                )
        [update] = cluster.node.of("UpdateFeatures")[0].feature_updates
        assert (update.feature, update.max_version_level) == ("metadata.version", 99)
        assert update.allow_downgrade if version == 0 else update.upgrade_type == 2


async def test_taking_a_broker_out() -> None:
    answer = UnregisterBrokerResponse(
        error_code=int(ErrorCode.BROKER_ID_NOT_REGISTERED), error_message="never seen"
    )
    async with FakeCluster() as cluster:
        answering(cluster, 64, (0, 0), answer, UnregisterBrokerResponse())
        async with admin_of(cluster) as admin:
            with pytest.raises(BrokerError, match="broker 9: never seen"):
                await admin.unregister_broker(9)
            await admin.unregister_broker(2)
        assert [each.broker_id for each in cluster.node.of("UnregisterBroker")] == [9, 2]

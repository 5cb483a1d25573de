"""Admin calls about the cluster itself: its quorum, leaders, replicas on the move, features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from barnabas.protocol.messages.alter_partition_reassignments_response import (
    AlterPartitionReassignmentsResponse,
)
from barnabas.protocol.messages.describe_quorum_request import (
    DescribeQuorumRequest,
    PartitionData,
    TopicData,
)
from barnabas.protocol.messages.describe_quorum_response import (
    DescribeQuorumResponse,
    ReplicaState,
)
from barnabas.protocol.messages.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from barnabas.protocol.messages.elect_leaders_response import ElectLeadersResponse
from barnabas.protocol.messages.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsTopics,
)
from barnabas.protocol.messages.list_partition_reassignments_response import (
    ListPartitionReassignmentsResponse,
)
from barnabas.protocol.messages.unregister_broker_request import UnregisterBrokerRequest
from barnabas.protocol.messages.unregister_broker_response import UnregisterBrokerResponse
from barnabas.protocol.messages.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)
from barnabas.protocol.messages.update_features_response import UpdateFeaturesResponse

from ..errors import error_of
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from .topics import Failures, raise_failures, raise_if_retriable, text_of
from .values import (
    ElectionType,
    FeatureUpdate,
    PartitionReassignment,
    QuorumDescription,
    QuorumReplica,
    UpgradeType,
)

METADATA_TOPIC = "__cluster_metadata"


async def describe_quorum(cluster: Cluster) -> QuorumDescription:
    """See `Admin.describe_quorum`."""
    request = DescribeQuorumRequest(
        topics=[TopicData(topic_name=METADATA_TOPIC, partitions=[PartitionData(partition_index=0)])]
    )

    async def attempt() -> QuorumDescription:
        response = await cluster.call_any(request, DescribeQuorumResponse)
        if response.error_code:
            raise error_of(response.error_code, response.error_message or "describing the quorum")
        partitions = [
            each
            for topic in response.topics
            if topic.topic_name == METADATA_TOPIC
            for each in topic.partitions
        ]
        if len(partitions) != 1:
            raise error_of(
                ErrorCode.UNKNOWN_SERVER_ERROR,
                f"the answer has {len(partitions)} partitions of {METADATA_TOPIC}, not one",
            )
        found = partitions[0]
        if found.error_code:
            raise error_of(found.error_code, found.error_message or "describing the quorum")
        return QuorumDescription(
            found.leader_id,
            found.leader_epoch,
            found.high_watermark,
            tuple(replica_of(each) for each in found.current_voters),
            tuple(replica_of(each) for each in found.observers),
            {
                node.node_id: tuple((each.name, each.host, each.port) for each in node.listeners)
                for node in response.nodes
            },
        )

    return await cluster.retrying(attempt, "describing the quorum")


def replica_of(answer: ReplicaState) -> QuorumReplica:
    """One voter or observer as DescribeQuorum tells it."""
    return QuorumReplica(
        answer.replica_id,
        answer.replica_directory_id,
        answer.log_end_offset,
        answer.last_fetch_timestamp,
        answer.last_caught_up_timestamp,
    )


def by_topic(partitions: Sequence[TopicPartition]) -> dict[str, list[int]]:
    """Partition numbers by topic."""
    found: dict[str, list[int]] = {}
    for topic, partition in partitions:
        found.setdefault(topic, []).append(partition)
    return found


async def elect_leaders(
    cluster: Cluster,
    election_type: ElectionType,
    partitions: Sequence[TopicPartition] | None,
    timeout_ms: int,
) -> list[TopicPartition]:
    """See `Admin.elect_leaders`."""
    request = ElectLeadersRequest(
        election_type=election_type,
        topic_partitions=None
        if partitions is None
        else [
            TopicPartitions(topic=name, partitions=numbers)
            for name, numbers in by_topic(partitions).items()
        ],
        timeout_ms=timeout_ms,
    )
    failures: Failures = {}

    async def attempt() -> list[TopicPartition]:
        failures.clear()
        response = await cluster.call_controller(request, ElectLeadersResponse)
        if response.error_code:
            raise error_of(response.error_code, "electing leaders")
        elected = []
        for topic in response.replica_election_results:
            for each in topic.partition_result:
                key = TopicPartition(topic.topic, each.partition_id)
                if each.error_code == ErrorCode.NONE:
                    elected.append(key)
                elif each.error_code != ErrorCode.ELECTION_NOT_NEEDED:
                    failures[key] = error_of(each.error_code, text_of(str(key), each))
        raise_if_retriable(failures, elected)
        return elected

    elected = await cluster.retrying(attempt, "electing leaders")
    raise_failures(failures)
    return elected


async def alter_partition_reassignments(
    cluster: Cluster, wanted: Mapping[TopicPartition, Sequence[int] | None], timeout_ms: int
) -> None:
    """See `Admin.alter_partition_reassignments`."""
    topics: dict[str, ReassignableTopic] = {}
    for (name, partition), replicas in wanted.items():
        topic = topics.setdefault(name, ReassignableTopic(name=name, partitions=[]))
        topic.partitions.append(
            ReassignablePartition(
                partition_index=partition, replicas=None if replicas is None else list(replicas)
            )
        )
    request = AlterPartitionReassignmentsRequest(
        timeout_ms=timeout_ms, topics=list(topics.values())
    )
    failures: Failures = {}

    async def attempt() -> None:
        failures.clear()
        response = await cluster.call_controller(request, AlterPartitionReassignmentsResponse)
        if response.error_code:
            raise error_of(response.error_code, response.error_message or "moving replicas")
        done = []
        for topic in response.responses:
            for each in topic.partitions:
                key = TopicPartition(topic.name, each.partition_index)
                if each.error_code:
                    failures[key] = error_of(each.error_code, text_of(str(key), each))
                else:
                    done.append(key)
        raise_if_retriable(failures, done)

    await cluster.retrying(attempt, "moving replicas")
    raise_failures(failures)


async def list_partition_reassignments(
    cluster: Cluster, partitions: Sequence[TopicPartition] | None, timeout_ms: int
) -> dict[TopicPartition, PartitionReassignment]:
    """See `Admin.list_partition_reassignments`."""
    request = ListPartitionReassignmentsRequest(
        timeout_ms=timeout_ms,
        topics=None
        if partitions is None
        else [
            ListPartitionReassignmentsTopics(name=name, partition_indexes=numbers)
            for name, numbers in by_topic(partitions).items()
        ],
    )

    async def attempt() -> dict[TopicPartition, PartitionReassignment]:
        response = await cluster.call_controller(request, ListPartitionReassignmentsResponse)
        if response.error_code:
            text = response.error_message or "listing replicas on the move"
            raise error_of(response.error_code, text)
        return {
            TopicPartition(topic.name, each.partition_index): PartitionReassignment(
                tuple(each.replicas), tuple(each.adding_replicas), tuple(each.removing_replicas)
            )
            for topic in response.topics
            for each in topic.partitions
        }

    return await cluster.retrying(attempt, "listing replicas on the move")


async def update_features(
    cluster: Cluster,
    updates: Mapping[str, FeatureUpdate],
    timeout_ms: int,
    validate_only: bool,
) -> None:
    """See `Admin.update_features`."""
    failures: Failures = {}

    async def attempt() -> None:
        failures.clear()
        node = cluster.metadata.nodes.get(cluster.metadata.controller_id)
        connection = await (cluster.connection(node) if node else cluster.any_connection())
        version = connection.version_of(UpdateFeaturesRequest)
        request = UpdateFeaturesRequest(timeout_ms=timeout_ms, validate_only=validate_only)
        for name, each in updates.items():
            update = FeatureUpdateKey(feature=name, max_version_level=each.max_version_level)
            if version >= 1:
                update.upgrade_type = each.upgrade_type
            else:
                update.allow_downgrade = each.upgrade_type != UpgradeType.UPGRADE
            request.feature_updates.append(update)
        response = await connection.send(
            request, UpdateFeaturesResponse, version, cluster.request_timeout_s
        )
        if response.error_code:
            raise error_of(response.error_code, response.error_message or "updating features")
        done = []
        for result in response.results:
            if result.error_code:
                text = text_of(result.feature, result)
                failures[result.feature] = error_of(result.error_code, text)
            else:
                done.append(result.feature)
        raise_if_retriable(failures, done)

    await cluster.retrying(attempt, "updating features")
    raise_failures(failures)


async def unregister_broker(cluster: Cluster, node_id: int) -> None:
    """See `Admin.unregister_broker`."""
    request = UnregisterBrokerRequest(broker_id=node_id)

    async def attempt() -> None:
        response = await cluster.call_controller(request, UnregisterBrokerResponse)
        if response.error_code:
            text = response.error_message or "it cannot be taken out"
            raise error_of(response.error_code, f"broker {node_id}: {text}")

    await cluster.retrying(attempt, f"taking broker {node_id} out of the cluster")

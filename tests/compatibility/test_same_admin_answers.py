"""Administrators' frames to a node of ours and to Apache Kafka 4.3.1: same codes, same texts.

What may differ is in decision 10: colliding names in one request, features and reassignments that
are named twice, ElectLeaders of all partitions, an unknown operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess

from barnabas.protocol.message import Message
from barnabas.protocol.messages.create_partitions_request import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from barnabas.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from barnabas.protocol.messages.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from barnabas.protocol.messages.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.describe_topic_partitions_request import (
    Cursor,
    DescribeTopicPartitionsRequest,
    TopicRequest,
)
from barnabas.protocol.messages.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from barnabas.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from barnabas.protocol.messages.remove_raft_voter_request import RemoveRaftVoterRequest
from barnabas.protocol.messages.update_raft_voter_request import (
    KRaftVersionFeature,
    UpdateRaftVoterRequest,
)
from barnabas.protocol.messages.update_raft_voter_request import Listener as VoterListener

from .side_by_side import SETTINGS, Both, Side, always, side_by_side

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

DIRECTORY = b"\x09" * 16
TOPIC, LOGGER = 2, 8
SET, DELETE, APPEND, SUBTRACT = range(4)


@pytest.fixture(scope="module")
def kafka(
    kafka_jars: KafkaJars, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KafkaProcess]:
    process = KafkaProcess(kafka_jars, tmp_path_factory.mktemp("kafka"), SETTINGS)
    try:
        process.start()
        yield process
    finally:
        process.stop()


async def test_administrators_are_told_the_same(kafka: KafkaProcess, tmp_path: Path) -> None:
    """KIP-412, KIP-464, KIP-853, KIP-919, KIP-966: what is told of topics, leaders, settings,
    loggers, voters and the cluster, of what is named twice, and in which words it is refused."""
    async with side_by_side(kafka, tmp_path) as both:
        await ask_twice(both)
        for is_validated in (True, False):
            await create_topics(both, validate_only=is_validated)
            await create_partitions(both, validate_only=is_validated)
        await describe_partitions(both)
        await elect(both)
        await set_levels(both)
        await ask_clusters(both)
        await change_voters(both)
        await register_without_heartbeats(both)
        assert not both.differences, "\n".join(both.differences[:20])
        assert both.asked > 150


async def ask(both: Both, what: str, version: int, request: Message) -> None:
    """With the words of refusals."""
    await both.ask(what, version, always(request), with_texts=True)


async def ask_twice(both: Both) -> None:
    """How many rows there are for what is named twice."""
    wanted = ListOffsetsPartition(timestamp=-1)
    once = DeleteRecordsPartition(partition_index=0, offset=1)
    later = DeleteRecordsPartition(partition_index=0, offset=2)
    for name in ("plain", "nobody", "elsewhere"):
        of_topic = ListOffsetsTopic(name=name, partitions=[wanted] * 2)
        for version in (1, 7, 11):
            request = ListOffsetsRequest(replica_id=-1, topics=[of_topic, of_topic])
            await ask(both, f"offsets of {name} twice", version, request)
        for version in (0, 2):
            rows = DeleteRecordsTopic(name=name, partitions=[once, later])
            deletion = DeleteRecordsRequest(timeout_ms=1000, topics=[rows, rows])
            await ask(both, f"records of {name} twice", version, deletion)
    configs = DescribeConfigsResource(
        resource_type=TOPIC, resource_name="plain", configuration_keys=["retention.ms"] * 2
    )
    await ask(both, "settings twice", 4, DescribeConfigsRequest(resources=[configs] * 2))
    await both.ask(
        "topics by id twice",
        12,
        lambda side: MetadataRequest(
            topics=[MetadataRequestTopic(name=None, topic_id=side.topic_ids["plain"])] * 2
        ),
        without=("controllerId", "clusterId", "port"),
    )
    for side in both.sides:
        await side.create("doomed", [[1]])
    await both.ask(
        "a deletion by name and by id",
        6,
        lambda side: DeleteTopicsRequest(
            timeout_ms=1000,
            topics=[
                DeleteTopicState(name="doomed"),
                DeleteTopicState(name=None, topic_id=side.topic_ids["doomed"]),
            ],
        ),
        with_texts=True,
    )


def new_topic(
    name: str,
    partitions: int = 1,
    replicas: int = 1,
    assigned: tuple[tuple[int, tuple[int, ...]], ...] = (),
    **configs: str | None,
) -> CreatableTopic:
    return CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        assignments=[
            CreatableReplicaAssignment(partition_index=number, broker_ids=list(brokers))
            for number, brokers in assigned
        ],
        configs=[
            CreatableTopicConfig(name=key.replace("_", "."), value=value)
            for key, value in configs.items()
        ],
    )


REFUSED_TOPICS = {
    "without partitions": new_topic("c", 0),
    "with negative partitions": new_topic("c", -2),
    "without replicas": new_topic("c", 1, 0),
    "with too many replicas": new_topic("c", 1, 30_000),
    "assigned and counted": new_topic("c", 5, -1, ((0, (1,)),)),
    "assigned with a factor": new_topic("c", -1, 1, ((0, (1,)),)),
    "with a gap": new_topic("c", -1, -1, ((1, (1,)),)),
    "with a partition twice": new_topic("c", -1, -1, ((0, (1,)), (0, (1,)))),
    "with a broker twice": new_topic("c", -1, -1, ((0, (1, 1)),)),
    "on an unknown broker": new_topic("c", -1, -1, ((0, (9,)),)),
    "on no broker": new_topic("c", -1, -1, ((0, ()),)),
    "unevenly assigned": new_topic("c", -1, -1, ((0, (1,)), (1, (1, 2)))),
    "with an unknown setting": new_topic("c", nope="1"),
    "with a setting that cannot be": new_topic("c", retention_ms="x"),
    "with a setting of null": new_topic("c", retention_ms=None),
    "with an unknown policy": new_topic("c", cleanup_policy="x"),
    "with a space": new_topic("a b"),
    "without a name": new_topic(""),
    "named by dots": new_topic(".."),
    "with a long name": new_topic("x" * 250),
    "that is there": new_topic("plain"),
}


async def create_topics(both: Both, *, validate_only: bool) -> None:
    for what, topic in REFUSED_TOPICS.items():
        request = CreateTopicsRequest(topics=[topic], timeout_ms=5000, validate_only=validate_only)
        await ask(both, f"a topic {what}", 7, request)


async def create_partitions(both: Both, *, validate_only: bool) -> None:
    for what, name, count, assigned in (
        ("of an unknown topic", "nobody", 2, None),
        ("as there are", "plain", 2, None),
        ("fewer", "plain", 1, None),
        ("none", "plain", 0, None),
        ("less than none", "plain", -1, None),
        ("without an assignment", "plain", 3, []),
        ("with too many assignments", "plain", 3, [[1], [1]]),
        ("with too few assignments", "plain", 4, [[1]]),
        ("with another factor", "plain", 3, [[1, 2]]),
        ("with a broker twice", "followed", 2, [[1, 1]]),
        ("on an unknown broker", "plain", 3, [[9]]),
        ("on no broker", "plain", 3, [[]]),
        ("of a topic that cannot be", "a b", 3, None),
    ):
        rows = None
        if assigned is not None:
            rows = [CreatePartitionsAssignment(broker_ids=brokers) for brokers in assigned]
        topic = CreatePartitionsTopic(name=name, count=count, assignments=rows)
        request = CreatePartitionsRequest(
            topics=[topic], timeout_ms=5000, validate_only=validate_only
        )
        await ask(both, f"partitions, {what}", 3, request)


async def describe_partitions(both: Both) -> None:
    """KIP-966: limits and cursors."""
    for names, limit, cursor in (
        (("plain", "plain", "away"), 2000, None),
        (("nobody", "plain"), 1, None),
        (("plain", "away"), 1, None),
        (("plain",), 0, None),
        (("plain",), -1, None),
        (("plain", "away"), 9, ("plain", 1)),
        (("plain", "away"), 9, ("elsewhere", 0)),
        (("plain",), 9, ("plain", -1)),
        (("plain", "zz"), 1, ("plain", 77)),
        (("nobody", "plain"), 9, ("nobody", 0)),
    ):
        request = DescribeTopicPartitionsRequest(
            topics=[TopicRequest(name=name) for name in names],
            response_partition_limit=limit,
            cursor=cursor and Cursor(topic_name=cursor[0], partition_index=cursor[1]),
        )
        await ask(both, f"{names} up to {limit} from {cursor}", 0, request)


async def elect(both: Both) -> None:
    for kind in (0, 1, 2, -1):
        for rows in (
            (("plain", (0, 0)), ("plain", (1,))),
            (("nobody", (0,)), ("plain", (9,))),
            (("plain", ()),),
            (),
        ):
            partitions = [TopicPartitions(topic=name, partitions=[*some]) for name, some in rows]
            request = ElectLeadersRequest(
                election_type=kind, timeout_ms=1000, topic_partitions=partitions
            )
            for version in (1, 2):
                await ask(both, f"an election {kind} of {rows}", version, request)


async def set_levels(both: Both) -> None:
    """KIP-412. The names are other ones; `root` is of both."""
    for name, row in (
        ("1", ("root", SET, "WARN")),
        ("1", ("ROOT", SET, "INFO")),
        ("1", ("root", SET, "warn")),
        ("1", ("root", SET, "OFF")),
        ("1", ("root", SET, None)),
        ("1", ("root", DELETE, None)),
        ("1", ("root", APPEND, "INFO")),
        ("1", ("root", SUBTRACT, "INFO")),
        ("1", ("nope", DELETE, None)),
        ("7", ("root", SET, "INFO")),
        ("x", ("root", SET, "INFO")),
        ("", ("root", SET, "INFO")),
    ):
        key, operation, value = row
        config = AlterableConfig(name=key, config_operation=operation, value=value)
        change = AlterConfigsResource(resource_type=LOGGER, resource_name=name, configs=[config])
        for is_validated in (True, False):
            request = IncrementalAlterConfigsRequest(validate_only=is_validated, resources=[change])
            await ask(both, f"the level {row} of {name}", 1, request)
    for name in ("1", "7", "x", ""):
        loggers = DescribeConfigsResource(
            resource_type=LOGGER, resource_name=name, configuration_keys=["root", "nope"]
        )
        await ask(both, f"levels of {name}", 4, DescribeConfigsRequest(resources=[loggers]))


async def ask_clusters(both: Both) -> None:
    """KIP-919: brokers of brokers, controllers of controllers."""
    for kind in (0, 1, 2, 3):
        for is_asked in (False, True):
            request = DescribeClusterRequest(endpoint_type=kind)
            await both.ask(
                f"nodes of kind {kind}",
                2,
                always(request),
                ask_controller=is_asked,
                without=("clusterId", "port", "controllerId"),
                with_texts=True,
            )


async def change_voters(both: Both) -> None:
    """KIP-853: what could be no voter is malformed, and not unknown."""
    for voter_id, directory in ((1, DIRECTORY), (-1, DIRECTORY), (1, bytes(16)), (9, DIRECTORY)):
        removal = RemoveRaftVoterRequest(voter_id=voter_id, voter_directory_id=directory)
        await both.ask(f"removal of {voter_id}", 0, always(removal))
        for names in (("CONTROLLER",), ("OTHER",), ()):
            for versions in ((0, 1), (-1, 1), (1, 0), (2, 3)):
                update = UpdateRaftVoterRequest(
                    current_leader_epoch=1,
                    voter_id=voter_id,
                    voter_directory_id=directory,
                    listeners=[VoterListener(name=one, host="h", port=9) for one in names],
                    k_raft_version_feature=KRaftVersionFeature(
                        min_supported_version=versions[0], max_supported_version=versions[1]
                    ),
                )
                await both.ask(
                    f"{voter_id} on {names} with {versions}",
                    0,
                    always(update),
                    ask_controller=True,
                    without=("port",),
                )


async def register_without_heartbeats(both: Both) -> None:
    """631-01: who only registered keeps no other incarnation out."""
    for incarnation in (b"x" * 16, b"y" * 16, b"x" * 16):

        def build(side: Side, one: bytes = incarnation) -> Message:
            return side.registration(5, incarnation_id=one)

        await both.ask("a registration", 4, build, ask_controller=True, without=("brokerEpoch",))

"""Goal: an admin call either did what it says or raises the typed error of what it did not."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.client import Admin, ConfigResource, GroupListing, NewTopic, TopicPartition
from barnabas.client.errors import (
    BootstrapError,
    BrokerError,
    ClientClosedError,
    ConfigurationError,
    NotControllerError,
    TopicAlreadyExistsError,
    UnknownTopicOrPartitionError,
    UnsupportedVersionError,
)
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import list_groups_response as groups
from barnabas.protocol.messages.create_topics_response import (
    CreatableTopicResult,
    CreateTopicsResponse,
)

from .admins import admin_of, answering
from .consuming import T0
from .fake_cluster import Action, FakeCluster, FakeNode


async def test_errors_of_several_topics() -> None:
    """The first is raised and knows of all; what succeeded stays done."""
    async with FakeCluster() as cluster, admin_of(cluster) as admin:
        cluster.add_topic("a")
        cluster.add_topic("b")
        with pytest.raises(
            TopicAlreadyExistsError, match=r"a: it is there \(failed: a, b\)"
        ) as found:
            await admin.create_topics([NewTopic("a"), NewTopic("b"), NewTopic("c")])
        assert set(found.value.failures) == {"a", "b"}
        assert "c" in cluster.topics


async def test_brokers_of_old_are_described_too() -> None:
    """Without DescribeCluster, DescribeTopicPartitions and topic ids in DeleteTopics."""
    async with FakeCluster(nodes=2) as cluster:
        cluster.served[20] = (1, 5)
        cluster.add_topic("t", 3)
        async with admin_of(cluster) as admin:
            described = await admin.describe_cluster()
            assert (described.cluster_id, described.controller_id) == ("fake", 1)
            assert [each.node_id for each in described.brokers] == [1, 2]
            topic = (await admin.describe_topics())["t"]
            assert [each.leader for each in topic.partitions] == [1, 2, 1]
            with pytest.raises(UnknownTopicOrPartitionError, match="missing"):
                await admin.describe_topics(["t", "missing"])
            await admin.delete_topics(["t"])
            assert cluster.topics == {}
            with pytest.raises(UnsupportedVersionError, match="serves DescribeConfigs not at all"):
                await admin.describe_configs([ConfigResource.topic("t")])


async def test_a_controller_that_moved_is_asked_again() -> None:
    moved = CreateTopicsResponse(
        topics=[CreatableTopicResult(name="t", error_code=int(ErrorCode.NOT_CONTROLLER))]
    )
    answers: list[Any] = [moved, Action.DROP, moved]

    def script(node: FakeNode, request: Any) -> Any:
        is_create = type(request).NAME == "CreateTopicsRequest"
        return answers.pop() if is_create and answers else None

    async with FakeCluster() as cluster, admin_of(cluster) as admin:
        cluster.script = script
        assert (await admin.create_topics([NewTopic("t", 4)]))["t"].num_partitions == 4
        assert cluster.node.count("CreateTopics") == 4


async def test_an_error_that_stays_is_raised_in_the_end() -> None:
    moved = CreateTopicsResponse(
        topics=[CreatableTopicResult(name="t", error_code=int(ErrorCode.NOT_CONTROLLER))]
    )
    async with FakeCluster() as cluster:
        cluster.script = lambda node, request: (
            moved if type(request).NAME == "CreateTopicsRequest" else None
        )
        async with Admin(
            bootstrap_servers=cluster.bootstrap, default_api_timeout_ms=100, retry_backoff_ms=1
        ) as admin:
            with pytest.raises(NotControllerError):
                await admin.create_topics([NewTopic("t")])


async def test_brokers_are_named_by_number() -> None:
    async with FakeCluster() as cluster, admin_of(cluster) as admin:
        with pytest.raises(ConfigurationError, match="there is no broker 9"):
            await admin.describe_configs([ConfigResource.broker(9)])
        with pytest.raises(ConfigurationError, match="not by 'one'"):
            await admin.describe_configs([ConfigResource.broker("one")])
        with pytest.raises(BrokerError, match="there is no broker 9"):
            await admin.describe_log_dirs([9])


async def test_before_start_and_after_stop() -> None:
    async with FakeCluster() as cluster:
        admin = admin_of(cluster)
        with pytest.raises(ClientClosedError):
            await admin.list_topics()
        await admin.start()
        await admin.list_topics()
        await admin.stop()
        with pytest.raises(ClientClosedError):
            await admin.list_topics()


async def test_a_cluster_that_is_gone() -> None:
    async with (
        FakeCluster() as cluster,
        Admin(
            bootstrap_servers=cluster.bootstrap, default_api_timeout_ms=100, retry_backoff_ms=1
        ) as admin,
    ):
        await cluster.node.stop()
        with pytest.raises(BootstrapError, match="no broker can be reached"):
            await admin.list_topics()
            await admin.list_topics()


@pytest.mark.parametrize("call", ["delete_topics", "delete_groups", "fence_producers"])
@pytest.mark.parametrize("given", ["ab", b"ab", ["ab", 1]])
async def test_a_text_is_no_list_of_names(call: str, given: Any) -> None:
    """Goal: nobody deletes the topics `a` and `b` who means the topic `ab`."""
    async with FakeCluster() as cluster, admin_of(cluster) as admin:
        for name in ("a", "b", "ab"):
            cluster.add_topic(name)
        with pytest.raises(TypeError, match=rf"{call}\(\) takes a list of names, not .*ab"):
            await getattr(admin, call)(given)
        assert sorted(cluster.topics) == ["a", "ab", "b"]


@pytest.mark.parametrize(("number", "version"), [(-3, 6), (-4, 7), (-5, 8)])
async def test_an_old_broker_takes_no_number_below_zero_for_a_time(
    number: int, version: int
) -> None:
    """Goal: it would answer with its first record; what it does not know is said instead."""
    async with FakeCluster() as cluster:
        cluster.served[2] = (1, version)
        cluster.add_topic("t")
        async with admin_of(cluster) as admin:
            with pytest.raises(UnsupportedVersionError, match=f"needs {version + 1}"):
                await admin.list_offsets({T0: number})
            assert (await admin.list_offsets({T0: -1}))[T0].offset == 0


async def test_a_time_is_a_whole_number() -> None:
    wrong: dict[TopicPartition, Any] = {T0: 1.5}
    async with FakeCluster() as cluster, admin_of(cluster) as admin:
        cluster.add_topic("t")
        with pytest.raises(TypeError, match=r"a time must be an int.*float: 1\.5"):
            await admin.list_offsets(wrong)


async def test_an_old_broker_filters_no_groups() -> None:
    """Goal: all groups, or none, are no answer to a question for some."""
    found = groups.ListedGroup(group_id="g", protocol_type="consumer", group_state="Stable")
    async with FakeCluster() as cluster:
        answering(cluster, 16, (0, 3), groups.ListGroupsResponse(groups=[found]))
        async with admin_of(cluster) as admin:
            assert await admin.list_groups() == [GroupListing("g", "", "", "consumer")]
            with pytest.raises(UnsupportedVersionError, match="in version 3; this filter needs 4"):
                await admin.list_groups(states=["Stable"])
    async with FakeCluster() as cluster:
        answering(cluster, 16, (0, 4), groups.ListGroupsResponse(groups=[found]))
        async with admin_of(cluster) as admin:
            assert len(await admin.list_groups(states=["Stable"])) == 1
            with pytest.raises(UnsupportedVersionError, match="in version 4; this filter needs 5"):
                await admin.list_groups(types=["classic"])

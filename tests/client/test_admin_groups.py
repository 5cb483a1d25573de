"""Goal: groups are listed, described, reset and deleted; one with members is left alone, and the
error says who they are."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.client import (
    Admin,
    GroupListing,
    OffsetAndMetadata,
    OffsetReset,
    ResetTo,
    TopicPartition,
)
from barnabas.client.errors import (
    ConfigurationError,
    GroupIdNotFoundError,
    GroupSubscribedError,
    NonEmptyGroupError,
    UnknownServerError,
)
from barnabas.client.groups.formats import encode_assignment
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages import consumer_group_describe_response as modern
from barnabas.protocol.messages import delete_groups_response as deleted
from barnabas.protocol.messages import describe_groups_response as classic
from barnabas.protocol.messages import list_groups_response as listed
from barnabas.protocol.messages import offset_delete_response as forgotten

from .consuming import T0, T1
from .fake_cluster import FakeCluster, FakeNode
from .fake_groups import FakeGroups
from .grouping import grouping, topic_of


class Described:
    """Answers of a coordinator to what admins ask; `modern` are groups of the consumer protocol."""

    def __init__(self, cluster: FakeCluster, groups: FakeGroups) -> None:
        self.groups = groups
        self.modern: set[str] = set()
        self.answers_nothing = False
        cluster.served.update({15: (0, 6), 16: (0, 5), 42: (0, 2), 47: (0, 0), 69: (0, 1)})
        cluster.more.update(
            ListGroups=self._list,
            DescribeGroups=self._describe,
            ConsumerGroupDescribe=self._describe_modern,
            DeleteGroups=self._delete,
            OffsetDelete=self._forget,
        )

    async def _list(self, node: FakeNode, request: Any, version: int) -> Message:
        del request, version
        here = self.groups.groups.items() if node.node_id == self.groups.node_id else ()
        return listed.ListGroupsResponse(
            groups=[
                listed.ListedGroup(
                    group_id=name,
                    protocol_type="consumer",
                    group_state=group.state,
                    group_type="classic",
                )
                for name, group in here
            ]
        )

    async def _describe_modern(self, node: FakeNode, request: Any, version: int) -> Message:
        code = await self.groups.code("ConsumerGroupDescribe", node)
        del version
        (group_id,) = request.group_ids
        has_it = group_id in self.modern
        given = modern.Assignment(
            topic_partitions=[modern.TopicPartitions(topic_name="t", partitions=[1])]
        )
        return modern.ConsumerGroupDescribeResponse(
            groups=[
                modern.DescribedGroup(
                    group_id=group_id,
                    error_code=code or (0 if has_it else int(ErrorCode.GROUP_ID_NOT_FOUND)),
                    group_state="Stable",
                    group_epoch=4,
                    assignor_name="uniform",
                    members=[
                        modern.Member(
                            member_id="m",
                            client_id="c",
                            client_host="/1.2.3.4",
                            assignment=given,
                            target_assignment=given,
                            member_epoch=4,
                        )
                    ],
                )
            ]
        )

    async def _describe(self, node: FakeNode, request: Any, version: int) -> Message:
        del node, version
        (group_id,) = request.groups
        group = self.groups.groups.get(group_id)
        if group is None:
            return classic.DescribeGroupsResponse(
                groups=[classic.DescribedGroup(group_id=group_id, group_state="Dead")]
            )
        return classic.DescribeGroupsResponse(
            groups=[
                classic.DescribedGroup(
                    group_id=group_id,
                    group_state=group.state,
                    protocol_type="consumer",
                    protocol_data=group.protocol,
                    members=[
                        classic.DescribedGroupMember(
                            member_id=key,
                            client_id="barnabas",
                            client_host="/127.0.0.1",
                            member_metadata=b"",
                            member_assignment=each.assignment or encode_assignment([]),
                        )
                        for key, each in group.members.items()
                    ],
                )
            ]
        )

    async def _delete(self, node: FakeNode, request: Any, version: int) -> Message:
        del node, version
        (name,) = request.groups_names
        group = self.groups.groups.get(name)
        code = ErrorCode.GROUP_ID_NOT_FOUND if group is None else ErrorCode.NONE
        if group is not None and group.members:
            code = ErrorCode.NON_EMPTY_GROUP
        elif group is not None:
            del self.groups.groups[name]
        result = deleted.DeletableGroupResult(group_id=name, error_code=int(code))
        return deleted.DeleteGroupsResponse(results=[] if self.answers_nothing else [result])

    async def _forget(self, node: FakeNode, request: Any, version: int) -> Message:
        del node, version
        group = self.groups[request.group_id]
        code = int(ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC) if group.members else 0
        topics = []
        for topic in request.topics:
            for each in topic.partitions:
                if not code:
                    group.offsets.pop((topic.name, each.partition_index), None)
            topics.append(
                forgotten.OffsetDeleteResponseTopic(
                    name=topic.name,
                    partitions=[
                        forgotten.OffsetDeleteResponsePartition(
                            partition_index=each.partition_index, error_code=code
                        )
                        for each in topic.partitions
                    ],
                )
            )
        return forgotten.OffsetDeleteResponse(topics=topics)


def admin_of(cluster: FakeCluster) -> Admin:
    return Admin(bootstrap_servers=cluster.bootstrap, retry_backoff_ms=1)


async def test_groups_are_listed_and_described() -> None:
    """Goal: every broker is asked for its groups; both protocols are described."""
    async with topic_of(2, nodes=2) as (cluster, groups):
        described = Described(cluster, groups)
        async with admin_of(cluster) as admin, grouping(cluster, "t"):
            described.modern.add("new")
            assert groups["empty"].state == "Empty"
            assert await admin.list_groups() == [
                GroupListing("empty", "classic", "Empty", "consumer"),
                GroupListing("g", "classic", "Stable", "consumer"),
            ]
            assert [each.group_id for each in await admin.list_groups(states=["stable"])] == ["g"]
            assert await admin.list_groups(types=["consumer"]) == []
            groups.fail("ConsumerGroupDescribe", 14, 15, 16)
            found = await admin.describe_groups(["g", "new"])
            assert found["g"].assignor == "range"
            assert [each.assignment for each in found["g"].members] == [(T0, T1)]
            assert found["new"].epoch == 4
            assert found["new"].members[0].target == (T1,)
            with pytest.raises(GroupIdNotFoundError, match="no group 'none'"):
                await admin.describe_groups(["g", "none"])


async def test_a_group_with_members_is_left_alone() -> None:
    """Goal: neither reset, nor changed, nor deleted; the text names the members."""
    async with (
        topic_of(1) as (cluster, groups),
        admin_of(cluster) as admin,
        grouping(cluster, "t") as consumer,
    ):
        Described(cluster, groups)
        await consumer.commit({T0: 3})
        who = f"{consumer.state.member_id} .barnabas at"
        with pytest.raises(NonEmptyGroupError, match=who):
            await admin.reset_group_offsets("g", OffsetReset(ResetTo.EARLIEST))
        with pytest.raises(NonEmptyGroupError, match=who):
            await admin.alter_group_offsets("g", {T0: 1})
        with pytest.raises(NonEmptyGroupError, match=who):
            await admin.delete_groups(["g"])
        with pytest.raises(GroupSubscribedError):
            await admin.delete_group_offsets("g", [T0])
        assert groups["g"].offsets["t", 0][0] == 3


@pytest.mark.parametrize(
    ("reset", "expected"),
    [
        (OffsetReset(ResetTo.EARLIEST), 2),
        (OffsetReset(ResetTo.LATEST), 10),
        (OffsetReset(ResetTo.OFFSET, 7), 7),
        (OffsetReset(ResetTo.OFFSET, 99), 10),
        (OffsetReset(ResetTo.SHIFT, -1), 4),
        (OffsetReset(ResetTo.SHIFT, -9), 2),
    ],
)
async def test_resets(reset: OffsetReset, expected: int) -> None:
    """Goal: each place to reset to, kept within the log; a dry run changes nothing."""
    async with topic_of(1) as (cluster, groups), admin_of(cluster) as admin:
        Described(cluster, groups)
        cluster.partition("t").log_start = 2
        groups["g"].offsets["t", 0] = (5, "", -1)
        assert await admin.reset_group_offsets("g", reset, dry_run=True) == {T0: expected}
        assert groups["g"].offsets["t", 0][0] == 5
        assert await admin.reset_group_offsets("g", reset, [T0]) == {T0: expected}
        assert groups["g"].offsets["t", 0][0] == expected


async def test_offsets_are_listed_changed_and_forgotten() -> None:
    async with topic_of(2) as (cluster, groups), admin_of(cluster) as admin:
        described = Described(cluster, groups)
        with pytest.raises(ConfigurationError, match="no committed offsets"):
            await admin.reset_group_offsets("g", OffsetReset(ResetTo.LATEST))
        await admin.alter_group_offsets("g", {T0: OffsetAndMetadata(4, "why", 0), T1: 5})
        with pytest.raises(ConfigurationError, match="cannot be committed"):
            await admin.alter_group_offsets("g", {T0: -4})
        assert await admin.list_group_offsets("g", [T0, T1]) == {
            T0: OffsetAndMetadata(4, "why", 0),
            T1: OffsetAndMetadata(5, "", -1),
        }
        cluster.add_topic("u")
        nothing = [T1, TopicPartition("u", 0)]
        with pytest.raises(ConfigurationError, match="no committed offset to shift: u-0"):
            await admin.reset_group_offsets("g", OffsetReset(ResetTo.SHIFT, 1), nothing)
        await admin.delete_group_offsets("g", [T0])
        assert await admin.list_group_offsets("g", [T0]) == {}
        described.answers_nothing = True
        with pytest.raises(UnknownServerError, match="no answer"):
            await admin.delete_groups(["g"])
        assert "g" not in groups.groups, "but it was done"
        described.answers_nothing = False
        await admin.alter_group_offsets("g", {T0: 1})
        await admin.delete_groups(["g"])
        with pytest.raises(GroupIdNotFoundError):
            await admin.delete_groups(["g"])

"""Goal: a member of the consumer protocol has what the coordinator says, and says so at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Unpack

import pytest

from barnabas.client import CloseOption, Consumer, GroupState, TopicPartition
from barnabas.client.errors import (
    BrokerError,
    CommitFailedError,
    GroupsNotSupportedError,
    MembershipLostError,
    PollIntervalExceededError,
)
from barnabas.client.groups.consumer_member import (
    ConsumerMember,
    ConsumerMemberOptions,
    new_member_id,
)
from barnabas.client.groups.reactions import Reaction
from barnabas.client.options import ConsumerOptions
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages import consumer_group_heartbeat_request as requests
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    Assignment,
    ConsumerGroupHeartbeatResponse,
    TopicPartitions,
)

from .consuming import T0
from .fake_cluster import FakeCluster, FakeNode
from .fake_consumer_groups import FakeConsumerGroup
from .grouping import Noted, becomes, grouping, numbers, take, topic_of

OPTIONS = ConsumerMemberOptions("g", None, 300_000, "uniform", "rack")
ID = b"i" * 16


@asynccontextmanager
async def member_of(
    partitions: int = 2, **options: Unpack[ConsumerOptions]
) -> AsyncIterator[tuple[FakeCluster, FakeConsumerGroup, Consumer]]:
    """A member that is assigned all partitions of `t`."""
    options["group_protocol"] = "consumer"
    async with topic_of(partitions) as (cluster, _):
        group = FakeConsumerGroup(cluster)
        group.default = {("t", number) for number in range(partitions)}
        async with grouping(cluster, "t", **options) as consumer:
            yield cluster, group, consumer


def answer(epoch: int, *partitions: int) -> ConsumerGroupHeartbeatResponse:
    return ConsumerGroupHeartbeatResponse(
        member_epoch=epoch,
        heartbeat_interval_ms=5000,
        assignment=Assignment(
            topic_partitions=[TopicPartitions(topic_id=ID, partitions=list(partitions))]
        ),
    )


def test_a_heartbeat_says_only_what_changed() -> None:
    """CLI-03: everything when joining and after an error, else what is new."""
    member = ConsumerMember(OPTIONS, "m")
    joining = member.request(["b", "a"], None, [(ID, 7)])
    assert joining.member_epoch == 0
    assert joining.subscribed_topic_names == ["a", "b"]
    assert joining.subscribed_topic_regex is None
    assert (joining.rebalance_timeout_ms, joining.server_assignor) == (300_000, "uniform")
    assert joining.topic_partitions == [], "who joins has nothing"
    assert member.on_answer(answer(3, 0, 1), joining) is Reaction.DONE
    assert member.target == {(ID, 0), (ID, 1)}
    plain = member.request(["a", "b"], None, [])
    assert plain.member_epoch == 3
    assert plain.subscribed_topic_names is None
    assert plain.topic_partitions is None
    assert plain.rebalance_timeout_ms == -1
    owning = member.request(["a", "b"], "x.*", [(ID, 0), (ID, 1)])
    assert owning.subscribed_topic_regex == "x.*"
    assert owning.topic_partitions == [requests.TopicPartitions(topic_id=ID, partitions=[0, 1])]
    failed = ConsumerGroupHeartbeatResponse(error_code=14)
    assert member.on_answer(failed, owning) is Reaction.RETRY
    again = member.request(["a", "b"], "x.*", [(ID, 0)])
    assert again.subscribed_topic_names == ["a", "b"]
    assert again.topic_partitions == [requests.TopicPartitions(topic_id=ID, partitions=[0])]


@pytest.mark.parametrize("code", [None, 14, 16, 110])
def test_a_pattern_is_taken_back_until_that_was_heard(code: int | None) -> None:
    """What a heartbeat leaves out stays as it was (848-03), also of one that says all the rest."""
    member = ConsumerMember(OPTIONS, "m")
    member.on_answer(answer(3), member.request([], "x.*", []))
    dropping = member.request(["a"], None, [])
    assert dropping.subscribed_topic_regex == ""
    if code is None:
        member.unanswered()
    else:
        member.on_answer(ConsumerGroupHeartbeatResponse(error_code=code), dropping)
    again = member.request(["a"], None, [])
    assert again.subscribed_topic_names == ["a"]
    assert again.subscribed_topic_regex == "", "the coordinator may still match the pattern"
    member.on_answer(answer(4, 0), again)
    assert member.request(["a"], None, []).subscribed_topic_regex is None
    member.unanswered()
    assert member.request(["a"], None, []).subscribed_topic_regex is None, "it has none any more"


def test_a_fenced_member_keeps_its_id() -> None:
    """CLI-03: 25 and 110 drop everything; epoch 0 follows under the same member id."""
    for code in (25, 110):
        member = ConsumerMember(OPTIONS, "m")
        member.on_answer(answer(3, 0), member.request(["a"], None, []))
        late = member.request(["a"], None, [])
        reaction = member.on_answer(ConsumerGroupHeartbeatResponse(error_code=code), late)
        assert reaction is Reaction.LOST
        assert (member.epoch, member.member_id, member.target) == (0, "m", frozenset())
        assert member.on_answer(answer(9, 5), late) is Reaction.DONE
        assert member.epoch == 0, "answers of an earlier life are ignored"


@pytest.mark.parametrize(
    ("instance", "option", "epoch"),
    [
        (None, CloseOption.DEFAULT, -1),
        (None, CloseOption.LEAVE_GROUP, -1),
        (None, CloseOption.REMAIN_IN_GROUP, None),
        ("i", CloseOption.DEFAULT, -2),
        ("i", CloseOption.LEAVE_GROUP, -1),
        ("i", CloseOption.REMAIN_IN_GROUP, -2),
    ],
)
def test_leaving(instance: str | None, option: CloseOption, epoch: int | None) -> None:
    """CLI-05: the last heartbeat's epoch by kind of member and option."""
    member = ConsumerMember(OPTIONS._replace(instance_id=instance), "m")
    assert member.leave_request(option) is None, "never joined"
    member.on_answer(answer(3, 0), member.request(["a"], None, []))
    request = member.leave_request(option)
    assert (None if request is None else request.member_epoch) == epoch


def test_member_ids_are_kafkas() -> None:
    """CLI-04: 128 bits as 22 letters of base64, from the randomness that is given (KIP-1082)."""
    made = {new_member_id(random.Random(seed)) for seed in range(200)}
    assert len(made) == 200
    assert {len(each) for each in made} == {22}
    assert not [each for each in made if each.startswith("-")]
    assert new_member_id(random.Random(1)) == new_member_id(random.Random(1))


async def test_it_reads_commits_and_resumes() -> None:
    async with member_of() as (cluster, group, consumer):
        del cluster
        assert numbers(consumer) == [0, 1]
        assert len(await take(consumer, 20)) == 20
        await becomes(lambda: group.owned[group.only] == {("t", 0), ("t", 1)})
        assert consumer.state.protocol == "consumer"
        assert consumer.state.member_id == group.only


async def test_it_gives_up_and_takes_over_what_the_coordinator_says() -> None:
    """CLI-07: commit and callback come before the heartbeat that acknowledges; what stays is not
    touched."""
    async with member_of(4) as (_, group, consumer):
        noted = Noted()
        consumer.subscribe("t", listener=noted)
        assert len(await take(consumer, 40)) == 40
        group.assign(group.only, ("t", 0), ("t", 1))
        reading = asyncio.create_task(consumer.getone())
        await becomes(lambda: numbers(consumer) == [0, 1])
        assert noted.calls == [("revoked", {2, 3})]
        await becomes(lambda: group.owned[group.only] == {("t", 0), ("t", 1)})
        group.assign(group.only, ("t", 1), ("t", 3))
        await becomes(lambda: numbers(consumer) == [1, 3])
        assert noted.calls[1:] == [("revoked", {0}), ("assigned", {3})]
        await becomes(lambda: consumer.state.state is GroupState.STABLE)
        assert await reading


async def test_a_rebalance_waits_for_the_records_in_hand() -> None:
    """CLI-07: nothing is acknowledged while the program works on records of it."""
    async with member_of(1) as (cluster, group, consumer):
        assert len(await take(consumer, 4)) == 4
        group.assign(group.only)
        await cluster.node.until("ConsumerGroupHeartbeat", len(group.came) + 4)
        assert group.owned[group.only] == {("t", 0)}
        assert await consumer.getmany(timeout_ms=20) == {}
        await becomes(lambda: group.owned[group.only] == set())


async def test_a_lost_member_joins_again() -> None:
    """CLI-03: the partitions are lost, and what the program had in hand cannot be committed."""
    async with member_of(1) as (_, group, consumer):
        noted = Noted()
        consumer.subscribe("t", listener=noted)
        before = group.only
        await take(consumer, 3)
        group.epochs.clear()
        await becomes(lambda: ("lost", {0}) in noted.calls)
        await becomes(lambda: numbers(consumer) == [0])
        assert group.only == before, "under its own id"
        with pytest.raises(CommitFailedError, match="t-0"):
            await consumer.commit({T0: 3})


async def test_what_passes_is_tried_again_and_the_rest_is_told() -> None:
    """CLI-03: 14, 15, 16 and 29 pass; 112 is the end."""
    async with member_of(1) as (_, group, consumer):
        group.errors.extend([14, 15, 16, 29])
        await becomes(lambda: not group.errors)
        assert len(await take(consumer, 10)) == 10
        group.errors.append(int(ErrorCode.UNSUPPORTED_ASSIGNOR))
        with pytest.raises(BrokerError, match=r"UNSUPPORTED_ASSIGNOR.*scripted"):
            await take(consumer, 100)
        assert consumer.state.state is GroupState.DEAD


async def test_a_commit_of_a_stale_epoch_asks_for_the_new_one() -> None:
    """CLI-04: 113 is tried again with the epoch that the next heartbeat brings."""
    async with topic_of(1) as (cluster, groups):
        group = FakeConsumerGroup(cluster)
        group.default = {("t", 0)}
        async with grouping(cluster, "t", group_protocol="consumer") as consumer:
            group.interval_ms = 60_000
            await cluster.node.until("ConsumerGroupHeartbeat", len(group.came) + 1)
            await becomes(lambda: consumer.state.state is GroupState.STABLE)
            group.epochs[group.only] = 7
            groups.fail("OffsetCommit", 113, 25)
            with pytest.raises(CommitFailedError):
                await consumer.commit({T0: 4})
            commits = cluster.node.of("OffsetCommit")
            assert [each.generation_id_or_member_epoch for each in commits] == [1, 7]


async def test_a_commit_is_not_tried_again_for_a_partition_that_went_and_came_back() -> None:
    """CLI-04: whoever had it meanwhile may have committed more."""
    async with topic_of(1) as (cluster, groups):
        group = FakeConsumerGroup(cluster)
        group.default = {("t", 0)}
        async with grouping(cluster, group_protocol="consumer") as consumer:
            noted, has_back = Noted(), asyncio.Event()
            consumer.subscribe(["t"], listener=noted)
            await becomes(lambda: numbers(consumer) == [0])
            inner = cluster.more["OffsetCommit"]

            async def answer_late(node: FakeNode, request: Any, version: int) -> Message:
                await has_back.wait()
                return await inner(node, request, version)

            cluster.more["OffsetCommit"] = answer_late
            groups.fail("OffsetCommit", 14)
            commit = asyncio.create_task(consumer.commit({T0: 4}))
            await cluster.node.until("OffsetCommit", 1)
            group.epochs.clear()
            await becomes(lambda: noted.calls[-2:] == [("lost", {0}), ("assigned", {0})])
            has_back.set()
            with pytest.raises(CommitFailedError, match="t-0 went to another member"):
                await commit
            assert cluster.node.count("OffsetCommit") == 1


class Slow(Noted):
    """A listener that takes its time to give partitions up."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun = asyncio.Event()
        self.may_end = asyncio.Event()

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        self.has_begun.set()
        await self.may_end.wait()
        await super().on_partitions_revoked(revoked)


async def test_who_is_fenced_while_it_gives_up_has_lost_all_before_it_rejoins() -> None:
    """CLI-03, CLI-04: with the new epoch it would commit what others have by then."""
    async with topic_of(2) as (cluster, groups):
        group = FakeConsumerGroup(cluster)
        group.default = {("t", 0), ("t", 1)}
        listener = Slow()
        async with grouping(cluster, group_protocol="consumer") as consumer:
            consumer.subscribe(["t"], listener=listener)
            await becomes(lambda: numbers(consumer) == [0, 1])
            group.assign(group.only, ("t", 0))
            await listener.has_begun.wait()
            groups.fail("OffsetCommit", 25)
            with pytest.raises(CommitFailedError):
                await consumer.commit({T0: 4})
            before = len(group.came)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):  # ten heartbeats, if there were any
                    while not group.came[before:] or group.came[-1].member_epoch:
                        await cluster.node.until("ConsumerGroupHeartbeat", len(group.came) + 1)
            listener.may_end.set()
            await becomes(lambda: ("lost", {0}) in listener.calls)
            await becomes(lambda: group.came[-1].member_epoch > 0)
            assert listener.calls[1:3] == [("revoked", {1}), ("lost", {0})]


async def test_a_program_that_does_not_ask_leaves_and_comes_back() -> None:
    """Goal: as with the classic protocol, and a static member leaves for a while only."""
    async with member_of(1, max_poll_interval_ms=80, group_instance_id="i") as (_, group, one):
        await take(one, 3)
        await becomes(lambda: one.state.state is GroupState.FENCED)
        assert isinstance(one.state.reason, PollIntervalExceededError)
        assert group.came[-1].member_epoch == -2
        assert len(await take(one, 10)) == 10


async def test_a_silent_coordinator_is_told() -> None:
    """Goal: `state` says that nobody answers, and is stable again when somebody does."""
    async with member_of(1, session_timeout_ms=60, request_timeout_ms=50) as (_, group, one):
        group.is_silent = True
        await becomes(lambda: one.state.state is GroupState.FENCED)
        assert isinstance(one.state.reason, MembershipLostError)
        group.is_silent = False
        await becomes(lambda: one.state.state is GroupState.STABLE)


async def test_the_server_matches_a_pattern() -> None:
    """CLI-16: the pattern is the coordinator's to match; a topic that the client has never heard
    of is read all the same."""
    async with topic_of(1) as (cluster, _):
        cluster.add_topic("other", 1)
        group = FakeConsumerGroup(cluster)
        async with grouping(cluster, group_protocol="consumer") as consumer:
            consumer.subscribe(pattern="o.*[")
            await becomes(lambda: group.came and group.epochs)
            assert group.came[0].subscribed_topic_regex == "o.*["
            group.assign(group.only, ("other", 0))
            await becomes(lambda: consumer.assignment() == {TopicPartition("other", 0)})
            await consumer.unsubscribe()
            assert group.came[-1].member_epoch == -1


async def test_brokers_without_the_protocol_are_named() -> None:
    """Goal: start() says that the brokers do not speak it."""
    async with topic_of(1) as (cluster, _):
        with pytest.raises(GroupsNotSupportedError, match="ConsumerGroupHeartbeat"):
            async with grouping(cluster, "t", group_protocol="consumer"):
                pass

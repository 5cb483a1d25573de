"""OffsetCommit, OffsetFetch and OffsetDelete of groups without members, over the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.waiting import until

from barnabas.broker.serving.waiting import SLICE
from barnabas.protocol.messages.delete_topics_request import DeleteTopicsRequest
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from barnabas.protocol.messages.offset_delete_request import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
)
from barnabas.protocol.messages.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)

from .groups import commit, commit_request, fetch_request, fetched, find, loaded
from .nodes import create, serving

ELSEWHERE = b"\xee" * 16


@pytest.mark.parametrize("version", range(2, 10))
async def test_offsets_are_kept_in_every_version(tmp_path: Path, version: int) -> None:
    """What was committed is read, also by a node that is started again (OFF-01, CRT-14)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 2)
        await find(client)
        codes = await commit(client, {("t", 0): 7, ("t", 1): -5}, version=version, metadata="é")
        assert codes == [0, 0]
        assert await fetched(client) == {("t", 0): (7, "é", 0), ("t", 1): (-5, "é", 0)}
    async with serving(tmp_path) as (node, client):
        await loaded(node)
        assert await fetched(client) == {("t", 0): (7, "é", 0), ("t", 1): (-5, "é", 0)}


async def test_a_later_commit_counts_however_long_the_one_before_is(tmp_path: Path) -> None:
    """Goal: of two commits that a client sends without waiting for answers, the second one counts,
    although the first names so many partitions that others have turns in between (OFF-09)."""
    many = SLICE + 8
    async with serving(tmp_path) as (_, client):
        await create(client, "t", many)
        await find(client)
        client.send(commit_request({("t", index): 1 for index in range(many)}), 8)
        client.send(commit_request({("t", many - 1): 2}), 8)
        for _ in range(2):
            answer = await client.receive(8, 8)
            assert {one.error_code for one in answer.topics[0].partitions} == {0}
        found = await fetched(client, [("t", 0), ("t", many - 1)])
        assert [offset for offset, _, _ in found.values()] == [1, 2]


async def test_what_is_named_twice_is_answered_once(tmp_path: Path) -> None:
    """OFF-05: else a short request would ask for any number of copies of all offsets."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 2)
        await find(client)
        await commit(client, {("t", 0): 7, ("t", 1): 8}, metadata="x" * 4000)
        whole = OffsetFetchRequestGroup(group_id="g", topics=None)
        rows = OffsetFetchRequestTopics(name="t", partition_indexes=[0, 1] * 1000)
        named = OffsetFetchRequestGroup(group_id="g", topics=[rows, rows])
        answer = await client.ask(OffsetFetchRequest(groups=[whole, named] * 20), 8)
        told = [len(topic.partitions) for group in answer.groups for topic in group.topics]
        assert sum(told) == 2 + 2
        old = await client.ask(fetch_request([("t", 0)] * 500, 1), 1)
        assert len(old.topics[0].partitions) == 1


async def test_a_retention_without_end(tmp_path: Path) -> None:
    """OFF-31: one whose end no record can say is as long as a record can say."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 1)
        await find(client)
        assert await commit(client, {("t", 0): 7}, version=4, retention_time_ms=2**63 - 1) == [0]
        assert await fetched(client) == {("t", 0): (7, "", 0)}


@pytest.mark.parametrize("version", range(1, 10))
async def test_offsets_are_read_in_every_version(tmp_path: Path, version: int) -> None:
    """Named partitions, those without an offset too; from version 2 on all (OFF-06)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 2)
        await find(client)
        await commit(client, {("t", 0): 7})
        wanted = [("t", 0), ("t", 1), ("nowhere", 3)]
        none = (-1, "", 0)
        assert await fetched(client, wanted, version=version) == {
            ("t", 0): (7, "", 0),
            ("t", 1): none,
            ("nowhere", 3): none,
        }
        assert await fetched(client, wanted, "unknown", version=version) == dict.fromkeys(
            wanted, none
        )
        if version >= 2:
            assert await fetched(client, None, version=version) == {("t", 0): (7, "", 0)}
        if version >= 7:
            stable = await fetched(client, None, version=version, is_stable=True)
            assert stable == {("t", 0): (7, "", 0)}


async def test_topics_by_id(tmp_path: Path) -> None:
    """Version 10 has ids alone; unknown ones are 100 on both sides (OFF-01, OFF-05)."""
    async with serving(tmp_path) as (_, client):
        topic_id = await create(client, "t", 1)
        await find(client)
        answer = await client.ask(commit_request({("t", 0): 3}, topic_id=topic_id), 10)
        assert answer.topics[0].topic_id == topic_id
        assert answer.topics[0].partitions[0].error_code == 0
        assert await commit(client, {("t", 0): 4}, version=10, topic_id=ELSEWHERE) == [100]
        topics = [
            OffsetFetchRequestTopics(topic_id=one, partition_indexes=[0])
            for one in (topic_id, ELSEWHERE)
        ]
        wanted = OffsetFetchRequestGroup(group_id="g", topics=topics)
        answer = await client.ask(OffsetFetchRequest(groups=[wanted]), 10)
        known, unknown = answer.groups[0].topics
        assert known.partitions[0].committed_offset == 3
        assert (unknown.topic_id, unknown.partitions[0].error_code) == (ELSEWHERE, 100)
        answer = await client.ask(fetch_request(None, 10), 10)
        assert [one.topic_id for one in answer.groups[0].topics] == [topic_id]


async def test_a_topic_that_was_made_anew_starts_anew(tmp_path: Path) -> None:
    """Offsets of a deleted topic are removed, and never count for its successor
    (OFF-05, OFF-22)."""
    async with serving(tmp_path) as (node, client):
        await create(client, "t", 1)
        await create(client, "u", 1)
        await find(client)
        await commit(client, {("t", 0): 3, ("u", 0): 4})
        await client.ask(DeleteTopicsRequest(topic_names=["t"]), 5)
        log = next(one for one in node.broker.replicas if one.log.log_end_offset == 3)
        assert log.topic == "__consumer_offsets"  # two offsets, and a tombstone
        topic_id = await create(client, "t", 1)
        wanted = OffsetFetchRequestGroup(
            group_id="g",
            topics=[OffsetFetchRequestTopics(topic_id=topic_id, partition_indexes=[0])],
        )
        answer = await client.ask(OffsetFetchRequest(groups=[wanted]), 10)
        assert answer.groups[0].topics[0].partitions[0].committed_offset == -1
        assert await fetched(client) == {("u", 0): (4, "", 0)}


async def test_what_does_not_exist_is_answered_before_the_group_is_asked(tmp_path: Path) -> None:
    """3 for topics and partitions; one error of the group fills the rest (OFF-01, OFF-03)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 1)
        await find(client)
        offsets = {("t", 0): 1, ("t", 9): 1, ("nowhere", 0): 1}
        assert await commit(client, offsets) == [0, 3, 3]
        strange: dict[str, Any] = {
            "group": "new",
            "generation_id_or_member_epoch": 3,
            "member_id": "m",
        }
        assert await commit(client, offsets, version=9, **strange) == [69, 3, 3]
        assert await commit(client, offsets, version=8, **strange) == [22, 3, 3]
        only = {("nowhere", 0): 1}
        assert await commit(client, only, **strange) == [3]


async def test_metadata_has_a_limit(tmp_path: Path) -> None:
    """Counted in UTF-16 units; other partitions are committed (OFF-02)."""
    async with serving(tmp_path, offset_metadata_max_bytes=4) as (_, client):
        await create(client, "t", 2)
        await find(client)
        topic = OffsetCommitRequestTopic(
            name="t",
            partitions=[
                OffsetCommitRequestPartition(
                    partition_index=index, committed_offset=1, committed_metadata=text
                )
                for index, text in enumerate(("\U0001f600\U0001f600", "\U0001f600\U0001f600a"))
            ],
        )
        answer = await client.ask(OffsetCommitRequest(group_id="g", topics=[topic]), 9)
        assert [one.error_code for one in answer.topics[0].partitions] == [0, 12]
        assert set(await fetched(client)) == {("t", 0)}


async def test_before_there_is_a_topic_nobody_coordinates(tmp_path: Path) -> None:
    """Requests are refused with 16, in the place that each version has for it (CRT-04, OFF-06)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 1)
        assert await commit(client, {("t", 0): 1}) == [16]
        answer = await client.ask(fetch_request([("t", 0)], 1), 1)
        assert answer.topics[0].partitions[0].error_code == 16
        answer = await client.ask(fetch_request([("t", 0)], 5), 5)
        assert (answer.error_code, answer.topics) == (16, [])
        answer = await client.ask(fetch_request([("t", 0)], 8), 8)
        assert (answer.groups[0].error_code, answer.groups[0].topics) == (16, [])


async def test_groups_of_one_request_are_answered_each(tmp_path: Path) -> None:
    """An empty name is a group like others (CRT-04, OFF-06)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 1)
        await find(client)
        for group in ("a", "b", ""):
            await commit(client, {("t", 0): len(group)}, group)
        wanted = [OffsetFetchRequestGroup(group_id=one, topics=None) for one in ("a", "", "c")]
        answer = await client.ask(OffsetFetchRequest(groups=wanted), 8)
        assert [(one.group_id, one.error_code) for one in answer.groups] == [
            ("a", 0),
            ("", 0),
            ("c", 0),
        ]
        assert answer.groups[1].topics[0].partitions[0].committed_offset == 0
        assert answer.groups[2].topics == []
        answer = await client.ask(OffsetFetchRequest(), 8)
        assert answer.groups == []


def delete_request(group: str, *partitions: tuple[str, int]) -> OffsetDeleteRequest:
    topics = [
        OffsetDeleteRequestTopic(
            name=name, partitions=[OffsetDeleteRequestPartition(partition_index=index)]
        )
        for name, index in partitions
    ]
    return OffsetDeleteRequest(group_id=group, topics=topics)


async def test_offsets_are_deleted(tmp_path: Path) -> None:
    """0 also where there is none, 3 for unknown partitions, 69 for unknown groups, 24 without a
    name (OFF-20, CRT-04)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 2)
        await find(client)
        await commit(client, {("t", 0): 1, ("t", 1): 2})
        answer = await client.ask(delete_request("g", ("t", 0), ("u", 0), ("t", 7)), 0)
        assert answer.error_code == 0
        codes = [one.error_code for topic in answer.topics for one in topic.partitions]
        assert codes == [0, 3, 3]
        assert set(await fetched(client)) == {("t", 1)}
        answer = await client.ask(delete_request("g", ("t", 0)), 0)
        assert answer.topics[0].partitions[0].error_code == 0
        assert (await client.ask(delete_request("unknown", ("t", 0)), 0)).error_code == 69
        assert (await client.ask(delete_request("unknown"), 0)).error_code == 69
        assert (await client.ask(delete_request("", ("t", 0)), 0)).error_code == 24


async def test_a_commit_of_very_many_partitions_lets_others_go_on(tmp_path: Path) -> None:
    """It is worked on in parts, between which others are answered (CRT-11)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 600)
        await find(client)
        codes = await commit(client, {("t", index): index for index in range(600)})
        assert codes == [0] * 600
        found = await fetched(client)
        assert found == {("t", index): (index, "", 0) for index in range(600)}
        found = await fetched(client, [("t", index) for index in range(600)], is_stable=True)
        assert len(found) == 600


async def test_a_commit_of_a_hundred_thousand_partitions_is_answered(tmp_path: Path) -> None:
    """Each row has its answer; those of partitions that are not there say so (OFF-01)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 2)
        await find(client)
        codes = await commit(client, {("t", index): index for index in range(100_000)})
        assert codes == [0, 0] + [3] * 99_998
        assert await fetched(client) == {("t", 0): (0, "", 0), ("t", 1): (1, "", 0)}


async def test_offsets_expire(tmp_path: Path) -> None:
    """What a request of version 2 to 4 says goes before the broker's retention; the group goes
    with its last offset (OFF-31, OFF-32)."""
    async with serving(tmp_path, offsets_retention_check_interval_ms=20) as (node, client):
        await create(client, "t", 2)
        await find(client)
        await commit(client, {("t", 1): 1})
        await commit(client, {("t", 0): 1}, version=4, retention_time_ms=1)
        log = next(one.log for one in node.broker.replicas if one.log.log_end_offset == 2)
        await until(lambda: log.log_end_offset == 3)
        assert await fetched(client) == {("t", 1): (1, "", 0)}
        await commit(client, {("t", 1): 2}, version=4, retention_time_ms=1)
        await until(lambda: log.log_end_offset == 6)  # offset, its tombstone, the group's
        assert (await client.ask(delete_request("g", ("t", 0)), 0)).error_code == 69

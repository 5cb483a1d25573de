"""Sessions of fetchers (227-01, 227-03) with the cache that brokers keep them in."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.waiting import until

from barnabas.broker.server.peer_channel import PeerUnavailableError
from barnabas.protocol.messages.fetch_response import FetchResponse

from .followers import LEADER, TOPIC_ID, following
from .leaders import same

OTHER_ID = bytes(14) + b"\x0b\x08"


async def test_a_session_names_only_what_changed(tmp_path: Path) -> None:
    """227-01, 227-02: full with epoch 0, then 1, 2, …; positions that moved, and no others."""
    async with following(tmp_path) as follower:
        one, two = follower.leader.lead(TOPIC_ID, 0), follower.leader.lead(TOPIC_ID, 1)
        copies = [follower.partition(index=0), follower.partition(index=1)]
        for copy in copies:
            copy.follow(LEADER, 0)
        await until(lambda: follower.leader.parked)
        one.append()
        follower.leader.tell()
        await until(lambda: same(copies[0], one) and follower.leader.parked)
        two.append()
        follower.leader.tell()
        await until(lambda: same(copies[1], two) and follower.leader.parked)
        requests = follower.leader.requests
        assert [request.session_epoch for request in requests] == [0, 1, 2]
        assert requests[0].session_id == 0
        assert requests[1].session_id == requests[2].session_id != 0
        named = [
            [one.partition for topic in request.topics for one in topic.partitions]
            for request in requests
        ]
        assert named == [[0, 1], [0], [1]]


async def test_a_partition_that_is_not_followed_any_more_is_forgotten(tmp_path: Path) -> None:
    """227-01: named under what to forget, once; the last one ends the fetcher."""
    async with following(tmp_path) as follower:
        led = [follower.leader.lead(TOPIC_ID, index) for index in range(2)]
        copies = [follower.partition(index=index) for index in range(2)]
        for copy in copies:
            copy.follow(LEADER, 0)
        await until(lambda: follower.leader.parked)
        copies[0].follow(-1, 1)
        led[1].append()
        follower.leader.tell()
        await until(lambda: len(follower.leader.requests) == 2 and follower.leader.parked)
        (forgotten,) = follower.leader.requests[1].forgotten_topics_data
        assert (forgotten.topic_id, forgotten.partitions) == (TOPIC_ID, [0])
        assert len(follower.fetchers) == 1
        copies[1].follow(-1, 1)
        assert len(follower.fetchers) == 0
        assert all(channel.is_closed for channel in follower.leader.channels)


@pytest.mark.parametrize("code", [70, 71, 106])
async def test_a_lost_session_begins_anew(tmp_path: Path, code: int) -> None:
    """227-01: after 70, 71 and 106 the next request is full, and nothing was lost by it."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID)
        led.append()
        partition = follower.partition()
        partition.follow(LEADER, 0)
        follower.leader.script += [
            lambda request: None,
            lambda request: FetchResponse(error_code=code),
        ]
        await until(lambda: follower.leader.parked)
        requests = follower.leader.requests
        assert [request.session_epoch for request in requests] == [0, 1, 0]
        # The old session is ended by naming it; after 70 there is none.
        assert (requests[2].session_id == 0) == (code == 70)
        assert requests[2].topics[0].partitions[0].fetch_offset == 1
        led.append()
        follower.leader.tell()
        await until(lambda: same(partition, led))


async def test_without_a_slot_every_request_is_full(tmp_path: Path) -> None:
    """227-03: session id 0 in the answer means that there is no session."""
    async with following(tmp_path) as follower:
        follower.leader.sessions._slots_max = 0
        led = follower.leader.lead(TOPIC_ID)
        led.append()
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: follower.leader.parked and same(partition, led))
        assert [request.session_epoch for request in follower.leader.requests] == [0, 0]
        assert [request.session_id for request in follower.leader.requests] == [0, 0]


async def test_an_answer_that_never_came_begins_anew(tmp_path: Path) -> None:
    """227-01: nobody knows whether the leader took the request: the next one is full."""
    async with following(tmp_path, replica_fetch_backoff_ms=1) as follower:
        led = follower.leader.lead(TOPIC_ID)
        led.append()
        partition = follower.partition()
        partition.follow(LEADER, 0)
        follower.leader.script += [lambda request: None, PeerUnavailableError("planted")]
        await until(lambda: follower.leader.parked)
        assert [request.session_epoch for request in follower.leader.requests] == [0, 1, 0]
        assert len(follower.services.log.events("cannot fetch from a leader; trying again")) == 1

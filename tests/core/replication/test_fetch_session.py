"""Fetch sessions: the rules 227-01 to 227-03, without a broker around them."""

from __future__ import annotations

from random import Random

import pytest

from barnabas.broker.core.replication.fetch_session import (
    EVICTION_MS,
    MAX_EPOCH,
    FetchContext,
    FetchSessionCache,
)
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ForgottenTopic,
)
from barnabas.protocol.messages.fetch_response import EpochEndOffset, PartitionData


class Fetcher:
    """A client's side of sessions."""

    def __init__(self, slots: int = 10) -> None:
        self.cache = FetchSessionCache(slots, Random(1))
        self.now_ms = 0.0

    def ask(
        self,
        session_id: int,
        epoch: int,
        *partitions: int,
        forget: tuple[int, ...] = (),
        version: int = 11,
        follower: bool = False,
    ) -> FetchContext:
        request = FetchRequest(session_id=session_id, session_epoch=epoch)
        if partitions:
            wanted = [FetchPartition(partition=number) for number in partitions]
            request.topics.append(FetchTopic(topic="t", partitions=wanted))
        if forget:
            request.forgotten_topics_data.append(ForgottenTopic(topic="t", partitions=list(forget)))
        return self.cache.resolve(request, version, is_follower=follower, now_ms=self.now_ms)


def data(number: int, watermark: int = 0, **fields: object) -> PartitionData:
    found = PartitionData(partition_index=number, high_watermark=watermark, log_start_offset=0)
    for name, value in fields.items():
        setattr(found, name, value)
    return found


def answered(context: FetchContext, *results: PartitionData) -> list[int]:
    """Which partitions go into the answer."""
    order = {found.partition_index: found for found in results}
    rows = [order.get(target.partition, data(target.partition)) for target in context.targets]
    return [row.partition_index for _, row in context.select(rows)]


def refused(fetcher: Fetcher, session_id: int, epoch: int, **fields: int) -> ErrorCode:
    with pytest.raises(KafkaError) as caught:
        fetcher.ask(session_id, epoch, **fields)  # type: ignore[arg-type]
    return caught.value.code


def test_epochs_count_up_and_wrap() -> None:
    """227-01: the next epoch only; after 2^31-1 comes 1, never 0."""
    fetcher = Fetcher()
    session = fetcher.ask(0, 0, 1).session_id
    fetcher.ask(session, 1)
    fetcher.ask(session, 2)
    assert refused(fetcher, session, 2) is ErrorCode.INVALID_FETCH_SESSION_EPOCH
    assert refused(fetcher, session, 4) is ErrorCode.INVALID_FETCH_SESSION_EPOCH
    fetcher.cache._sessions[session].epoch = MAX_EPOCH
    fetcher.ask(session, MAX_EPOCH)
    assert fetcher.ask(session, 1).session_id == session


def test_names_and_ids_do_not_mix() -> None:
    """227-01: a session begun with names does not go on with ids (v13), nor the reverse."""
    fetcher = Fetcher()
    session = fetcher.ask(0, 0, 1).session_id
    assert refused(fetcher, session, 1, version=13) is ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
    with_ids = fetcher.ask(0, 0, 1, version=13).session_id
    assert refused(fetcher, with_ids, 1) is ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR


def test_only_news_is_told() -> None:
    """227-02: records, watermark, log start, error, diverging epoch, preferred replica."""
    fetcher = Fetcher()
    session = fetcher.ask(0, 0, 1, 2, 3)
    assert answered(session) == [1, 2, 3]
    number = session.session_id
    assert answered(fetcher.ask(number, 1)) == []
    assert answered(fetcher.ask(number, 2), data(2, watermark=5)) == [2]
    assert answered(fetcher.ask(number, 3), data(2, watermark=5)) == []
    assert answered(fetcher.ask(number, 4), data(2, 5), data(3, log_start_offset=4)) == [3]
    later = (data(2, 5), data(3, log_start_offset=4))
    assert answered(fetcher.ask(number, 5), data(1, preferred_read_replica=7), *later) == [1]
    diverging = EpochEndOffset(epoch=1, end_offset=2)
    assert answered(fetcher.ask(number, 6), data(1, diverging_epoch=diverging), *later) == [1]
    assert answered(fetcher.ask(number, 7), data(1, error_code=6), *later) == [1]
    # The watermark is as it was before the error, and is told again all the same.
    assert answered(fetcher.ask(number, 8), *later) == [1]
    assert answered(fetcher.ask(number, 9), *later) == []


def test_who_got_records_goes_to_the_end() -> None:
    """227-02: no partition starves the others."""
    fetcher = Fetcher()
    session = fetcher.ask(0, 0, 1, 2, 3)
    answered(session, data(1, 1, records=b"x"))
    following = fetcher.ask(session.session_id, 1)
    assert [target.partition for target in following.targets] == [2, 3, 1]


def test_forgetting_everything_closes() -> None:
    """227-03: a session without partitions is gone."""
    fetcher = Fetcher()
    session = fetcher.ask(0, 0, 1, 2).session_id
    assert [t.partition for t in fetcher.ask(session, 1, 3, forget=(1,)).targets] == [2, 3]
    assert fetcher.ask(session, 2, forget=(2, 3)).session_id == 0
    assert len(fetcher.cache) == 0
    assert refused(fetcher, session, 3) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_new_session_closes_the_old_one() -> None:
    """227-01: epoch 0 or -1 with a session's id closes it."""
    fetcher = Fetcher()
    first = fetcher.ask(0, 0, 1).session_id
    second = fetcher.ask(first, 0, 1).session_id
    assert (second != first, len(fetcher.cache)) == (True, 1)
    assert fetcher.ask(second, -1, 1).session_id == 0
    assert len(fetcher.cache) == 0


def test_slots() -> None:
    """227-03: silent sessions give way after 120 s, small old ones to larger, all to followers."""
    fetcher = Fetcher(slots=2)
    first, second = (fetcher.ask(0, 0, 1).session_id for _ in range(2))
    assert fetcher.ask(0, 0, 1, 2, 3).session_id == 0
    follower = fetcher.ask(0, 0, 1, follower=True).session_id
    assert follower != 0
    assert refused(fetcher, first, 1) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    fetcher.now_ms = EVICTION_MS + 1
    fetcher.ask(second, 1)
    fetcher.ask(follower, 1, follower=True)
    assert fetcher.ask(0, 0, 1).session_id == 0  # not larger than the old one
    larger = fetcher.ask(0, 0, 1, 2).session_id
    assert larger != 0
    fetcher.now_ms += EVICTION_MS + 1
    assert fetcher.ask(0, 0, 1).session_id != 0  # the follower was silent for too long
    assert fetcher.cache.evictions == 3


def test_no_slots_at_all() -> None:
    """227-03: the cache may be switched off; everybody is served without a session."""
    fetcher = Fetcher(slots=0)
    context = fetcher.ask(0, 0, 1, 2)
    assert (context.session_id, answered(context)) == (0, [1, 2])


def test_sessions_hold_a_limited_number_of_partitions() -> None:
    """227-03: what is too much is served without a session; a follower takes a consumer's room."""
    fetcher = Fetcher()
    fetcher.cache = FetchSessionCache(10, Random(1), 40)
    cache = fetcher.cache
    assert fetcher.ask(0, 0, *range(11)).session is None, "a quarter is the most"
    opened = [fetcher.ask(0, 0, *range(10)).session_id for _ in range(5)]
    assert all(opened[:4])
    assert opened[4] == 0
    assert cache.partitions_cached == 40
    follower = fetcher.ask(0, 0, *range(15), follower=True)
    assert follower.session is not None
    assert (len(cache), cache.partitions_cached, cache.evictions) == (3, 35, 2)
    assert fetcher.ask(0, 0, *range(41), follower=True).session is None
    # Partitions that are dropped, and sessions that end, make room again.
    fetcher.ask(follower.session_id, 1, forget=tuple(range(5)), follower=True)
    assert cache.partitions_cached == 30
    fetcher.ask(opened[3], -1)
    assert cache.partitions_cached == 20
    fetcher.now_ms += EVICTION_MS + 1
    assert fetcher.ask(0, 0, *range(10)).session is not None
    assert cache.partitions_cached == 30


def test_a_partition_that_is_named_often_is_wanted_once() -> None:
    """227-01: at its first place in the request, as it was named last; other topics are others.

    So it is with a new session, without any, and in what is added to one later."""
    named = [
        ("t", wanted(1, 10)),
        ("t", wanted(2, 20)),
        ("t", wanted(1, 11)),
        ("u", wanted(1, 12)),
        ("t", wanted(1, 13, size=7)),
    ]
    topics = [FetchTopic(topic=topic, partitions=[part]) for topic, part in named]
    once = [("t", 1, 13), ("t", 2, 20), ("u", 1, 12)]
    cache = FetchSessionCache(10, Random(1))
    session_id = 0
    for epoch in (-1, 0, 1):
        request = FetchRequest(session_id=session_id, session_epoch=epoch, topics=topics)
        context = cache.resolve(request, 11, is_follower=False, now_ms=0.0)
        found = [(one.topic, one.partition, one.fetch_offset) for one in context.targets]
        assert found == once, epoch
        assert context.targets[0].max_bytes == 7
        session_id = context.session_id
    assert cache.partitions_cached == 3


def test_what_is_named_often_counts_once() -> None:
    """227-03: against the room that sessions have, and in what they hold."""
    fetcher = Fetcher()
    fetcher.cache = FetchSessionCache(10, Random(1), 40)
    context = fetcher.ask(0, 0, *range(10), *[3] * 30)
    assert context.session is not None
    assert len(context.targets) == fetcher.cache.partitions_cached == 10
    assert answered(context) == list(range(10))


def wanted(partition: int, offset: int, size: int = 1000) -> FetchPartition:
    return FetchPartition(partition=partition, fetch_offset=offset, partition_max_bytes=size)


def test_a_session_that_outgrows_the_room_ends() -> None:
    """227-01, 227-03: its fetcher is told 70, and begins anew; nothing of it is kept."""
    fetcher = Fetcher()
    fetcher.cache = FetchSessionCache(10, Random(1), 40)
    first = fetcher.ask(0, 0, 0)
    assert len(fetcher.ask(first.session_id, 1, *range(10)).targets) == 10
    with pytest.raises(KafkaError) as caught:
        fetcher.ask(first.session_id, 2, 10)
    assert caught.value.code is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert (len(fetcher.cache), fetcher.cache.partitions_cached) == (0, 0)
    others = [fetcher.ask(0, 0, *range(9)).session_id for _ in range(4)]
    follower = fetcher.ask(0, 0, 0, follower=True)
    fetcher.ask(follower.session_id, 1, *range(20), follower=True)
    assert fetcher.cache.partitions_cached == 38
    assert fetcher.cache.evictions == 2
    with pytest.raises(KafkaError):
        fetcher.ask(others[0], 1)

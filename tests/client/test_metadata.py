"""Goal: leaders move forward by epoch only, and a topic made anew is another topic (516-01)."""

from __future__ import annotations

from barnabas.client.wire.metadata import MetadataCache, Node
from barnabas.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

OLD_ID, NEW_ID = b"o" * 16, b"n" * 16


def answer(leader: int, epoch: int, topic_id: bytes = OLD_ID, error: int = 0) -> MetadataResponse:
    return MetadataResponse(
        brokers=[
            MetadataResponseBroker(node_id=number, host="h", port=9000 + number)
            for number in (1, 2)
        ],
        topics=[
            MetadataResponseTopic(
                name="t",
                topic_id=topic_id,
                error_code=error,
                partitions=[
                    MetadataResponsePartition(
                        partition_index=0,
                        leader_id=leader,
                        leader_epoch=epoch,
                        replica_nodes=[1, 2],
                        isr_nodes=[1],
                    )
                ],
            )
        ],
    )


def cache_with(*answers: MetadataResponse) -> MetadataCache:
    cache = MetadataCache()
    for each in answers:
        cache.apply(each)
    return cache


def test_an_older_epoch_does_not_bring_back_the_old_leader() -> None:
    cache = cache_with(answer(1, 5), answer(2, 4))
    assert cache.leader("t", 0) == Node(1, "h", 9001)
    assert cache.leader_epoch("t", 0) == 5


def test_a_broker_that_knows_nothing_does_not_bring_back_the_old_leader() -> None:
    """I-25: the topic is unknown for a moment; its epoch does not go down by that."""
    unknown = answer(-1, -1, error=3)
    cache = cache_with(answer(1, 5), unknown)
    assert cache.leader("t", 0) is None
    assert cache_with(answer(1, 5), unknown, answer(2, 4)).leader_epoch("t", 0) == 5
    assert cache_with(answer(1, 5), unknown, answer(2, 0, NEW_ID)).leader_epoch("t", 0) == 0


def test_a_broker_without_epochs_is_believed() -> None:
    cache = cache_with(answer(1, 5), answer(2, -1))
    assert cache.leader("t", 0) == Node(2, "h", 9002)


def test_a_topic_made_anew_starts_with_its_own_epochs() -> None:
    cache = cache_with(answer(1, 5), answer(2, 0, NEW_ID))
    assert cache.leader_epoch("t", 0) == 0
    assert cache.names_by_id == {NEW_ID: "t"}


def test_a_topic_with_an_error_is_forgotten() -> None:
    cache = cache_with(answer(1, 5), answer(1, 5, error=3))
    assert "t" not in cache.topics
    assert cache.errors == {"t": 3}
    assert cache.names_by_id == {}
    cache.apply(answer(1, 6))
    assert cache.errors == {}


def test_without_a_leader_the_partition_is_not_available() -> None:
    cache = cache_with(answer(-1, 6))
    assert cache.leader("t", 0) is None
    assert cache.topics["t"].available == []
    assert list(cache.topics["t"].partitions) == [0]


def test_hints_count_only_when_newer_and_reachable() -> None:
    """951-06."""
    cache = cache_with(answer(1, 5))
    assert not cache.apply_leader_hint("t", 0, 2, 5, None)
    assert not cache.apply_leader_hint("t", 0, 9, 6, None)
    assert not cache.apply_leader_hint("t", 1, 2, 6, None)
    assert not cache.apply_leader_hint("u", 0, 2, 6, None)
    assert not cache.apply_leader_hint("t", 0, -1, 6, None)
    assert cache.apply_leader_hint("t", 0, 9, 6, Node(9, "new", 1))
    assert cache.leader("t", 0) == Node(9, "new", 1)
    assert not cache.apply_leader_hint("t", 0, 2, 6, None)


def wide(count: int, topic_id: bytes) -> MetadataResponse:
    """The topic has so many partitions."""
    found = answer(1, 5, topic_id)
    [topic] = found.topics
    topic.partitions = [
        MetadataResponsePartition(partition_index=number, leader_id=1, leader_epoch=5)
        for number in range(count)
    ]
    return found


def test_a_broker_that_lags_takes_no_partitions_away() -> None:
    """Goal: nobody begins a partition again because one broker has not heard of it yet."""
    cache = cache_with(wide(3, OLD_ID), wide(1, OLD_ID))
    assert list(cache.topics["t"].partitions) == [0, 1, 2]
    assert cache.leader("t", 2) == Node(1, "h", 9001)
    cache.apply(wide(1, NEW_ID))
    assert list(cache.topics["t"].partitions) == [0], "another topic may have fewer"

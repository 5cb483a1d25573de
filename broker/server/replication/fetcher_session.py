"""The partitions that a follower names to its leader in a session: positions, by topic id
(KIP-227)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from barnabas.protocol.fetch_session import FetchSession
from barnabas.protocol.messages.fetch_request import FetchTopic, ForgottenTopic

if TYPE_CHECKING:
    from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest

    from .followed import Followed, Key


class Asked(NamedTuple):
    """A partition as it was last told to the leader."""

    followed: Followed
    position: FetchPartition


def new_session() -> FetchSession[Key, Asked]:
    """Begins with a leader that knows nothing of this fetcher yet."""
    return FetchSession(_is_same)


def fill(
    request: FetchRequest,
    session: FetchSession[Key, Asked],
    wanted: Mapping[Key, Asked],
    gone: Iterable[Key],
) -> bool:
    """Put partitions and session into `request`; False if there is nothing to ask for.

    `wanted` and `gone` are as in `FetchSession.plan`.
    """
    plan = session.plan(wanted, gone)
    if plan is None:
        return False
    request.session_id = plan.session_id
    request.session_epoch = plan.session_epoch
    request.topics = topics_of(plan.to_send.items())
    request.forgotten_topics_data = _forgotten(plan.to_forget)
    return True


def _is_same(known: Asked, now: Asked) -> bool:
    """Whether the leader knows this position; by what a follower says of one, for it is asked of
    each partition before each fetch."""
    was, position = known.position, now.position
    return (
        was.fetch_offset == position.fetch_offset
        and was.current_leader_epoch == position.current_leader_epoch
        and was.last_fetched_epoch == position.last_fetched_epoch
        and was.log_start_offset == position.log_start_offset
        and was.partition_max_bytes == position.partition_max_bytes
    )


def topics_of(partitions: Iterable[tuple[Key, Asked]]) -> list[FetchTopic]:
    """The partitions of each topic together, otherwise in the given order."""
    topics: dict[bytes, FetchTopic] = {}
    for (topic_id, _), asked in partitions:
        topic = topics.get(topic_id)
        if topic is None:
            topic = topics[topic_id] = FetchTopic(topic_id=topic_id, partitions=[])
        topic.partitions.append(asked.position)
    return list(topics.values())


def _forgotten(keys: Iterable[Key]) -> list[ForgottenTopic]:
    topics: dict[bytes, ForgottenTopic] = {}
    for topic_id, index in keys:
        topic = topics.get(topic_id)
        if topic is None:
            topic = topics[topic_id] = ForgottenTopic(topic_id=topic_id, partitions=[])
        topic.partitions.append(index)
    return list(topics.values())

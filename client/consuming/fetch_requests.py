"""What a consumer tells a broker in a Fetch: by topic id where the broker knows ids (KIP-516)."""

from __future__ import annotations

from typing import NamedTuple

from barnabas.protocol.fetch_session import FetchSession, Plan
from barnabas.protocol.messages.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ForgottenTopic,
)

from ..config import ConsumerConfig

FETCH_VERSION_MAX = 17
FETCH_VERSION_BY_NAME_MAX = 12
"""From version 13 on topics are named by id only."""


class SessionKey(NamedTuple):
    """A partition as a session knows it; a topic made anew is another one."""

    topic: str
    partition: int
    topic_id: bytes


class Wanted(NamedTuple):
    """What a request says of one partition; what did not change is not said again."""

    fetch_offset: int
    leader_epoch: int
    bytes_max: int


Session = FetchSession[SessionKey, Wanted]


def request_for(
    plan: Plan[SessionKey, Wanted], config: ConsumerConfig, rack: str, max_wait_ms: int
) -> FetchRequest:
    """The request that says what is planned; a broker without records may hold it so long."""
    topics: dict[tuple[str, bytes], FetchTopic] = {}
    for (name, number, topic_id), each in plan.to_send.items():
        topic = topics.setdefault(
            (name, topic_id), FetchTopic(topic=name, topic_id=topic_id, partitions=[])
        )
        topic.partitions.append(
            FetchPartition(
                partition=number,
                current_leader_epoch=each.leader_epoch,
                fetch_offset=each.fetch_offset,
                partition_max_bytes=each.bytes_max,
            )
        )
    forgotten: dict[tuple[str, bytes], ForgottenTopic] = {}
    for name, number, topic_id in plan.to_forget:
        entry = forgotten.setdefault(
            (name, topic_id), ForgottenTopic(topic=name, topic_id=topic_id, partitions=[])
        )
        entry.partitions.append(number)
    return FetchRequest(
        replica_id=-1,
        max_wait_ms=max_wait_ms,
        min_bytes=config.fetch_min_bytes,
        max_bytes=config.fetch_max_bytes,
        isolation_level=config.isolation,
        session_id=plan.session_id,
        session_epoch=plan.session_epoch,
        topics=list(topics.values()),
        forgotten_topics_data=list(forgotten.values()),
        rack_id=rack,
    )

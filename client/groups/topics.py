"""Which topics a subscription means right now, and how many partitions they have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from barnabas.protocol.messages.metadata_response import MetadataResponse

from ..errors import UnknownTopicOrPartitionError
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from .assignors.members import Partitions


class Wish(NamedTuple):
    """What a program subscribes to: topics by name, or all whose whole name matches a pattern."""

    topics: frozenset[str] = frozenset()
    pattern: str | None = None


async def named_by(cluster: Cluster, wish: Wish) -> frozenset[str]:
    """The topics that a wish means; those by name also while they do not exist. Internal topics
    match no pattern."""
    if wish.pattern is None:
        return wish.topics
    matches = re.compile(wish.pattern).fullmatch
    response = await cluster.call_any(MetadataRequest(topics=None), MetadataResponse)
    found = {
        each.name
        for each in response.topics
        if each.name and not each.error_code and not each.is_internal and matches(each.name)
    }
    return wish.topics | found


async def known_partitions(cluster: Cluster, topics: Iterable[str]) -> Partitions:
    """The partitions of these topics as metadata has them; one that nobody knows has none."""
    wanted = sorted(set(topics))
    cluster.track(wanted)
    if any(topic not in cluster.metadata.topics for topic in wanted):
        await cluster.refresh()
    return partitions_at_hand(cluster, wanted)


def partitions_at_hand(cluster: Cluster, topics: Iterable[str]) -> Partitions:
    """The same without asking."""
    counts: dict[str, int] = {}
    racks: dict[TopicPartition, frozenset[str]] = {}
    metadata = cluster.metadata
    has_racks = any(node.rack for node in metadata.nodes.values())
    for topic in topics:
        info = metadata.topics.get(topic)
        if info is None:
            continue
        counts[topic] = len(info.partitions)
        for number, each in info.partitions.items() if has_racks else ():
            nodes = [metadata.nodes.get(replica) for replica in each.replicas]
            racks[TopicPartition(topic, number)] = frozenset(
                node.rack for node in nodes if node is not None and node.rack
            )
    return Partitions(counts, racks)


async def names_of(cluster: Cluster, topic_ids: Iterable[bytes]) -> dict[bytes, str]:
    """The names of topics by id, asked for where metadata does not have them; an id that nobody
    knows is left out."""
    wanted = set(topic_ids)
    known = cluster.metadata.names_by_id
    found = {each: known[each] for each in wanted if each in known}
    missing = sorted(wanted - found.keys())
    if not missing:
        return found
    request = MetadataRequest(
        topics=[MetadataRequestTopic(topic_id=each, name=None) for each in missing]
    )
    try:
        response = await cluster.call_any(request, MetadataResponse)
    except UnknownTopicOrPartitionError:
        return found
    for topic in response.topics:
        if topic.name and not topic.error_code and topic.topic_id in wanted:
            found[topic.topic_id] = topic.name
    cluster.track(found.values())
    return found

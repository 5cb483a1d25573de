"""Partitions by topic id, as groups know them, and by topic name, as the classic protocol does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ....cluster.image import ClusterImage
from .partitions import Partitions, TopicPartition, by_topic


def with_ids(named: Mapping[str, Iterable[int]], image: ClusterImage) -> Partitions:
    """Those of these partitions that are there."""
    found: set[TopicPartition] = set()
    for name, numbers in named.items():
        topic = image.topics_by_name.get(name)
        if topic is not None:
            found.update((topic.topic_id, one) for one in numbers if one in topic.partitions)
    return frozenset(found)


def with_names(partitions: Iterable[TopicPartition], image: ClusterImage) -> dict[str, list[int]]:
    """Topic name -> partition numbers in order; topics that are gone are left out."""
    topics = image.topics_by_id
    return {
        topics[topic_id].name: numbers
        for topic_id, numbers in by_topic(partitions).items()
        if topic_id in topics
    }

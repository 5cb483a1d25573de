"""The differences between two images of the cluster, for a node that has loaded a snapshot."""

from __future__ import annotations

from ...core.cluster.changes import Changes
from ...core.cluster.image import ClusterImage
from ...core.cluster.topic_image import TopicImage


def changes_between(old: ClusterImage, new: ClusterImage) -> Changes:
    """The changes that lead from one image to the other, in the order of the new one."""
    changes = Changes()
    for topic_id, topic in old.topics_by_id.items():
        if topic_id not in new.topics_by_id:
            changes.remove_topic(topic)
    for topic_id, topic in new.topics_by_id.items():
        before = old.topics_by_id.get(topic_id)
        if before is None:
            changes.topics[topic_id] = None
        _add_partitions(changes, before, topic)
    for key in (*old.configs, *new.configs):
        if old.configs.get(key) != new.configs.get(key):
            changes.configs[key] = None
    for broker_id in (*old.brokers, *new.brokers):
        if old.brokers.get(broker_id) != new.brokers.get(broker_id):
            changes.brokers[broker_id] = None
    changes.has_quotas = old.security.quotas != new.security.quotas
    return changes


def _add_partitions(changes: Changes, old: TopicImage | None, new: TopicImage) -> None:
    for number, partition in new.partitions.items():
        if old is None or old.partitions.get(number) != partition:
            changes.partition(new.topic_id, number)

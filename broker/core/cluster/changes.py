"""What records changed in an image: topics, partitions, settings, brokers and quotas."""

from __future__ import annotations

from collections.abc import Iterator

from .topic_image import TopicImage


class Changes:
    """The names of what changed, in the order of the changes; the new state is in the image.

    The dictionaries without values are sets that keep their order, so that a run can be repeated.
    """

    __slots__ = (
        "brokers",
        "configs",
        "handed_over",
        "has_quotas",
        "partitions",
        "removed_topics",
        "topics",
    )

    def __init__(self) -> None:
        self.topics: dict[bytes, None] = {}  # ids of topics that were created
        self.partitions: dict[bytes, dict[int, None]] = {}  # of a topic id: created or changed
        self.removed_topics: dict[bytes, TopicImage] = {}  # as they were
        self.configs: dict[tuple[int, str], None] = {}  # resource type and name
        self.brokers: dict[int, None] = {}
        self.handed_over: dict[tuple[bytes, int], None] = {}  # partitions given away (501-13)
        self.has_quotas = False  # quotas were set or removed

    def partition(self, topic_id: bytes, partition: int) -> None:
        """Note that a partition was created or changed."""
        self.partitions.setdefault(topic_id, {})[partition] = None

    def remove_topic(self, topic: TopicImage) -> None:
        """Note that a topic was deleted, and forget what was noted about it before."""
        self.partitions.pop(topic.topic_id, None)
        if topic.topic_id in self.topics:
            del self.topics[topic.topic_id]  # it was created and deleted between two looks
        else:
            self.removed_topics[topic.topic_id] = topic

    def slices(self, partitions: int) -> Iterator[Changes]:
        """The same changes in parts of at most this many partitions, in the same order.

        Deletions come first; settings, brokers and quotas come last. Hand-overs are for controllers
        only, so no part has them.
        """
        part = Changes()
        part.removed_topics = self.removed_topics
        part.topics = self.topics
        count = 0
        for topic_id, numbers in self.partitions.items():
            for number in numbers:
                if count == partitions:
                    yield part
                    part, count = Changes(), 0
                part.partition(topic_id, number)
                count += 1
        part.configs = self.configs
        part.brokers = self.brokers
        part.has_quotas = self.has_quotas
        yield part

    def __bool__(self) -> bool:
        named = (self.partitions, self.removed_topics, self.configs, self.brokers, self.topics)
        return self.has_quotas or any(named)

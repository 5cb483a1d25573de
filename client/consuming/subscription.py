"""Whole topics to read: which partitions these are, now and when a topic gets more of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..arguments import as_index, checked_topic
from ..structs import TopicPartition
from ..wire.cluster import Cluster

Replace = Callable[[Iterable[TopicPartition], bool], None]
"""Takes an assignment, and whether what is new in it is to be read from its beginning."""


class Subscription:
    """The topics that a consumer reads whole; none when its program chose partitions itself.

    There are no consumer groups: every consumer of a topic reads all of its partitions.
    """

    def __init__(self, cluster: Cluster, topics: Iterable[object], replace: Replace) -> None:
        self._cluster = cluster
        self._replace = replace
        self._topics: tuple[str, ...] = ()
        self.is_pending = False
        """Topics were chosen, and their partitions have not been asked for yet."""
        cluster.when_changed.append(self._follow)
        if topics:
            self.choose(topics)

    def choose(self, topics: Iterable[object]) -> None:
        """Read these topics, given as names or as lists of names.

        Raises:
            TypeError: a name that is no str.
        """
        names: list[str] = []
        for each in topics:
            together = each if isinstance(each, list | tuple | set | frozenset) else (each,)
            names += [checked_topic(name) for name in together]
        self._topics = tuple(dict.fromkeys(names))
        self.is_pending = True

    def clear(self) -> None:
        """The program chooses partitions itself."""
        self._topics = ()
        self.is_pending = False

    async def resolve(self) -> None:
        """Assign the partitions that the topics have, if that was not done yet.

        Raises:
            UnknownTopicOrPartitionError: a topic did not appear within `topic_wait_ms`.
        """
        while self.is_pending:
            topics = self._topics
            wanted = await partitions_of(self._cluster, topics)
            if topics == self._topics:
                self.is_pending = False
                self._replace(wanted, False)

    def _follow(self) -> None:
        """Metadata changed: partitions that were added are read from their beginning, so that no
        record is missed that came before they were noticed. A topic that nobody knows any more
        keeps what it had, and says so when it is read."""
        if self.is_pending or not self._topics:
            return
        known = self._cluster.metadata.topics
        if all(topic in known for topic in self._topics):
            found = [
                TopicPartition(each, n) for each in self._topics for n in known[each].partitions
            ]
            self._replace(found, True)


async def partitions_of(cluster: Cluster, topics: Iterable[str]) -> list[TopicPartition]:
    """Every partition of the topics, in order.

    Raises:
        UnknownTopicOrPartitionError: there is no such topic.
    """
    found = []
    for topic in topics:
        info = await cluster.topic(checked_topic(topic))
        found += [TopicPartition(topic, number) for number in sorted(info.partitions)]
    return found


def checked_partitions(given: Iterable[object]) -> list[TopicPartition]:
    """Partitions as a program gives them: (topic, number) pairs.

    Raises:
        TypeError: something else, shown.
    """
    found = []
    for each in given:
        if not isinstance(each, tuple | list) or len(each) != 2:
            raise TypeError(f"assign() takes TopicPartition(topic, number), not {each!r}")
        found.append(TopicPartition(checked_topic(each[0]), as_index("partition", each[1])))
    return found

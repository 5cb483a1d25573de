"""Whole topics to read: which partitions these are, now and when a topic gets more of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ..arguments import checked_topic
from ..errors import ConfigurationError
from ..structs import TopicPartition
from ..wire.cluster import Cluster

Replace = Callable[[Iterable[TopicPartition], bool], None]
"""Takes an assignment, and whether what is new in it is to be read from its beginning."""


class Subscription:
    """The topics that a consumer reads whole; none when its program chose partitions itself.

    Without a group, that is: every such consumer of a topic reads all of its partitions.
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
        self._topics = topic_names(topics)
        self.is_pending = True

    @property
    def topics(self) -> set[str]:
        """The topics that were chosen."""
        return set(self._topics)

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


def topic_names(topics: Iterable[object]) -> tuple[str, ...]:
    """Topics given as names or as lists of names.

    Raises:
        TypeError: a name that is no str.
    """
    names: list[str] = []
    for each in topics:
        together = each if isinstance(each, list | tuple | set | frozenset) else (each,)
        names += [checked_topic(name) for name in together]
    return tuple(dict.fromkeys(names))


def check_pattern(text: str) -> None:
    """Raise ConfigurationError for what is no regular expression of Python's."""
    try:
        re.compile(text)
    except re.error as error:
        raise ConfigurationError(f"pattern {text!r} is no regular expression: {error}") from None


def pattern_text(pattern: object) -> str | None:
    """A pattern of topics as text.

    Raises:
        TypeError: it is neither a str nor a compiled pattern of str.
    """
    if pattern is None or isinstance(pattern, str):
        return pattern
    if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
        return pattern.pattern
    raise TypeError(f"pattern must be a str or a compiled pattern, not {pattern!r}")


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

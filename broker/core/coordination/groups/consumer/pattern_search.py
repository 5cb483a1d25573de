"""Looking for the topics that patterns stand for, some names at a time (848-23)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from barnabas.protocol.errors import KafkaError

from ....cluster.image import ClusterImage
from ....ports import Clock
from .topic_pattern import TopicPattern

MATCHES_AT_ONCE: Final = 500
"""Names that are tried before others get a turn; two or three milliseconds for usual patterns."""

TURN_MS: Final = 3.0
"""After so long others get a turn in any case: one name may cost a bad pattern milliseconds."""


MaySee = Callable[[str], bool]
"""Whether a topic of this name may be told of."""


def _all(name: str) -> bool:
    del name
    return True


class PatternSearch:
    """One look through the names of all topics, as they are when it begins.

    Only one pattern at a time is compiled: a group may have very many.
    """

    __slots__ = ("_clock", "_may_see", "_steps", "found", "version")

    def __init__(
        self, patterns: Iterable[str], image: ClusterImage, clock: Clock, may_see: MaySee = _all
    ) -> None:
        """`may_see`: whether a topic may be told of to who asked for the look (ACL-18)."""
        self.version = image.last_offset
        """Offset of the metadata that is looked through."""
        self._clock = clock
        self._may_see = may_see
        self.found: dict[str, set[str]] = {pattern: set() for pattern in patterns}
        """Pattern -> topics that match it, so far."""
        self._steps = self._search(list(image.topics_by_name))

    def advance(self) -> bool:
        """Try the next names; whether that was all of them."""
        until_ms = self._clock.monotonic_ms() + TURN_MS
        for number, _ in enumerate(self._steps, 1):
            if number >= MATCHES_AT_ONCE or self._clock.monotonic_ms() >= until_ms:
                return False
        return True

    def _search(self, names: list[str]) -> Iterator[None]:
        """One step for each pattern that is compiled, and for each name that is tried."""
        for pattern, topics in self.found.items():
            try:
                matcher = TopicPattern(pattern)
            except KafkaError:
                # Whoever subscribed by it was told; a log that another broker wrote may have one
                # that is good there and not here. It stands for no topic.
                yield
                continue
            yield
            for name in names:
                if matcher.matches(name) and self._may_see(name):
                    topics.add(name)
                yield

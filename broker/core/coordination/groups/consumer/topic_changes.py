"""Which topics changed in the metadata since a group last looked, without asking every group.

A change is noted once for the shard. Each group asks, with its next heartbeat, whether one of its
topics is among the changes since its last look; so no change of metadata means work for all
groups at once (848-11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from ....cluster.image import ClusterImage
from .metadata_hash import hash_of_all, topic_hash

CHANGES_MAX: Final = 10_000
"""Topics whose last change is remembered; the oldest are forgotten, and count as changed."""


@dataclass(frozen=True, slots=True)
class Look:
    """When a group last compared its topics with the metadata."""

    number: int = -1
    """Of the change that was the newest then."""
    epoch: int = 0
    """The group's epoch afterwards: if it is lower now, what was found has been taken back."""


class TopicChanges:
    """The changes of one shard's life, numbered, and hashes of topics until they change."""

    __slots__ = ("_changed", "_floor", "_hashes", "_image", "appeared_at", "number")

    def __init__(self, image: Callable[[], ClusterImage]) -> None:
        self._image = image
        self.number = 0
        self.appeared_at = image().last_offset
        """Offset of the metadata in which a topic appeared or went away, at the latest.

        The first change that is noted of a topic counts, since it may be new."""
        self._floor = 0  # changes up to this number are not remembered one by one
        # By name, oldest first: number of the last change, id of the topic (None: it is gone).
        self._changed: dict[str, tuple[int, bytes | None]] = {}
        self._hashes: dict[str, int] = {}

    def note(self, names: Iterable[str]) -> None:
        """These topics were made, removed or altered."""
        image = self._image()
        self.number += 1
        for name in names:
            self._hashes.pop(name, None)
            topic = image.topics_by_name.get(name)
            topic_id = None if topic is None else topic.topic_id
            before = self._changed.pop(name, None)
            if before is None or before[1] != topic_id:
                self.appeared_at = image.last_offset
            self._changed[name] = (self.number, topic_id)
        while len(self._changed) > CHANGES_MAX:
            oldest = next(iter(self._changed))
            self._floor, _ = self._changed.pop(oldest)

    def is_stale(self, look: Look, epoch: int, names: Callable[[], Iterable[str]]) -> bool:
        """Whether a group with these topics, at this epoch, must compare them again."""
        if look.number < self._floor or epoch < look.epoch:
            return True
        if look.number == self.number:
            return False
        changes = (self._changed.get(name) for name in names())
        return any(one is not None and one[0] > look.number for one in changes)

    def hash_of(self, names: Iterable[str]) -> int:
        """The metadata hash of these topics; those that are not there do not count (848-11)."""
        image = self._image()
        found: list[tuple[str, int]] = []
        for name in names:
            topic = image.topics_by_name.get(name)
            if topic is None:
                continue
            if name not in self._hashes:
                self._hashes[name] = topic_hash(topic, image)
            found.append((name, self._hashes[name]))
        return hash_of_all(found)

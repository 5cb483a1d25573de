"""A follower's side of an incremental fetch session (KIP-227): name partitions once, then changes.

- 227-01: epoch 0 asks for a new session and names all partitions; from then on each request has the
  next epoch (after 2^31-1 comes 1), names what is new or has another position, and forgets what is
  fetched no longer. Errors 70, 71, 106, and answers that never came, begin anew: with the old id
  and epoch 0, which ends the old session; after 70 there is none to end.
- 227-03: a leader without a free slot answers with session id 0: the next request is full again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_request import FetchTopic, ForgottenTopic

if TYPE_CHECKING:
    from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest

    from .followed import Followed, Key

NO_SESSION: Final = 0
FULL_EPOCH: Final = 0
SESSIONLESS_EPOCH: Final = -1
EPOCH_MAX: Final = 0x7FFF_FFFF


class Asked(NamedTuple):
    """A partition as the leader was told of it."""

    followed: Followed
    position: FetchPartition


class FetcherSession:
    """What the leader knows of this fetcher."""

    __slots__ = ("_epoch", "_id", "asked")

    def __init__(self) -> None:
        self._id = NO_SESSION
        self._epoch = FULL_EPOCH
        self.asked: dict[Key, Asked] = {}
        """The partitions of the session, which an answer may be about."""

    @property
    def is_full(self) -> bool:
        """Whether the next request must name all partitions."""
        return self._epoch == FULL_EPOCH

    def fill(self, request: FetchRequest, wanted: Mapping[Key, Asked], gone: Iterable[Key]) -> bool:
        """Put partitions and session into `request`; False if there is nothing to ask for.

        `wanted`: all that is fetched if `is_full`, else what may have changed; `gone`: what is not
        fetched any more, or not now.
        """
        forgotten: list[Key] = []
        if self.is_full:
            self.asked = dict(wanted)
            changed = list(wanted.items())
        else:
            changed = []
            forgotten = [key for key in gone if self.asked.pop(key, None) is not None]
            for key, one in wanted.items():
                known = self.asked.get(key)
                if known is None or not _is_same(known.position, one.position):
                    changed.append((key, one))
                self.asked[key] = one
        if not self.asked:
            # An empty session ends itself: the next request begins another.
            self._epoch = FULL_EPOCH
            return False
        request.session_id = self._id
        request.session_epoch = self._epoch
        request.topics = topics_of(changed)
        request.forgotten_topics_data = _forgotten(forgotten)
        return True

    def take(self, error_code: int, session_id: int) -> bool:
        """An answer came; True if it is about the partitions that were asked for."""
        if error_code != ErrorCode.NONE:
            if error_code == ErrorCode.FETCH_SESSION_ID_NOT_FOUND:
                self._id = NO_SESSION
            self._epoch = FULL_EPOCH
            return False
        if self.is_full:
            self._id = session_id
            self._epoch = FULL_EPOCH if session_id == NO_SESSION else 1
            return True
        if session_id != self._id:
            self._epoch = FULL_EPOCH
            # Of another session than ours, or of none: what it says of positions is still true.
            return session_id == NO_SESSION
        self._epoch = 1 if self._epoch == EPOCH_MAX else self._epoch + 1
        return True

    def lose(self) -> None:
        """No answer came: nobody knows whether the leader took the request."""
        self._epoch = FULL_EPOCH


def _is_same(known: FetchPartition, now: FetchPartition) -> bool:
    """Whether the leader knows this position; by what a follower says of one, for it is asked of
    each partition before each fetch."""
    return (
        known.fetch_offset == now.fetch_offset
        and known.current_leader_epoch == now.current_leader_epoch
        and known.last_fetched_epoch == now.last_fetched_epoch
        and known.log_start_offset == now.log_start_offset
        and known.partition_max_bytes == now.partition_max_bytes
    )


def topics_of(partitions: Iterable[tuple[Key, Asked]]) -> list[FetchTopic]:
    """Partitions of a topic together, otherwise in the order given."""
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

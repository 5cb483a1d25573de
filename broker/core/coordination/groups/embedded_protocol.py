"""What consumers tell each other inside of JoinGroup and SyncGroup, where the broker must know it.

An int16 version first, then the message in its plain form. Of a version that is newer than the
newest known, what is known is read (CLI-08).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from barnabas.protocol.errors import DecodeError
from barnabas.protocol.messages import consumer_protocol_assignment as assignments
from barnabas.protocol.messages.consumer_protocol_subscription import ConsumerProtocolSubscription

NEWEST: Final = 3
"""Version of both messages."""

TOPICS_MAX: Final = 20_000
"""Topics of one subscription: the coordinator looks at all of them at once."""

_VERSION_BYTES: Final = 2


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a consumer says when it joins."""

    topics: frozenset[str]
    owned: Mapping[str, tuple[int, ...]]
    """Partitions that it has not given up, by topic; versions that cannot tell mean none."""
    rack_id: str | None


@dataclass(frozen=True, slots=True)
class Assigned:
    """What a consumer was given by the leader of its group."""

    partitions: Mapping[str, tuple[int, ...]]
    has_user_data: bool
    """Whether the leader's assignor said something that nobody else understands."""


NOTHING: Final = Assigned({}, has_user_data=False)


def version_of(data: bytes) -> int:
    """The version that a message is of. Raises DecodeError if it has none, or one below zero."""
    if len(data) < _VERSION_BYTES or data[0] & 0x80:
        raise DecodeError(f"{len(data)} bytes of a consumer's have no version")
    return int.from_bytes(data[:_VERSION_BYTES], "big")


def read_subscription(data: bytes) -> Subscription:
    """The metadata of one protocol in a JoinGroup. Raises DecodeError."""
    read = _subscription(data, NEWEST)
    owned: dict[str, tuple[int, ...]] = {}
    for one in read.owned_partitions:
        owned[one.topic] = (*owned.get(one.topic, ()), *one.partitions)
    return Subscription(frozenset(read.topics), owned, read.rack_id or None)


def read_topics(data: bytes) -> list[str]:
    """The topics of such metadata, and nothing else of it. Raises DecodeError."""
    return _subscription(data, 0).topics  # every version begins with what version 0 has


def _subscription(data: bytes, newest: int) -> ConsumerProtocolSubscription:
    version = min(version_of(data), newest)
    topics = int.from_bytes(data[_VERSION_BYTES : _VERSION_BYTES + 4], "big")
    if topics > TOPICS_MAX:
        raise DecodeError(f"a subscription of {topics} topics, at most {TOPICS_MAX}")
    read, _ = ConsumerProtocolSubscription.decode_at(data, _VERSION_BYTES, version)
    return read


def read_assignment(data: bytes) -> Assigned:
    """What a SyncGroup gave to a member; no bytes at all are no partitions. Raises DecodeError."""
    if not data:
        return NOTHING
    version = min(version_of(data), NEWEST)
    read, _ = assignments.ConsumerProtocolAssignment.decode_at(data, _VERSION_BYTES, version)
    partitions = {one.topic: tuple(one.partitions) for one in read.assigned_partitions}
    return Assigned(partitions, has_user_data=bool(read.user_data))


def assignment_bytes(partitions: Mapping[str, list[int]], subscription: bytes) -> bytes:
    """What a member is given, in the version that its subscription is of, as far as it is known.

    A subscription without a version is answered in version 0.
    """
    try:
        version = min(version_of(subscription), NEWEST)
    except DecodeError:
        version = 0
    message = assignments.ConsumerProtocolAssignment(
        assigned_partitions=[
            assignments.TopicPartition(topic=topic, partitions=numbers)
            for topic, numbers in partitions.items()
        ],
        user_data=None,
    )
    return version.to_bytes(_VERSION_BYTES, "big") + message.encode(version)

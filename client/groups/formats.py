"""What members of a classic group tell each other through the coordinator, as bytes.

An int16 version first, then the message in its plain form. Who meets a newer version reads what
it knows and leaves the rest (CLI-08). What an assignor adds for itself is its user data (CLI-09).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from barnabas.protocol.errors import DecodeError
from barnabas.protocol.messages import consumer_protocol_assignment as assignments
from barnabas.protocol.messages import consumer_protocol_subscription as subscriptions

from ..structs import TopicPartition

SUBSCRIPTION_VERSION = 3
ASSIGNMENT_VERSION = 3
NO_GENERATION = -1
PARTITIONS_MAX = 1_000_000
"""More partitions than this in one member's bytes are taken for damage."""


class Subscribed(NamedTuple):
    """What a member tells the one that assigns; `generation` is that of `owned`, -1 for none."""

    topics: tuple[str, ...]
    owned: tuple[TopicPartition, ...] = ()
    generation: int = NO_GENERATION
    rack: str | None = None
    user_data: bytes | None = None


def by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[int]]:
    """Numbers of partitions by topic, both sorted."""
    grouped: dict[str, list[int]] = {}
    for topic, number in sorted(partitions):
        grouped.setdefault(topic, []).append(number)
    return grouped


def flat(grouped: Mapping[str, Iterable[int]]) -> list[TopicPartition]:
    """The partitions of topics, in order."""
    return [TopicPartition(topic, n) for topic, numbers in grouped.items() for n in numbers]


def encode_subscription(given: Subscribed) -> bytes:
    """The metadata of one protocol in a JoinGroup."""
    message = subscriptions.ConsumerProtocolSubscription(
        topics=sorted(given.topics),
        user_data=given.user_data,
        owned_partitions=[
            subscriptions.TopicPartition(topic=topic, partitions=numbers)
            for topic, numbers in by_topic(given.owned).items()
        ],
        generation_id=given.generation,
        rack_id=given.rack,
    )
    version = SUBSCRIPTION_VERSION
    return struct.pack(">h", version) + message.encode(version)


def decode_subscription(data: bytes) -> Subscribed:
    """The same from another member, of any version.

    Raises:
        DecodeError: the bytes are no subscription.
    """
    version = min(_version_of(data, "subscription"), SUBSCRIPTION_VERSION)
    found, _ = subscriptions.ConsumerProtocolSubscription.decode_at(data, 2, version)
    owned = flat({each.topic: each.partitions for each in found.owned_partitions})
    return Subscribed(
        tuple(found.topics),
        tuple(dict.fromkeys(owned)),
        found.generation_id,
        found.rack_id,
        None if found.user_data is None else bytes(found.user_data),
    )


def encode_assignment(partitions: Iterable[TopicPartition]) -> bytes:
    """What a member gets, in a SyncGroup."""
    message = assignments.ConsumerProtocolAssignment(
        assigned_partitions=[
            assignments.TopicPartition(topic=topic, partitions=numbers)
            for topic, numbers in by_topic(partitions).items()
        ],
        user_data=None,
    )
    return struct.pack(">h", ASSIGNMENT_VERSION) + message.encode(ASSIGNMENT_VERSION)


def decode_assignment(data: bytes) -> list[TopicPartition]:
    """The same; no bytes at all are an empty assignment.

    Raises:
        DecodeError: the bytes are no assignment.
    """
    if not data:
        return []
    version = min(_version_of(data, "assignment"), ASSIGNMENT_VERSION)
    found, _ = assignments.ConsumerProtocolAssignment.decode_at(data, 2, version)
    return list(
        dict.fromkeys(flat({each.topic: each.partitions for each in found.assigned_partitions}))
    )


def _version_of(data: bytes, what: str) -> int:
    if len(data) < 2:
        raise DecodeError(f"a member's {what} of {len(data)} bytes has no version")
    version = int.from_bytes(data[:2], "big", signed=True)
    if version < 0:
        raise DecodeError(f"a member's {what} of version {version}")
    return version


# ------------------------------------------------------------------ user data of assignors


def sticky_user_data(owned: Iterable[TopicPartition], generation: int) -> bytes:
    """What `sticky` keeps of the last assignment: its partitions, and of which generation."""
    grouped = by_topic(owned)
    parts = [struct.pack(">i", len(grouped))]
    for topic, numbers in grouped.items():
        name = topic.encode()
        parts.append(struct.pack(">h", len(name)) + name)
        parts.append(struct.pack(f">i{len(numbers)}i", len(numbers), *numbers))
    parts.append(struct.pack(">i", generation))
    return b"".join(parts)


def read_sticky_user_data(data: bytes) -> tuple[list[TopicPartition], int]:
    """Partitions and generation; generation -1 in the form that lacks it.

    Raises:
        DecodeError: the bytes are neither form.
    """
    try:
        return _read_sticky(data)
    except (struct.error, UnicodeDecodeError) as error:
        raise DecodeError(f"user data of sticky: {error}") from None


def _read_sticky(data: bytes) -> tuple[list[TopicPartition], int]:
    (topics,) = struct.unpack_from(">i", data)
    at = 4
    found: list[TopicPartition] = []
    for _ in range(_checked(topics, data)):
        (size,) = struct.unpack_from(">h", data, at)
        if size < 0:
            raise DecodeError("user data of sticky: a topic without a name")
        name = data[at + 2 : at + 2 + size].decode()
        at += 2 + size
        (count,) = struct.unpack_from(">i", data, at)
        numbers = struct.unpack_from(f">{_checked(count, data)}i", data, at + 4)
        found += [TopicPartition(name, number) for number in numbers]
        at += 4 + 4 * count
    if len(data) - at >= 4:
        return found, int(struct.unpack_from(">i", data, at)[0])
    return found, NO_GENERATION


def _checked(count: int, data: bytes) -> int:
    if not 0 <= count <= min(PARTITIONS_MAX, len(data)):
        raise DecodeError(f"user data of sticky: a count of {count} in {len(data)} bytes")
    return count


def cooperative_user_data(generation: int) -> bytes:
    """What `cooperative-sticky` adds: the generation alone; partitions are in the subscription."""
    return struct.pack(">i", generation)


def read_cooperative_user_data(data: bytes | None) -> int:
    """That generation, -1 when there is none."""
    if data is None or len(data) < 4:
        return NO_GENERATION
    return int(struct.unpack_from(">i", data)[0])

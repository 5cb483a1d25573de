"""One number for all that an assignment depends on: topics, partitions, racks (848-11).

Kafka stores XXH3 of the same facts. Ours need only be stable on its own: a coordinator of another
kind finds another number, and assigns the group anew, once. So BLAKE2b of the standard library,
cut to 64 bits, does as well, and a change that it does not notice cannot be made on purpose.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from ....cluster.image import ClusterImage
from ....cluster.topic_image import TopicImage

NOTHING: Final = 0
"""Hash of no topics, and of topics that are not there."""

_FORMAT: Final = b"\x00"
"""First byte of what is hashed; another one where the facts are others."""


def topic_hash(topic: TopicImage, image: ClusterImage) -> int:
    """Hash of a topic: id, name, and the racks of each partition's replicas."""
    parts = [_FORMAT, topic.topic_id, _text(topic.name), struct.pack(">I", len(topic.partitions))]
    for number in sorted(topic.partitions):
        replicas = topic.partitions[number].replicas
        racks = sorted(
            {
                rack
                for one in replicas
                if (broker := image.brokers.get(one)) is not None
                and (rack := broker.rack) is not None
            }
        )
        parts.append(struct.pack(">II", number, len(racks)))
        parts += map(_text, racks)
    return _hash(parts)


def hash_of_all(hashes: Iterable[tuple[str, int]]) -> int:
    """Hash of the names of topics with their hashes; 0 if there is no topic."""
    parts: list[bytes] = []
    for name, number in sorted(hashes):
        parts += [_text(name), struct.pack(">q", number)]
    return _hash(parts) if parts else NOTHING


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">I", len(data)) + data


def _hash(parts: Iterable[bytes]) -> int:
    digest = blake2b(b"".join(parts), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)

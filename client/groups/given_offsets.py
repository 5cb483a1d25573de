"""Offsets to commit as programs give them, checked."""

from __future__ import annotations

from collections.abc import Mapping

from ..arguments import OFFSET_MAX, as_index, checked_partitions
from ..errors import ConfigurationError
from ..structs import TopicPartition
from .values import OffsetAndMetadata

GivenOffset = int | tuple[int, str] | OffsetAndMetadata
"""An offset, with a text of the program's if it wants one."""

EPOCH_MAX = 2**31 - 1

METADATA_CHARS_MAX = 32_767
"""What the wire carries; brokers allow less (`offset.metadata.max.bytes`, 4096)."""


def checked_offsets(
    given: Mapping[TopicPartition, GivenOffset],
) -> dict[TopicPartition, OffsetAndMetadata]:
    """The same, each as offset, metadata and leader epoch.

    Raises:
        TypeError: something that is no partition, offset or text.
        ConfigurationError: an offset or a text that cannot be committed.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"commits take a dict of offsets by TopicPartition, not {given!r}")
    partitions = checked_partitions(given)
    return {key: _checked(key, each) for key, each in zip(partitions, given.values(), strict=True)}


def _checked(key: TopicPartition, given: object) -> OffsetAndMetadata:
    parts = given if isinstance(given, tuple) else (given,)
    if not 1 <= len(parts) <= 3:
        raise TypeError(f"{key}: {given!r} is neither an offset nor (offset, metadata)")
    offset = as_index(f"the offset of {key}", parts[0])
    metadata = parts[1] if len(parts) > 1 else ""
    epoch = as_index(f"the leader epoch of {key}", parts[2]) if len(parts) > 2 else -1
    if not isinstance(metadata, str):
        raise TypeError(f"{key}: metadata must be a str, not {metadata!r}")
    if not 0 <= offset <= OFFSET_MAX:
        raise ConfigurationError(f"{key}: offset {offset} cannot be committed")
    if epoch > EPOCH_MAX:
        raise ConfigurationError(f"{key}: there is no leader epoch {epoch}")
    if len(metadata.encode(errors="replace")) > METADATA_CHARS_MAX:
        raise ConfigurationError(f"{key}: metadata of {len(metadata)} characters is too long")
    if any("\ud800" <= each <= "\udfff" for each in metadata):
        raise ConfigurationError(f"{key}: metadata {metadata!r} cannot be encoded as UTF-8")
    return OffsetAndMetadata(offset, metadata, epoch)

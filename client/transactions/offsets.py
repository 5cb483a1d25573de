"""Where the offsets come from that a transaction commits: a consumer, or a group's metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ..errors import AbortableTransactionError, ClientError
from ..groups.values import GroupMetadata, OffsetAndMetadata
from ..structs import TopicPartition

Offsets = Mapping[TopicPartition, OffsetAndMetadata]


class OffsetSource(Protocol):
    """A member of a group, who may commit these offsets as long as it is one."""

    @property
    def group_id(self) -> str:
        """The group."""
        ...

    def handed_out(self) -> Offsets:
        """The offsets after all records that the program got.

        Raises CommitFailedError: some of these records are of partitions that were lost.
        """
        ...

    def claim(self, offsets: Offsets) -> GroupMetadata:
        """As who these offsets may be committed now.

        Raises CommitFailedError: a partition is not this consumer's any more.
        """
        ...

    def committed_by_transaction(self, offsets: Offsets) -> None:
        """The transaction with these is committed."""
        ...


class HasOffsets(Protocol):
    """A consumer."""

    def offset_source(self) -> OffsetSource:
        """What a transaction needs of it."""
        ...


class GivenGroup:
    """The offsets of a program that keeps them by itself, with metadata that it took before."""

    def __init__(self, metadata: GroupMetadata) -> None:
        self._metadata = metadata
        self.group_id = metadata.group_id

    def handed_out(self) -> Offsets:
        """There is no consumer to ask."""
        raise TypeError("send_offsets: offsets are needed beside the metadata of a group")

    def claim(self, offsets: Offsets) -> GroupMetadata:
        """As the metadata say; whether that is so still is the coordinator's to know."""
        del offsets
        return self._metadata

    def committed_by_transaction(self, offsets: Offsets) -> None:
        """Nobody has to know."""


def source_of(group: HasOffsets | GroupMetadata) -> OffsetSource:
    """The source that a consumer is, or a group's metadata."""
    return GivenGroup(group) if isinstance(group, GroupMetadata) else group.offset_source()


def claimed(source: OffsetSource, offsets: Offsets) -> GroupMetadata:
    """As who these may be committed; whatever is in the way fails the transaction."""
    try:
        return source.claim(offsets)
    except ClientError as error:
        raise AbortableTransactionError(f"committing offsets: {error}") from error

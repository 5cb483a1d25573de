"""Where the offsets come from that a transaction commits: a consumer, or a group's metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ..errors import AbortableTransactionError, ClientError
from ..groups.values import GroupMetadata, OffsetAndMetadata
from ..structs import TopicPartition

Offsets = Mapping[TopicPartition, OffsetAndMetadata]


class Claim(Protocol):
    """Offsets that may be committed as long as their partitions have not gone elsewhere."""

    def metadata(self) -> GroupMetadata:
        """As who they may be committed now.

        Raises CommitFailedError: a partition is not this consumer's any more, or was not all the
        time: what another member has committed meanwhile must not be undone.
        """
        ...

    def committed(self) -> None:
        """A transaction has committed them."""
        ...


class OffsetSource(Protocol):
    """A member of a group, who may commit offsets as long as it is one."""

    @property
    def group_id(self) -> str:
        """The group."""
        ...

    def handed_out(self) -> Offsets:
        """The offsets after all records that the program got.

        Raises CommitFailedError: some of these records are of partitions that were lost.
        """
        ...

    def claim(self, offsets: Offsets) -> Claim:
        """These, from now on."""
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

    def claim(self, offsets: Offsets) -> GivenGroup:
        """Whatever they are."""
        del offsets
        return self

    def metadata(self) -> GroupMetadata:
        """As they were given; whether that is so still is the coordinator's to know."""
        return self._metadata

    def committed(self) -> None:
        """Nobody has to know."""


def source_of(group: HasOffsets | GroupMetadata) -> OffsetSource:
    """The source that a consumer is, or a group's metadata."""
    return GivenGroup(group) if isinstance(group, GroupMetadata) else group.offset_source()


def claimed(claim: Claim) -> GroupMetadata:
    """As who to commit; whatever is in the way fails the transaction."""
    try:
        return claim.metadata()
    except ClientError as error:
        raise AbortableTransactionError(f"committing offsets: {error}") from error

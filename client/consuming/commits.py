"""What a consumer commits: what the program says, or what it has dealt with."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping

from ..config import ConsumerConfig
from ..errors import ClientError, CommitFailedError
from ..groups.committed import CommittedOffsets, identity_of
from ..groups.health import Health
from ..groups.heartbeats import PollClock
from ..groups.membership import Membership
from ..groups.values import GroupMetadata, OffsetAndMetadata, listed
from ..structs import TopicPartition
from .places import Place, Places
from .positions import PartitionState

log = logging.getLogger("barnabas.client")


class Commits:
    """Commits of one consumer; `found` is what is known to be committed, kept up to date here."""

    def __init__(
        self,
        config: ConsumerConfig,
        offsets: CommittedOffsets,
        states: Mapping[TopicPartition, PartitionState],
        places: Places,
        health: Health,
        polls: PollClock,
        found: dict[TopicPartition, OffsetAndMetadata],
    ) -> None:
        self._config = config
        self._offsets = offsets
        self._states = states
        self._places = places
        self._health = health
        self._polls = polls
        self._found = found
        self.membership: Membership | None = None
        """As whose member to commit; without one as nobody, for a group without members."""

    async def commit(
        self, offsets: Mapping[TopicPartition, OffsetAndMetadata] | None, timeout_s: float
    ) -> None:
        """Commit these, or everything that was handed out.

        Raises:
            CommitFailedError: partitions are not this consumer's any more.
        """
        self._health.check()
        stale = self._places.refusals(offsets)
        if offsets is None:
            await self._commit(self.membership, self._after_all(), timeout_s)
        else:
            wanted = {key: each for key, each in offsets.items() if key not in stale}
            await self._commit(self.membership, wanted, timeout_s)
        if stale:
            raise lost(stale)

    def _after_all(self) -> dict[TopicPartition, OffsetAndMetadata]:
        return {
            key: OffsetAndMetadata(place.offset, "", place.leader_epoch)
            for key, place in self._places.handed_out().items()
        }

    # ------------------------------------------------------------ for transactions

    @property
    def group_id(self) -> str:
        """The group."""
        assert self._config.group_id is not None, "a group has an id"
        return self._config.group_id

    def metadata(self) -> GroupMetadata:
        """Who this consumer is in its group."""
        by = identity_of(self.membership)
        return GroupMetadata(self.group_id, by.generation, by.member_id, by.instance_id)

    def handed_out(self) -> Mapping[TopicPartition, OffsetAndMetadata]:
        """The offsets after all records that the program got.

        Raises:
            CommitFailedError: some of these records are of partitions that were lost.
        """
        self._health.check()
        if stale := self._places.refusals(None):
            raise lost(stale)
        return self._after_all()

    def claim(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> ConsumerClaim:
        """These, as long as this consumer has their partitions."""
        return ConsumerClaim(self, offsets, self._states)

    def check_claim(self, partitions: Collection[TopicPartition]) -> None:
        """Raise CommitFailedError where one is of an assignment that was lost, or this is no member
        of its group now."""
        self._health.check()
        if self.membership is None:
            return
        if self.metadata().generation <= 0:
            raise CommitFailedError(
                "not committed: this consumer is no member of its group at the moment"
            )
        if stale := self._places.refusals(partitions):
            raise lost(stale)

    def note(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """These are committed."""
        self._found.update(offsets)

    # ------------------------------------------------------------ by themselves

    async def _commit(
        self,
        membership: Membership | None,
        offsets: Mapping[TopicPartition, OffsetAndMetadata],
        timeout_s: float,
    ) -> None:
        claim = self.claim(offsets)

        def is_still_owned(key: TopicPartition) -> bool:
            return membership is None or claim.is_owned(key)

        self._found.update(
            await self._offsets.commit(membership, offsets, timeout_s, is_still_owned)
        )

    def news(
        self, places: Mapping[TopicPartition, Place]
    ) -> dict[TopicPartition, OffsetAndMetadata]:
        """What of these places is not committed yet."""
        known = self._found
        return {
            key: OffsetAndMetadata(place.offset, "", place.leader_epoch)
            for key, place in places.items()
            if key in self._states and (key not in known or known[key].offset != place.offset)
        }

    async def save(self, places: Mapping[TopicPartition, Place]) -> None:
        """What is not committed is read again, by whoever has the partition then."""
        try:
            limit_s = self._config.request_timeout_ms / 1000
            if news := self.news(places):
                await self._commit(self.membership, news, limit_s)
        except ClientError as error:
            log.warning("group %s: offsets not committed: %s", self._config.group_id, error)
            self._health.note(error)

    async def run(self) -> None:
        """Commit what is dealt with, every `auto_commit_interval_ms`."""
        while True:
            await asyncio.sleep(self._config.auto_commit_interval_ms / 1000)
            is_idle = self._polls.is_waiting
            done = self._places.handed_out() if is_idle else self._places.done()
            try:
                await self.save(done)
            except Exception:
                # A bug of ours must not end committing in silence.
                log.exception("committing offsets")

    async def committed(
        self, partitions: Iterable[TopicPartition], timeout_s: float
    ) -> dict[TopicPartition, OffsetAndMetadata]:
        """Committed offsets, as the coordinator has them now."""
        return await self._offsets.fetch(self.membership, partitions, timeout_s)


class ConsumerClaim:
    """Offsets of one consumer, to be committed as long as their partitions are its (`Claim`)."""

    def __init__(
        self,
        commits: Commits,
        offsets: Mapping[TopicPartition, OffsetAndMetadata],
        states: Mapping[TopicPartition, PartitionState],
    ) -> None:
        self._commits = commits
        self._offsets = offsets
        self._states = states
        self._claimed = {key: states.get(key) for key in offsets}

    def is_owned(self, key: TopicPartition) -> bool:
        """Whether the partition was this consumer's all the time. One that was lost and came back
        has another state: what another member has committed meanwhile must not be undone."""
        state = self._states.get(key)
        return state is not None and state is self._claimed[key]

    def metadata(self) -> GroupMetadata:
        """As who they may be committed now.

        Raises:
            CommitFailedError: a partition is not this consumer's, or was not meanwhile.
        """
        commits = self._commits
        commits.check_claim(self._offsets.keys())
        gone = [key for key in self._offsets if not self.is_owned(key)]
        if gone and commits.membership is not None:
            raise lost(gone)
        return commits.metadata()

    def committed(self) -> None:
        """A transaction has committed them."""
        self._commits.note({key: self._offsets[key] for key in self._offsets if self.is_owned(key)})


def lost(partitions: Iterable[TopicPartition]) -> CommitFailedError:
    """The error of a commit for partitions that were lost."""
    return CommitFailedError(
        f"not committed: {listed(partitions)} went to another member before that; their records"
        " since the last commit are read again"
    )

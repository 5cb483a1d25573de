"""Committed offsets at the coordinator: written, and read, with retries in a bounded time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.offset_commit_response import OffsetCommitResponse
from barnabas.protocol.messages.offset_fetch_request import OffsetFetchRequest
from barnabas.protocol.messages.offset_fetch_response import OffsetFetchResponse

from ..errors import (
    BrokerError,
    ClientError,
    ClientTimeoutError,
    CommitFailedError,
    GroupsNotSupportedError,
    RebalanceInProgressError,
    UnsupportedVersionError,
    error_of,
    is_retriable,
)
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.pool import Lane
from .coordinator import Coordinator
from .membership import Membership
from .offsets import (
    COMMIT_VERSION_MAX,
    FETCH_VERSION_MAX,
    Answers,
    commit_codes,
    commit_message,
    fetch_message,
    fetched,
)
from .reactions import COMMIT, OFFSET_FETCH, Reaction, reaction_to
from .values import NOBODY, Identity, OffsetAndMetadata, listed

Offsets = Mapping[TopicPartition, OffsetAndMetadata]
Owned = Callable[[TopicPartition], bool]
"""Whether a partition may be committed: it is this consumer's, or there are no members."""


class CommittedOffsets:
    """The offsets of one group."""

    def __init__(self, cluster: Cluster, coordinator: Coordinator, require_stable: bool) -> None:
        self._cluster = cluster
        self._coordinator = coordinator
        self._require_stable = require_stable
        self._newest: dict[TopicPartition, _Commit] = {}
        """Which commit of a partition was asked for last, while it is under way."""

    # ------------------------------------------------------------ one attempt

    async def commit_once(self, by: Identity, offsets: Offsets) -> dict[TopicPartition, int]:
        """One OffsetCommit; the code of each partition."""
        response = await self._coordinator.call(
            commit_message(self._coordinator.key, by, offsets),
            OffsetCommitResponse,
            at_most=COMMIT_VERSION_MAX,
        )
        return commit_codes(response, offsets)

    async def fetch_once(
        self, by: Identity, partitions: Iterable[TopicPartition] | None
    ) -> Answers:
        """One OffsetFetch; None asks for all partitions that have an offset.

        Raises:
            BrokerError: the group as a whole was refused.
        """
        asked = None if partitions is None else list(partitions)
        group_id = self._coordinator.key
        node = await self._coordinator.node()
        connection = await self._cluster.connection(node, Lane.OFFSETS)
        try:
            version = connection.version_of(OffsetFetchRequest, FETCH_VERSION_MAX)
        except UnsupportedVersionError as error:
            raise GroupsNotSupportedError(f"group {group_id!r}: {error}") from error
        request = fetch_message(
            group_id, by, asked, require_stable=self._require_stable, version=version
        )
        response = await self._coordinator.call(request, OffsetFetchResponse, at_most=version)
        code, answers = fetched(response, group_id, asked, version)
        reaction = reaction_to(OFFSET_FETCH, code)
        if reaction is Reaction.FIND_COORDINATOR:
            self._coordinator.lost()
        if reaction is not Reaction.DONE:
            refused = error_of(code, f"the committed offsets of group {group_id!r}")
            refused.retriable = reaction is not Reaction.FATAL
            raise refused
        return answers

    # ------------------------------------------------------------ until it is done

    async def fetch(
        self,
        membership: Membership | None,
        partitions: Iterable[TopicPartition] | None,
        timeout_s: float,
    ) -> dict[TopicPartition, OffsetAndMetadata]:
        """The offsets that are there; a partition without one is left out.

        Raises:
            BrokerError: a partition was refused, or the group.
            ClientTimeoutError: not done in `timeout_s`.
        """
        wanted = None if partitions is None else list(partitions)

        async def attempt() -> dict[TopicPartition, OffsetAndMetadata]:
            answers = await self.fetch_once(identity_of(membership), wanted)
            for key, code in answers.refused.items():
                error = error_of(code, f"the committed offset of {key}")
                error.retriable = reaction_to(OFFSET_FETCH, code) is not Reaction.FATAL
                raise error
            return answers.found

        return await self._cluster.retrying(attempt, "looking for committed offsets", timeout_s)

    async def commit(
        self, membership: Membership | None, offsets: Offsets, timeout_s: float, owned: Owned
    ) -> Offsets:
        """Commit all of these, or raise; what was committed, without what a later commit has.

        Raises:
            CommitFailedError: this consumer has a partition no longer, or is no member any more.
            RebalanceInProgressError: the group is being assigned anew; retriable.
            ClientTimeoutError: not done in `timeout_s`.
            BrokerError: refused for good.
        """
        commit = _Commit(self._cluster, self._coordinator, self, membership, owned)
        self._newest.update(dict.fromkeys(offsets, commit))
        try:
            async with asyncio.timeout(timeout_s):
                return await commit.run(offsets)
        except TimeoutError as error:
            if isinstance(error, ClientError):
                raise
            if commit.last is not None:
                raise commit.last from error
            raise ClientTimeoutError(f"committing offsets took longer than {timeout_s:g} s") from (
                error
            )
        finally:
            for key in offsets:
                if self._newest.get(key) is commit:
                    del self._newest[key]

    def is_newest(self, commit: _Commit, key: TopicPartition) -> bool:
        """Whether no later commit of this partition was asked for meanwhile."""
        return self._newest.get(key) is commit


def identity_of(membership: Membership | None) -> Identity:
    """Who a membership commits as."""
    return NOBODY if membership is None else membership.identity


class _Commit:
    """One commit over all its attempts."""

    def __init__(
        self,
        cluster: Cluster,
        coordinator: Coordinator,
        offsets: CommittedOffsets,
        membership: Membership | None,
        owned: Owned,
    ) -> None:
        self._coordinator = coordinator
        self._offsets = offsets
        self._membership = membership
        self._owned = owned
        self._backoff = cluster.new_backoff()
        self.last: ClientError | None = None

    async def run(self, offsets: Offsets) -> Offsets:
        """Until nothing is left; what was committed.

        What was refused and is tried again must not undo a later commit: its partitions are left
        to that one, whose caller hears what becomes of them.
        """
        left, done = dict(offsets), dict(offsets)
        while left:
            self._check_owned(left)
            by = await self._identity()
            for key in [key for key in left if not self._offsets.is_newest(self, key)]:
                del left[key], done[key]
            if not left:
                break
            try:
                codes = await self._offsets.commit_once(by, left)
            except ClientError as error:
                if not is_retriable(error):
                    raise
                self.last = error
                await asyncio.sleep(self._backoff.next_s())
                continue
            failures = {key: code for key, code in codes.items() if code}
            for key in codes.keys() - failures.keys():
                del left[key]
            if failures:
                await self._refused(failures, by)
        return done

    async def _identity(self) -> Identity:
        """Who commits. A member that has lost its generation must not commit as nobody, which an
        empty group would take."""
        membership = self._membership
        if membership is None:
            return NOBODY
        if membership.identity.generation <= 0:
            await membership.joined()
        if membership.identity.generation <= 0:
            raise CommitFailedError(
                "not committed: this consumer is no member of its group at the moment"
            ) from self.last
        return membership.identity

    def _check_owned(self, left: Iterable[TopicPartition]) -> None:
        gone = [key for key in left if not self._owned(key)]
        if gone:
            raise CommitFailedError(
                f"not committed: {listed(gone)} went to another member before it was"
            ) from self.last

    async def _refused(self, failures: dict[TopicPartition, int], by: Identity) -> None:
        """Wait for what the codes say to wait for, or raise."""
        reactions = {key: reaction_to(COMMIT, code) for key, code in failures.items()}
        for key, reaction in reactions.items():
            if reaction is Reaction.FATAL:
                self._told(failures[key], by)
                error = error_of(failures[key], f"committing the offset of {key}")
                error.failures = {one: error_of(code, str(one)) for one, code in failures.items()}
                raise error
        worst = next(iter(failures.values()))
        self.last = error_of(worst, f"committing the offsets of {listed(failures)}")
        if Reaction.FIND_COORDINATOR in reactions.values():
            self._coordinator.lost()
        over = [
            key
            for key, reaction in reactions.items()
            if reaction in (Reaction.LOST, Reaction.UNKNOWN, Reaction.REJOIN)
        ]
        if over:
            await self._generation_over(failures[over[0]], by)
        else:
            await asyncio.sleep(self._backoff.next_s())

    def _told(self, code: int, by: Identity) -> None:
        if self._membership is not None:
            self._membership.on_commit(code, by)

    async def _generation_over(self, code: int, by: Identity) -> None:
        """The assignment that this commit is of is no more, or about to be another one."""
        membership = self._membership
        if membership is None:
            raise CommitFailedError(
                "not committed: the group has members, and this consumer is none of them"
            ) from self.last
        if membership.identity != by:
            return  # it is another one already: once more, for the partitions that stayed
        if code == ErrorCode.STALE_MEMBER_EPOCH:
            membership.on_commit(code, by)  # asks for the epoch that is right now (CLI-04)
        if membership.is_joining:
            await membership.joined()
            if membership.identity == by:
                raise rebalancing() from self.last
            return
        membership.on_commit(code, by)
        if code == ErrorCode.REBALANCE_IN_PROGRESS:
            raise rebalancing()
        raise CommitFailedError(
            "not committed: the group has gone on without this consumer, so that its partitions may"
            " be another's; the records since the last commit are read again"
        ) from self.last


def rebalancing() -> BrokerError:
    """The error of a commit that comes too early in a rebalance."""
    error = RebalanceInProgressError("not committed yet: commit again after the next records")
    error.retriable = True
    return error

"""What a consumer says of its partitions, of offsets and of its group; and what it commits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping

from ..arguments import checked_partitions, checked_times
from ..config import ConsumerConfig
from ..env import ClientEnv
from ..errors import ClientClosedError, ConfigurationError
from ..groups.given_offsets import GivenOffset, checked_offsets
from ..groups.values import ConsumerState, GroupMetadata, GroupState, OffsetAndMetadata
from ..serializing import converter
from ..structs import (
    OffsetAndTimestamp,
    PositionEvent,
    PositionReset,
    ReplicaBytes,
    TopicPartition,
)
from ..wire.cluster import Cluster
from ..wire.offsets import EARLIEST, LATEST, list_offsets
from . import ranges
from .columns import RecordColumns
from .commits import Commits
from .fetcher import Fetcher
from .grouped import Grouped
from .positions import PartitionState
from .subscription import partitions_of


class PartitionCalls:
    """Moves no position: looks at partitions, offsets and ranges, and commits."""

    def __init__(self, config: ConsumerConfig, env: ClientEnv) -> None:
        self._config = config
        self._env = env
        self._cluster = Cluster(config, env)
        self._states: dict[TopicPartition, PartitionState] = {}
        self._fetcher: Fetcher | None = None
        self._convert = converter(config.key_deserializer, config.value_deserializer)
        self._has_group = config.group_id is not None
        self._group: Grouped | None = None

    # ------------------------------------------------------------ partitions that are read

    def assignment(self) -> set[TopicPartition]:
        """The partitions that are read."""
        return set(self._states)

    def paused(self) -> set[TopicPartition]:
        """The partitions that are paused."""
        return {key for key, state in self._states.items() if state.is_paused}

    def topic_id(self, partition: TopicPartition) -> bytes | None:
        """Id of the topic that this consumer reads under the name; None before it is known.

        Raises:
            ConfigurationError: the partition is not assigned to this consumer.
        """
        return self._state(partition).topic_id

    def highwater(self, partition: TopicPartition) -> int | None:
        """The high watermark as the last fetch told it; None before the first."""
        state = self._state(partition)
        return state.high_watermark if state.high_watermark >= 0 else None

    def last_stable_offset(self, partition: TopicPartition) -> int | None:
        """The first offset that an open transaction may change, as the last fetch told it."""
        state = self._state(partition)
        return state.last_stable_offset if state.last_stable_offset >= 0 else None

    def reset_events(self) -> list[PositionReset]:
        """Positions that the consumer moved by itself since this was last called."""
        if self._fetcher is None:
            return []
        events = list(self._fetcher.resets.events)
        self._fetcher.resets.events.clear()
        return events

    def position_events(self) -> list[PositionEvent]:
        """What became of positions that brokers did not accept, since this was last called:
        `PositionReset`, `LogTruncation`, or `PositionKept`."""
        if self._fetcher is None:
            return []
        events = list(self._fetcher.resets.position_events)
        self._fetcher.resets.position_events.clear()
        return events

    def preferred_read_replica(self, partition: TopicPartition) -> int:
        """The node that a partition is read from instead of its leader, -1 for the leader.

        Kafka's metric `preferred-read-replica` (392-17).
        """
        return self._state(partition).preferred

    def bytes_read(self) -> list[ReplicaBytes]:
        """Bytes of records fetched so far, by node, with its rack."""
        return [] if self._fetcher is None else self._fetcher.preferred.bytes_read()

    def lag(self, partition: TopicPartition) -> int | None:
        """How many offsets the position is behind the end of the partition, as the last fetch told
        it: behind the last stable offset with read_committed. None before the first."""
        state = self._state(partition)
        end = state.last_stable_offset if self._config.isolation else state.high_watermark
        if end < 0 or state.position is None or state.reset_to is not None:
            return None
        return max(0, end - state.position)

    # ------------------------------------------------------------ looking things up

    async def all_partitions(self, *topics: str) -> list[TopicPartition]:
        """Every partition of the topics, ready for assign()."""
        return await partitions_of(self._cluster, topics)

    async def partitions_for_topic(self, topic: str) -> set[int]:
        """Numbers of the partitions of a topic.

        Raises:
            UnknownTopicOrPartitionError: there is no such topic.
        """
        return set((await self._cluster.topic(topic)).partitions)

    async def offsets_for_times(
        self, timestamps: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        """The first record at or after a time in milliseconds; None where there is none.

        Raises:
            TypeError, ValueError: something that is no time.
        """
        found = await self._offsets(checked_times(timestamps))
        return {key: each if each.offset >= 0 else None for key, each in found.items()}

    async def beginning_offsets(
        self, partitions: Iterable[TopicPartition]
    ) -> dict[TopicPartition, int]:
        """The first offsets that are left."""
        found = await self._offsets(dict.fromkeys(partitions, EARLIEST))
        return {key: each.offset for key, each in found.items()}

    async def end_offsets(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """The offsets that come next: high watermarks, or with read_committed the last stable
        offsets."""
        found = await self._offsets(dict.fromkeys(partitions, LATEST))
        return {key: each.offset for key, each in found.items()}

    async def _offsets(
        self, wanted: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, OffsetAndTimestamp]:
        return await list_offsets(self._cluster, wanted, isolation=self._config.isolation)

    # ------------------------------------------------------------ ranges

    def fetch_range(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncIterator[RecordColumns]:
        """Records with `start` <= offset < `end`, as columns; independent of any assignment.

        Raises:
            OffsetOutOfRangeError: records of the range were deleted.
            RangeNotAvailableError: the end was not reached within `default_api_timeout_ms`.
        """
        where = TopicPartition(topic, partition)
        return ranges.read_range(self._cluster, self._config, where, start, end)

    def fetch_range_raw(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncIterator[bytes]:
        """The same as whole record batches, as the broker stores them; the first and the last may
        have records outside the range."""
        where = TopicPartition(topic, partition)
        return ranges.read_range_raw(self._cluster, self._config, where, start, end)

    # ------------------------------------------------------------ the group

    @property
    def state(self) -> ConsumerState:
        """How this consumer stands to its group, and why."""
        return ConsumerState(GroupState.NO_GROUP) if self._group is None else self._group.health.now

    async def commit(
        self,
        offsets: Mapping[TopicPartition, GivenOffset] | None = None,
        *,
        timeout_ms: int | None = None,
    ) -> None:
        """Commit everything that was handed out, or these offsets: each that of the next record to
        read. Ends within `timeout_ms` (`default_api_timeout_ms`).

        Raises:
            CommitFailedError: a partition went to another member; its records are read again.
            RebalanceInProgressError: too early in a rebalance; again after the next records.
            ClientTimeoutError: it may have been committed or not.
        """
        group = self._grouped()
        wanted = None if offsets is None else checked_offsets(offsets)
        await group.commits.commit(wanted, self._limit_s(timeout_ms))

    async def committed(self, partition: TopicPartition) -> int | None:
        """The offset that the group committed for a partition; None when there is none."""
        found = await self.committed_offsets(partition)
        return found[partition].offset if partition in found else None

    async def committed_offsets(
        self, *partitions: TopicPartition
    ) -> dict[TopicPartition, OffsetAndMetadata]:
        """What the group committed for these partitions, or for all that are assigned; those
        without a committed offset are left out."""
        wanted = checked_partitions(partitions or self._states)
        return (
            await self._grouped().commits.committed(wanted, self._limit_s(None)) if wanted else {}
        )

    def group_metadata(self) -> GroupMetadata:
        """Who this consumer is in its group at this moment, for offsets that a transaction commits
        (KIP-447). `Producer.send_offsets_to_transaction` takes it, or the consumer itself."""
        return self._grouped().commits.metadata()

    def offset_source(self) -> Commits:
        """What a transaction that commits offsets needs of this consumer.

        Raises:
            ConfigurationError: it has no group, or would commit by itself what the transaction may
                abort.
        """
        commits = self._grouped().commits
        if self._config.enable_auto_commit:
            raise ConfigurationError(
                "a transaction cannot commit the offsets of a consumer that commits by itself:"
                " give it enable_auto_commit=False"
            )
        return commits

    def enforce_rebalance(self, reason: str = "the program asks for it") -> None:
        """Have the group assigned anew (KIP-568); it happens in the background."""
        self._grouped().rejoin(reason)

    def _grouped(self) -> Grouped:
        if not self._has_group:
            raise ConfigurationError("this consumer has no group: give it a group_id")
        if self._group is None:
            raise ClientClosedError("the consumer is not running")
        return self._group

    def _limit_s(self, timeout_ms: int | None) -> float:
        return (self._config.default_api_timeout_ms if timeout_ms is None else timeout_ms) / 1000

    # ------------------------------------------------------------ inside

    def _state(self, partition: TopicPartition) -> PartitionState:
        state = self._states.get(partition)
        if state is None:
            raise ConfigurationError(f"{partition} is not assigned")
        return state

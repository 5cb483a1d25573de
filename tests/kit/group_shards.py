"""A whole `GroupMachine` on one shard without a log, with a clock that moves when told."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.coordination.groups.group import Committer, Group, GroupKind
from barnabas.broker.core.coordination.groups.group_machine import GroupMachine
from barnabas.broker.core.coordination.groups.offsets.committed import Committed, TopicPartition
from barnabas.broker.core.coordination.groups.offsets.group_offsets import Wanted
from barnabas.broker.core.coordination.groups.surroundings import GroupSurroundings
from barnabas.broker.core.coordination.machine import Producer, Record
from barnabas.broker.core.coordination.timeline import LATEST, Timeline, TimelineDict
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey

from .logs import ManualClock, env_of
from .shards import OneShard

NOBODY = Committer("", -1, None, 9)


class OneGroupShard:
    """Offsets, classic and consumer groups; what is written commits at once, or on `commit`."""

    def __init__(self, **settings: Any) -> None:
        self.clock = ManualClock()
        self.timeline = Timeline()
        self.shard = OneShard(self.timeline, self.clock)
        self.groups: TimelineDict[str, Group] = TimelineDict(self.timeline)
        self.image = ClusterImage("c")
        config = dataclasses.replace(BrokerConfig(), **settings)
        around = GroupSurroundings(
            env=env_of(clock=self.clock),
            config=config,
            image=lambda: self.image,
            timeline=self.timeline,
            timers=self.shard.timers,
            groups=self.groups,
            report=lambda event, fields: None,
        )
        self.machine = GroupMachine(around)
        self.shard.run(self.machine)
        self.offsets = self.machine.offsets

    def commit(
        self,
        offset: int,
        group: str = "g",
        partition: TopicPartition = ("t", 0),
        producer: Producer | None = None,
        committer: Committer = NOBODY,
        retention_ms: int = -1,
        topic_id: bytes = bytes(16),
    ) -> list[ErrorCode]:
        """Commit one offset; raises what the group says."""
        if producer is not None:
            committer = dataclasses.replace(committer, is_transactional=True)
        return self.shard.write(
            lambda: self.offsets.commit(
                group,
                committer,
                [Wanted(partition, offset, topic_id=topic_id)],
                retention_ms=retention_ms,
                producer=producer,
            )
        )

    def end(self, producer: Producer, *, is_commit: bool) -> None:
        """A marker ends the producer's transaction."""
        self.machine.replay_end(producer, is_commit=is_commit)

    def offset(
        self, group: str = "g", partition: TopicPartition = ("t", 0), at: int = LATEST
    ) -> int | None:
        """The committed offset; None: there is none."""
        (found,) = self.offsets.fetch(group, [partition], at=at)
        assert not isinstance(found, ErrorCode)
        return found.offset if isinstance(found, Committed) else None

    def stable(self, group: str = "g", partition: TopicPartition = ("t", 0)) -> object:
        """The offset where only stable ones are wanted, or the error."""
        (found,) = self.offsets.fetch(group, [partition], is_stable=True)
        return found.offset if isinstance(found, Committed) else found

    def replayed(self) -> OneGroupShard:
        """Another shard that was loaded from the log of this one; without markers."""
        other = OneGroupShard()
        for offset, record in enumerate(self.shard.log):
            other.machine.replay(record, offset, None)
        return other


class FakeGroup:
    """A group whose answers a test sets."""

    def __init__(self, group_id: str = "g") -> None:
        self.group_id = group_id
        self.kind = GroupKind.CLASSIC
        self.is_empty = False
        self.topics: set[str] = set()
        self.starts_ms: int | None = 0
        self.error: Exception | None = None

    def state_name_at(self, offset: int) -> str:
        return "Stable"

    def protocol_type_at(self, offset: int) -> str:
        return "consumer"

    def check_commit(self, committer: Committer, partitions: Sequence[tuple[str, int]]) -> None:
        self._check()

    def check_fetch(self, committer: Committer, offset: int) -> None:
        self._check()

    def check_delete(self) -> None:
        self._check()

    def check_offset_delete(self) -> None:
        self._check()

    def _check(self) -> None:
        if self.error is not None:
            raise self.error

    def is_subscribed(self, topic: str) -> bool:
        return topic in self.topics

    def expiry_starts_ms(self, topic: str, commit_ms: int) -> int | None:
        return self.starts_ms

    def tombstones(self) -> Sequence[Record]:
        return (Record(GroupMetadataKey(group=self.group_id), None),)

    def on_loaded(self) -> None: ...

    def on_unloaded(self) -> None: ...

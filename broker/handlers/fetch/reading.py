"""The partitions of one fetch, read once or several times until there is enough.

- 74-01: partitions are served in the order of the request; the first batch is read whatever its
  size.
- 392-04: the leader may send a consumer to a nearer replica; then nothing is read.
- 501-10: records that are not in memory are read by a thread. With them in hand their partition is
  looked at again from the beginning, so that nothing in the answer is older than the wait; if the
  log or the leader has changed meanwhile, they are read again.
- Partitions of the session that rest are not read, see `session.py`.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_response import AbortedTransaction, PartitionData

from ...core.log.stored_records import StoredRecords
from ...core.reads import CHANGED, Planned, Steps, attempt, unless_changed
from ...core.replication.leader import LeaderState
from ...core.replication.partition import Partition
from ...core.replication.replica_selector import ClientView, preferred_replica
from ...core.replication.resting_session import FetchTarget
from ...core.security.resources import Operation, topic_resource
from ...serving.context import BrokerServices
from ...serving.hosting import hosted_replica, hosted_replica_by_id
from ...serving.rights import Rights
from ...serving.waiting import SLICE
from .asked import Asked
from .follower import FollowerFetch
from .found import KEPT_BYTES_MAX, LENT_FROM, NEVER, Found
from .rows import aborted_before, failed_row, new_row, next_offset
from .rules import STORAGE_ERROR_SINCE, check_readable, diverging_epoch

Taken = tuple["Buffer | StoredRecords", "list[AbortedTransaction] | None"]
"""Records of a partition, and the aborted transactions in them."""


class Unread(NamedTuple):
    """A partition that cannot be answered yet: what its steps need must be waited for."""

    partition: Partition
    steps: Steps[Taken]
    missing: Planned


class Reading:
    """Reads what was asked for into what is found."""

    __slots__ = ("_node", "asked", "follower", "found")

    def __init__(self, node: BrokerServices, asked: Asked) -> None:
        self._node = node
        self.asked = asked
        self.found = Found(_kept_max(node, is_follower=asked.reader.is_follower))
        self.follower: FollowerFetch | None = None
        if asked.reader.is_follower:
            self.follower = FollowerFetch(node, asked)

    # --- all partitions -------------------------------------------------------------------------

    def read(self) -> Steps[None]:
        """Read all partitions in the order of the request (74-01)."""
        found = self.found
        for number, target in enumerate(self.asked.wanted.targets):
            if number % SLICE == SLICE - 1:
                yield None
            row = self._read_one(number, target)
            if isinstance(row, Unread):
                row = yield from self._reading_late(number, target, row)
            found.add(row)

    def look_again(self) -> Steps[None]:
        """Read the partitions again that have news, in the order of the request."""
        found, targets = self.found, self.asked.wanted.targets
        while found.news:
            for number in sorted(found.news):
                found.drop(number)
                row = self._read_one(number, targets[number])
                if isinstance(row, Unread):
                    row = yield from self._reading_late(number, targets[number], row)
                found.replace(number, row)

    @property
    def may_answer_now(self) -> bool:
        """Whether there is enough, or nothing to wait for."""
        return (
            self.has_enough
            or self.asked.max_wait_ms <= 0
            or self.asked.wanted.is_empty
            or self._is_watermark_due
        )

    @property
    def _is_watermark_due(self) -> bool:
        follower = self.follower
        return (
            follower is not None
            and follower.has_watermark_news
            and follower.watermark_due_ms() <= 0
        )

    def is_outdated(self, partition: Partition, number: int) -> bool:
        """Whether there is more to tell of this partition than when its row was made."""
        asked, row = self.asked, self.found.rows[number]
        target = asked.wanted.targets[number]
        return (
            row.high_watermark != partition.high_watermark
            or row.log_start_offset != partition.log.log_start_offset
            or (asked.reader.needs_leader and not partition.is_leader)
            or target.current_leader_epoch not in {-1, partition.leader_epoch}
            or (
                asked.reader.is_follower
                and not row.records
                and partition.log.log_end_offset > target.fetch_offset
            )
            or not self._node.replicas.holds(partition)
        )

    @property
    def has_enough(self) -> bool:
        """Whether `min_bytes` are there, or something else that must be told without waiting."""
        return self.found.must_answer or self.found.size >= self.asked.min_bytes

    # --- one partition --------------------------------------------------------------------------

    def partition_of(self, target: FetchTarget) -> Partition:
        """The replica that is here. Raises KafkaError 3, 6, 56 or 100."""
        if isinstance(target.topic, str):
            return hosted_replica(self._node, target.topic, target.partition)
        return hosted_replica_by_id(self._node, target.topic, target.partition)

    def _read_one(
        self,
        number: int,
        target: FetchTarget,
        taken: Taken | None = None,
        noted_by: LeaderState | None = None,
    ) -> PartitionData | Unread:
        """The row; with `taken`, what was read for it a moment ago is not read again.

        `noted_by`: the leadership that has noted a follower's fetch by then.
        """
        partition = None
        try:
            if self.asked.rights is not None:
                self._require_read(self.asked.rights, target.topic)
            partition = self.partition_of(target)
            self.found.places[partition] = number
            if target.current_leader_epoch > partition.leader_epoch or (
                not partition.is_leader and self.asked.reader.needs_leader
            ):
                self._node.replicas.catch_up(partition)
            check_readable(partition, target, self.asked.reader)
            return self._read_partition(partition, target, taken, noted_by)
        except KafkaError as error:
            return self.failed(partition, target, error)

    def _require_read(self, rights: Rights, topic: str | bytes) -> None:
        """Raise KafkaError 29 unless the topic may be read; an unknown id is for who looks it up
        (ACL-18)."""
        if isinstance(topic, bytes):
            known = self._node.image.topics_by_id.get(topic)
            if known is None:
                return
            topic = known.name
        rights.require(Operation.READ, topic_resource(topic))

    def _read_partition(
        self,
        partition: Partition,
        target: FetchTarget,
        taken: Taken | None,
        noted_by: LeaderState | None,
    ) -> PartitionData | Unread:
        log, found, asked = partition.log, self.found, self.asked
        offset = target.fetch_offset
        if target.last_fetched_epoch >= 0:
            diverging = diverging_epoch(partition, target, asked.reader)
            if diverging is not None:
                found.must_answer = True
                row = new_row(partition, target)
                row.diverging_epoch = diverging
                return row
        if self.follower is not None:
            self.follower.note(partition, target, noted_by)
            upper = offset if self.follower.must_wait(partition) else log.log_end_offset
        else:
            upper = partition.readable_end(read_committed=asked.is_committed)
        row = new_row(partition, target)
        if asked.client is not None and partition.is_leader:
            row.preferred_read_replica = self._nearer(asked.client, partition, offset)
            if row.preferred_read_replica >= 0:
                found.must_answer = True
                return row
        is_first = found.size == 0
        left = found.room(asked.max_bytes)
        if asked.is_committed:
            row.aborted_transactions = []
        if offset < upper and (left > 0 or is_first):
            if taken is None:
                steps = self._taking(
                    partition, offset, upper, max(min(target.max_bytes, left), 0), is_first
                )
                outcome = attempt(steps)
                if isinstance(outcome, Planned):
                    return Unread(partition, steps, outcome)
                taken = outcome
            row.records = taken[0]  # type: ignore[assignment]  # loans: fast_fetch knows them
            row.aborted_transactions = taken[1]
        return row

    def _taking(
        self, partition: Partition, offset: int, upper: int, max_bytes: int, is_first: bool
    ) -> Steps[Taken]:
        log = partition.log
        records = yield from log.reader.finding(
            offset,
            max_bytes,
            upper,
            at_least_one_batch=is_first,
            lent_from=self.found.lent_from,
        )
        if not self.asked.is_committed:
            return records, None
        if not records:
            return records, []
        # Only those that these records need: up to `upper` there may be any number, in segments
        # that would have to be loaded first.
        end = next_offset(records)
        try:
            aborted = yield from log.aborted.finding(offset, end)
        except OSError as error:
            raise log.reader.failed(error) from error
        return records, aborted_before(end, aborted) if aborted else []

    def _reading_late(
        self, number: int, target: FetchTarget, unread: Unread
    ) -> Steps[PartitionData]:
        """The row, when what is missing has been read."""
        while True:
            partition = unread.partition
            standing = partial(self._standing, partition)
            leader = partition.leader
            try:
                taken = yield from unless_changed(unread.steps, standing, unread.missing)
            except KafkaError as error:
                return self.failed(partition, target, error)
            row = self._read_one(number, target, None if taken is CHANGED else taken, leader)
            if not isinstance(row, Unread):
                return row
            unread = row

    def _standing(self, partition: Partition) -> object:
        """While this is what it was, what was read may be told."""
        return (
            self._node.replicas.holds(partition),
            partition.leader_epoch,
            partition.log.reader.changes,
        )

    def _nearer(self, client: ClientView, partition: Partition, offset: int) -> int:
        """The replica that this consumer should read instead; -1 for this one (392-04)."""
        replicas = self._node.replicas
        assert replicas.selector is not None
        return preferred_replica(
            replicas.selector,
            partition,
            offset,
            client,
            replicas.surroundings.cluster,
            self.asked.came_ms,
        )

    def failed(
        self, partition: Partition | None, target: FetchTarget, error: KafkaError
    ) -> PartitionData:
        """The row of a partition that cannot be read; nothing waits for it, unless (392-05b)."""
        code = error.code
        if (
            code is ErrorCode.KAFKA_STORAGE_ERROR
            and self.asked.reader.version < STORAGE_ERROR_SINCE
        ):
            code = ErrorCode.NOT_LEADER_OR_FOLLOWER
        if code is not ErrorCode.OFFSET_NOT_AVAILABLE:
            self.found.must_answer = True
        return failed_row(partition, target, code)


def _kept_max(node: BrokerServices, *, is_follower: bool) -> int:
    """How many bytes of records an answer may have in memory."""
    if node.env.maybe("records-stay-in-file"):
        return 0
    if not node.has_answer_room:
        return LENT_FROM
    # The time that the disk takes must count as the leader's work (501-10), so a follower's
    # records are read now and not when they are sent.
    return NEVER if is_follower else KEPT_BYTES_MAX

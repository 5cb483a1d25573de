"""The partitions of one fetch, read once or several times until there is enough.

- 74-01: partitions are served in the order of the request; the first batch is read whatever its
  size.
- 392-04: the leader may send a consumer to a nearer replica; then nothing is read.
- 501-10: records that are not in memory are loaded off the event loop. Their partition is then
  looked at again from the beginning, so that nothing in the answer is older than the wait.
- Partitions of the session that rest are not read, see `fetch_in_session.py`.
- Large records are not read here: the answer holds their place in the file, and the connection
  reads them as the client takes them. So a client that asks but does not read costs no memory.
"""

from __future__ import annotations

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)

from ..core.at_hand import AtHand, NotAtHandError
from ..core.log.stored_records import StoredRecords
from ..core.replication.fetch_session import FetchContext
from ..core.replication.partition import Partition
from ..core.replication.replica_selector import ClientView, preferred_replica
from ..core.replication.resting_session import FetchTarget
from .context import BrokerContext
from .fetch_followers import FollowerFetch
from .fetch_in_session import ReadingInSession
from .fetch_rows import aborted_in, new_row, next_offset
from .fetch_rules import (
    FOLLOWER_READS_SINCE,
    STORAGE_ERROR_SINCE,
    Reader,
    check_readable,
    diverging_epoch,
)
from .leader_hints import FETCH_ENDPOINTS_SINCE, HINTED, LeaderHints
from .waiting import SLICE, Steps, at_once

READ_COMMITTED = 1
PARKED_BYTES_MAX = 65_536
"""A fetch that waits keeps no more bytes than that: it reads them again for its answer."""

LENT_FROM = 131_072
"""Records of one partition that have at least this size stay in the file until they are sent."""

KEPT_BYTES_MAX = 1_048_576
"""With so many bytes of records in memory, an answer leaves all further ones in their files;
`LENT_FROM` while the node's memory for answers is used up."""

LOANS_MAX = 64
"""Most places in files that one answer holds, each with a descriptor. Further partitions wait for
the next fetch."""

NEVER = 1 << 62

_WITH_OFFSETS = (ErrorCode.OFFSET_OUT_OF_RANGE, ErrorCode.OFFSET_NOT_AVAILABLE)


class Reading(ReadingInSession):
    """One fetch: what it wants, and what was found of it so far."""

    __slots__ = (
        "_at_hand",
        "_context",
        "_kept",
        "_kept_max",
        "_loans",
        "_max_bytes",
        "_now_ms",
        "max_wait_ms",
        "min_bytes",
        "must_answer",
        "reader",
        "size",
    )

    def __init__(
        self,
        context: BrokerContext,
        request: FetchRequest,
        wanted: FetchContext,
        reader: Reader,
        now_ms: float,
    ) -> None:
        node = context.node
        self.node = node
        self.reader = reader
        self._context = context
        self._wanted = wanted
        self._now_ms = now_ms
        self._is_committed = request.isolation_level == READ_COMMITTED and not reader.is_follower
        self._max_bytes = min(request.max_bytes, node.config.fetch_max_bytes)
        self.min_bytes = min(request.min_bytes, self._max_bytes)
        self.max_wait_ms = request.max_wait_ms
        self._at_hand = AtHand(node.env.disk)
        self._results: list[PartitionData] = []
        self._news: dict[int, None] = {}
        self.places: dict[Partition, int] = {}
        """Partition -> its number among the targets, for all that this broker hosts."""
        self.size = 0
        self._kept = 0  # bytes of `size` that are in memory
        self._loans = 0
        has_room = node.has_answer_room
        if reader.is_follower and has_room:
            # The time that the disk takes must count as the leader's work (501-10), so a follower's
            # records are read now and not when they are sent.
            self._kept_max = NEVER
        else:
            self._kept_max = KEPT_BYTES_MAX if has_room else LENT_FROM
        if node.env.maybe("records-stay-in-file"):
            self._kept_max = 0
        self.must_answer = False
        """The answer has an error, a diverging epoch or a nearer replica, so it must not wait."""
        self.follower: FollowerFetch | None = None
        if reader.is_follower:
            self.follower = FollowerFetch(node, wanted, reader, now_ms)
        self._client: ClientView | None = None
        if (
            not reader.is_follower
            and reader.version >= FOLLOWER_READS_SINCE
            and node.replicas.selector is not None
        ):
            self._client = ClientView(
                context.header.client_id or "",
                request.rack_id,
                context.listener_name,
                context.client_host,
            )

    # --- reading --------------------------------------------------------------------------------

    def read(self) -> Steps:
        """Read all partitions in the order of the request (74-01)."""
        for number, target in enumerate(self._wanted.targets):
            if number % SLICE == SLICE - 1:
                yield None
            while True:
                try:
                    data = self._read_one(number, target)
                    break
                except NotAtHandError as missing:
                    yield missing
            self._results.append(data)
            if data.records:
                self._count(data.records, 1)
                self._at_hand.forget()

    def _count(self, records: Buffer | StoredRecords, sign: int) -> None:
        """Add these records to the sums (`sign` 1), or take them away (-1)."""
        size = sign * len(records)
        self.size += size
        if type(records) is StoredRecords:
            self._loans += sign
        else:
            self._kept += size

    def look_again(self) -> Steps:
        """Read the partitions again that have news, in the order of the request."""
        while self._news:
            try:
                self._read_news()
            except NotAtHandError as missing:
                yield missing

    def _read_news(self) -> None:
        for number in sorted(self._news):
            before = self._results[number]
            if before.records:
                self._count(before.records, -1)
                before.records = b""
            data = self._read_one(number, self._wanted.targets[number])
            del self._news[number]
            self._results[number] = data
            if data.records:
                self._count(data.records, 1)
                self._at_hand.forget()

    def put_down(self) -> None:
        """Free the records if they are too large for a fetch that waits; they are read again."""
        if self.size <= PARKED_BYTES_MAX:
            return
        for number, data in enumerate(self._results):
            if data.records:
                self._news[number] = None
                data.records = b""
        self.size = self._kept = self._loans = 0

    def note_news(self, place: int) -> None:
        """The partition with this number must be read again before the answer."""
        self._news[place] = None

    @property
    def may_answer_now(self) -> bool:
        """Whether there is enough, or nothing to wait for."""
        return (
            self.has_enough
            or self.max_wait_ms <= 0
            or self._wanted.is_empty
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

    @property
    def has_enough(self) -> bool:
        """Whether `min_bytes` are there, or something else that must be told without waiting."""
        return self.must_answer or self.size >= self.min_bytes

    def _read_one(self, number: int, target: FetchTarget) -> PartitionData:
        partition = None
        try:
            partition = self._find(target)
            self.places[partition] = number
            if target.current_leader_epoch > partition.leader_epoch or (
                not partition.is_leader and self.reader.needs_leader
            ):
                self.node.replicas.catch_up(partition)
            check_readable(partition, target, self.reader)
            return self._read_partition(partition, target)
        except KafkaError as error:
            return self._failed(partition, target, error)

    def _read_partition(self, partition: Partition, target: FetchTarget) -> PartitionData:
        log = partition.log
        offset = target.fetch_offset
        if target.last_fetched_epoch >= 0:
            diverging = diverging_epoch(partition, target)
            if diverging is not None:
                self.must_answer = True
                data = new_row(partition, target)
                data.diverging_epoch = diverging
                return data
        if self.follower is not None:
            self.follower.note(partition, target)
            upper = log.log_end_offset
        else:
            upper = partition.readable_end(read_committed=self._is_committed)
        data = new_row(partition, target)
        if self._client is not None and partition.is_leader:
            data.preferred_read_replica = self._nearer(self._client, partition, offset)
            if data.preferred_read_replica >= 0:
                self.must_answer = True
                return data
        is_first = self.size == 0
        left = self._max_bytes - self.size if self._loans < LOANS_MAX else 0
        if offset < upper and (left > 0 or is_first):
            with self._at_hand:
                data.records = log.find(  # type: ignore[assignment]  # loans: fast_fetch knows them
                    offset,
                    max(min(target.max_bytes, left), 0),
                    upper,
                    at_least_one_batch=is_first,
                    lent_from=self._lent_from,
                )
        if self._is_committed:
            with self._at_hand:
                data.aborted_transactions = aborted_in(partition, offset, upper, data.records)
        return data

    @property
    def _lent_from(self) -> int:
        if self._kept_max == NEVER:
            return NEVER
        return LENT_FROM if self._kept < self._kept_max else 1

    def _nearer(self, client: ClientView, partition: Partition, offset: int) -> int:
        """The replica that this consumer should read instead; -1 for this one (392-04)."""
        replicas = self.node.replicas
        assert replicas.selector is not None
        return preferred_replica(
            replicas.selector,
            partition,
            offset,
            client,
            replicas.surroundings.cluster,
            self._now_ms,
        )

    def _failed(
        self, partition: Partition | None, target: FetchTarget, error: KafkaError
    ) -> PartitionData:
        code = error.code
        if code is ErrorCode.KAFKA_STORAGE_ERROR and self.reader.version < STORAGE_ERROR_SINCE:
            code = ErrorCode.NOT_LEADER_OR_FOLLOWER
        if code is not ErrorCode.OFFSET_NOT_AVAILABLE:
            self.must_answer = True
        data = PartitionData(
            partition_index=target.partition,
            error_code=int(code),
            high_watermark=-1,
            aborted_transactions=None,
        )
        if partition is not None and code in _WITH_OFFSETS:
            # 392-07, 392-08: an answer "out of range" contains the range.
            log = partition.log
            data.high_watermark = log.high_watermark
            data.last_stable_offset = log.last_stable_offset
            data.log_start_offset = log.log_start_offset
        return data

    # --- the answer -----------------------------------------------------------------------------

    @property
    def row_count(self) -> int:
        """The largest number of rows that the answer may have."""
        return len(self._results)

    def make(self) -> FetchResponse:
        """The answer, made when its turn to leave has come. Raises NotAtHandError."""
        missing = at_once(self.look_again())
        if missing is not None:
            raise missing
        return self.answer()

    def answer(self) -> FetchResponse:
        """The response with the last results, without those that the session has told before."""
        wanted = self._wanted
        if self.follower is not None:
            self.follower.end()
            if self.follower.has_watermark_news and not self.has_enough:
                self.follower.note_watermark_told()
        response = FetchResponse(session_id=wanted.session_id)
        hints = LeaderHints(self.node, self._context.peer) if self.must_answer else None
        topic: str | bytes | None = None
        rows: list[PartitionData] = []
        for target, data in wanted.select(self._results):
            if target.topic != topic:
                topic = target.topic
                rows = []
                found = FetchableTopicResponse(partitions=rows)
                if isinstance(topic, str):
                    found.topic = topic
                else:
                    found.topic_id = topic
                response.responses.append(found)
            if hints is not None and data.error_code in HINTED:
                self._hint(hints, target, data)
            rows.append(data)
        if hints is not None and self.reader.version >= FETCH_ENDPOINTS_SINCE:
            response.node_endpoints = [
                NodeEndpoint(node_id=node_id, host=host, port=port, rack=rack)
                for node_id, host, port, rack in hints.addresses()
            ]
        if self.node.env.hooks is not None:
            self._tell(response)
        self._let_rest()
        self._results = []
        return response

    def _hint(self, hints: LeaderHints, target: FetchTarget, data: PartitionData) -> None:
        if not hints.may_name(self.reader.version):
            return
        leader = hints.leader_of(target.topic, target.partition)
        if leader is not None:
            data.current_leader = LeaderIdAndEpoch(leader_id=leader[0], leader_epoch=leader[1])

    def _tell(self, response: FetchResponse) -> None:
        """Tell the simulator what was read of each partition."""
        hooks = self.node.env.hooks
        assert hooks is not None
        hooks.on(
            "fetch-told",
            fetch=self._wanted,
            response=response,
            reader=self.reader,
            replicas=self.node.replicas,
            max_bytes=self._max_bytes,
            max_wait_ms=self.max_wait_ms,
            waited_ms=self.node.env.clock.monotonic_ms() - self._now_ms,
        )
        for partition, number in self.places.items():
            data = self._results[number]
            if data.records:
                hooks.on(
                    "fetch-answered",
                    partition=partition,
                    replica_id=self.reader.replica_id,
                    fetch_offset=self._wanted.targets[number].fetch_offset,
                    end_offset=next_offset(data.records),
                    read_committed=self._is_committed,
                )

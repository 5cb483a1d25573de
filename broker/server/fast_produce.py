"""The hot path of Produce: a request of the usual kind, parsed in place and answered in bytes.

No object is made for the request. A batch is checked by its header, its CRC and the framing of its
records, and is written to the log from the receive buffer. Every other request, and every doubtful
one, returns None before anything is appended: `dispatch` then handles the same frame on the general
path (generated classes, `handlers/produce.py`). The two paths meet nowhere else.

The front of a request hardly changes from one to the next: client id, acks, timeout, topic. Those
bytes are remembered together with their meaning (`Plan`), so equal bytes are not parsed again.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct

from barnabas.protocol.checksum import crc32c
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.record_batch import ATTRIBUTES_AT, HEADER, HEADER_SIZE, LOG_OVERHEAD

from ..core.log.record_check import is_true_at_once
from ..core.replication.partition import Partition
from ..core.security.resources import Operation, topic_resource
from ..observe.metrics import Metrics
from ..serving.client_quotas import ClientQuotas
from ..serving.rights import AccessControl
from .connection import Connection
from .produce_answers import ProduceAnswers, Rows
from .produce_plan import Plan, client_id_of, read_plan
from .produce_walk import (
    TOPIC_IDS_SINCE,
    uvarint_rest,
    walk_request,
)

_ZSTD = 4
_ZSTD_SINCE = 7

BODY_AT = 12  # length, API key, version, correlation id
_INT32 = Struct(">i")
_NO_TAGS = b"\0\0\0"


class FastProduce:
    """Bound to a node's partitions; called once per Produce request."""

    __slots__ = (
        "_access",
        "_answers",
        "_metrics",
        "_quotas",
        "_topics",
        "_topics_by_id",
        "_wall_ms",
    )

    def __init__(
        self,
        topics: dict[bytes, dict[int, Partition]],
        topics_by_id: dict[bytes, dict[int, Partition]],
        wall_ms: Callable[[], int],
        metrics: Metrics,
        answers: ProduceAnswers,
        quotas: ClientQuotas,
        access: AccessControl | None = None,
    ) -> None:
        """`access`: who may write; None where everybody may."""
        self._quotas = quotas
        self._access = access
        self._topics = topics
        self._topics_by_id = topics_by_id
        self._wall_ms = wall_ms
        self._metrics = metrics
        self._answers = answers

    def __call__(  # noqa: C901, PLR0912 - in one piece on purpose: a call costs as much
        self,
        connection: Connection,
        buffer: bytearray,
        start: int,
        end: int,
        version: int,
        correlation_id: int,
    ) -> bytes | None:
        """The answer; b"" if there is none (yet); None if the request needs the general path.

        Raises ProtocolError when acks=0 and the batch was refused (ENV-09).
        """
        plan = connection.produce_plan
        at = start + BODY_AT
        if plan is None or plan.version != version or not buffer.startswith(plan.front, at):
            plan = read_plan(buffer, at, end, version)
            if plan is None:
                return self._many(connection, buffer, start, end, version, correlation_id)
            connection.produce_plan = plan
        at += len(plan.front)
        partitions = (self._topics_by_id if plan.has_id else self._topics).get(plan.topic)
        if partitions is None or at + 5 + HEADER_SIZE > end:
            return None
        if self._access is not None and not may_use(plan, self._access, connection, partitions):
            return None
        # The one partition: index, length of the records, records; then only empty tagged fields.
        (index,) = _INT32.unpack_from(buffer, at)
        if plan.is_flexible:
            length = buffer[at + 4]
            at += 5
            if length > 0x7F:
                length, at = uvarint_rest(buffer, at, length)
            length -= 1
            batch_end = at + length
            if batch_end + 3 != end or not buffer.endswith(_NO_TAGS, batch_end, end):
                return None
        else:
            (length,) = _INT32.unpack_from(buffer, at + 4)
            at += 8
            batch_end = at + length
            if batch_end != end:
                return None
        partition = partitions.get(index)
        view = connection.view
        quotas = self._quotas
        if partition is None or quotas.counts_time:
            return None
        if not is_usual(view, at, batch_end, partition, version):
            return None
        if quotas.counts_produce:
            quotas.produced(connection, plan.client_id, end - start - 4)
        try:
            result = partition.append(view, at, batch_end, self._wall_ms())
        except KafkaError as error:
            rows: Rows = [(plan.topic, index, partition, error, bytes(view[at:batch_end]))]
            return self._slowly(connection, correlation_id, plan, rows)
        self._metrics.produce_requests += 1
        self._metrics.bytes_in += length
        if not (acks := plan.acks):
            return b""
        last = result.last_offset
        if partition.log.high_watermark <= last and not partition.is_acknowledged(last + 1, acks):
            self._answers.later(connection, plan, correlation_id, index, partition, result)
            return b""
        if partition.hooks is not None:
            partition.tell_acknowledged(result, acks)
        if quotas.counts_produce:
            return self._answers.settled(connection, plan, correlation_id, index, result)
        return plan.answer(correlation_id, index, result)

    def _slowly(self, connection: Connection, correlation_id: int, plan: Plan, rows: Rows) -> bytes:
        return self._answers(
            connection,
            plan.client_id,
            plan.version,
            correlation_id,
            plan.acks,
            plan.timeout_ms,
            rows,
        )

    def _many(
        self,
        connection: Connection,
        buffer: bytearray,
        start: int,
        end: int,
        version: int,
        correlation_id: int,
    ) -> bytes | None:
        """A request for several partitions: all batches are checked before the first append."""
        request = walk_request(buffer, start + BODY_AT, end, version)
        quotas = self._quotas
        if request is None or quotas.counts_time:
            return None
        acks, timeout_ms, parts = request
        view = connection.view
        found: list[Partition] = []
        topics = self._topics_by_id if version >= TOPIC_IDS_SINCE else self._topics
        for topic, index, _, _ in parts:
            partition = topics.get(topic, _NOTHING).get(index)
            if partition is None:
                return None
            found.append(partition)
        access = self._access
        if access is not None and not _may_write(access, connection, {one.topic for one in found}):
            return None
        for partition, (_, _, at, batch_end) in zip(found, parts, strict=True):
            if not is_usual(view, at, batch_end, partition, version, len(parts)):
                return None
        client_id = client_id_of(buffer, start + BODY_AT) if quotas.counts_produce else ""
        if quotas.counts_produce:
            quotas.produced(connection, client_id, end - start - 4)
        now = self._wall_ms()
        rows: Rows = []
        for partition, (topic, index, at, batch_end) in zip(found, parts, strict=True):
            try:
                result = partition.append(view, at, batch_end, now)
                rows.append((topic, index, partition, result, b""))
            except KafkaError as error:
                rows.append((topic, index, partition, error, bytes(view[at:batch_end])))
            self._metrics.bytes_in += batch_end - at
        self._metrics.produce_requests += 1
        return self._answers(connection, client_id, version, correlation_id, acks, timeout_ms, rows)


_NOTHING: dict[int, Partition] = {}


def may_use(
    plan: Plan, access: AccessControl, connection: Connection, partitions: dict[int, Partition]
) -> bool:
    """Whether the plan's topic may be written to; asked anew when an entry has changed (ACL-21).

    Refusals, and what the audit is to tell, are for the general path. `partitions`: those of the
    topic that are here, one at least; they know its name, where the plan may have its id.
    """
    rules = access.authorizer.rules
    if plan.allowed_by is rules and plan.allowed_to is connection.principal:
        return True
    if not _may_write(access, connection, {next(iter(partitions.values())).topic}):
        return False
    plan.allowed_by, plan.allowed_to = rules, connection.principal
    return not access.audits_allowed


def _may_write(access: AccessControl, connection: Connection, topics: set[str]) -> bool:
    principal, host = connection.principal, connection.client_host
    look_up = access.authorizer.look_up  # the general path counts what is refused here
    return all(
        look_up(principal, host, Operation.WRITE, topic_resource(topic)).is_allowed
        for topic in topics
    )


def is_usual(
    view: memoryview, at: int, end: int, partition: Partition, version: int, parts: int = 1
) -> bool:
    """Whether the bytes are one valid batch that can be appended as it is, and checked quickly.

    `parts`: how many batches the request has. The CRC and the records are checked last, because
    they cost most.
    """
    leader = partition.leader
    if leader is None or not leader.is_plain or end - at < HEADER_SIZE:
        return False
    (base, length, _, magic, crc, attributes, delta, first, newest, pid, epoch, sequence, count) = (
        HEADER.unpack_from(view, at)
    )
    if (
        length != end - at - LOG_OVERHEAD
        or magic != 2
        or not 0 <= attributes <= _ZSTD  # anything but a codec: time type, transactional, control
        or base != 0
        or count <= 0
        or delta != count - 1
        or (pid != -1 and (pid < 0 or epoch < 0 or sequence < 0))
        or (attributes == _ZSTD and version < _ZSTD_SINCE)
        or crc32c(view[at + ATTRIBUTES_AT : end]) != crc
    ):
        return False
    body = view[at + HEADER_SIZE : end]
    limit = partition.log.rules.max_decompressed_bytes
    return is_true_at_once(body, attributes, count, first, newest, limit, parts)

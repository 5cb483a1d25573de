"""The rows of an answer to ListOffsets, and the wait until this broker is sure that it leads."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
)

from ...core.reads import Steps
from ...core.replication.partition import Partition
from ...serving.context import BrokerServices
from ...serving.waiting import Late, Waiting

OFFSET_NOT_AVAILABLE_SINCE: Final = 5

LOOK_MS: Final = 25.0
"""How often it is looked whether the broker is sure again."""

PATIENCE: Final = 2
"""An answer waits so many times `leader.metadata.staleness.max.ms` for that: a controller that is
replaced by another one takes about as long."""


def refuse_row(row: ListOffsetsPartitionResponse, code: ErrorCode, version: int) -> None:
    """An error instead of an offset, in the words of this version (207-01)."""
    if code is ErrorCode.OFFSET_NOT_AVAILABLE and version < OFFSET_NOT_AVAILABLE_SINCE:
        code = ErrorCode.LEADER_NOT_AVAILABLE
    row.error_code = int(code)
    row.timestamp = row.offset = row.leader_epoch = -1


class OffsetsAnswer(Late):
    """The rows of an answer; those that need fresh metadata are judged when it is written."""

    __slots__ = ("_leased", "_node", "_sure", "_version", "response")

    def __init__(self, node: BrokerServices, version: int) -> None:
        self.response = ListOffsetsResponse()
        self._node = node
        self._version = version
        self._leased: list[tuple[ListOffsetsPartitionResponse, Partition, int | None]] = []
        self._sure = 0
        """So many of them were found sure: they are not looked at again while others wait."""

    def lease(
        self, row: ListOffsetsPartitionResponse, partition: Partition, *, is_any_replica: bool
    ) -> None:
        """This row holds only while this broker is known to lead in this epoch (207-09).

        Who would ask a follower as well (-2) wants what is here: nobody is waited for (207-02).
        """
        self._leased.append((row, partition, None if is_any_replica else partition.leader_epoch))

    def conclude(self) -> ListOffsetsResponse | Waiting[Late]:
        """The response; one that holds for a time only is finished when its turn has come.

        Where the broker is not sure that it leads it waits a while before it refuses: librdkafka's
        programs take a refusal for an error of theirs, and do not ask again.
        """
        if not self._leased:
            return self.response
        waiting: Waiting[Late]
        if self.is_sure():
            waiting = Waiting()
            waiting.finish(self)
        else:
            waiting = _UntilSure(self, self._node)
        return waiting

    def is_sure(self) -> bool:
        """Whether every row may be told, as far as anybody knows at this moment."""
        if not self._is_fresh():
            return False
        while self._sure < len(self._leased):
            _, partition, epoch = self._leased[self._sure]
            if not (epoch is None or partition.may_tell_end(epoch)):
                return False
            self._sure += 1
        return True

    def is_hopeless(self) -> bool:
        """Whether the row that is waited for is one of a leader that is none any more."""
        if self._sure == len(self._leased):
            return False
        _, partition, epoch = self._leased[self._sure]
        return epoch is not None and not (partition.is_leader and partition.leader_epoch == epoch)

    def _is_fresh(self) -> bool:
        node = self._node
        age_ms = node.env.clock.monotonic_ms() - node.metadata_fresh_since_ms
        return age_ms <= node.config.leader_metadata_staleness_max_ms

    @property
    def row_count(self) -> int:
        """How many rows it has."""
        return sum(len(topic.partitions) for topic in self.response.topics)

    def making(self) -> Steps[ListOffsetsResponse]:
        """The response; nothing must be waited for."""
        yield from ()
        return self.make()

    def make(self) -> ListOffsetsResponse:
        """The response as it may be told at this moment."""
        is_fresh = self._is_fresh()
        hooks = self._node.env.hooks
        for row, partition, epoch in self._leased:
            if not is_fresh or not (epoch is None or partition.may_tell_end(epoch)):
                refuse_row(row, ErrorCode.OFFSET_NOT_AVAILABLE, self._version)
            elif hooks is not None and row.timestamp == -1 and row.offset >= 0:
                hooks.on("latest-answered", partition=partition, offset=row.offset)
        return self.response

    def release(self) -> None:
        """Rows are small: they are kept until the answer's turn comes."""


class _UntilSure(Waiting[Late]):
    """The answer, as soon as it may be told; or when it has waited long enough, with refusals."""

    __slots__ = ("_late", "_looks", "_node")

    def __init__(self, late: OffsetsAnswer, node: BrokerServices) -> None:
        super().__init__()
        self._late = late
        self._node = node
        self._looks = int(PATIENCE * node.config.leader_metadata_staleness_max_ms / LOOK_MS)
        self.wait_at_most(node, LOOK_MS)

    def on_timeout(self) -> None:
        """Look again."""
        self._looks -= 1
        if self._looks <= 0 or self._late.is_sure() or self._late.is_hopeless():
            self.finish(self._late)
        else:
            self.wait_at_most(self._node, LOOK_MS)

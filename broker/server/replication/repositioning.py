"""Where to go on after OFFSET_OUT_OF_RANGE: ask the leader where its log ends and begins (279-04).

Both questions go out as ListOffsets with our broker's id, which gets the end of the log and not
the high watermark, and in the leader epoch that we know, so that no other leader answers them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)

from ...core.log.failures import LogDirectoryFailure
from ...core.replication.truncation import position_after_out_of_range
from .channels import Channel
from .copying import Copying, Outcome
from .followed import Followed, Key

LATEST: Final = -1
EARLIEST: Final = -2
VERSIONS: Final = (4, 9)
"""Since 4 with the leader epoch; 10 and later concern tiered storage."""


class Repositioning:
    """Finds new positions for partitions of one leader."""

    def __init__(self, channel: Channel, copying: Copying, node_id: int) -> None:
        self._channel = channel
        self._copying = copying
        self._node_id = node_id

    async def run(
        self, partitions: Sequence[Followed], *, timeout_ms: float
    ) -> list[tuple[Followed, Outcome]]:
        """Move each partition to a position where its leader has records; returns what to do next.

        Raises PeerError if nobody answered.
        """
        ends = await self._ask(partitions, LATEST, timeout_ms)
        starts = await self._ask(partitions, EARLIEST, timeout_ms)
        return [(one, self._move(one, starts, ends)) for one in partitions]

    def _move(
        self,
        followed: Followed,
        starts: Mapping[Key, tuple[int, int]],
        ends: Mapping[Key, tuple[int, int]],
    ) -> Outcome:
        if followed.is_ended:
            return Outcome.LEAVE
        for answers in (ends, starts):
            code, _ = answers.get(followed.key, (ErrorCode.UNKNOWN_SERVER_ERROR, -1))
            if code != ErrorCode.NONE:
                return Outcome.STOP if code == ErrorCode.FENCED_LEADER_EPOCH else Outcome.PAUSE
        log = followed.partition.log
        before = log.log_end_offset
        decided = position_after_out_of_range(
            before, starts[followed.key][1], ends[followed.key][1]
        )
        try:
            outcome = self._copying.begin_cut(
                followed, decided, "its leader does not have what comes next"
            )
        except LogDirectoryFailure:
            return Outcome.STOP
        except KafkaError:
            return Outcome.PAUSE  # it cannot be cut now, for segments are being exchanged there
        if outcome is Outcome.CUT:
            return outcome
        # The same position would be refused at once; the leader may advance meanwhile.
        return Outcome.PAUSE if log.log_end_offset == before else Outcome.NEXT

    async def _ask(
        self, partitions: Sequence[Followed], timestamp: int, timeout_ms: float
    ) -> dict[Key, tuple[int, int]]:
        """The error code and the offset of each partition."""
        topics: dict[str, ListOffsetsTopic] = {}
        keys: dict[tuple[str, int], Key] = {}
        for followed in partitions:
            partition = followed.partition
            keys[(partition.topic, partition.index)] = followed.key
            topic = topics.setdefault(
                partition.topic, ListOffsetsTopic(name=partition.topic, partitions=[])
            )
            topic.partitions.append(
                ListOffsetsPartition(
                    partition_index=partition.index,
                    current_leader_epoch=followed.leader_epoch,
                    timestamp=timestamp,
                )
            )
        request = ListOffsetsRequest(replica_id=self._node_id, topics=list(topics.values()))
        answer = await self._channel.call(request, timeout_ms=timeout_ms, versions=VERSIONS)
        return {
            keys[(topic.name, found.partition_index)]: (found.error_code, found.offset)
            for topic in answer.topics
            for found in topic.partitions
            if (topic.name, found.partition_index) in keys
        }

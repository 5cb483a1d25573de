"""The part of ListOffsets that needs a disk: offsets by time, and of the newest record.

They are looked up before anything else of the answer: a disk may have to be waited for, and what
an answer says of a log's end must not be older than the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..core.at_hand import AtHand, NotAtHandError
from .hosting import hosted_replica
from .waiting import SLICE, Steps

if TYPE_CHECKING:
    from barnabas.protocol.messages.list_offsets_request import ListOffsetsRequest

    from ..core.log.segmented_log import TimestampOffset
    from ..core.replication.partition import Partition
    from .context import BrokerServices

MAX_TIMESTAMP = -3


class TimeLookups:
    """What was found, by partition and timestamp."""

    __slots__ = ("_at_hand", "_found", "_node")

    def __init__(self, node: BrokerServices) -> None:
        self._node = node
        self._at_hand = AtHand(node.env.disk)
        self._found: dict[
            tuple[Partition, int], tuple[int, TimestampOffset | KafkaError | None]
        ] = {}

    def look_up(self, request: ListOffsetsRequest) -> Steps:
        """Do all that the request asks for."""
        number = 0
        for topic in request.topics:
            for wanted in topic.partitions:
                if wanted.timestamp < 0 and wanted.timestamp != MAX_TIMESTAMP:
                    continue
                number += 1
                if number % SLICE == 0:
                    yield None
                while (
                    missing := self._try(topic.name, wanted.partition_index, wanted.timestamp)
                ) is not None:
                    yield missing
                self._at_hand.forget()

    def _try(self, topic: str, index: int, timestamp: int) -> NotAtHandError | None:
        try:
            partition = hosted_replica(self._node, topic, index)
        except KafkaError:
            return None  # whoever makes the row finds out for itself
        found: TimestampOffset | KafkaError | None
        try:
            found = self._read(partition, timestamp)
        except NotAtHandError as missing:
            return missing
        except KafkaError as error:
            found = error
        except OSError as error:
            found = partition.log.fail("reading", error)
        self._found[partition, timestamp] = partition.leader_epoch, found
        return None

    def _read(self, partition: Partition, timestamp: int) -> TimestampOffset | None:
        with self._at_hand:
            if timestamp == MAX_TIMESTAMP:
                return partition.log.max_timestamp()
            return partition.log.offset_for_timestamp(timestamp)

    def found(self, partition: Partition, timestamp: int) -> TimestampOffset | None:
        """What the log has. Raises KafkaError; 6 if the replica is another by now."""
        epoch, found = self._found.get((partition, timestamp), (None, None))
        if epoch != partition.leader_epoch:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if isinstance(found, KafkaError):
            raise found
        return found

"""The part of ListOffsets that needs a disk: offsets by time, and of the newest record.

They are looked up before anything else of the answer: a disk may have to be waited for, and what
an answer says of a log's end must not be older than the answer.
"""

from __future__ import annotations

from functools import partial

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.list_offsets_request import ListOffsetsRequest

from ...core.log.record_times import TimestampOffset
from ...core.log.time_search import NewestSearch, TimeSearch
from ...core.reads import CHANGED, Steps, unless_changed
from ...core.replication.partition import Partition
from ...serving.context import BrokerServices
from ...serving.hosting import hosted_replica
from ...serving.waiting import SLICE

MAX_TIMESTAMP = -3


class TimeLookups:
    """What was found, by partition and timestamp."""

    __slots__ = ("_found", "_node")

    def __init__(self, node: BrokerServices) -> None:
        self._node = node
        self._found: dict[
            tuple[Partition, int], tuple[int, TimestampOffset | KafkaError | None]
        ] = {}

    def look_up(self, request: ListOffsetsRequest) -> Steps[None]:
        """Do all that the request asks for; a partition that is asked for twice is refused."""
        number = 0
        seen: set[tuple[str, int]] = set()
        for topic in request.topics:
            for wanted in topic.partitions:
                key = topic.name, wanted.partition_index
                if key in seen or (wanted.timestamp < 0 and wanted.timestamp != MAX_TIMESTAMP):
                    continue
                seen.add(key)
                number += 1
                if number % SLICE == 0:
                    yield None
                yield from self._look_up(topic.name, wanted.partition_index, wanted.timestamp)

    def _look_up(self, topic: str, index: int, timestamp: int) -> Steps[None]:
        try:
            partition = hosted_replica(self._node, topic, index)
        except KafkaError:
            return  # whoever makes the row finds out for itself
        epoch = partition.leader_epoch
        found: TimestampOffset | KafkaError | None = None
        while self._is_here(partition, epoch):
            log = partition.log  # that of another directory, if it moved meanwhile
            search = NewestSearch(log) if timestamp == MAX_TIMESTAMP else TimeSearch(log, timestamp)
            standing = partial(self._standing, partition, epoch)
            try:
                outcome = yield from unless_changed(search.searching(), standing)
            except KafkaError as error:
                found = error
            except OSError as error:
                found = log.fail("reading", error)
            else:
                if outcome is CHANGED:
                    continue  # segments went or were exchanged: on with those that are there
                found = outcome
            break
        self._found[partition, timestamp] = epoch, found

    def _is_here(self, partition: Partition, epoch: int) -> bool:
        return self._node.replicas.holds(partition) and partition.leader_epoch == epoch

    def _standing(self, partition: Partition, epoch: int) -> object:
        """While this is what it was, a search may go on."""
        return self._is_here(partition, epoch), partition.log.reader.changes

    def found(self, partition: Partition, timestamp: int) -> TimestampOffset | None:
        """What the log has. Raises KafkaError; 6 if the replica is another by now."""
        epoch, found = self._found.get((partition, timestamp), (None, None))
        if epoch != partition.leader_epoch:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if isinstance(found, KafkaError):
            raise found
        return found

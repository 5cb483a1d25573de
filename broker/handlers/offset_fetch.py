"""OffsetFetch: where groups go on reading (OFF-05 to OFF-08).

Versions: 2 all partitions of a group, and an error for the whole answer, 5 leader epochs, 7 only
stable offsets, 8 several groups, 9 members of consumer groups (KIP-848), 10 topic ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from barnabas.protocol.messages.offset_fetch_response import (
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)

from ..core.coordination.groups.group import Committer
from ..core.coordination.groups.group_machine import GroupMachine
from ..core.coordination.groups.offsets.committed import Committed, TopicPartition
from ..core.coordination.machine import Outcome
from ..core.coordination.timeline import LATEST
from ..core.security.resources import Operation, group_resource, topic_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import SLICE, Turns, in_turns

TOP_LEVEL_ERROR_SINCE: Final = 2
GROUPS_SINCE: Final = 8
TOPIC_IDS_SINCE: Final = 10

ResultT = TypeVar("ResultT")

Found = Committed | ErrorCode | None


async def handle(request: OffsetFetchRequest, context: BrokerContext) -> OffsetFetchResponse:
    """Answer for each group; an error of one says nothing of the others."""
    if context.api_version >= GROUPS_SINCE:
        answer, turns = OffsetFetchResponse(), Turns()
        for asked in await _named_once(request.groups, turns):
            answer.groups.append(await _of_group(asked, request.require_stable, context))
            await turns.after()
        return answer
    wanted = None if request.topics is None else await in_turns(_new_topics(request))
    group = OffsetFetchRequestGroup(group_id=request.group_id, topics=wanted)
    (only,) = await _named_once([group], Turns())
    found = await _of_group(only, request.require_stable, context)
    topics = await in_turns(_old_topics(found))
    return _in_old_form(found, topics, context.api_version)


async def _named_once(
    groups: Sequence[OffsetFetchRequestGroup], turns: Turns
) -> list[OffsetFetchRequestGroup]:
    """Each group, topic and partition is answered once, however often it is named: else a short
    request could ask for any number of copies of all there is."""
    whole: set[str] = set()
    named: set[tuple[str, str, bytes, int]] = set()
    found = []
    for group in groups:
        if group.topics is None:
            if group.group_id in whole:
                continue
            whole.add(group.group_id)
        for topic in group.topics or ():
            wanted = []
            for index in topic.partition_indexes:
                key = (group.group_id, topic.name, topic.topic_id, index)
                if key not in named:
                    named.add(key)
                    wanted.append(index)
            topic.partition_indexes = wanted
            await turns.after()
        found.append(group)
    return found


def refuse(request: OffsetFetchRequest, code: int, message: str | None) -> OffsetFetchResponse:
    """The same error for every group."""
    del message
    if request.groups:
        groups = [_refused(group, ErrorCode(code)) for group in request.groups]
        return OffsetFetchResponse(groups=groups)
    only = OffsetFetchRequestGroup(group_id=request.group_id, topics=list(_new_topics(request)))
    group = _refused(only, ErrorCode(code))
    return _in_old_form(group, list(_old_topics(group)), 1)


def _new_topics(request: OffsetFetchRequest) -> Iterator[OffsetFetchRequestTopics]:
    """What early versions ask of their only group, in the form that later versions have."""
    for one in request.topics or ():
        yield OffsetFetchRequestTopics(name=one.name, partition_indexes=one.partition_indexes)


def _old_topics(group: OffsetFetchResponseGroup) -> Iterator[OffsetFetchResponseTopic]:
    """The rows of a group in the form of early versions."""
    for topic in group.topics:
        yield OffsetFetchResponseTopic(
            name=topic.name,
            partitions=[
                OffsetFetchResponsePartition(
                    partition_index=one.partition_index,
                    committed_offset=one.committed_offset,
                    committed_leader_epoch=one.committed_leader_epoch,
                    metadata=one.metadata,
                    error_code=one.error_code,
                )
                for one in topic.partitions
            ],
        )


def _in_old_form(
    group: OffsetFetchResponseGroup, topics: list[OffsetFetchResponseTopic], version: int
) -> OffsetFetchResponse:
    if group.error_code and version >= TOP_LEVEL_ERROR_SINCE:
        topics = []
    return OffsetFetchResponse(topics=topics, error_code=group.error_code)


def _refused(group: OffsetFetchRequestGroup, code: ErrorCode) -> OffsetFetchResponseGroup:
    """With rows: version 1 has no other place for an error."""
    topics = [
        OffsetFetchResponseTopics(
            name=topic.name,
            topic_id=topic.topic_id,
            partitions=[_row(index, code) for index in topic.partition_indexes],
        )
        for topic in group.topics or ()
    ]
    return OffsetFetchResponseGroup(group_id=group.group_id, topics=topics, error_code=int(code))


def _row(index: int, found: Found) -> OffsetFetchResponsePartitions:
    if isinstance(found, Committed):
        return OffsetFetchResponsePartitions(
            partition_index=index,
            committed_offset=found.offset,
            committed_leader_epoch=found.leader_epoch,
            metadata=found.metadata,
        )
    return OffsetFetchResponsePartitions(
        partition_index=index,
        committed_offset=-1,
        committed_leader_epoch=-1,
        metadata="",
        error_code=int(found or ErrorCode.NONE),
    )


async def _of_group(
    group: OffsetFetchRequestGroup, is_stable: bool, context: BrokerContext
) -> OffsetFetchResponseGroup:
    fetch = _Fetch(group, is_stable, context)
    try:
        context.rights.require(Operation.DESCRIBE, group_resource(group.group_id))
        topics = await (fetch.all() if group.topics is None else fetch.wanted(group.topics))
    except KafkaError as error:
        refused = _refused(group, error.code)
        if context.api_version >= GROUPS_SINCE:
            refused.topics = []
        return refused
    return OffsetFetchResponseGroup(group_id=group.group_id, topics=topics)


class _Fetch:
    """The offsets of one group."""

    __slots__ = ("_committer", "_context", "_group_id", "_is_stable", "_turns")

    def __init__(
        self, group: OffsetFetchRequestGroup, is_stable: bool, context: BrokerContext
    ) -> None:
        self._group_id = group.group_id
        self._is_stable = is_stable
        self._context = context
        self._turns = Turns()
        self._committer: Committer | None = None
        if group.member_id is not None or group.member_epoch >= 0:
            self._committer = Committer(
                group.member_id or "", group.member_epoch, None, context.api_version
            )

    async def wanted(
        self, topics: Sequence[OffsetFetchRequestTopics]
    ) -> list[OffsetFetchResponseTopics]:
        """The rows that were asked for. Raises KafkaError: an error of the group."""
        if not topics:
            await self._look(self._check)
        answers = []
        for topic in topics:
            answers.append(await self._topic(topic))
            await self._turns.after()
        return answers

    async def _topic(self, topic: OffsetFetchRequestTopics) -> OffsetFetchResponseTopics:
        answer = OffsetFetchResponseTopics(name=topic.name, topic_id=topic.topic_id)
        indexes = topic.partition_indexes
        name, topic_id = topic.name, None
        if self._context.api_version >= TOPIC_IDS_SINCE:
            known = self._context.node.image.topics_by_id.get(topic.topic_id)
            if known is None:
                unknown = ErrorCode.UNKNOWN_TOPIC_ID
                answer.partitions = await self._rows([(index, unknown) for index in indexes])
                return answer
            name, topic_id = known.name, topic.topic_id
        if not self._context.rights.may(Operation.DESCRIBE, topic_resource(name)):
            forbidden = ErrorCode.TOPIC_AUTHORIZATION_FAILED
            answer.partitions = await self._rows([(index, forbidden) for index in indexes])
            return answer
        found = await self._offsets([(name, index) for index in indexes], topic_id)
        answer.partitions = await self._rows(list(zip(indexes, found, strict=True)))
        return answer

    async def _rows(
        self, found: Sequence[tuple[int, Found]]
    ) -> list[OffsetFetchResponsePartitions]:
        rows = []
        for index, one in found:
            rows.append(_row(index, one))
            await self._turns.after()
        return rows

    async def all(self) -> list[OffsetFetchResponseTopics]:
        """The rows of all partitions with an offset. Raises KafkaError: an error of the group."""
        partitions = await self._look(self._all_partitions)
        by_topic: dict[str, list[int]] = {}
        for topic, index in partitions:
            by_topic.setdefault(topic, []).append(index)
        answers = []
        for name, indexes in by_topic.items():
            if not self._context.rights.may(
                Operation.DESCRIBE, topic_resource(name), is_audited=False
            ):
                continue
            answer, topic_id = OffsetFetchResponseTopics(name=name), None
            if self._context.api_version >= TOPIC_IDS_SINCE:
                known = self._context.node.image.topics_by_name.get(name)
                if known is None:
                    continue
                answer.topic_id = topic_id = known.topic_id
            found = await self._offsets([(name, index) for index in indexes], topic_id)
            rows = zip(indexes, found, strict=True)
            answer.partitions = await self._rows([row for row in rows if row[1] is not None])
            if answer.partitions:
                answers.append(answer)
        return answers

    async def _offsets(
        self, partitions: Sequence[TopicPartition], topic_id: bytes | None
    ) -> list[Found]:
        found: list[Found] = []
        for start in range(0, len(partitions), SLICE):
            part = partitions[start : start + SLICE]
            await self._turns.after(len(part))
            found += await self._look(partial(self._fetched, part, topic_id))
        if not partitions:
            await self._look(self._check)
        return found

    async def _look(self, look: Callable[[GroupMachine, int], ResultT]) -> ResultT:
        """What `look` sees of the committed state; of the newest, after all that was written
        before, where only stable offsets are wanted (CRT-09)."""
        groups = self._context.node.groups
        if not self._is_stable:
            return await groups.read(self._group_id, look)
        try:
            return await groups.write(
                self._group_id, lambda machine: Outcome(look(machine, LATEST))
            )
        except KafkaError as error:
            if error.code is ErrorCode.COORDINATOR_NOT_AVAILABLE:  # CRT-05
                raise KafkaError(ErrorCode.NOT_COORDINATOR, error.message) from None
            raise

    # --- in the shard -------------------------------------------------------------------------

    def _check(self, machine: GroupMachine, at: int) -> None:
        machine.offsets.check_fetch(self._group_id, self._committer, at)

    def _all_partitions(self, machine: GroupMachine, at: int) -> list[TopicPartition]:
        self._check(machine, at)
        return machine.offsets.partitions(self._group_id, at)

    def _fetched(
        self,
        partitions: Sequence[TopicPartition],
        topic_id: bytes | None,
        machine: GroupMachine,
        at: int,
    ) -> list[Found]:
        self._check(machine, at)
        return machine.offsets.fetch(
            self._group_id, partitions, topic_id, at, is_stable=self._is_stable
        )


HANDLER = Handler(OffsetFetchRequest, (1, 10), handle, refuse=refuse, handle_in_turns=handle)

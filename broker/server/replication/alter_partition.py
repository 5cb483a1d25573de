"""Changes of in-sync sets on their way to the controller: AlterPartition, one request at a time.

- 497-02: one request is in flight a broker; proposals that come meanwhile share the next one. A
  request that is not answered, or refused as a whole, goes out again without limit, 50 ms later.
- A partition that proposes again from within its answer was refused for a reason that passes: its
  proposal waits those 50 ms too, and holds up nobody else's.
- A newer proposal of a partition takes the place of one that was not sent yet: the partition has
  closed that one, by newer metadata, and waits for no answer to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from barnabas.protocol.errors import ErrorCode, name_of
from barnabas.protocol.messages.alter_partition_request import (
    AlterPartitionRequest,
    BrokerState,
    PartitionData,
    TopicData,
)
from barnabas.protocol.messages.alter_partition_response import AlterPartitionResponse
from barnabas.protocol.messages.alter_partition_response import PartitionData as AlteredPartition

from ...core.replication.isr_change import IsrAnswer, IsrChange
from ..peer_errors import PeerError
from .services import ReplicationServices

RETRY_MS: Final = 50.0
REQUEST_TIMEOUT_MS: Final = 5000.0
PARTITIONS_MAX: Final = 2000
"""Most partitions in one request; the rest goes with the next."""

VERSIONS: Final = (3, 3)
"""Since 3 with the epochs of the members' brokers (497-04)."""

Done = Callable[[IsrAnswer], object]
Key = tuple[bytes, int]


class IsrChanges:
    """The `IsrPort` of a broker."""

    def __init__(self, node: ReplicationServices) -> None:
        self._node = node
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[Key, tuple[IsrChange, Done]] = {}
        self._refused: dict[Key, tuple[IsrChange, Done]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_answering = False
        self._is_stopped = False
        self.failures = 0
        """Requests that got no answer or an error as a whole (a metric)."""
        self._is_answered = True

    def __len__(self) -> int:
        return len(self._waiting) + len(self._refused)

    def propose(self, change: IsrChange, done: Done) -> None:
        """Send the change; `done` hears the answer, later (see `IsrPort`)."""
        if self._is_stopped:
            return
        key = (change.topic_id, change.index)
        self._waiting.pop(key, None)
        self._refused.pop(key, None)
        if self._is_answering:
            self._refused[key] = (change, done)
            if self._timer is None:
                self._timer = self._loop.call_later(RETRY_MS / 1000, self._release)
            return
        self._waiting[key] = (change, done)
        self._begin()

    async def stop(self) -> None:
        """Send nothing any more; who waits for an answer gets none."""
        self._is_stopped = True
        self._waiting.clear()
        self._refused.clear()
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _release(self) -> None:
        self._timer = None
        refused, self._refused = self._refused, {}
        self._waiting.update(refused)
        self._begin()

    def _begin(self) -> None:
        if self._task is None and self._waiting:
            self._task = self._loop.create_task(self._run())

    async def _run(self) -> None:
        """Send until nothing waits; begins when the present event is over, so it goes together."""
        try:
            while self._waiting:
                one_by_one = self._node.env.maybe("alter-partition-one-by-one")
                keys = list(self._waiting)[: 1 if one_by_one else PARTITIONS_MAX]
                sent = {key: self._waiting.pop(key) for key in keys}
                answer = await self._ask([change for change, _ in sent.values()])
                if answer is None:
                    # What was proposed meanwhile is newer than what was sent.
                    self._waiting = {**sent, **self._waiting}
                    await asyncio.sleep(RETRY_MS / 1000)
                else:
                    self._give_answers(sent, answer)
        finally:
            self._task = None

    async def _ask(self, changes: list[IsrChange]) -> AlterPartitionResponse | None:
        node = self._node
        if node.env.maybe("alter-partition-late"):
            await asyncio.sleep(RETRY_MS / 1000)
        request = request_for(changes, node.node_id, node.broker_epoch)
        try:
            answer: AlterPartitionResponse = await node.controllers.call(
                request, timeout_ms=REQUEST_TIMEOUT_MS, versions=VERSIONS
            )
        except PeerError as error:
            reason = str(error)
        else:
            if answer.error_code != ErrorCode.NONE:
                reason = name_of(answer.error_code)
            elif node.env.maybe("alter-partition-answer-lost"):
                reason = "the answer got lost"
            else:
                self._is_answered = True
                return answer
        self.failures += 1
        if self._is_answered:
            self._is_answered = False
            node.log.warning(
                "in-sync sets cannot be changed yet; trying again until the controller answers",
                partitions=len(changes),
                error=reason,
            )
        return None

    def _give_answers(
        self, sent: dict[Key, tuple[IsrChange, Done]], answer: AlterPartitionResponse
    ) -> None:
        self._is_answering = True
        try:
            for topic in answer.topics:
                for found in topic.partitions:
                    change_and_done = sent.pop((topic.topic_id, found.partition_index), None)
                    if change_and_done is not None:
                        self._give_answer(change_and_done[1], _answer_of(found))
            # A partition that the answer leaves out is answered all the same: it must not hang.
            for _, done in sent.values():
                self._give_answer(done, IsrAnswer(ErrorCode.UNKNOWN_SERVER_ERROR))
        finally:
            self._is_answering = False

    def _give_answer(self, done: Done, answer: IsrAnswer) -> None:
        try:
            done(answer)
        except Exception as error:  # of one partition: the others go on changing their sets
            self._node.metrics.unexpected_errors += 1
            self._node.log.error("the answer to an ISR change", error=repr(error), exc_info=error)


def request_for(
    changes: list[IsrChange], broker_id: int, broker_epoch: int
) -> AlterPartitionRequest:
    """The request that asks for these changes, partitions of a topic together."""
    topics: dict[bytes, TopicData] = {}
    for change in changes:
        topic = topics.get(change.topic_id)
        if topic is None:
            topic = topics[change.topic_id] = TopicData(topic_id=change.topic_id, partitions=[])
        topic.partitions.append(
            PartitionData(
                partition_index=change.index,
                leader_epoch=change.leader_epoch,
                new_isr_with_epochs=[
                    BrokerState(broker_id=member, broker_epoch=epoch)
                    for member, epoch in change.isr
                ],
                leader_recovery_state=change.recovery_state,
                partition_epoch=change.partition_epoch,
                relinquish_leadership=change.relinquish,
            )
        )
    return AlterPartitionRequest(
        broker_id=broker_id, broker_epoch=broker_epoch, topics=list(topics.values())
    )


def _answer_of(found: AlteredPartition) -> IsrAnswer:
    return IsrAnswer(
        found.error_code,
        found.leader_id,
        found.leader_epoch,
        tuple(found.isr),
        found.leader_recovery_state,
        found.partition_epoch,
    )

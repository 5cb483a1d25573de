"""One term of this node as the active controller: decide, append, and know what was committed.

The controller's image runs ahead of what is committed by what this reign appended. With the end of
the reign the image goes too: the next one begins from what was committed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.abort_transaction_record import AbortTransactionRecord
from barnabas.protocol.messages.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)

from ...core.cluster.broker_image import FENCE
from ...core.cluster.commands import AnswerT, Bootstrap, Command, RegisterController
from ...core.cluster.controller import Controller
from ...core.ports import Env, Hooks

NOTHING: Final = -1


class MetadataWriter(Protocol):
    """The part of the quorum that a reign writes to."""

    @property
    def log_end_offset(self) -> int:
        """The offset that the next record gets."""
        ...

    def append(self, records: Sequence[Message], epoch: int) -> int:
        """Append one atomic batch; returns the offset of its last record. Raises NotLeaderError."""
        ...

    @property
    def kraft_version(self) -> int:
        """The level of `kraft.version`."""
        ...

    def kraft_version_obstacle(self, level: int) -> str | None:
        """Why `kraft.version` cannot be raised to this level now; None if it can."""
        ...

    def raise_kraft_version(self, level: int, epoch: int) -> int:
        """Raise `kraft.version`; returns the offset of the last record. Raises NotLeaderError,
        ValueError."""
        ...


class _Waiting(NamedTuple):
    offset: int
    future: asyncio.Future[None]


class Reign:
    """See the module. `epoch` is that of the quorum."""

    def __init__(self, controller: Controller, quorum: MetadataWriter, epoch: int, env: Env):
        self.controller = controller
        self.epoch = epoch
        self.last_append_ms = env.clock.monotonic_ms()
        self._quorum = quorum
        self._env = env
        self._appended = NOTHING  # offset of the last record that this reign appended
        self._committed = NOTHING
        self._waiting: deque[_Waiting] = deque()
        self._is_over = False

    def __len__(self) -> int:
        """The number of commands that wait for their records to be committed."""
        return len(self._waiting)

    @property
    def appended(self) -> int:
        """The offset of the last record that this reign appended; -1 if there is none."""
        return self._appended

    def begin(self, first: Bootstrap, own: RegisterController, suspect: int = NOTHING) -> None:
        """Write what a new reign writes first. Raises NotLeaderError.

        `first` is what a new cluster begins with, `own` is this controller itself,
        `suspect` the node that reigned before.
        """
        controller = self.controller
        now_ms = self._env.clock.monotonic_ms()
        controller.begin_reign(now_ms, suspect)
        if controller.image.is_in_transaction:
            self._append([_abort()], controller.image.last_offset)
        seen = controller.image.last_offset
        self._append(controller.decide(first, now_ms).records, seen)
        known = controller.image.controllers.get(own.controller_id)
        if known is None or known.incarnation_id != own.incarnation_id:
            seen = controller.image.last_offset
            self._append(controller.decide(own, now_ms).records, seen)

    def carry_out(self, command: Command[AnswerT]) -> tuple[AnswerT, int]:
        """Decide and append; returns the answer, and the offset that must be committed before it is
        given.

        Raises KafkaError if the command is refused, or this node does not lead any more.
        """
        self._pass_over_quorum_records()
        seen = self.controller.image.last_offset
        decision = self.controller.decide(command, self._env.clock.monotonic_ms())
        if decision.kraft_version is not None:
            self._appended = self._quorum.raise_kraft_version(decision.kraft_version, self.epoch)
            seen = self.controller.image.last_offset
        self._append(decision.records, seen)
        # A decision without records is based on records that may not be committed yet.
        return decision.answer, self._appended

    def _pass_over_quorum_records(self) -> None:
        """Records that the quorum writes for itself are in the log, but not in the image."""
        image = self.controller.image
        if image.last_offset < self._quorum.log_end_offset - 1:
            image.pass_over(self._quorum.log_end_offset - 1, self.epoch)

    def _append(self, records: list[Message], seen: int) -> None:
        """Write what was decided on an image that holds everything up to offset `seen`."""
        if not records:
            return
        last = self._quorum.append(records, self.epoch)
        first = last - len(records) + 1
        for offset, record in enumerate(records, first):
            self.controller.apply(record, offset)
        self.controller.image.take_changes()
        if (hooks := self._env.hooks) is not None:
            _tell(hooks, records, first, seen)
        self._appended = last
        self.last_append_ms = self._env.clock.monotonic_ms()

    async def committed(self, offset: int) -> None:
        """Wait until the record at `offset` is committed, and applied on this node.

        Raises KafkaError (NOT_CONTROLLER).
        """
        if offset <= self._committed:
            return
        if self._is_over:
            raise _over()
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(offset, future))
        await future

    def on_committed(self, last_offset: int) -> None:
        """Everything up to and including `last_offset` is committed and applied."""
        self._committed = last_offset
        waiting = self._waiting
        while waiting and waiting[0].offset <= last_offset:
            future = waiting.popleft().future
            if not future.done():
                future.set_result(None)

    def end(self, failure: KafkaError | None = None) -> None:
        """Another node leads: what waits may still be committed, but not by this node."""
        self._is_over = True
        waiting, self._waiting = self._waiting, deque()
        for _, future in waiting:
            if not future.done():
                future.set_exception(failure or _over())


def _tell(hooks: Hooks, records: list[Message], first: int, seen: int) -> None:
    hooks.on("decided", records=records, base_offset=first, seen_offset=seen)
    for record in records:
        if isinstance(record, BrokerRegistrationChangeRecord) and record.fenced:
            event = "fenced" if record.fenced == FENCE else "unfenced"
            hooks.on(event, broker_id=record.broker_id, broker_epoch=record.broker_epoch)


def _over() -> KafkaError:
    return KafkaError(ErrorCode.NOT_CONTROLLER, "This node is not the active controller any more.")


def _abort() -> Message:
    """Drops the transaction that an earlier controller began to write and did not finish."""
    return AbortTransactionRecord(reason="The controller changed.")

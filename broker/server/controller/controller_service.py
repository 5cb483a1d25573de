"""The controller of this node: active while the node leads the metadata quorum, else asleep.

The way of a command: `submit` → `decide` → append → committed by the quorum → applied on this node
→ for what clients change, applied by every active broker ("answers mean done") → answer. Commands
that come while an fsync runs share the next one; the quorum sees to that. Rules:

- It is active once everything in the log is committed and applied here: with the first batch of
  its own epoch (`LeaderChange`, 595-03), which nobody else can have appended.
- One decision is one batch: all of its records or none survive.
- Who waits when the node loses the lead is answered NOT_CONTROLLER (41): the records may or may not
  become the cluster's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError

from ...core.cluster import acl_changes, commands, partition_commands
from ...core.cluster.commands import AnswerT, Command
from ...core.cluster.controller import Controller
from ...core.cluster.relinquishing import Relinquished
from ...core.config.broker import BrokerConfig
from ...core.ports import Env
from ...observe.logging import Logger
from ..quorum.listener import LeaderAndEpoch
from ..quorum.publisher import ImagePublisher
from ..quorum.quorum import Quorum
from .reign import Reign

EVERYWHERE_TIMEOUT_MS: Final = 1000
"""The longest wait for brokers to apply a change before it is answered; they apply it anyway."""

_ANSWERED_WHEN_EVERYWHERE: Final = (
    commands.CreateTopics,
    commands.CreatePartitions,
    commands.DeleteTopics,
    commands.AlterConfigs,
    commands.AlterClientQuotas,
    commands.UpdateFeatures,
    commands.AlterScramCredentials,
    partition_commands.ElectLeaders,
    partition_commands.AlterPartitionReassignments,
    acl_changes.CreateAcls,
    acl_changes.DeleteAcls,
)
"""Commands of clients."""


class ControllerService:
    """See the module."""

    def __init__(
        self,
        node_id: int,
        quorum: Quorum,
        publisher: ImagePublisher,
        config: BrokerConfig,
        env: Env,
        log: Logger,
        *,
        own: commands.RegisterController,
        first: commands.Bootstrap,
    ) -> None:
        """`own` is this controller as it registers, `first` what a new cluster begins with."""
        self.node_id = node_id
        self.reign: Reign | None = None
        self.reign_listeners: list[Callable[[Reign | None], object]] = []
        """Called at the beginning of a reign and, with None, at its end."""
        self._quorum = quorum
        self._publisher = publisher
        self._config = config
        self._env = env
        self._log = log
        self._own = own
        self._first = first
        self._leads_epoch = -1
        self._reigned_before = -1
        self._failure: KafkaError | None = None
        self._progress = asyncio.Event()
        self._relinquished = Relinquished(config.follower_fetch_relinquish_cooldown_ms)
        publisher.handed_over_listeners.append(self._on_handed_over)
        publisher.leader_listeners.append(self._on_leader)
        publisher.applied_listeners.append(self._on_applied)

    @property
    def is_active(self) -> bool:
        """Whether this node decides for the cluster now."""
        return self.reign is not None

    # --- commands -----------------------------------------------------------------------------

    async def submit(self, command: Command[AnswerT]) -> AnswerT:
        """Decide `command`, have its records committed and applied, and return the answer.

        Raises KafkaError: the controller refuses; NOT_CONTROLLER, this node is not the active one;
        REQUEST_TIMED_OUT, too many commands wait; KAFKA_STORAGE_ERROR, the log's disk failed.
        """
        reign = self.reign
        if self._failure is not None:
            raise self._failure
        if reign is None:
            raise KafkaError(ErrorCode.NOT_CONTROLLER, "This node is not the active controller.")
        is_full = len(reign) >= self._config.controller_queue_max_commands
        if is_full or self._env.maybe("controller-queue-full"):
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT, "Too many commands wait for the metadata log."
            )
        self._note_progress(reign, command)
        before = reign.appended
        answer, offset = self._carry_out(reign, command)
        is_beat = isinstance(command, commands.BrokerHeartbeat)
        if not (offset == before and self._is_committed(command, answer)):
            await reign.committed(offset)
        if not is_beat and self.reign is reign and self._env.maybe("controller-resigns"):
            self._quorum.resign(reign.epoch)
        if isinstance(command, _ANSWERED_WHEN_EVERYWHERE):
            await self._applied_everywhere(reign, offset)
        return answer

    def _note_progress(self, reign: Reign, beat: object) -> None:
        """Note what the Fetches of brokers report as applied, long before their next heartbeats
        do."""
        if isinstance(beat, commands.BrokerHeartbeat) and beat.wants_shutdown:
            for broker_id, end_offset in self._quorum.replica_progress().items():
                reign.controller.sessions.note_progress(broker_id, end_offset - 1)

    def _is_committed(self, beat: object, answer: object) -> bool:
        """Whether a broker that only tells that it lives is told what was committed before.

        Then its heartbeats need no disk: one that waited for a commit of others would look like a
        lost controller to the broker, and the broker that gives its connection up like a dead one.
        """
        if not isinstance(beat, commands.BrokerHeartbeat):
            return False
        assert isinstance(answer, commands.HeartbeatAnswer)
        broker = self._publisher.image.brokers.get(beat.broker_id)
        return (
            broker is not None
            and broker.epoch == beat.broker_epoch
            and broker.is_active
            and not answer.is_fenced
            and not (beat.wants_fence or beat.wants_shutdown or beat.offline_log_dirs)
        )

    def submit_unwatched(self, command: Command[AnswerT]) -> AnswerT | None:
        """Decide and append without waiting; the answer may depend on records that are not
        committed yet.

        For the controller's own work. Returns None if this node is not active or the command is
        refused.
        """
        if self.reign is None:
            return None
        try:
            return self._carry_out(self.reign, command)[0]
        except KafkaError as error:
            self._log.warning(
                "the controller refused its own command",
                command=type(command).__name__,
                error=str(error),
            )
            return None

    def fail(self, failure: KafkaError) -> None:
        """The quorum has failed on this node: every command is refused with that error, waiting
        ones too."""
        self._failure = failure
        self._end_reign(failure)

    def _carry_out(self, reign: Reign, command: Command[AnswerT]) -> tuple[AnswerT, int]:
        try:
            return reign.carry_out(command)
        except KafkaError:
            raise
        except Exception as error:
            # The image may be ahead of the log by half a batch: it must not decide again.
            self._log.error(
                "the controller failed and resigns",
                command=type(command).__name__,
                error=repr(error),
                exc_info=error,
            )
            self._end_reign()
            self._quorum.resign(reign.epoch)
            raise

    async def _applied_everywhere(self, reign: Reign, offset: int) -> None:
        """Wait until every active broker has applied the record, for a limited time."""
        waits = self._config.admin_answers_wait_enable
        if not waits or self._env.maybe("answer-before-everywhere"):
            return
        clock = self._env.clock
        deadline_ms = clock.monotonic_ms() + EVERYWHERE_TIMEOUT_MS
        while self.reign is reign and self._lagging(reign, offset):
            left_ms = deadline_ms - clock.monotonic_ms()
            if left_ms <= 0:
                return
            self._progress.clear()
            try:
                async with asyncio.timeout(left_ms / 1000.0):
                    await self._progress.wait()
            except TimeoutError:
                return

    def _lagging(self, reign: Reign, offset: int) -> bool:
        progress = self._quorum.replica_progress()
        return any(
            broker.broker_id != self.node_id and progress.get(broker.broker_id, -1) <= offset
            for broker in reign.controller.image.active_brokers()
        )

    def on_progress(self) -> None:
        """A replica has reported a newer high watermark."""
        self._progress.set()

    # --- what the quorum tells ----------------------------------------------------------------

    def _on_leader(self, leader: LeaderAndEpoch) -> None:
        self._leads_epoch = leader.epoch if leader.leader_id == self.node_id else -1
        if leader.leader_id not in (-1, self.node_id):
            self._reigned_before = leader.leader_id
        if self.reign is not None and self.reign.epoch != self._leads_epoch:
            self._end_reign()
        self._on_applied(self._publisher.applied_offset)

    def _on_handed_over(self, partitions: Iterable[tuple[bytes, int]], wall_ms: int) -> None:
        """Remember hand-overs, so that the next active controller, should it be this one, leaves
        those partitions alone as well (501-13)."""
        if self.reign is not None:
            return  # this node decided it itself
        clock = self._env.clock
        age_ms = clock.wall_ms() - wall_ms
        for topic_id, partition in partitions:
            self._relinquished.note(topic_id, partition, clock.monotonic_ms(), age_ms=age_ms)

    def _on_applied(self, last_offset: int) -> None:
        """Everything up to and including `last_offset` is committed and applied on this node."""
        if self.reign is not None:
            self.reign.on_committed(last_offset)
            return
        image = self._publisher.image
        if self._failure is not None or self._leads_epoch < 0:
            return
        if image.last_epoch == self._leads_epoch and image.last_offset == last_offset:
            self._begin_reign(self._leads_epoch)

    def _begin_reign(self, epoch: int) -> None:
        image = self._publisher.image.copy()
        controller = Controller(
            image, self._config, self._env, self.node_id, self._quorum, self._relinquished
        )
        reign = Reign(controller, self._quorum, epoch, self._env)
        self.reign = reign
        try:
            reign.begin(self._first, self._own, self._reigned_before)
        except KafkaError as error:
            self._log.warning("the reign of this controller did not begin", error=str(error))
            self._end_reign()
            return
        for listener in self.reign_listeners:
            listener(reign)

    def _end_reign(self, failure: KafkaError | None = None) -> None:
        reign, self.reign = self.reign, None
        if reign is not None:
            reign.end(failure)
            self._progress.set()
            for listener in self.reign_listeners:
                listener(None)

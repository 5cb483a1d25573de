"""The metadata log of a node that is its cluster's only voter: one writer, answers that mean done.

The way of a command: `submit` → queue → `decide` → append → fsync (off the event loop) → `apply` to
the image that brokers read → listeners → answer. Commands that wait while an fsync runs share the
next one. Rules:

- Epoch and leader are on disk before the first append of an epoch (595-01); the first record of an
  epoch is `LeaderChange` (595-03). The high watermark is what is durable (595-04).
- Nothing is answered, and no broker told, before the records are durable. The controller's own
  image runs ahead of that; if the disk fails, it is never used again and commands are refused.
- One decision is one batch: all of its records or none survive a crash.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..core.cluster.broker_image import Endpoint
from ..core.cluster.commands import (
    Bootstrap,
    FenceBroker,
    RegisterBroker,
    RegisterController,
    Registered,
    StopBroker,
    UnfenceBroker,
)
from ..core.cluster.controller import Controller
from ..core.cluster.features import SUPPORTED, UnsupportedFeatureError, check_supported
from ..core.cluster.ids import random_uuid
from ..core.cluster.image import ClusterImage
from ..core.log.failures import LogDirectoryFailure
from ..core.log.origin import Origin
from ..core.raft.metadata_batches import control_batch, metadata_batch
from .formatting import (
    Identity,
    MetadataError,
    controller_address,
    first_features,
    identify,
    voters_of,
)
from .metadata_replay import Replay, open_metadata_log, read_quorum_state, write_quorum_state

if TYPE_CHECKING:
    from barnabas.protocol.message import Message

    from ..core.cluster.changes import Changes
    from ..core.config.broker import BrokerConfig
    from ..core.log.flushing import Syncable
    from ..core.log.log_directory import LogDirectory
    from ..core.log.partition_log import PartitionLog
    from ..core.ports import Env

PARTITIONS_PER_SLICE = 8
"""So many new logs are made before others get a turn: making files takes a disk its time."""

Listener = Callable[[ClusterImage, "Changes"], object]
"""Called on the event loop after durable records were applied; when it returns, it has acted."""


class _Waiting(NamedTuple):
    command: Any
    answer: asyncio.Future[Any]


class _Batch(NamedTuple):
    """What one decision appended."""

    base_offset: int
    records: list[Message]


class MetadataLog:
    """The cluster's metadata on this node. Made by `open`, then `start`, `submit`, `stop`."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        identity: Identity,
        log: PartitionLog,
        image: ClusterImage,
    ) -> None:
        self.identity = identity
        self.image = image
        self.log = log
        self.broker_epoch = -1
        self.epoch = 0
        self.notes: list[str] = []
        """What was odd in the directory: for the node's log."""
        self._config = config
        self._env = env
        self._controller = Controller(image.copy(), config, env, identity.node_id)
        self._listeners: list[Listener] = []
        self._queue: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._failure: KafkaError | None = None
        self._on_failure: Callable[[KafkaError], object] | None = None
        self._incarnation_id = random_uuid(env)

    # --- opening: blocking, before anything is served ---

    @classmethod
    def open(
        cls, config: BrokerConfig, env: Env, directories: Sequence[LogDirectory]
    ) -> MetadataLog:
        """Read (or format) the directories, which are open; lead; write what a start writes.

        Raises:
            MetadataError: the directories, the log or the configuration do not go together.
            LogDirectoryFailure, OSError: the disk.
        """
        identity = identify(config, env, directories)
        home = next(one for one in directories if one.path == identity.metadata_directory)
        log = open_metadata_log(config, env, home)
        replay = Replay(env, log, ClusterImage(identity.cluster_id))
        replay.run()
        try:
            check_supported(replay.image)
        except UnsupportedFeatureError as error:
            raise MetadataError(f"{log.directory}: {error}") from None
        replay.image.take_changes()
        self = cls(config, env, identity, log, replay.image)
        self.notes += replay.notes
        self.notes += [f"{log.directory}: {one}" for one in (*log.report.cuts, *log.report.notes)]
        self._lead(replay)
        return self

    def _lead(self, replay: Replay) -> None:
        """The only voter elects itself, and writes the first records of its epoch."""
        env, identity = self._env, self.identity
        state = read_quorum_state(env, identity.metadata_directory)
        voters = replay.voters or voters_of(self._config, identity)
        others = [one for one in (*voters.ids, *state.static_voters) if one != identity.node_id]
        if others:
            raise MetadataError(
                f"{self.log.directory}: this quorum has the voters {sorted({*others})} beside "
                f"node {identity.node_id}; barnabas takes over a quorum of one"
            )
        if not voters.has(identity.node_id, identity.metadata_directory_id):
            raise MetadataError(
                f"{self.log.directory}: node {identity.node_id} is a voter with another "
                "directory.id than this directory's meta.properties says"
            )
        is_new = self.log.log_end_offset == 0
        state = state.led_by(identity.node_id, self.log.leader_epochs.latest)
        write_quorum_state(env, identity.metadata_directory, state)
        self.epoch = state.leader_epoch
        self._append_leader_change(replay if is_new else None)
        batches = []
        if self.image.is_in_transaction:
            batches.append(self._append_records(_abort()))
        if not self.image.features:
            features = first_features(env, identity.metadata_directory)
            batches.append(self._decide(Bootstrap(features))[0])
        batches.append(self._register_controller())
        self.log.flush()
        self._commit(batches)

    def _append_leader_change(self, first_boot: Replay | None) -> None:
        from barnabas.protocol.messages.leader_change_message import LeaderChangeMessage
        from barnabas.protocol.messages.leader_change_message import Voter as VoterField

        voter = VoterField(voter_id=self.identity.node_id)
        messages: list[Message] = [
            LeaderChangeMessage(
                leader_id=self.identity.node_id, voters=[voter], granting_voters=[voter]
            )
        ]
        if first_boot is not None and first_boot.voters is not None:
            from barnabas.protocol.messages.k_raft_version_record import KRaftVersionRecord

            messages.append(KRaftVersionRecord(k_raft_version=first_boot.kraft_version))
            messages.append(first_boot.voters.record())
        batch = control_batch(
            messages,
            base_offset=self.log.log_end_offset,
            epoch=self.epoch,
            now_ms=self._env.clock.wall_ms(),
        )
        self._append(batch)
        last = self.log.log_end_offset - 1
        self.image.pass_over(last, self.epoch)
        self._controller.image.pass_over(last, self.epoch)

    def _register_controller(self) -> _Batch:
        address = controller_address(self._config)
        command = RegisterController(
            controller_id=self.identity.node_id,
            incarnation_id=random_uuid(self._env),
            endpoints=(Endpoint(address.name, address.host, address.port),),
            features=SUPPORTED,
        )
        return self._decide(command)[0]

    # --- serving ---

    @property
    def node_id(self) -> int:
        """This node's number."""
        return self.identity.node_id

    @property
    def cluster_id(self) -> str:
        """The cluster's id."""
        return self.identity.cluster_id

    def add_listener(self, listener: Listener) -> None:
        """Tell `listener` of every change from now on."""
        self._listeners.append(listener)

    def start(self, on_failure: Callable[[KafkaError], object]) -> None:
        """Begin to take commands; `on_failure` is called once, if the log's disk fails."""
        self._on_failure = on_failure
        self._writer = asyncio.get_running_loop().create_task(self._write())

    async def submit(self, command: Any) -> Any:
        """Decide `command`, make its records durable, apply them, and return the answer.

        Raises KafkaError: the controller refuses, too many commands wait (REQUEST_TIMED_OUT), or
        the log's disk has failed (KAFKA_STORAGE_ERROR).
        """
        if self._failure is not None:
            raise self._failure
        if self._writer is None:
            raise KafkaError(ErrorCode.BROKER_NOT_AVAILABLE, "The node is stopping.")
        if len(self._queue) >= self._config.controller_queue_max_commands:
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT, "Too many commands wait for the metadata log."
            )
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._queue.append(_Waiting(command, answer))
        self._wake.set()
        return await answer

    async def join(self, endpoints: Sequence[Endpoint], previous_epoch: int) -> int:
        """Register this node's broker and let it serve; returns its broker epoch.

        `previous_epoch` is its epoch at its last clean stop, -1 if that was not clean (966-03).
        Raises KafkaError.
        """
        registered = await self.submit(
            RegisterBroker(
                broker_id=self.node_id,
                incarnation_id=self._incarnation_id,
                cluster_id=self.cluster_id,
                endpoints=tuple(endpoints),
                features=SUPPORTED,
                log_dirs=self.identity.directory_ids,
                rack=self._config.broker_rack,
                previous_epoch=previous_epoch,
            )
        )
        assert isinstance(registered, Registered)
        self.broker_epoch = registered.broker_epoch
        await self.submit(UnfenceBroker(self.node_id, self.broker_epoch))
        return self.broker_epoch

    async def leave(self) -> None:
        """Give away this broker's leaderships and fence it, as the last thing before a clean stop.

        Raises KafkaError.
        """
        await self.submit(StopBroker(self.node_id, self.broker_epoch))
        await self.submit(FenceBroker(self.node_id, self.broker_epoch))

    async def stop(self) -> None:
        """Finish what was submitted, take no more, and close the log."""
        writer, self._writer = self._writer, None
        self._wake.set()
        if writer is not None:
            # What ended it early was told by `on_failure`.
            await asyncio.gather(writer, return_exceptions=True)
        self.log.close(clean=self._failure is None)

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._failure is None:
            if not self._queue:
                if self._writer is None:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            count = min(len(self._queue), self._config.controller_batch_max_commands)
            waiting = [self._queue.popleft() for _ in range(count)]
            try:
                await self._carry_out(waiting, loop)
            except Exception as error:
                self._fail(error, waiting)

    async def _carry_out(self, waiting: list[_Waiting], loop: asyncio.AbstractEventLoop) -> None:
        batches: list[_Batch] = []
        answers: list[tuple[asyncio.Future[Any], Any]] = []
        for command, future in waiting:
            try:
                batch, answer = self._decide(command)
            except LogDirectoryFailure:
                raise
            except KafkaError as error:
                if not future.done():
                    future.set_exception(error)
                continue
            batches.append(batch)
            answers.append((future, answer))
        if any(batch.records for batch in batches):
            end = self.log.log_end_offset
            files = self.log.flush_files()
            try:
                await loop.run_in_executor(None, _sync, files)
            except OSError as error:
                self.log.flush_failed(error)
                raise LogDirectoryFailure(self.log.directory, "flushing", error) from error
            self.log.mark_flushed(end)
            await self._tell(self._commit(batches))
        for future, answer in answers:
            if not future.done():
                future.set_result(answer)

    def _decide(self, command: Any) -> tuple[_Batch, Any]:
        decision = self._controller.decide(command, self._env.clock.monotonic_ms())
        return self._append_records(decision.records), decision.answer

    def _append_records(self, records: list[Message]) -> _Batch:
        """Append one batch, and let the controller's image run ahead by it."""
        controller = self._controller
        base = self.log.log_end_offset
        if records:
            batch = metadata_batch(
                records,
                controller.image.metadata_version,
                base_offset=base,
                epoch=self.epoch,
                now_ms=self._env.clock.wall_ms(),
            )
            self._append(batch)
            for offset, record in enumerate(records, base):
                controller.apply(record, offset)
            controller.image.take_changes()
        return _Batch(base, records)

    def _append(self, batch: bytes) -> None:
        self.log.append_as_leader(
            batch, [(0, len(batch))], self.epoch, self._env.clock.wall_ms(), Origin.RAFT
        )

    def _commit(self, batches: Sequence[_Batch]) -> Changes:
        """Records are durable: apply them to the image that brokers read."""
        self.log.high_watermark = self.log.recovery_point
        for base, records in batches:
            for offset, record in enumerate(records, base):
                self.image.apply(record, offset)
        self.image.last_epoch = self.epoch
        return self.image.take_changes()

    async def _tell(self, changes: Changes) -> None:
        """Have listeners act on the changes; the event loop goes on between two slices."""
        if not changes:
            return
        for part in changes.slices(PARTITIONS_PER_SLICE):
            for listener in self._listeners:
                listener(self.image, part)
            await asyncio.sleep(0)

    def _fail(self, error: Exception, waiting: Sequence[_Waiting]) -> None:
        """The controller's image is ahead of the disk and cannot go back: no more commands."""
        failure = error if isinstance(error, KafkaError) else None
        self._failure = failure or KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, repr(error))
        for _, future in (*waiting, *self._queue):
            if not future.done():
                future.set_exception(self._failure)
        self._queue.clear()
        if self._on_failure is not None:
            self._on_failure(self._failure)
        if failure is None:
            raise error


def _sync(files: Sequence[Syncable]) -> None:
    for file in files:
        file.fsync()


def _abort() -> list[Message]:
    """Drops what a controller before us began to write and did not finish."""
    from barnabas.protocol.messages.abort_transaction_record import AbortTransactionRecord

    return [AbortTransactionRecord(reason="The controller changed.")]

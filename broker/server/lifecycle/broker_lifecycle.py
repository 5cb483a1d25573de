"""A broker's life in its cluster: it registers, catches up, is let in, tells that it lives, leaves.

    register ──▶ fenced ──(caught up: 631-02)──▶ active ──▶ leaving ──(631-03)──▶ gone

- Its epoch is the offset of its registration (631-01). It keeps it for as long as the process
  lives; who does not know it any more (77, 102) gets the registration again.
- Each heartbeat tells how far the broker has applied the metadata. While it is fenced, they come
  often; after a lost connection or a new leader, at once.
- It leaves in two steps: it asks to shut down, serves on until its leaderships are elsewhere and
  everybody knows, and only then goes. If nobody answers, it goes all the same: at once if too few
  voters are left to decide anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.broker_heartbeat_request import BrokerHeartbeatRequest
from barnabas.protocol.messages.broker_heartbeat_response import BrokerHeartbeatResponse
from barnabas.protocol.messages.broker_registration_request import (
    BrokerRegistrationRequest,
    Feature,
    Listener,
)

from ...core.cluster.broker_image import Endpoint, endpoint_structs, feature_structs
from ...core.cluster.features import SUPPORTED
from ...core.cluster.ids import random_uuid
from ...core.cluster.record_versions import DIRECTORY_ASSIGNMENT_MIN
from ...core.config.broker import BrokerConfig
from ...core.ports import Env
from ...observe.logging import Logger
from ..formatting import Identity
from ..peer_errors import PeerError, PeerTimeoutError, PeerUnavailableError
from ..quorum.publisher import ImagePublisher
from .channel import ControllerChannel
from .earlier_lives import EarlierLives

FENCED_INTERVAL_MS: Final = 50
"""The pause between heartbeats while the broker waits to be unfenced, or to be allowed to stop."""

RETRY_MS: Final = 200
"""The pause before a registration that was refused for now is repeated."""

LEAVE_TIMEOUT_MS: Final = 10_000
"""The longest time for a controlled shutdown."""

LEAVE_ANSWER_TIMEOUT_MS: Final = 1500
"""The longest wait for one answer in a controlled shutdown; without a controller none comes."""

VOTERS_CHECK_MS: Final = 100
"""If an answer in a controlled shutdown takes longer, the voters are looked for."""

_FINAL: Final = (
    ErrorCode.INCONSISTENT_CLUSTER_ID,
    ErrorCode.INVALID_REGISTRATION,
    ErrorCode.UNSUPPORTED_VERSION,
    ErrorCode.UNSUPPORTED_ENDPOINT_TYPE,
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
)
"""Refusals that another attempt does not change."""

_NOT_KNOWN: Final = (ErrorCode.STALE_BROKER_EPOCH, ErrorCode.BROKER_ID_NOT_REGISTERED)


class FailedDirectories(Protocol):
    """The log directories that failed, which heartbeats name (KIP-858)."""

    @property
    def ids(self) -> tuple[bytes, ...]: ...

    def told(self, ids: Iterable[bytes]) -> None:
        """The controller has recorded these."""
        ...


class BrokerLifecycle:
    """One broker process in its cluster. `register`, `start`, `let_in`, `leave` and `stop` are its
    stages."""

    def __init__(
        self,
        identity: Identity,
        channel: ControllerChannel,
        publisher: ImagePublisher,
        config: BrokerConfig,
        env: Env,
        log: Logger,
        *,
        is_quorum_gone: Callable[[], Awaitable[bool]] | None = None,
        log_end: int = 0,
    ) -> None:
        """`is_quorum_gone` says whether nobody can decide for the cluster any more; without it,
        a broker that leaves waits for its answers. `log_end`: where this node's metadata log ended
        when it was opened; 0 if it had none."""
        self.broker_epoch = -1
        self.is_fenced = True
        self._failed_directories: FailedDirectories | None = None
        self._node_id = identity.node_id
        self._cluster_id = identity.cluster_id
        self._log_dirs = list(identity.directory_ids)
        self._channel = channel
        self._publisher = publisher
        self._config = config
        self._env = env
        self._clock = env.clock
        self._log = log
        self._is_quorum_gone = is_quorum_gone
        self._incarnation_id = random_uuid(env)
        self._log_end = log_end
        self._endpoints: Sequence[Endpoint] = ()
        self._previous_epoch = -1
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._let_in = asyncio.Event()
        self._let_go = asyncio.Event()
        self._wants_to_leave = False
        self._is_heard = True

    @property
    def is_in(self) -> bool:
        """Whether this broker is unfenced, as far as it knows: by the last answer."""
        return self._is_heard and not self.is_fenced

    def connect(self, failed_directories: FailedDirectories) -> None:
        """Name these in each heartbeat; must be called before the first one."""
        self._failed_directories = failed_directories

    # --- coming -------------------------------------------------------------------------------

    async def register(self, endpoints: Sequence[Endpoint], previous_epoch: int) -> None:
        """Register, and wait until this node has applied the registration.

        `previous_epoch` is the epoch at the last clean stop, -1 if that was not clean (966-03).
        Raises KafkaError: refused for good, or nobody took it in
        `initial.broker.registration.timeout.ms`.
        """
        self._endpoints = endpoints
        self._previous_epoch = previous_epoch
        lives = EarlierLives(self._publisher, self._node_id, self._incarnation_id, self._log_end)
        try:
            await self._register()
            await self._publisher.wait_until_applied(self.broker_epoch)
        finally:
            lives.end()
        lives.tell(self._log, previous_epoch)

    async def _register(self) -> None:
        timeout_ms = self._config.initial_broker_registration_timeout_ms
        deadline_ms = self._clock.monotonic_ms() + timeout_ms
        reason = told = "no controller answered"
        while (left_ms := deadline_ms - self._clock.monotonic_ms()) > 0:
            try:
                await self._register_once(left_ms)
            except PeerError as error:
                reason = str(error)
            except KafkaError as error:
                if error.code in _FINAL:
                    raise
                reason = str(error)
            else:
                return
            if reason != told:
                told = reason
                self._log.warning("not registered yet", error=reason)
            await asyncio.sleep(min(RETRY_MS, max(left_ms, 0)) / 1000.0)
        raise KafkaError(
            ErrorCode.BROKER_NOT_AVAILABLE,
            f"broker {self._node_id} could not register within "
            f"initial.broker.registration.timeout.ms ({timeout_ms}): {reason}",
        )

    async def _register_once(self, timeout_ms: float) -> None:
        answer = await self._channel.call(
            BrokerRegistrationRequest(
                broker_id=self._node_id,
                cluster_id=self._cluster_id,
                incarnation_id=self._incarnation_id,
                listeners=endpoint_structs(Listener, self._endpoints),
                features=feature_structs(Feature, SUPPORTED),
                rack=self._config.broker_rack,
                log_dirs=[one for one in self._log_dirs if one not in self._offline_ids()],
                previous_broker_epoch=self._previous_epoch,
            ),
            timeout_ms=timeout_ms,
        )
        if answer.error_code != ErrorCode.NONE:
            code = ErrorCode(answer.error_code)
            why = f"the controller refused the registration of broker {self._node_id}"
            if code == ErrorCode.DUPLICATE_BROKER_REGISTRATION:
                why += ": another process with this node.id is alive, or was a moment ago"
            raise KafkaError(code, why)
        if self._env.maybe("registration-answer-lost"):
            raise PeerTimeoutError("the answer to a registration got lost")
        self.broker_epoch = answer.broker_epoch

    def _offline_ids(self) -> tuple[bytes, ...]:
        return () if self._failed_directories is None else self._failed_directories.ids

    # --- living -------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to send heartbeats."""
        self._task = self._loop.create_task(self._beat_on())

    async def beat_fenced(self) -> None:
        """Until it is cancelled, tell the controller that this broker is alive and not ready."""
        while True:
            await asyncio.sleep(self._config.broker_heartbeat_interval_ms / 1000.0)
            try:
                await self._beat(self._config.broker_session_timeout_ms / 2, wants_fence=True)
            except (PeerError, KafkaError) as error:
                self._log.warning("no heartbeat reaches the controller", error=str(error))

    async def let_in(self) -> None:
        """Wait until the broker may serve: it is unfenced, and this node knows it."""
        await self._let_in.wait()
        await self._publisher.wait_until_applied(self.broker_epoch)

    def beat_now(self) -> None:
        """Send a heartbeat at once, since something has changed that the controller should know."""
        self._wake.set()

    async def stop(self) -> None:
        """Send no more heartbeats."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _beat_on(self) -> None:
        while not self._let_go.is_set():
            self._wake.clear()
            try:
                await self._beat(self._config.broker_session_timeout_ms / 2)
                if self._lacks_directories:
                    await self._register_once(self._config.broker_session_timeout_ms / 2)
            except (PeerError, KafkaError) as error:
                if self._is_heard:
                    self._is_heard = False
                    self._log.warning("no heartbeat reaches the controller", error=str(error))
                pause_ms: float = FENCED_INTERVAL_MS
            else:
                self._is_heard = True
                is_waiting = self.is_fenced or self._wants_to_leave
                pause_ms = self._config.broker_heartbeat_interval_ms
                pause_ms = min(FENCED_INTERVAL_MS, pause_ms) if is_waiting else pause_ms
                if self._env.maybe("heartbeat-late"):
                    pause_ms = self._config.broker_session_timeout_ms
            if self._let_go.is_set():
                return
            try:
                async with asyncio.timeout(pause_ms / 1000.0):
                    await self._wake.wait()
            except TimeoutError:
                continue

    @property
    def _lacks_directories(self) -> bool:
        """Whether the metadata has a place for log directories now, and none of this broker's: it
        registered before `metadata.version` rose (KIP-858)."""
        image = self._publisher.image
        own = image.brokers.get(self._node_id)
        return (
            own is not None
            and own.epoch == self.broker_epoch
            and not own.log_dirs
            and image.metadata_version >= DIRECTORY_ASSIGNMENT_MIN
        )

    async def _beat(self, timeout_ms: float, *, wants_fence: bool = False) -> None:
        if self._wants_to_leave:
            timeout_ms = min(timeout_ms, LEAVE_ANSWER_TIMEOUT_MS)
        offline = self._offline_ids()
        answer = await self._channel.call(
            BrokerHeartbeatRequest(
                broker_id=self._node_id,
                broker_epoch=self.broker_epoch,
                current_metadata_offset=self._publisher.applied_offset,
                want_fence=wants_fence,
                want_shut_down=self._wants_to_leave,
                offline_log_dirs=list(offline),
            ),
            timeout_ms=timeout_ms,
        )
        if self._env.maybe("heartbeat-answer-lost"):
            raise PeerTimeoutError("the answer to a heartbeat got lost")
        if answer.error_code in _NOT_KNOWN:
            self.is_fenced = True
            await self._register_once(timeout_ms)
            self.beat_now()
            return
        if answer.error_code != ErrorCode.NONE:
            raise KafkaError(ErrorCode(answer.error_code), "the controller refused a heartbeat")
        if offline and self._failed_directories is not None:
            self._failed_directories.told(offline)
        self._take_in(answer)

    def _take_in(self, answer: BrokerHeartbeatResponse) -> None:
        if answer.is_fenced and not self.is_fenced and not self._wants_to_leave:
            self._log.warning("this broker was fenced", broker_epoch=self.broker_epoch)
        self.is_fenced = answer.is_fenced
        if not answer.is_fenced:
            self._let_in.set()
        if answer.should_shut_down and self._wants_to_leave:
            self._let_go.set()

    # --- leaving ------------------------------------------------------------------------------

    async def leave(self) -> None:
        """Give leaderships away and be fenced; the broker serves until this returns (631-03).

        Without an answer it takes a limited time. Raises KafkaError or PeerError if the controller
        did not agree.
        """
        if self.broker_epoch < 0:
            return
        await self.stop()
        leaving = self._loop.create_task(self._leave())
        watching = self._loop.create_task(self._watch_voters())
        try:
            await asyncio.wait((leaving, watching), return_when=asyncio.FIRST_COMPLETED)
            if not leaving.done():
                await watching
                raise PeerUnavailableError("most voters of the metadata quorum do not run any more")
            await leaving
        finally:
            for task in (leaving, watching):
                task.cancel()
            await asyncio.gather(leaving, watching, return_exceptions=True)

    async def _watch_voters(self) -> None:
        """Return when no quorum is left that could let this broker stop."""
        while True:
            await asyncio.sleep(VOTERS_CHECK_MS / 1000.0)
            if self._is_quorum_gone is not None and await self._is_quorum_gone():
                return

    async def _leave(self) -> None:
        deadline_ms = self._clock.monotonic_ms() + LEAVE_TIMEOUT_MS
        if self._config.controlled_shutdown_enable:
            self._wants_to_leave = True
            while self._clock.monotonic_ms() < deadline_ms:
                await self._beat(LEAVE_ANSWER_TIMEOUT_MS)
                if self._let_go.is_set():
                    return
                await asyncio.sleep(FENCED_INTERVAL_MS / 1000.0)
            self._wants_to_leave = False
            self._log.warning("leaderships did not move in time", timeout_ms=LEAVE_TIMEOUT_MS)
        await self._beat(LEAVE_ANSWER_TIMEOUT_MS, wants_fence=True)

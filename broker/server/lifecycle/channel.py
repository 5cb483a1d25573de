"""The way from a node to the active controller, whichever node that is at the moment.

A call is tried again until its time is over: when nobody leads, when the connection breaks, when
the node that was asked is not (or no longer) the active controller (NOT_CONTROLLER, 41). A change
of the leader ends the calls that wait for the old one. The node itself may be the active
controller: then no connection is made.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol  # Any: an answer of any API

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message

from ...core.config.broker import BrokerConfig
from ...core.ports import Env
from ..peer_channel import PeerChannel
from ..peer_errors import PeerTimeoutError, PeerUnavailableError
from ..security.peer_security import OPEN, PeerSecurity

Versions = tuple[int, int]


class LocalController(Protocol):
    """This node's own controller."""

    @property
    def is_active(self) -> bool:
        """Whether it is the active controller now."""
        ...

    async def answer(self, request: Message, versions: Versions | None) -> Any:
        """The answer that its listener would give, errors included. Raises UnsupportedPeerError."""
        ...


class LeaderAddress(Protocol):
    """What the channel asks the quorum."""

    def leader_address(self) -> tuple[str, int] | None:
        """The controller listener of the present leader; None if there is no leader."""
        ...


class ControllerChannel:
    """Calls the active controller; answers come in the order of the calls (ENV-08).

    `on_lost` is called when the connection to it breaks.
    """

    def __init__(
        self,
        quorum: LeaderAddress,
        config: BrokerConfig,
        env: Env,
        *,
        client_id: str,
        local: LocalController | None = None,
        on_lost: Callable[[str], object] | None = None,
        security: PeerSecurity = OPEN,
    ) -> None:
        self._quorum = quorum
        self._env = env
        self._clock = env.clock
        self._backoff_ms = max(config.controller_quorum_retry_backoff_ms, 1)
        self._connect_timeout_ms = config.controller_quorum_request_timeout_ms
        self._client_id = client_id
        self._local = local
        self._on_lost = on_lost
        self._security = security
        self._peer: PeerChannel | None = None
        self._changed = asyncio.Event()
        self._is_closed = False

    def on_leader_changed(self) -> None:
        """Another node leads, or none, or this one became active: calls that wait are tried
        again."""
        self._drop()
        self._changed.set()

    def close(self) -> None:
        """Fail all calls, now and from now on, with PeerUnavailableError."""
        self._is_closed = True
        self.on_leader_changed()

    async def call(
        self, request: Message, *, timeout_ms: float, versions: Versions | None = None
    ) -> Any:
        """The active controller's answer, which may be an error of its own.

        `versions` bounds the version of the request; `timeout_ms` is for all attempts together.

        Raises:
            PeerUnavailableError, PeerTimeoutError: nobody answered as the active controller.
            UnsupportedPeerError: it serves no version of this API that we can use.
        """
        deadline_ms = self._clock.monotonic_ms() + timeout_ms
        while True:
            self._changed.clear()
            left_ms = deadline_ms - self._clock.monotonic_ms()
            try:
                answer = await self._attempt(request, left_ms, versions)
            except PeerUnavailableError as error:
                reason = str(error)
            else:
                if is_from_another(answer):
                    reason = "the node that was asked is not the active controller"
                elif self._env.maybe("controller-answer-lost"):
                    reason = "its answer got lost"
                else:
                    return answer
            if self._is_closed:
                raise PeerUnavailableError("the channel to the controller was closed")
            left_ms = deadline_ms - self._clock.monotonic_ms()
            if left_ms <= self._backoff_ms:
                raise PeerUnavailableError(f"no active controller answered: {reason}")
            await self._pause()

    async def _attempt(self, request: Message, left_ms: float, versions: Versions | None) -> Any:
        if self._is_closed:
            raise PeerUnavailableError("the channel to the controller was closed")
        local = self._local
        if local is None or not local.is_active:
            if self._peer is None:
                self._peer = self._open()
            return await self._peer.call(request, timeout_ms=left_ms, versions=versions)
        try:
            async with asyncio.timeout(left_ms / 1000.0):
                return await local.answer(request, versions)
        except TimeoutError:
            raise PeerTimeoutError(f"this controller did not answer {request.NAME}") from None

    def _open(self) -> PeerChannel:
        return PeerChannel(
            self._quorum.leader_address,
            client_id=self._client_id,
            clock=self._clock,
            connect_timeout_ms=self._connect_timeout_ms,
            on_lost=self._on_lost,
            security=self._security,
        )

    def _drop(self) -> None:
        peer, self._peer = self._peer, None
        if peer is not None:
            peer.close()

    async def _pause(self) -> None:
        """Wait for a change of leader, but only for a moment."""
        try:
            async with asyncio.timeout(self._backoff_ms / 1000.0):
                await self._changed.wait()
        except TimeoutError:
            return


def is_from_another(answer: Any) -> bool:
    """Whether this is the refusal of a node that is not the active controller.

    APIs without an error of their own say it on each thing that they were asked about.
    """
    found = getattr(answer, "error_code", None)
    if found is not None:
        return bool(found == ErrorCode.NOT_CONTROLLER)
    for name in answer.FIELDS:
        rows = getattr(answer, name)
        if isinstance(rows, list) and rows:
            return bool(getattr(rows[0], "error_code", 0) == ErrorCode.NOT_CONTROLLER)
    return False

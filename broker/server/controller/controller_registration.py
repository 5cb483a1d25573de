"""Registers a controller with the cluster: its addresses, and the features that it supports."""

from __future__ import annotations

import asyncio
from typing import Final

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.controller_registration_request import (
    ControllerRegistrationRequest,
    Feature,
    Listener,
)

from ...core.cluster.broker_image import endpoint_structs, feature_structs
from ...core.cluster.commands import RegisterController
from ...core.config.broker import BrokerConfig
from ...observe.logging import Logger
from ..lifecycle.channel import ControllerChannel
from ..peer_errors import PeerError
from ..quorum.publisher import ImagePublisher

RETRY_MS: Final = 200


class ControllerRegistration:
    """Sends registrations to the active controller until the metadata has this process (KIP-919).

    The active controller itself writes its registration when its reign begins.
    """

    def __init__(
        self,
        own: RegisterController,
        channel: ControllerChannel,
        publisher: ImagePublisher,
        config: BrokerConfig,
        log: Logger,
    ) -> None:
        self._own = own
        self._channel = channel
        self._publisher = publisher
        self._timeout_ms = config.controller_quorum_request_timeout_ms
        self._log = log
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to register."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Stop registering."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    @property
    def _is_known(self) -> bool:
        known = self._publisher.image.controllers.get(self._own.controller_id)
        return known is not None and known.incarnation_id == self._own.incarnation_id

    async def _run(self) -> None:
        refusal = ErrorCode.NONE
        while not self._is_known:
            try:
                answer = await self._channel.call(self._request(), timeout_ms=self._timeout_ms)
            except PeerError:  # at once, if the controller knows no such request
                await asyncio.sleep(RETRY_MS / 1000.0)
                continue
            code = ErrorCode(answer.error_code)
            if code not in (ErrorCode.NONE, refusal):
                self._log.warning("this controller could not register", error=code.name)
            refusal = code
            await asyncio.sleep(RETRY_MS / 1000.0)

    def _request(self) -> ControllerRegistrationRequest:
        own = self._own
        return ControllerRegistrationRequest(
            controller_id=own.controller_id,
            incarnation_id=own.incarnation_id,
            listeners=endpoint_structs(Listener, own.endpoints),
            features=feature_structs(Feature, own.features),
        )

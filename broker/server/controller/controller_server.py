"""The listeners of a controller: brokers, other voters, and tools that ask controllers (KIP-919).

They have connections and a table of handlers of their own, so that clients of the broker in the
same process cannot crowd them out. A node that is broker and controller asks itself without a
connection (`answer`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from types import CoroutineType
from typing import Any, Final  # Any: an answer of any API

from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.header import RequestHeader
from barnabas.protocol.message import Message
from barnabas.protocol.messages.broker_heartbeat_request import BrokerHeartbeatRequest
from barnabas.protocol.messages.broker_heartbeat_response import BrokerHeartbeatResponse

from ...core.cluster.image import ClusterImage
from ...core.config.broker import BrokerConfig
from ...core.ports import Env
from ...core.reads import Planned
from ...core.security.principal import THIS_NODE
from ...handlers.controller import envelope
from ...observe.logging import Logger
from ...observe.metrics import Metrics
from ...serving.client_quotas import ClientQuotas
from ...serving.context import (
    Leader,
    NodeContext,
    NodeServices,
    OwnCertificates,
    Quorum,
    RequestContext,
)
from ...serving.handler import Handle, Handler
from ...serving.rights import AccessControl
from ...serving.waiting import Waiting, awaited
from ..access import open_audit
from ..arrivals import Arrivals
from ..connections import Connections
from ..dispatch import Dispatch
from ..limits import Limits
from ..listener import Listener
from ..peer_errors import UnsupportedPeerError
from ..quorum.publisher import ImagePublisher
from ..security.certificates import Certificates
from ..security.node_security import NodeSecurity
from ..served_apis import OF_CONTROLLERS
from ..worker import ResultT, Worker
from .controller_service import ControllerService
from .envelope_guard import EnvelopeGuard
from .liveness import Liveness
from .registrations import BROKER_REGISTRATION, LoggedRegistration

FETCH: Final = 1
BROKER_HEARTBEAT: Final = 63
ENVELOPE: Final = 58


class _OwnPeer:
    """Stands for the connection of a request that this node sends to itself."""

    client_host = "localhost"
    client_software = ""
    local_host = "localhost"
    local_port = 0
    listener_name = ""
    principal = THIS_NODE
    is_closed = False


class _Heartbeat:
    """BrokerHeartbeat, which also shows over which connection a broker is alive."""

    def __init__(
        self, inner: Handle[NodeContext], liveness: Liveness, guard: EnvelopeGuard
    ) -> None:
        """`inner` makes the answers."""
        self._inner = inner
        self._liveness = liveness
        self._guard = guard

    async def handle(
        self, request: BrokerHeartbeatRequest, context: NodeContext
    ) -> BrokerHeartbeatResponse:
        """The inner handler's answer. Raises KafkaError."""
        answer: BrokerHeartbeatResponse = await self._inner(request, context)
        if answer.error_code == ErrorCode.NONE and not isinstance(context.peer, _OwnPeer):
            self._guard.heard(request.broker_id, context.principal)
            if context.peer.is_closed:
                return answer
            self._liveness.heard(request.broker_id, request.broker_epoch, context.peer)
        return answer


class _HeardQuorum:
    """The metadata quorum; each Fetch may report how much a replica has applied (KIP-1166)."""

    def __init__(self, quorum: Quorum, service: ControllerService) -> None:
        self._quorum = quorum
        self._service = service

    @property
    def leader(self) -> Leader:
        return self._quorum.leader

    @property
    def kraft_version(self) -> int:
        return self._quorum.kraft_version

    def handle(self, request: Message, context: NodeContext) -> Message | Waiting[Message]:
        answer = self._quorum.handle(request, context)
        if request.API_KEY == FETCH:
            self._service.on_progress()
        return answer


class ControllerServer:
    """Provides handlers with `NodeServices`, and has the listeners that they serve."""

    is_controller_listener = True

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        *,
        service: ControllerService,
        quorum: Quorum,
        publisher: ImagePublisher,
        liveness: Liveness,
        log: Logger,
        metrics: Metrics,
    ) -> None:
        self.config = config
        self.env = env
        self.node_id = service.node_id
        self.metadata = service
        self.certificates: OwnCertificates = Certificates(config)
        """The security of its listeners, once the first one is bound; until then it uses none."""
        self.quorum = _HeardQuorum(quorum, service)
        self.metrics = metrics
        self.log, self.log_levels = log, log.levels
        network_log = log.named("barnabas.controller.network")
        self.quotas = ClientQuotas(config, env.clock, metrics.throttles)
        """None: brokers and clients of controllers are not limited by bytes or time."""
        self._publisher = publisher
        self.access: AccessControl | None = None
        """The authorizer, set before anything is served; None allows everything."""
        self._liveness = liveness
        self._worker = Worker()
        self._loop = asyncio.get_running_loop()
        limits = Limits(config)
        arrivals = Arrivals(config, env.clock, self.quotas, exempt=None)
        self.audit = open_audit(config, env)
        self.connections = Connections(limits, network_log, metrics, arrivals, self.audit)
        self.listeners: list[Listener] = []
        heartbeat = OF_CONTROLLERS[BROKER_HEARTBEAT]
        registration = OF_CONTROLLERS[BROKER_REGISTRATION]
        self.envelope_guard = EnvelopeGuard(
            lambda: self.image, env.clock, config.broker_session_timeout_ms
        )
        """Called at the beginning and the end of a reign."""
        logged = LoggedRegistration(
            registration.handle, lambda: self.image, self.connections.peer_log
        )
        self.handlers: Mapping[int, Handler[NodeContext]] = {
            **OF_CONTROLLERS,
            BROKER_HEARTBEAT: heartbeat.with_handle(
                _Heartbeat(heartbeat.handle, liveness, self.envelope_guard).handle
            ),
            ENVELOPE: envelope.HANDLER.with_handle(
                partial(envelope.handle, check_sender=self.envelope_guard.check)
            ),
            BROKER_REGISTRATION: registration.with_handle(logged.handle),
        }
        """The handlers of a controller, by API key."""
        self.dispatch: Dispatch[NodeServices] = Dispatch(
            self,
            self.handlers,
            _no_load,
            limits=limits,
            log=network_log,
            metrics=metrics,
            answers=self.connections.answers,
        )

    # --- what handlers use --------------------------------------------------------------------

    @property
    def image(self) -> ClusterImage:
        """The cluster's metadata, as this node has applied it."""
        return self._publisher.image

    def call_later(self, delay_ms: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        """Run the callback on the event loop after `delay_ms` milliseconds."""
        return self._loop.call_later(delay_ms / 1000.0, callback)

    async def in_thread(self, work: Callable[[], ResultT]) -> ResultT:
        """Run blocking or long work off the event loop, one piece at a time."""
        return await self._worker.run(work)

    # --- this node's own requests -------------------------------------------------------------

    @property
    def is_active(self) -> bool:
        """Whether this node is the active controller."""
        return self.metadata.is_active

    async def answer(self, request: Message, versions: tuple[int, int] | None) -> Any:
        """The answer to a request of this node itself. Raises UnsupportedPeerError."""
        assert request.API_KEY is not None, "only requests are answered"
        handler = self.handlers.get(request.API_KEY)
        low, high = versions or (0, 1 << 15)
        if handler is None or low > handler.last or high < handler.first:
            raise UnsupportedPeerError(
                f"controllers do not serve {api(request.API_KEY).name} in versions {low} to {high}"
            )
        header = RequestHeader(request.API_KEY, min(high, handler.last), 0, None)
        context: NodeContext = RequestContext(self, header, _OwnPeer())
        try:
            result = handler.handle(request, context)
            if isinstance(result, CoroutineType):
                result = await result
        except Exception as error:
            return self.dispatch.refusals.refusal(handler, header, request, error)
        if isinstance(result, Waiting):
            return await awaited(result)
        return result

    # --- life ---------------------------------------------------------------------------------

    async def bind(
        self, name: str, host: str, port: int, security: NodeSecurity | None = None
    ) -> Listener:
        """Bind an address; nobody is served yet. Raises OSError, ConfigError.

        `security` is as configured, if it has not been read before.
        """
        security = security or NodeSecurity(self.config, self.env.clock)
        self.certificates = security.certificates
        listener = Listener(
            name,
            self.connections,
            produce=_no_produce,
            requests=self.dispatch,
            security=security.listener(name, lambda: self.image),
            on_lost=self._liveness.lost,
        )
        await listener.bind(host, port, self.config)
        self.listeners.append(listener)
        return listener

    async def serve(self) -> None:
        """Accept connections."""
        self.connections.start_sweeping()
        for listener in self.listeners:
            await listener.start_serving()

    async def refuse_new(self) -> None:
        """Accept no more connections; the open ones stay."""
        for listener in self.listeners:
            await listener.close()

    async def stop(self, drain_timeout_s: float) -> None:
        """Accept no more connections, send the answers that are owed, close."""
        await self.refuse_new()
        self.connections.stop_sweeping()
        await self.connections.drain(drain_timeout_s)
        await self.dispatch.stop()


def _no_produce(*_: object) -> None:
    """Controllers take no records from clients: the general path refuses them by name."""


def _no_load(planned: Planned, done: Callable[[Any], object]) -> None:
    """No answer of a controller waits for a disk."""
    raise AssertionError(f"{planned} is to be waited for")

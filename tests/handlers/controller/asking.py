"""Handlers over a controller without a log: requests and answers as bytes, of any version."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from kit.controllers import Cluster
from kit.list_logger import ListLogger

from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.observe.log_levels import LogLevels
from barnabas.broker.observe.metrics import Metrics
from barnabas.broker.server.refusals import Refusals
from barnabas.broker.server.served_apis import OF_CONTROLLERS
from barnabas.broker.serving.context import RequestContext
from barnabas.broker.serving.rights import AccessControl
from barnabas.protocol.apis import api
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.header import RequestHeader
from barnabas.protocol.message import Message


class Asking:
    """A cluster whose controller is asked in requests."""

    def __init__(self, brokers: int = 1, **settings: Any) -> None:
        self.cluster = Cluster(brokers, **settings)
        self._refusals = Refusals(ListLogger(), Metrics(), {})
        self.log = ListLogger()
        self.quorum: Any = SimpleNamespace(leader=SimpleNamespace(leader_id=1), kraft_version=1)
        self._node: Any = SimpleNamespace(
            metadata=self,
            image=self.cluster.image,
            node_id=1,
            config=self.cluster.config,
            is_controller_listener=True,
            log=self.log,
            log_levels=LogLevels("INFO"),
            quorum=self.quorum,
            handlers=OF_CONTROLLERS,
            access=None,
        )

    def guard(self, access: AccessControl) -> None:
        """Let it decide what may be done."""
        self._node.access = access

    def context(self, request: type[Message], version: int) -> RequestContext[Any]:
        """With what a request of this kind comes to its handler."""
        key = request.API_KEY
        assert key is not None
        peer: Any = SimpleNamespace(
            principal=ANONYMOUS, client_host="10.0.0.7", listener_name="CONTROLLER"
        )
        return RequestContext(self._node, RequestHeader(key, version, 1, "test"), peer)

    async def submit(self, command: Any) -> Any:
        """What handlers call."""
        return self.cluster.do(command)

    async def ask(self, request: Message, version: int) -> Any:
        """The answer as the client decodes it. A version that is not served is an assertion."""
        key = request.API_KEY
        assert key is not None
        handler = OF_CONTROLLERS[key]
        assert handler.first <= version <= handler.last
        received = type(request).decode(request.encode(version), version)
        context = self.context(type(request), version)
        header = context.header
        try:
            answer = await handler.handle(received, context)
        except KafkaError as error:
            answer = self._refusals.refusal(handler, header, received, error)
        return api(key).response.decode(answer.encode(version), version)

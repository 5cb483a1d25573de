"""Who may speak for clients: brokers of this cluster, and nobody else who may act for it (FWD-04).

CLUSTER_ACTION is asked of who sends an envelope, but whoever has it could then be everybody. So,
where there are rights at all, the sender must also be the principal of a registered broker: one
whose heartbeats, in order, came to this controller.
"""

from __future__ import annotations

from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode, KafkaError

from ...core.cluster.image import ClusterImage
from ...core.ports import Clock
from ...core.security.principal import THIS_NODE, Principal
from ...core.security.resources import CLUSTER, Operation, ResourceType
from ...serving.context import NodeContext
from ...serving.rights import DENIED, refusal_text


class EnvelopeGuard:
    """Remembers the principals of brokers, by the brokers' numbers."""

    def __init__(self, image: Callable[[], ClusterImage], clock: Clock, grace_ms: float) -> None:
        """A controller that has just become active does not know everybody yet: for `grace_ms`
        it sends a stranger away to ask again, and so it does outside its reigns: the quorum names
        it a moment before its reign begins."""
        self._image = image
        self._clock = clock
        self._grace_ms = grace_ms
        self._since_ms: float | None = None
        self._known: dict[int, Principal] = {}

    def on_reign(self, reign: object | None) -> None:
        """A reign of this node has begun, or with None ended."""
        self._since_ms = None if reign is None else self._clock.monotonic_ms()

    def heard(self, broker_id: int, principal: Principal) -> None:
        """A heartbeat of this broker was valid."""
        if self._known.get(broker_id) == principal:
            return
        brokers = self._image().brokers
        self._known = {one: who for one, who in self._known.items() if one in brokers}
        self._known[broker_id] = principal

    def check(self, context: NodeContext) -> None:
        """Raise KafkaError 31 if the sender is no broker; 41 if that cannot be known yet."""
        principal = context.principal
        if principal is THIS_NODE or not context.rights.is_limited:
            return
        brokers = self._image().brokers
        if any(who == principal and one in brokers for one, who in self._known.items()):
            return
        since_ms = self._since_ms
        if since_ms is None or self._clock.monotonic_ms() - since_ms < self._grace_ms:
            raise KafkaError(ErrorCode.NOT_CONTROLLER, "no broker was heard yet under this name")
        context.rights.note_change(
            DENIED,
            operation=Operation.CLUSTER_ACTION.name,
            resource=str(CLUSTER),
            rule="NoRegisteredBroker",
        )
        raise KafkaError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, refusal_text(ResourceType.CLUSTER))

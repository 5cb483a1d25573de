"""What a controller's own log says of brokers that register: refused, or back with older files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.broker_registration_request import BrokerRegistrationRequest
from barnabas.protocol.messages.broker_registration_response import BrokerRegistrationResponse

from ...core.cluster.image import ClusterImage
from ...serving.context import NodeContext
from ...serving.handler import Handle
from ..peer_log import PeerLog

BROKER_REGISTRATION: Final = 62
STRANGERS_MAX: Final = 1024
"""The number of brokers of other clusters that are remembered."""
_ELSEWHERE: Final = (ErrorCode.NOT_CONTROLLER,)
"""The refusal of a controller that is not active, which is no fault of the broker's."""


class LoggedRegistration:
    """BrokerRegistration, with a line in the log for the operator; the broker logs one as well."""

    def __init__(
        self, inner: Handle[NodeContext], image: Callable[[], ClusterImage], log: PeerLog
    ) -> None:
        """`inner` makes the answers; `image` gives the present metadata."""
        self._inner = inner
        self._image = image
        self._log = log
        self._strangers: dict[tuple[int, str], None] = {}

    async def handle(
        self, request: BrokerRegistrationRequest, context: NodeContext
    ) -> BrokerRegistrationResponse:
        """The inner handler's answer. Raises KafkaError."""
        before = self._image().brokers.get(request.broker_id)
        told = request.previous_broker_epoch
        address = f"{context.peer.client_host}, broker {request.broker_id}"
        try:
            answer: BrokerRegistrationResponse = await self._inner(request, context)
        except KafkaError as error:
            if error.code not in _ELSEWHERE and self._is_news(request, error):
                self._log.report(address, "a broker is refused", error=str(error))
            raise
        is_new = before is not None and before.incarnation_id != request.incarnation_id
        if before is not None and is_new and told not in (-1, before.epoch):
            # It has stopped cleanly once, but not the last time that it ran (966-03).
            self._log.report(
                address,
                "a broker is back with an older copy of its directory: what it lacks is"
                " copied anew before it counts as in sync",
                last_epoch=before.epoch,
                epoch_of_the_copy=told,
            )
        return answer

    def _is_news(self, request: BrokerRegistrationRequest, error: KafkaError) -> bool:
        """Log a broker of another cluster, which asks again and again, once for each number and
        cluster."""
        if error.code is not ErrorCode.INCONSISTENT_CLUSTER_ID:
            return True
        stranger = (request.broker_id, request.cluster_id)
        if stranger in self._strangers:
            return False
        while len(self._strangers) >= STRANGERS_MAX:
            del self._strangers[next(iter(self._strangers))]
        self._strangers[stranger] = None
        return True

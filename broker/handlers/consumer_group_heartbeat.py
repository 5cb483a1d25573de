"""ConsumerGroupHeartbeat: a member of a consumer group says what it has, and hears what it shall
have (KIP-848).

Versions: 1 members choose their ids, and may subscribe by regular expression.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)

from ..core.coordination.groups.consumer.heartbeat_checks import check_heartbeat
from ..core.coordination.groups.consumer.member import Client
from ..core.security.resources import Operation, group_resource, topic_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.rights import Rights

GROUP_VERSION: Final = "group.version"
"""The feature that allows the consumer protocol from level 1 on."""

PROTOCOL: Final = "consumer"


async def handle(
    request: ConsumerGroupHeartbeatRequest, context: BrokerContext
) -> ConsumerGroupHeartbeatResponse:
    """Answers when what the heartbeat changed is replicated."""
    config = context.node.config
    check_protocol(context)
    rights = context.rights
    rights.require(Operation.READ, group_resource(request.group_id))
    for name in request.subscribed_topic_names or ():
        rights.require(Operation.DESCRIBE, topic_resource(name))
    check_heartbeat(request, context.api_version, config.group_consumer_assignors)
    client = Client(context.header.client_id or "", f"/{context.client_host}")
    may_see = partial(_may_see, rights) if rights.is_limited else None
    return await context.node.groups.write(
        request.group_id, lambda machine: machine.consumer.heartbeat(request, client, may_see)
    )


def _may_see(rights: Rights, topic: str) -> bool:
    return rights.may(Operation.DESCRIBE, topic_resource(topic), is_audited=False)


def check_protocol(context: BrokerContext) -> None:
    """Raise KafkaError UNSUPPORTED_VERSION (35) unless consumer groups are allowed (848-01)."""
    if PROTOCOL not in context.node.config.group_coordinator_rebalance_protocols:
        reason = "group.coordinator.rebalance.protocols does not name it"
    elif context.node.image.features.get(GROUP_VERSION, 0) < 1:
        reason = f"the cluster has {GROUP_VERSION} at level 0"
    else:
        return
    raise KafkaError(
        ErrorCode.UNSUPPORTED_VERSION, f"the consumer protocol of groups is off: {reason}"
    )


HANDLER = Handler(ConsumerGroupHeartbeatRequest, (0, 1), handle)

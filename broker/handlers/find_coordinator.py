"""FindCoordinator: which broker leads the partition that keeps a group or id (CRT-03).

Versions: 1 key types, 4 several keys, each with its own answer, 6 share groups. The topic is made
when it is first asked for. A type of coordinator that this broker does not have is refused with
INVALID_REQUEST, as Kafka refuses one that it does not know: a client need not try again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.find_coordinator_response import (
    Coordinator,
    FindCoordinatorResponse,
)

from ..core.cluster.topic_image import GROUPS_TOPIC, TRANSACTIONS_TOPIC
from ..core.coordination.partition_of import partition_of
from ..core.security.resources import CLUSTER, Operation, group_resource, transactional_resource
from ..serving.cluster_view import address_of
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import Turns

TOPICS: Final = {0: GROUPS_TOPIC, 1: TRANSACTIONS_TOPIC}
"""By type of key: group ids, and transactional ids."""
RESOURCES: Final = {0: group_resource, 1: transactional_resource}
SHARE: Final = 2
"""The keys of share groups' state, which brokers alone look for."""
SHARE_SINCE: Final = 6
SEVERAL_SINCE: Final = 4
NOBODY: Final = -1

_SUCCESS_BEFORE_4: Final = "NONE"


async def handle(
    request: FindCoordinatorRequest, context: BrokerContext
) -> FindCoordinatorResponse:
    """Make the topic if need be, and answer for each key."""
    is_several = context.api_version >= SEVERAL_SINCE
    if request.key_type == SHARE and context.api_version >= SHARE_SINCE:
        context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    topic = TOPICS.get(request.key_type)
    if topic is None:
        text = f"no coordinator of type {request.key_type} is here"
        if is_several:
            return await _in_turns(
                request, lambda key: _nobody(key, ErrorCode.INVALID_REQUEST, text)
            )
        return _single(_nobody("", ErrorCode.INVALID_REQUEST, text))
    if await _may_be_told_any(request, context):
        await context.node.internal_topics.ensure(topic)
    if is_several:
        return await _in_turns(request, lambda key: _one(topic, request.key_type, key, context))
    return _single(_one(topic, request.key_type, request.key, context))


async def _may_be_told_any(request: FindCoordinatorRequest, context: BrokerContext) -> bool:
    """Whether who asks may know of any of the keys: for others no topic is made."""
    is_several = context.api_version >= SEVERAL_SINCE
    keys, turns = request.coordinator_keys if is_several else [request.key], Turns()
    resource_of = RESOURCES[request.key_type]
    for key in keys:
        if context.rights.may(Operation.DESCRIBE, resource_of(key), is_audited=False):
            return True
        await turns.after()
    return False


def _one(topic: str, key_type: int, key: str, context: BrokerContext) -> Coordinator:
    try:
        context.rights.require(Operation.DESCRIBE, RESOURCES[key_type](key))
    except KafkaError as error:
        return _nobody(key, error.code, error.message)
    return _found(topic, key, context)


def refuse(
    request: FindCoordinatorRequest, code: int, message: str | None
) -> FindCoordinatorResponse:
    """The same error for every key. A list of none has no place for it: only closing is left."""
    if request.coordinator_keys:
        return _several(request, code, message)
    return _single(_nobody("", code, message))


async def _in_turns(
    request: FindCoordinatorRequest, find: Callable[[str], Coordinator]
) -> FindCoordinatorResponse:
    answer, turns = FindCoordinatorResponse(), Turns()
    for key in request.coordinator_keys:
        answer.coordinators.append(find(key))
        await turns.after()
    return answer


def _several(
    request: FindCoordinatorRequest, code: int, message: str | None
) -> FindCoordinatorResponse:
    found = [_nobody(key, code, message) for key in request.coordinator_keys]
    return FindCoordinatorResponse(coordinators=found)


def _single(found: Coordinator) -> FindCoordinatorResponse:
    message = found.error_message
    if found.error_code == ErrorCode.NONE:
        message = _SUCCESS_BEFORE_4
    return FindCoordinatorResponse(
        error_code=found.error_code,
        error_message=message,
        node_id=found.node_id,
        host=found.host,
        port=found.port,
    )


def _found(name: str, key: str, context: BrokerContext) -> Coordinator:
    image = context.node.image
    topic = image.topics_by_name.get(name)
    if topic is None:
        return _nobody(key, ErrorCode.COORDINATOR_NOT_AVAILABLE, "")
    leader = topic.partitions[partition_of(key, len(topic.partitions))].leader
    broker = image.brokers.get(leader)
    address = None if broker is None or broker.fenced else address_of(broker, context)
    if address is None or context.node.lost_leaders.is_in_doubt(leader):
        return _nobody(key, ErrorCode.COORDINATOR_NOT_AVAILABLE, "")
    host, port = address
    return Coordinator(key=key, node_id=leader, host=host, port=port, error_message="")


def _nobody(key: str, code: int, message: str | None) -> Coordinator:
    return Coordinator(
        key=key,
        node_id=NOBODY,
        host="",
        port=NOBODY,
        error_code=int(code),
        error_message=message,
    )


HANDLER = Handler(FindCoordinatorRequest, (0, 6), handle, refuse=refuse)

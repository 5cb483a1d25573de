"""DeleteTopics: by name, and from version 6 by id too; answers when this broker has let go of them.

Unknown: UNKNOWN_TOPIC_OR_PARTITION (3) for a name, UNKNOWN_TOPIC_ID (100) for an id (516-01).
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.delete_topics_request import DeleteTopicsRequest
from barnabas.protocol.messages.delete_topics_response import (
    DeletableTopicResult,
    DeleteTopicsResponse,
)
from barnabas.protocol.primitives import ZERO_UUID

from ..core.cluster.commands import DeleteTopics, Outcome
from ..core.security.resources import CLUSTER, Operation, topic_resource
from ..serving.charging import charge_of, throttle_of
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler

_UNKNOWN_NAME: Final = Outcome(
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition."
)
_NAMED_BY_BOTH: Final = Outcome(
    ErrorCode.INVALID_REQUEST, "The provided topic name maps to an ID that was already supplied."
)
_UNKNOWN_ID: Final = Outcome(ErrorCode.UNKNOWN_TOPIC_ID, "This server does not host this topic ID.")


class _Wanted(NamedTuple):
    name: str | None
    topic_id: bytes


async def handle(request: DeleteTopicsRequest, context: NodeContext) -> DeleteTopicsResponse:
    """Find the ids, submit one command for all, and answer for each in the order of the request."""
    if not context.node.config.delete_topic_enable:
        if context.api_version < 3:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, "This version does not support topic deletion."
            )
        raise KafkaError(ErrorCode.TOPIC_DELETION_DISABLED, "Topic deletion is disabled.")
    wanted = _wanted(request)
    twice = {one for one, times in Counter(wanted).items() if times > 1}
    outcomes: dict[_Wanted, Outcome] = {}
    found: dict[_Wanted, bytes] = {}
    shown: dict[_Wanted, bytes] = {}
    """Refused ones, by id, whose names may be told."""
    for one in wanted:
        fault = _fault(one, one in twice)
        topic_id = _find(one, context)
        if fault is not None:
            outcomes[one] = fault
        elif (refused := _refused(one, topic_id, context)) is not None:
            outcomes[one] = refused
            if one.name is None and topic_id is not None and _may_describe(topic_id, context):
                shown[one] = topic_id
        elif topic_id is None:
            outcomes[one] = _UNKNOWN_NAME if one.name is not None else _UNKNOWN_ID
        else:
            found[one] = topic_id
    times = Counter(found.values())
    both = {topic_id for topic_id, count in times.items() if count > 1}
    names = {one: _name(one, context) for one in (*times, *shown.values())}
    topic_ids = tuple(topic_id for topic_id in times if topic_id not in both)
    by_id: dict[bytes, Outcome] = dict.fromkeys(both, _NAMED_BY_BOTH)
    charge = charge_of(context, strict_since=5)
    if topic_ids:
        answers = await context.node.metadata.submit(DeleteTopics(topic_ids, charge))
        by_id.update(zip(topic_ids, answers, strict=True))
    outcomes.update({one: by_id[topic_id] for one, topic_id in found.items()})
    return DeleteTopicsResponse(
        throttle_time_ms=throttle_of(charge),
        responses=[
            _result(one, outcomes[one], found.get(one, shown.get(one)), names)
            for one in dict.fromkeys(wanted)
            if one.name is not None or found.get(one) not in both  # the name's row tells it
        ],
    )


def refuse(request: DeleteTopicsRequest, code: int, message: str | None) -> DeleteTopicsResponse:
    """An error for the whole request stands on each topic."""
    return DeleteTopicsResponse(
        responses=[
            DeletableTopicResult(
                name=one.name, topic_id=one.topic_id, error_code=code, error_message=message
            )
            for one in _wanted(request)
        ]
    )


def _wanted(request: DeleteTopicsRequest) -> list[_Wanted]:
    by_name = [_Wanted(name, ZERO_UUID) for name in request.topic_names]
    return by_name + [_Wanted(topic.name, topic.topic_id) for topic in request.topics]


def _fault(one: _Wanted, is_double: bool) -> Outcome | None:
    if one.name is not None and one.topic_id != ZERO_UUID:
        text = "You may not specify both topic name and topic id."
    elif one.name is None and one.topic_id == ZERO_UUID:
        text = "Neither topic name nor id were specified."
    elif is_double:
        text = "Duplicate topic name." if one.name is not None else "Duplicate topic id."
    else:
        return None
    return Outcome(ErrorCode.INVALID_REQUEST, text)


def _refused(one: _Wanted, topic_id: bytes | None, context: NodeContext) -> Outcome | None:
    """29 for who may not delete the topic, or may not know whether it exists (ACL-18)."""
    rights = context.rights
    if rights.may(Operation.DELETE, CLUSTER, is_audited=False):
        return None
    if topic_id is not None:
        operation, name = Operation.DELETE, _name(topic_id, context)
    elif one.name is not None:
        operation, name = Operation.DESCRIBE, one.name
    else:
        return None  # an id that is not known is told to everybody
    try:
        rights.require(operation, topic_resource(name))
    except KafkaError as error:
        return Outcome(error.code, error.message)
    return None


def _may_describe(topic_id: bytes, context: NodeContext) -> bool:
    resource = topic_resource(_name(topic_id, context))
    return context.rights.may(Operation.DESCRIBE, resource, is_audited=False)


def _find(one: _Wanted, context: NodeContext) -> bytes | None:
    image = context.node.image
    if one.name is None:
        return one.topic_id if one.topic_id in image.topics_by_id else None
    topic = image.topics_by_name.get(one.name)
    return None if topic is None else topic.topic_id


def _name(topic_id: bytes, context: NodeContext) -> str:
    return context.node.image.topics_by_id[topic_id].name


def _result(
    one: _Wanted, outcome: Outcome, topic_id: bytes | None, names: dict[bytes, str]
) -> DeletableTopicResult:
    name = one.name if topic_id is None else names[topic_id]
    return DeletableTopicResult(
        name=name,
        topic_id=one.topic_id if topic_id is None else topic_id,
        error_code=outcome.code,
        error_message=outcome.message,
    )


def _things(request: DeleteTopicsRequest) -> int:
    """Topics."""
    return len(request.topics) + len(request.topic_names)


HANDLER = Handler(
    DeleteTopicsRequest, (1, 6), handle, refuse=refuse, forwarded=Forwarded(things=_things)
)

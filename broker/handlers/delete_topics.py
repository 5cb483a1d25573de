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
from ..serving.charging import charge_of, throttle_of
from ..serving.context import NodeContext
from ..serving.handler import Handler

_UNKNOWN_NAME: Final = Outcome(
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition."
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
    for one in wanted:
        fault = _fault(one, one in twice)
        topic_id = _find(one, context)
        if fault is not None:
            outcomes[one] = fault
        elif topic_id is None:
            outcomes[one] = _UNKNOWN_NAME if one.name is not None else _UNKNOWN_ID
        else:
            found[one] = topic_id
    names = {topic_id: _name(topic_id, context) for topic_id in found.values()}
    charge = charge_of(context, strict_since=5)
    if found:
        topic_ids = tuple(dict.fromkeys(found.values()))
        answers = await context.node.metadata.submit(DeleteTopics(topic_ids, charge))
        by_id: dict[bytes, Outcome] = dict(zip(topic_ids, answers, strict=True))
        outcomes.update({one: by_id[topic_id] for one, topic_id in found.items()})
    return DeleteTopicsResponse(
        throttle_time_ms=throttle_of(charge),
        responses=[
            _result(one, outcomes[one], found.get(one), names) for one in dict.fromkeys(wanted)
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


HANDLER = Handler(DeleteTopicsRequest, (1, 6), handle, refuse=refuse, is_forwarded=True)

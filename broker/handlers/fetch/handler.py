"""Takes a fetch: answers it, lets it wait, or goes through it in slices if it is very long."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any  # Any: what a coroutine tells its loop

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)

from ...core.reads import Planned, attempt
from ...core.security.resources import CLUSTER, Operation
from ...serving.context import BrokerContext, may_be_broker
from ...serving.handler import Handler
from ...serving.waiting import SLICE, Late, Turns, Waiting, in_slices
from .answer import FetchAnswer
from .asked import Asked
from .reading import Reading
from .rules import Reader
from .wait import ParkedFetch

_REPLICA_STATE_SINCE = 15


Answer = FetchResponse | Waiting[Late]


def handle(request: FetchRequest, context: BrokerContext) -> Answer | Coroutine[Any, Any, Answer]:
    """Read, and return the answer, a fetch that waits, or a coroutine for a very long request."""
    node = context.node
    version = context.api_version
    if version >= _REPLICA_STATE_SINCE:
        state = request.replica_state
        reader = Reader(state.replica_id, state.replica_epoch, version)
    else:
        reader = Reader(request.replica_id, -1, version)
    if reader.is_follower and (refusal := _refusal(request, context)) is not None:
        return refusal
    now = node.env.clock.monotonic_ms()
    try:
        wanted = node.sessions.resolve(
            request,
            version,
            is_follower=reader.is_follower,
            now_ms=now,
            rights=context.rights.state,
        )
    except KafkaError as error:
        return FetchResponse(error_code=int(error.code))
    reading = Reading(node, Asked(context, request, wanted, reader, now))
    answer = FetchAnswer(context, reading)
    if len(wanted.targets) > SLICE:
        return _read_in_slices(context, answer)
    follower = reading.follower
    steps = reading.read()
    if follower is None:
        missing = attempt(steps)
    else:
        follower.begin_work()
        try:
            missing = attempt(steps)
        except BaseException:
            follower.end()
            raise
    if isinstance(missing, Planned):
        return ParkedFetch(node, answer, steps, missing)
    if follower is not None:
        follower.end_work()
    return _answer_or_park(context, answer)


def _refusal(
    request: FetchRequest, context: BrokerContext
) -> FetchResponse | Coroutine[Any, Any, Answer] | None:
    """For who may not fetch as a replica: a follower's fetch moves the watermark (ATK-35).

    29 on each partition, without a session; 31 where the listener alone says who is a broker.
    """
    rights = context.rights
    if not rights.is_limited:
        if may_be_broker(context):
            return None
        return refuse(request, ErrorCode.CLUSTER_AUTHORIZATION_FAILED, None)
    if rights.may(Operation.CLUSTER_ACTION, CLUSTER):
        return None
    return _each_refused(request)


async def _each_refused(request: FetchRequest) -> Answer:
    """29 on each partition; a topic is named once, as by the request."""
    response, turns = FetchResponse(), Turns()
    for topic in request.topics:
        rows: list[PartitionData] = []
        # A version has either of them; the other one is not sent.
        named = FetchableTopicResponse(topic=topic.topic, topic_id=topic.topic_id, partitions=rows)
        response.responses.append(named)
        await turns.after()
        for wanted in topic.partitions:
            row = PartitionData(partition_index=wanted.partition, high_watermark=-1)
            row.error_code = int(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
            rows.append(row)
            await turns.after()
    return response


async def _read_in_slices(context: BrokerContext, answer: FetchAnswer) -> Answer:
    reading = answer.reading
    follower = reading.follower
    try:
        if follower is not None:
            follower.begin_work()
        await in_slices(context.node, reading.read())
    except BaseException:
        if follower is not None:
            follower.end()
        raise
    if follower is not None:
        follower.end_work()
    return _answer_or_park(context, answer, took_turns=True)


def _answer_or_park(
    context: BrokerContext, answer: FetchAnswer, *, took_turns: bool = False
) -> Answer:
    """The answer, if there is enough or nothing to wait for; else a parked fetch."""
    if answer.reading.may_answer_now:
        return answer.now()
    return ParkedFetch(context.node, answer, took_turns=took_turns)


def refuse(request: FetchRequest, code: ErrorCode, message: str | None) -> FetchResponse:
    """One error for the whole request."""
    del request, message
    return FetchResponse(error_code=int(code))


HANDLER = Handler(FetchRequest, (4, 18), handle, refuse=refuse)

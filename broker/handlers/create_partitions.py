"""CreatePartitions: answers when this broker serves the new partitions.

Null assignments leave the choice to the controller; an empty list is a choice of nothing, and an
error, as in Kafka.
"""

from __future__ import annotations

from collections import Counter

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from barnabas.protocol.messages.create_partitions_response import (
    CreatePartitionsResponse,
    CreatePartitionsTopicResult,
)

from ..core.cluster.commands import CreatePartitions, MorePartitions, Outcome
from ..core.security.resources import Operation, topic_resource
from ..serving.charging import charge_of, throttle_of
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(
    request: CreatePartitionsRequest, context: NodeContext
) -> CreatePartitionsResponse:
    """Submit one command for all topics that are asked for once, and answer for each."""
    times = Counter(topic.name for topic in request.topics)
    once = [topic for topic in request.topics if times[topic.name] == 1]
    charge = charge_of(context, strict_since=3)
    outcomes: dict[str, Outcome] = dict.fromkeys(
        times, Outcome(ErrorCode.INVALID_REQUEST, "Duplicate topic name.")
    )
    allowed: list[CreatePartitionsTopic] = []
    for topic in once:
        try:
            context.rights.require(Operation.ALTER, topic_resource(topic.name))
            allowed.append(topic)
        except KafkaError as error:
            outcomes[topic.name] = Outcome(error.code, error.message)
    if allowed:
        command = CreatePartitions(tuple(map(_more, allowed)), request.validate_only, charge)
        answers = await context.node.metadata.submit(command)
        outcomes.update(
            {topic.name: answer for topic, answer in zip(allowed, answers, strict=True)}
        )
    return CreatePartitionsResponse(
        throttle_time_ms=throttle_of(charge),
        results=[
            CreatePartitionsTopicResult(
                name=name, error_code=outcome.code, error_message=outcome.message
            )
            for name, outcome in outcomes.items()
        ],
    )


def refuse(
    request: CreatePartitionsRequest, code: int, message: str | None
) -> CreatePartitionsResponse:
    """An error for the whole request stands on each topic."""
    return CreatePartitionsResponse(
        results=[
            CreatePartitionsTopicResult(name=topic.name, error_code=code, error_message=message)
            for topic in request.topics
        ]
    )


def _more(topic: CreatePartitionsTopic) -> MorePartitions:
    assignments = topic.assignments
    return MorePartitions(
        topic.name,
        topic.count,
        None if assignments is None else tuple(tuple(one.broker_ids) for one in assignments),
    )


def _things(request: CreatePartitionsRequest) -> int:
    """Topics and placed partitions."""
    return sum(1 + len(topic.assignments or ()) for topic in request.topics)


HANDLER = Handler(
    CreatePartitionsRequest, (0, 3), handle, refuse=refuse, forwarded=Forwarded(things=_things)
)

"""CreateTopics: answers when this broker serves the topics ("answers mean done").

Versions: 4 -1 stands for the cluster's defaults (also taken from older ones), 5 the answer tells
partitions and settings, 7 the topic id.
"""

from __future__ import annotations

from collections.abc import Iterable

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.create_topics_request import CreateTopicsRequest
from barnabas.protocol.messages.create_topics_response import (
    CreatableTopicConfigs,
    CreatableTopicResult,
    CreateTopicsResponse,
)

from ..core.cluster.commands import CreateTopics, NewTopic, TopicCreated
from ..core.cluster.effective import topic_entries
from ..core.cluster.topic_image import METADATA_TOPIC
from ..core.security.resources import CLUSTER, Operation, topic_resource
from ..serving.charging import charge_of, throttle_of
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(request: CreateTopicsRequest, context: NodeContext) -> CreateTopicsResponse:
    """Submit one command for all topics, and answer for each."""
    topics = tuple(
        NewTopic(
            name=topic.name,
            num_partitions=topic.num_partitions,
            replication_factor=topic.replication_factor,
            assignments=tuple(
                (one.partition_index, tuple(one.broker_ids)) for one in topic.assignments
            ),
            configs=tuple((config.name, config.value) for config in topic.configs),
        )
        for topic in request.topics
    )
    refused = _refused(topics, context)
    allowed = tuple(topic for topic in topics if topic.name not in refused)
    charge = charge_of(context, strict_since=6)
    created: list[TopicCreated] = []
    if allowed or not refused:
        command = CreateTopics(allowed, request.validate_only, charge)
        created = await context.node.metadata.submit(command)
    wanted = {topic.name: topic for topic in topics}
    rows = [_result(answer, wanted[answer.name], context) for answer in created]
    return CreateTopicsResponse(
        throttle_time_ms=throttle_of(charge), topics=rows + list(refused.values())
    )


def _refused(topics: Iterable[NewTopic], context: NodeContext) -> dict[str, CreatableTopicResult]:
    """The rows of topics that who asks may not create, whether they exist or not (ACL-18)."""
    rights = context.rights
    if rights.may(Operation.CREATE, CLUSTER, is_audited=False):
        return {}
    found: dict[str, CreatableTopicResult] = {}
    for topic in topics:
        if topic.name == METADATA_TOPIC:
            continue  # nobody may, and everybody is told the same
        try:
            rights.require(Operation.CREATE, topic_resource(topic.name))
        except KafkaError as error:
            found[topic.name] = CreatableTopicResult(
                name=topic.name, error_code=error.code, error_message=error.message
            )
    return found


def refuse(request: CreateTopicsRequest, code: int, message: str | None) -> CreateTopicsResponse:
    """An error for the whole request stands on each topic."""
    return CreateTopicsResponse(
        topics=[
            CreatableTopicResult(name=topic.name, error_code=code, error_message=message)
            for topic in request.topics
        ]
    )


def _result(answer: TopicCreated, topic: NewTopic, context: NodeContext) -> CreatableTopicResult:
    if answer.code is not ErrorCode.NONE:
        return CreatableTopicResult(
            name=answer.name, error_code=answer.code, error_message=answer.message
        )
    if context.api_version >= 5 and not context.rights.may(
        Operation.DESCRIBE_CONFIGS, topic_resource(topic.name), is_audited=False
    ):
        return CreatableTopicResult(
            name=answer.name,
            topic_id=answer.topic_id,
            error_message=None,
            topic_config_error_code=ErrorCode.TOPIC_AUTHORIZATION_FAILED,
            configs=None,
        )
    node = context.node
    overrides = {name: value for name, value in topic.configs if value is not None}
    return CreatableTopicResult(
        name=answer.name,
        topic_id=answer.topic_id,
        error_message=None,
        num_partitions=answer.num_partitions,
        replication_factor=answer.replication_factor,
        configs=[
            CreatableTopicConfigs(
                name=entry.name,
                value=entry.value,
                config_source=entry.source,
                is_sensitive=False,
            )
            for entry in topic_entries(node.config, node.image, node.node_id, overrides)
        ]
        if context.api_version >= 5
        else [],
    )


def _things(request: CreateTopicsRequest) -> int:
    """Topics, settings and placed partitions."""
    return sum(1 + len(one.assignments) + len(one.configs) for one in request.topics)


HANDLER = Handler(
    CreateTopicsRequest, (2, 7), handle, refuse=refuse, forwarded=Forwarded(things=_things)
)

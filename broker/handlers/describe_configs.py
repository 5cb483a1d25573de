"""DescribeConfigs: settings of topics, of this broker, of all brokers; with where they come from.

Of this node also the levels of its loggers (KIP-412).

Versions: 1 source and synonyms, 3 type and documentation. Names are filtered by the request.
Passwords, and settings of unknown type, are told without their value.
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
    DescribeConfigsSynonym,
)

from ..core.cluster.client_metrics import client_metrics_entries
from ..core.cluster.effective import (
    Entry,
    broker_entries,
    default_broker_entries,
    group_entries,
    topic_entries,
)
from ..core.cluster.image import (
    RESOURCE_BROKER,
    RESOURCE_BROKER_LOGGER,
    RESOURCE_CLIENT_METRICS,
    RESOURCE_GROUP,
    RESOURCE_TOPIC,
)
from ..core.cluster.topic_image import METADATA_TOPIC
from ..core.cluster.topic_names import name_fault
from ..core.security.resources import Operation
from ..serving.config_requests import require_config_right
from ..serving.context import NodeContext
from ..serving.handler import Handler
from ..serving.logger_levels import described
from ..serving.repeats import Repeats
from ..serving.waiting import Turns

_TYPES: Final = {
    "BOOLEAN": 1,
    "STRING": 2,
    "INT": 3,
    "LONG": 5,
    "DOUBLE": 6,
    "LIST": 7,
    "PASSWORD": 9,
}
_UNKNOWN_TYPE: Final = 0
_DYNAMIC_BROKER_LOGGER: Final = 6
_OTHERS: Final = {
    RESOURCE_CLIENT_METRICS: "Client metrics subscription",
    RESOURCE_GROUP: "Group",
}

_KINDS: Final = (RESOURCE_TOPIC, RESOURCE_BROKER, RESOURCE_BROKER_LOGGER, *_OTHERS)


async def handle(request: DescribeConfigsRequest, context: NodeContext) -> DescribeConfigsResponse:
    """Each resource on its own, with its own error.

    Raises KafkaError INVALID_REQUEST (42) for a kind of resource that does not exist.
    """
    for resource in request.resources:
        if resource.resource_type not in _KINDS:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, f"Unsupported resource type: {resource.resource_type}"
            )
    response, turns, repeats = DescribeConfigsResponse(), Turns(), Repeats()
    for resource in request.resources:
        result = _resource(resource, request, repeats, context)
        response.results.append(result)
        await turns.after(1 + len(result.configs))
    return response


def refuse(
    request: DescribeConfigsRequest, code: int, message: str | None
) -> DescribeConfigsResponse:
    """An error for the whole request stands on each resource."""
    return DescribeConfigsResponse(
        results=[
            DescribeConfigsResult(
                error_code=code,
                error_message=message,
                resource_type=one.resource_type,
                resource_name=one.resource_name,
            )
            for one in request.resources
        ]
    )


def _resource(
    resource: DescribeConfigsResource,
    request: DescribeConfigsRequest,
    repeats: Repeats,
    context: NodeContext,
) -> DescribeConfigsResult:
    # Kafka's text for no error, and for an error without words, is empty here, not null.
    result = DescribeConfigsResult(
        resource_type=resource.resource_type,
        resource_name=resource.resource_name,
    )
    try:
        repeats.count((resource.resource_type, resource.resource_name))
        configs = _configs(resource, request, context)
    except KafkaError as error:
        result.error_code, result.error_message = error.code, error.message or ""
        return result
    wanted = set(resource.configuration_keys or ())
    result.configs = [one for one in configs if not wanted or one.name in wanted]
    return result


def _configs(
    resource: DescribeConfigsResource, request: DescribeConfigsRequest, context: NodeContext
) -> list[DescribeConfigsResourceResult]:
    kind, name = resource.resource_type, resource.resource_name
    require_config_right(Operation.DESCRIBE_CONFIGS, kind, name, context)
    if kind == RESOURCE_BROKER_LOGGER:
        return [
            DescribeConfigsResourceResult(
                name=logger, value=level, config_source=_DYNAMIC_BROKER_LOGGER, documentation=""
            )
            for logger, level in described(name, context)
        ]
    is_broker = kind == RESOURCE_BROKER
    return [_config(entry, request, is_broker=is_broker) for entry in _entries(kind, name, context)]


def _entries(kind: int, name: str, context: NodeContext) -> list[Entry]:
    node = context.node
    if kind == RESOURCE_TOPIC:
        _check_topic(name, context)
        overrides = node.image.config_of(RESOURCE_TOPIC, name)
        entries = topic_entries(node.config, node.image, node.node_id, overrides)
        return [_snapshot(entry) for entry in entries] if name == METADATA_TOPIC else entries
    if kind == RESOURCE_BROKER:
        return _broker_entries(name, context)
    if not name:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"{_OTHERS[kind]} name must not be empty")
    if kind == RESOURCE_GROUP:
        return group_entries(node.config, node.image, node.node_id, name)
    return client_metrics_entries(node.image, name)


def _check_topic(name: str, context: NodeContext) -> None:
    fault = name_fault(name)
    if fault is not None:
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, fault)
    if name not in context.node.image.topics_by_name and name != METADATA_TOPIC:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)


def _snapshot(entry: Entry) -> Entry:
    """The metadata topic is kept short by snapshots (630-17)."""
    return entry._replace(value="snapshot") if entry.name == "cleanup.policy" else entry


def _broker_entries(name: str, context: NodeContext) -> list[Entry]:
    node = context.node
    if not name:
        return default_broker_entries(node.image)
    if not name.isdecimal():
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, f"Broker id must be an integer, but it is: {name}"
        )
    if name != str(node.node_id):
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"Unexpected broker id, expected {node.node_id} or empty string, but received {name}",
        )
    return broker_entries(node.config, node.image, node.node_id)


def _config(
    entry: Entry, request: DescribeConfigsRequest, *, is_broker: bool
) -> DescribeConfigsResourceResult:
    setting = entry.setting
    is_sensitive = setting is None or setting.is_secret  # SEC-01
    return DescribeConfigsResourceResult(
        name=entry.name,
        value=None if is_sensitive else entry.value,
        read_only=is_broker and setting is not None and not setting.dynamic,
        config_source=entry.source,
        is_sensitive=is_sensitive,
        synonyms=[
            DescribeConfigsSynonym(
                name=one.name,
                value=None if is_sensitive else one.value,
                source=one.source,
            )
            for one in entry.synonyms
        ]
        if request.include_synonyms
        else [],
        config_type=_UNKNOWN_TYPE if setting is None else _TYPES[setting.kind],
        documentation=setting.doc if setting and request.include_documentation else None,
    )


HANDLER = Handler(DescribeConfigsRequest, (1, 4), handle, refuse=refuse)

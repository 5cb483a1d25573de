"""Admin calls about settings: read them, change them; each broker answers for its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol

from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
)
from barnabas.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from barnabas.protocol.messages.incremental_alter_configs_response import (
    IncrementalAlterConfigsResponse,
)

from ..errors import ConfigurationError, error_of
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from .topics import Failures, raise_failures, raise_if_retriable
from .values import AlterConfig, ConfigEntry, ConfigResource, ConfigResourceType

OF_ONE_BROKER = (ConfigResourceType.BROKER, ConfigResourceType.BROKER_LOGGER)

Described = dict[ConfigResource, dict[str, ConfigEntry]]


async def node_of(cluster: Cluster, resource: ConfigResource) -> Node | None:
    """The broker that must be asked about a resource; None when any will do."""
    if resource.resource_type not in OF_ONE_BROKER or not resource.name:
        return None
    if not resource.name.isdigit():
        raise ConfigurationError(f"a broker is named by its id, not by {resource.name!r}")
    node_id = int(resource.name)
    if node_id not in cluster.metadata.nodes:
        await cluster.refresh()
    node = cluster.metadata.nodes.get(node_id)
    if node is None:
        raise ConfigurationError(f"there is no broker {node_id} in the cluster")
    return node


async def by_node(
    cluster: Cluster, resources: Iterable[ConfigResource]
) -> dict[Node | None, list[ConfigResource]]:
    """Resources by the broker to ask."""
    grouped: dict[Node | None, list[ConfigResource]] = {}
    for each in resources:
        grouped.setdefault(await node_of(cluster, each), []).append(each)
    return grouped


class ResourceAnswer(Protocol):
    """What an answer says of one resource, whatever it was asked for."""

    error_code: int
    error_message: str | None
    resource_type: int
    resource_name: str


def resource_of(answer: ResourceAnswer, failures: Failures) -> ConfigResource:
    """The resource that was answered about; its error, if any, is put into `failures`."""
    key = ConfigResource(ConfigResourceType(answer.resource_type), answer.resource_name)
    if answer.error_code:
        text = f"{key.name}: {answer.error_message}" if answer.error_message else key.name
        failures[key] = error_of(answer.error_code, text)
    return key


async def ask_all(
    cluster: Cluster,
    resources: Iterable[ConfigResource],
    ask: Callable[[Node | None, list[ConfigResource]], Awaitable[None]],
    failures: Failures,
    what: str,
) -> None:
    """Have each broker asked about its resources, and all again after errors that may pass.

    Raises the errors that `ask` puts into `failures`.
    """

    async def attempt() -> None:
        failures.clear()
        for node, part in (await by_node(cluster, resources)).items():
            await ask(node, part)

    await cluster.retrying(attempt, what)
    raise_failures(failures)


async def describe_configs(
    cluster: Cluster,
    resources: Sequence[ConfigResource],
    names: Sequence[str] | None,
    include_synonyms: bool,
    include_documentation: bool,
) -> Described:
    """See `Admin.describe_configs`."""
    found: Described = {}
    failures: Failures = {}

    async def ask(node: Node | None, part: list[ConfigResource]) -> None:
        request = DescribeConfigsRequest(
            resources=[
                DescribeConfigsResource(
                    resource_type=each.resource_type,
                    resource_name=each.name,
                    configuration_keys=None if names is None else list(names),
                )
                for each in part
            ],
            include_synonyms=include_synonyms,
        )
        connection = await (cluster.connection(node) if node else cluster.any_connection())
        version = connection.version_of(request)
        if version >= 3:
            request.include_documentation = include_documentation
        response = await connection.send(
            request, DescribeConfigsResponse, version, cluster.request_timeout_s
        )
        for each in response.results:
            key = resource_of(each, failures)
            if key not in failures:
                found[key] = {one.name: entry_of(one) for one in each.configs}

    await ask_all(cluster, resources, ask, failures, "describing settings")
    return found


def entry_of(answer: DescribeConfigsResourceResult) -> ConfigEntry:
    """One setting as an answer describes it."""
    return ConfigEntry(
        answer.name,
        answer.value,
        answer.config_source,
        answer.read_only,
        answer.is_sensitive,
        answer.documentation or None,
        tuple((each.name, each.value, each.source) for each in answer.synonyms),
    )


async def incremental_alter_configs(
    cluster: Cluster,
    changes: Mapping[ConfigResource, Sequence[AlterConfig]],
    validate_only: bool,
) -> None:
    """See `Admin.incremental_alter_configs`."""
    failures: Failures = {}

    async def ask(node: Node | None, part: list[ConfigResource]) -> None:
        request = IncrementalAlterConfigsRequest(
            resources=[
                AlterConfigsResource(
                    resource_type=each.resource_type,
                    resource_name=each.name,
                    configs=[
                        AlterableConfig(
                            name=one.name, config_operation=one.operation, value=one.value
                        )
                        for one in changes[each]
                    ],
                )
                for each in part
            ],
            validate_only=validate_only,
        )
        if node is None:
            response = await cluster.call_controller(request, IncrementalAlterConfigsResponse)
        else:
            response = await cluster.call_node(node, request, IncrementalAlterConfigsResponse)
        done = []
        for each in response.responses:
            key = resource_of(each, failures)
            if key not in failures:
                done.append(key)
        raise_if_retriable(failures, done)

    await ask_all(cluster, changes, ask, failures, "changing settings")

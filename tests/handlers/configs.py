"""Asking for settings of topics, brokers and others, and changing them."""

from __future__ import annotations

from typing import Any

from kit.raw_client import RawClient

from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32


SET, DELETE, APPEND, SUBTRACT = range(4)


async def describe(
    client: RawClient, kind: int, name: str, *keys: str, version: int = 4, **fields: bool
) -> Any:
    """The only result."""
    resource = DescribeConfigsResource(
        resource_type=kind, resource_name=name, configuration_keys=list(keys) or None
    )
    answer = await client.ask(DescribeConfigsRequest(resources=[resource], **fields), version)
    (result,) = answer.results
    assert (result.resource_type, result.resource_name) == (kind, name)
    return result


def resource(kind: int, name: str, *rows: tuple[str, int, str | None]) -> AlterConfigsResource:
    return AlterConfigsResource(
        resource_type=kind,
        resource_name=name,
        configs=[
            AlterableConfig(name=key, config_operation=operation, value=value)
            for key, operation, value in rows
        ],
    )


async def alter(
    client: RawClient, *resources: AlterConfigsResource, version: int = 1, **fields: bool
) -> list[tuple[int, str | None]]:
    wanted = IncrementalAlterConfigsRequest(resources=list(resources), **fields)
    answer = await client.ask(wanted, version)
    return [(one.error_code, one.error_message) for one in answer.responses]

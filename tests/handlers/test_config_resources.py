"""ListConfigResources tells what DescribeConfigs can be asked for (KIP-1142)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.raw_client import RawClient

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.list_config_resources_request import ListConfigResourcesRequest

from .configs import BROKER, GROUP, LOGGER, METRICS, SET, TOPIC, alter, resource
from .nodes import create, serving


async def listed(client: RawClient, *kinds: int, version: int = 1) -> Any:
    """The error and the resources, by kind."""
    request = ListConfigResourcesRequest(resource_types=list(kinds))
    answer = await client.ask(request, version)
    found: dict[int, list[str]] = {}
    for one in answer.config_resources:
        found.setdefault(one.resource_type, []).append(one.resource_name)
    return answer.error_code, found


async def make_some(client: RawClient) -> None:
    """Two topics without settings of their own, a group's and a subscription's settings."""
    await create(client, "b")
    await create(client, "a")
    changes = (
        resource(GROUP, "g", ("consumer.session.timeout.ms", SET, "50000")),
        resource(METRICS, "m", ("interval.ms", SET, "1000")),
    )
    assert [code for code, _ in await alter(client, *changes)] == [0, 0]


async def test_all_kinds(tmp_path: Path) -> None:
    """KIP-1142: topics and live brokers are listed with or without settings, others with."""
    async with serving(tmp_path) as (node, client):
        await make_some(client)
        broker = str(node.node_id)
        everything = {
            GROUP: ["g"],
            METRICS: ["m"],
            LOGGER: [broker],
            BROKER: [broker],
            TOPIC: ["a", "b"],
        }
        assert await listed(client) == (0, everything)


@pytest.mark.parametrize(
    ("kind", "names"), [(GROUP, ["g"]), (METRICS, ["m"]), (TOPIC, ["a", "b"]), (LOGGER, ["1"])]
)
async def test_one_kind(tmp_path: Path, kind: int, names: list[str]) -> None:
    """KIP-1142: what is asked for, and nothing else."""
    async with serving(tmp_path) as (_, client):
        await make_some(client)
        assert await listed(client, kind) == (0, {kind: names})


async def test_the_first_version_lists_metrics(tmp_path: Path) -> None:
    """KIP-714: version 0 was ListClientMetricsResources, and its rows have no kind."""
    async with serving(tmp_path) as (_, client):
        await make_some(client)
        assert await listed(client, version=0) == (0, {METRICS: ["m"]})


async def test_an_unknown_kind(tmp_path: Path) -> None:
    """KIP-1142: a kind that nobody knows is an error of the whole answer (35)."""
    async with serving(tmp_path) as (_, client):
        assert await listed(client, TOPIC, 3) == (ErrorCode.UNSUPPORTED_VERSION, {})

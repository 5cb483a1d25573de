"""UpdateFeatures and AlterConfigs over the wire."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.broker.server.served_apis import OF_BROKERS
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.alter_configs_request import (
    AlterableConfig,
    AlterConfigsRequest,
    AlterConfigsResource,
)
from barnabas.protocol.messages.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)

from .controller.asking import Asking
from .nodes import create, serving

SAFE_DOWNGRADE = 2
TOPIC, BROKER = 2, 4


def downgrade(level: int, name: str = "transaction.version") -> UpdateFeaturesRequest:
    update = FeatureUpdateKey(feature=name, max_version_level=level, upgrade_type=SAFE_DOWNGRADE)
    return UpdateFeaturesRequest(feature_updates=[update])


async def test_a_node_updates_features(tmp_path: Path) -> None:
    """Results for each feature up to version 1, if all went well; an error is one for all."""
    async with serving(tmp_path) as (node, client):
        checked = downgrade(0)
        checked.validate_only = True
        answer = await client.ask(checked, 1)
        assert (answer.error_code, answer.results[0].error_code) == (0, 0)
        assert node.image.features["transaction.version"] == 2
        answer = await client.ask(downgrade(0), 2)
        assert (answer.error_code, answer.error_message, answer.results) == (0, None, [])
        assert "transaction.version" not in node.image.features
        answer = await client.ask(downgrade(1, "none"), 2)
        assert answer.error_code == ErrorCode.INVALID_UPDATE_VERSION
        assert "feature none" in answer.error_message
        answer = await client.ask(downgrade(1, "none"), 1)
        assert answer.error_code == ErrorCode.INVALID_UPDATE_VERSION
        assert "feature none" in answer.error_message
        assert answer.results == []


@pytest.mark.parametrize(("level", "allowed"), [(0, False), (0, True), (1, True), (2, True)])
async def test_version_0_allows_a_downgrade_or_does_not(level: int, *, allowed: bool) -> None:
    """Its flag allows to go down; what goes up goes up with it as well."""
    asking = Asking(1)
    update = FeatureUpdateKey(
        feature="transaction.version", max_version_level=level, allow_downgrade=allowed
    )
    answer = await asking.ask(UpdateFeaturesRequest(feature_updates=[update]), 0)
    refused = not allowed
    assert answer.error_code == (ErrorCode.INVALID_UPDATE_VERSION if refused else 0)
    assert asking.cluster.image.features.get("transaction.version", 0) == (2 if refused else level)


async def test_alter_configs_replaces_all_settings(tmp_path: Path) -> None:
    """What is not named goes back to its default; a bad value leaves everything as it was."""
    async with serving(tmp_path) as (node, client):
        await create(client, "t", retention_ms="1000", segment_bytes="2000000")

        async def alter(version: int, check: bool = False, **values: str | None) -> int:
            resource = AlterConfigsResource(
                resource_type=TOPIC,
                resource_name="t",
                configs=[
                    AlterableConfig(name=name.replace("_", "."), value=value)
                    for name, value in values.items()
                ],
            )
            request = AlterConfigsRequest(resources=[resource], validate_only=check)
            answer = await client.ask(request, version)
            (result,) = answer.responses
            assert (result.resource_type, result.resource_name) == (TOPIC, "t")
            code: int = result.error_code
            return code

        before = node.image.config_of(TOPIC, "t")
        assert await alter(2, retention_ms="-7") == ErrorCode.INVALID_CONFIG
        assert await alter(2, retention_ms=None) == ErrorCode.INVALID_REQUEST
        assert await alter(1, check=True, retention_ms="5000") == 0
        assert node.image.config_of(TOPIC, "t") == before
        assert await alter(0, retention_ms="5000") == 0
        assert node.image.config_of(TOPIC, "t") == {"retention.ms": "5000"}
        assert await alter(2) == 0
        assert node.image.config_of(TOPIC, "t") == {}


async def test_the_controller_changes_the_settings_of_any_broker() -> None:
    """A request about broker 2 is decided by whichever node is the active controller."""
    asking = Asking(2)
    resource = AlterConfigsResource(
        resource_type=BROKER,
        resource_name="2",
        configs=[AlterableConfig(name="log.retention.ms", value="8")],
    )
    answer = await asking.ask(AlterConfigsRequest(resources=[resource]), 2)
    assert answer.responses[0].error_code == 0
    assert asking.cluster.image.config_of(BROKER, "2") == {"log.retention.ms": "8"}


def test_what_the_active_controller_decides_is_sent_on_to_it() -> None:
    """Every API that changes the cluster, and the list of what moves; no API of data."""
    forwarded = {one.api.name for one in OF_BROKERS.values() if one.is_forwarded}
    assert forwarded >= {
        "AlterConfigs",
        "AlterPartitionReassignments",
        "CreatePartitions",
        "CreateTopics",
        "DeleteTopics",
        "ElectLeaders",
        "IncrementalAlterConfigs",
        "ListPartitionReassignments",
        "UnregisterBroker",
        "UpdateFeatures",
    }
    assert not forwarded & {"Produce", "Fetch", "ListOffsets", "Metadata", "DescribeCluster"}

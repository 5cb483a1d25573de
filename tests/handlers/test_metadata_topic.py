"""The metadata log is a topic that clients may look at and not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import alter_configs_request as alter_configs

from .configs import APPEND, DELETE, SET, TOPIC, alter, describe, resource
from .nodes import records_before, serving

METADATA = "__cluster_metadata"


@pytest.mark.parametrize("operation", [SET, DELETE, APPEND])
async def test_its_cleanup_policy_stays(tmp_path: Path, operation: int) -> None:
    """630-17: whatever is done to it, by AlterConfigs too, it reads as `snapshot` afterwards."""
    async with serving(tmp_path) as (_, client):
        value = None if operation == DELETE else "delete"
        change = resource(TOPIC, METADATA, ("cleanup.policy", operation, value))
        ((code, text),) = await alter(client, change)
        assert code == ErrorCode.POLICY_VIOLATION
        assert METADATA in (text or "")
        whole = alter_configs.AlterConfigsResource(
            resource_type=TOPIC,
            resource_name=METADATA,
            configs=[alter_configs.AlterableConfig(name="cleanup.policy", value="delete")],
        )
        answer = await client.ask(alter_configs.AlterConfigsRequest(resources=[whole]), 2)
        assert [one.error_code for one in answer.responses] == [ErrorCode.POLICY_VIOLATION]
        (found,) = (await describe(client, TOPIC, METADATA, "cleanup.policy")).configs
        assert found.value == "snapshot"


async def test_its_records_stay(tmp_path: Path) -> None:
    """630-17: DeleteRecords is against the policy; the log begins where it began."""
    async with serving(tmp_path) as (node, client):
        before = node.quorum.log.start_offset
        answer = await client.ask(records_before((METADATA, 0, -1)), 2)
        (row,) = answer.topics[0].partitions
        assert row.error_code == ErrorCode.POLICY_VIOLATION
        assert node.quorum.log.start_offset == before

"""Requests about quotas, and what was answered, in few words."""

from __future__ import annotations

from typing import Any

from kit.raw_client import RawClient

from barnabas.protocol.messages.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
    OpData,
)
from barnabas.protocol.messages.describe_client_quotas_request import (
    ComponentData,
    DescribeClientQuotasRequest,
)

Entity = dict[str, str | None]


def entry(entity: Entity, **limits: float | None) -> EntryData:
    """Limits by key; None removes one."""
    return EntryData(
        entity=[EntityData(entity_type=kind, entity_name=name) for kind, name in entity.items()],
        ops=[
            OpData(key=key, value=0.0 if value is None else value, remove=value is None)
            for key, value in limits.items()
        ],
    )


async def alter(client: RawClient, *entries: EntryData, version: int = 1) -> list[Any]:
    """The rows of the answer."""
    answer = await client.ask(AlterClientQuotasRequest(entries=list(entries)), version)
    rows: list[Any] = answer.entries
    return rows


async def limit(client: RawClient, entity: Entity, **limits: float | None) -> None:
    """Set limits of one entity, which must work."""
    (row,) = await alter(client, entry(entity, **limits))
    assert row.error_code == 0, row


async def describe(
    client: RawClient,
    *components: tuple[str, int, str | None],
    strict: bool = False,
    version: int = 1,
) -> Any:
    """Entities with their limits, or the error's code and words."""
    request = DescribeClientQuotasRequest(
        components=[
            ComponentData(entity_type=kind, match_type=how, match=name)
            for kind, how, name in components
        ],
        strict=strict,
    )
    answer = await client.ask(request, version)
    if answer.error_code:
        assert answer.entries is None
        return answer.error_code, answer.error_message
    return [
        (
            {part.entity_type: part.entity_name for part in row.entity},
            {one.key: one.value for one in row.values},
        )
        for row in answer.entries
    ]

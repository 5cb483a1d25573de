"""Admin calls about client quotas (KIP-546)."""

from __future__ import annotations

from collections.abc import Mapping

from barnabas.protocol.messages.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
    OpData,
)
from barnabas.protocol.messages.alter_client_quotas_response import AlterClientQuotasResponse
from barnabas.protocol.messages.describe_client_quotas_request import (
    ComponentData,
    DescribeClientQuotasRequest,
)
from barnabas.protocol.messages.describe_client_quotas_response import DescribeClientQuotasResponse

from ..errors import error_of
from ..wire.cluster import Cluster
from .quota_values import ANY_NAME, QuotaEntity
from .topics import Failures, raise_failures, raise_if_retriable

EXACT, DEFAULT, ANY = range(3)


async def describe_client_quotas(
    cluster: Cluster, parts: Mapping[str, str | None], strict: bool
) -> dict[QuotaEntity, dict[str, float]]:
    """See `Admin.describe_client_quotas`."""
    request = DescribeClientQuotasRequest(
        components=[_component(kind, name) for kind, name in parts.items()], strict=strict
    )

    async def attempt() -> dict[QuotaEntity, dict[str, float]]:
        response = await cluster.call_any(request, DescribeClientQuotasResponse)
        if response.error_code:
            raise error_of(response.error_code, response.error_message or "describing quotas")
        return {
            QuotaEntity.of({part.entity_type: part.entity_name for part in row.entity}): {
                one.key: one.value for one in row.values
            }
            for row in response.entries or ()
        }

    return await cluster.retrying(attempt, "describing quotas")


def _component(kind: str, name: str | None) -> ComponentData:
    if name is None:
        return ComponentData(entity_type=kind, match_type=DEFAULT, match=None)
    if name is ANY_NAME:
        return ComponentData(entity_type=kind, match_type=ANY, match=None)
    return ComponentData(entity_type=kind, match_type=EXACT, match=name)


async def alter_client_quotas(
    cluster: Cluster,
    changes: Mapping[QuotaEntity, Mapping[str, float | None]],
    validate_only: bool,
) -> None:
    """See `Admin.alter_client_quotas`."""
    request = AlterClientQuotasRequest(
        entries=[
            EntryData(
                entity=[
                    EntityData(entity_type=kind, entity_name=name) for kind, name in entity.parts
                ],
                ops=[
                    OpData(key=key, value=0.0 if value is None else value, remove=value is None)
                    for key, value in limits.items()
                ],
            )
            for entity, limits in changes.items()
        ],
        validate_only=validate_only,
    )
    failures: Failures = {}

    async def attempt() -> None:
        failures.clear()
        done: list[QuotaEntity] = []
        response = await cluster.call_controller(request, AlterClientQuotasResponse)
        for row in response.entries:
            entity = QuotaEntity.of({part.entity_type: part.entity_name for part in row.entity})
            if row.error_code:
                words = f"{entity}: {row.error_message}" if row.error_message else str(entity)
                failures[entity] = error_of(row.error_code, words)
            else:
                done.append(entity)
        raise_if_retriable(failures, done)

    await cluster.retrying(attempt, "changing quotas")
    raise_failures(failures)

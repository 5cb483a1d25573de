"""DescribeClientQuotas: which quotas are set, from this broker's image (KIP-546, QTA-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_client_quotas_request import (
    ComponentData,
    DescribeClientQuotasRequest,
)
from barnabas.protocol.messages.describe_client_quotas_response import (
    DescribeClientQuotasResponse,
    EntityData,
    EntryData,
    ValueData,
)

from ..core.quotas.entities import CLIENT_ID, IP, TYPES, USER, QuotaEntity
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import Turns

EXACT: Final = 0
DEFAULT: Final = 1
ANY: Final = 2

_Filter = Mapping[str, ComponentData]


async def handle(
    request: DescribeClientQuotasRequest, context: BrokerContext
) -> DescribeClientQuotasResponse:
    """Raises KafkaError: 31 forbidden, 42 the filter makes no sense, 35 it has an unknown type."""
    context.rights.require(Operation.DESCRIBE_CONFIGS, CLUSTER)
    wanted = _filter(request.components)
    rows: dict[QuotaEntity, EntryData] = {}
    turns = Turns()
    for (entity, key), record in list(context.node.image.security.quotas.items()):
        await turns.after()
        if not _matches(dict(entity), wanted, strict=request.strict):
            continue
        if entity not in rows:
            parts = [EntityData(entity_type=kind, entity_name=name) for kind, name in entity]
            rows[entity] = EntryData(entity=parts)
        rows[entity].values.append(ValueData(key=key, value=record.value))
    return DescribeClientQuotasResponse(error_message="", entries=list(rows.values()))


def refuse(
    request: DescribeClientQuotasRequest, code: ErrorCode, message: str | None
) -> DescribeClientQuotasResponse:
    """After an error there is no list."""
    del request
    return DescribeClientQuotasResponse(error_code=code, error_message=message, entries=None)


def _filter(components: Sequence[ComponentData]) -> _Filter:
    """The components by type. Raises KafkaError 42 or 35."""
    wanted: dict[str, ComponentData] = {}
    for one in components:
        kind = one.entity_type
        if not kind:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "Invalid empty entity type.")
        if kind not in TYPES:
            raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, f"Unsupported entity type {kind}")
        fault = _match_fault(one)
        if fault is None and kind in wanted:
            fault = f"Entity type {kind} cannot appear more than once in the filter."
        if fault is not None:
            raise KafkaError(ErrorCode.INVALID_REQUEST, fault)
        wanted[kind] = one
    if IP in wanted and (USER in wanted or CLIENT_ID in wanted):
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            "Invalid entity filter component combination. IP filter component should not be used "
            "with user or clientId filter component.",
        )
    return wanted


def _match_fault(one: ComponentData) -> str | None:
    if one.match_type == EXACT:
        if one.match is None:
            return "Request specified MATCH_TYPE_EXACT, but set match string to null."
    elif one.match_type not in (DEFAULT, ANY):
        return f"Unknown match type {one.match_type}"
    elif one.match is not None:
        name = "DEFAULT" if one.match_type == DEFAULT else "SPECIFIED"
        return f"Request specified MATCH_TYPE_{name}, but also specified a match string."
    return None


def _matches(parts: Mapping[str, str | None], wanted: _Filter, *, strict: bool) -> bool:
    if not parts.keys() >= wanted.keys() or (strict and len(parts) > len(wanted)):
        return False
    for kind, one in wanted.items():
        name = parts[kind]
        if one.match_type == EXACT and name != one.match:
            return False
        if one.match_type == DEFAULT and name is not None:
            return False
    return True


HANDLER = Handler(DescribeClientQuotasRequest, (0, 1), handle, refuse=refuse)

"""AlterClientQuotas: sets and removes quotas; answers when the brokers obey them (KIP-546, QTA-04).

The answer has one row for each entity, also for one that was named twice. The parts of an entity
stand there as DescribeClientQuotas tells them, not as they were asked: suites compare both with
what Apache Kafka answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.alter_client_quotas_request import (
    AlterClientQuotasRequest,
)
from barnabas.protocol.messages.alter_client_quotas_request import EntryData as Asked
from barnabas.protocol.messages.alter_client_quotas_response import (
    AlterClientQuotasResponse,
    EntityData,
    EntryData,
)

from ..core.cluster.commands import AlterClientQuotas, Outcome, QuotaChange
from ..core.security.resources import CLUSTER, Operation
from ..observe.audit import cut
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(
    request: AlterClientQuotasRequest, context: NodeContext
) -> AlterClientQuotasResponse:
    """Submit one command for all entities, and answer for each."""
    context.rights.require(Operation.ALTER_CONFIGS, CLUSTER)
    changes = tuple(map(_change, request.entries))
    outcomes = await context.node.metadata.submit(
        AlterClientQuotas(changes, validate_only=request.validate_only)
    )
    if not request.validate_only:
        _tell(changes, outcomes, context)
    return _response(changes, outcomes)


def _tell(
    changes: Sequence[QuotaChange], outcomes: Sequence[Outcome], context: NodeContext
) -> None:
    """The audit hears of whom something was changed, and what; not the limits (SEC-06)."""
    for change, outcome in zip(changes, outcomes, strict=True):
        if outcome.code is ErrorCode.NONE:
            parts = [
                f"{kind}=" + ("<default>" if name is None else cut(name))
                for kind, name in change.entity
            ]
            names = [key for key, _ in change.limits]
            context.rights.note_change("quotas", entity=", ".join(parts), names=names)


def refuse(
    request: AlterClientQuotasRequest, code: ErrorCode, message: str | None
) -> AlterClientQuotasResponse:
    """An error for the whole request stands on each entity."""
    changes = tuple(map(_change, request.entries))
    return _response(changes, [Outcome(code, message)] * len(changes))


def _change(entry: Asked) -> QuotaChange:
    return QuotaChange(
        tuple((part.entity_type, part.entity_name) for part in entry.entity),
        tuple((one.key, None if one.remove else one.value) for one in entry.ops),
    )


def _response(
    changes: Sequence[QuotaChange], outcomes: Sequence[Outcome]
) -> AlterClientQuotasResponse:
    rows: dict[frozenset[tuple[str, str | None]], EntryData] = {}
    for change, outcome in zip(changes, outcomes, strict=True):
        rows[frozenset(change.entity)] = EntryData(
            error_code=outcome.code,
            error_message=outcome.message,
            entity=[
                EntityData(entity_type=kind, entity_name=name)
                for kind, name in sorted(change.entity, key=itemgetter(0))
            ],
        )
    return AlterClientQuotasResponse(entries=list(rows.values()))


def _things(request: AlterClientQuotasRequest) -> int:
    """Entities."""
    return len(request.entries)


HANDLER = Handler(
    AlterClientQuotasRequest, (0, 1), handle, refuse=refuse, forwarded=Forwarded(things=_things)
)

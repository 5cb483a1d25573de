"""AlterClientQuotas as the controller decides it: the limits of each entity, all or none (QTA-04).

An entity's quotas are taken together or refused together; entities do not depend on each other.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.client_quota_record import ClientQuotaRecord, EntityData

from ..quotas.entities import QuotaEntity, entity_fault, value_fault
from .commands import AlterClientQuotas, Decision, Outcome, QuotaChange
from .image import ClusterImage

RECORDS_MAX: Final = 10_000
"""The most records of one command, Kafka's number: they are one batch, all or none."""


def decide_alter_client_quotas(
    command: AlterClientQuotas, image: ClusterImage
) -> Decision[list[Outcome]]:
    """Records for each entity whose changes are allowed, and an `Outcome` for each.

    An entity that is named twice, or has one key twice, is refused wherever it stands. Setting a
    limit that is set already, or removing one that does not exist, writes no record. Raises
    KafkaError POLICY_VIOLATION (44) for more records than one batch may have.
    """
    times = Counter(tuple(sorted(change.entity, key=_by_type)) for change in command.changes)
    records: list[Message] = []
    outcomes: list[Outcome] = []
    for change in command.changes:
        fault = _fault(change, times)
        if fault is None:
            records += _records(change, image)
            outcomes.append(Outcome())
        else:
            outcomes.append(Outcome(ErrorCode.INVALID_REQUEST, fault))
        if len(records) > RECORDS_MAX:
            raise KafkaError(
                ErrorCode.POLICY_VIOLATION, f"One request changes at most {RECORDS_MAX} quotas."
            )
    return Decision([] if command.validate_only else records, outcomes)


def _by_type(part: tuple[str, str | None]) -> tuple[str, str]:
    return part[0], part[1] or ""


def _fault(change: QuotaChange, times: Counter[QuotaEntity]) -> str | None:
    entity = tuple(sorted(change.entity, key=_by_type))
    keys = [key for key, _ in change.limits]
    if times[entity] > 1 or len(set(keys)) < len(keys):
        named = ", ".join(f"{kind}={name}" for kind, name in change.entity)
        return f"Ignoring duplicate entity ClientQuotaEntity(entries={{{named}}})"
    fault = entity_fault(entity)
    if fault is not None:
        return fault
    for key, value in change.limits:
        fault = None if value is None else value_fault(entity, key, value)
        if fault is not None:
            return fault
    return None


def _records(change: QuotaChange, image: ClusterImage) -> list[Message]:
    entity = tuple(sorted(change.entity, key=_by_type))
    records: list[Message] = []
    for key, value in change.limits:
        before = image.security.quotas.get((entity, key))
        if value is None and before is None:
            continue
        if before is not None and before.value == value:
            continue
        records.append(
            ClientQuotaRecord(
                entity=[EntityData(entity_type=kind, entity_name=name) for kind, name in entity],
                key=key,
                value=0.0 if value is None else value,
                remove=value is None,
            )
        )
    return records

"""Adding and removing access control entries, as the controller decides it (ACL-13, ACL-15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.remove_access_control_entry_record import (
    RemoveAccessControlEntryRecord,
)

from ..ports import Env
from ..security.acl import Acl, AclFilter
from ..security.resources import (
    CLUSTER_NAME,
    Operation,
    PatternType,
    Permission,
    ResourceType,
)
from .commands import Command, Decision, Outcome
from .ids import random_uuid
from .image import ClusterImage
from .security_image import acl_record

CHANGES_MAX: Final = 10_000
"""The most entries that one request may add or remove."""


@dataclass(frozen=True, slots=True)
class CreateAcls(Command[list[Outcome]]):
    """The answer is a list of `Outcome`, one for each entry, in order."""

    acls: tuple[Acl, ...]


@dataclass(frozen=True, slots=True)
class DeleteAcls(Command[list[list[Acl]]]):
    """The answer has, for each filter, the entries that it matched."""

    filters: tuple[AclFilter, ...]


def decide_create_acls(
    command: CreateAcls, image: ClusterImage, env: Env
) -> Decision[list[Outcome]]:
    """One record for each valid entry that does not exist yet (ACL-01).

    Raises KafkaError 42 for more than 10000 entries.
    """
    if len(command.acls) > CHANGES_MAX:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, f"at most {CHANGES_MAX} entries can be added at once"
        )
    known = {acl for _, acl in image.security.acls.items()}
    records: list[Message] = []
    outcomes: list[Outcome] = []
    for acl in command.acls:
        fault = fault_of(acl)
        if fault is not None:
            outcomes.append(Outcome(ErrorCode.INVALID_REQUEST, fault))
            continue
        outcomes.append(Outcome())
        if acl not in known:
            known.add(acl)
            records.append(acl_record(random_uuid(env), acl))
    return Decision(records, outcomes)


def decide_delete_acls(command: DeleteAcls, image: ClusterImage) -> Decision[list[list[Acl]]]:
    """One record for each entry that any filter matches (ACL-15).

    Raises KafkaError 42 for more than 10000 entries in all.
    """
    gone: dict[bytes, None] = {}
    answers: list[list[Acl]] = []
    for wanted in command.filters:
        found = image.security.acls.matching(wanted)
        answers.append([acl for _, acl in found])
        gone.update(dict.fromkeys(acl_id for acl_id, _ in found))
        if len(gone) > CHANGES_MAX:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, f"at most {CHANGES_MAX} entries can be removed at once"
            )
    records: list[Message] = [RemoveAccessControlEntryRecord(id=acl_id) for acl_id in gone]
    return Decision(records, answers)


_KINDS: Final = frozenset(ResourceType) - {ResourceType.UNKNOWN, ResourceType.ANY}
_PATTERNS: Final = frozenset((PatternType.LITERAL, PatternType.PREFIXED))
_OPERATIONS: Final = frozenset(Operation) - {Operation.UNKNOWN, Operation.ANY}
_PERMISSIONS: Final = frozenset((Permission.DENY, Permission.ALLOW))


def fault_of(acl: Acl) -> str | None:
    """Why an entry cannot be added; None if it can (ACL-13)."""
    codes = (
        ("resource type", acl.kind, _KINDS),
        ("pattern type", acl.pattern, _PATTERNS),
        ("operation", acl.operation, _OPERATIONS),
        ("permission type", acl.permission, _PERMISSIONS),
    )
    for title, code, allowed in codes:
        if code not in allowed:
            return f"an entry cannot have the {title} {code}"
    if acl.kind == ResourceType.CLUSTER and acl.name != CLUSTER_NAME:
        return f"the name of the cluster is {CLUSTER_NAME}"
    if not acl.name:
        return "the resource name is empty"
    if ":" not in acl.principal:
        return "the principal must be TYPE:NAME, such as User:alice"
    return None

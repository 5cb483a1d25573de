"""Access control entries, credentials, tokens and quotas in the cluster's metadata.

A directory that Kafka wrote may hold any of them, and the next snapshot must not lose what was
taken over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from barnabas.protocol.message import Message
from barnabas.protocol.messages.access_control_entry_record import AccessControlEntryRecord
from barnabas.protocol.messages.client_quota_record import ClientQuotaRecord
from barnabas.protocol.messages.delegation_token_record import DelegationTokenRecord
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord

from ..quotas.entities import QuotaEntity
from ..quotas.table import QuotaTable
from ..security.acl import Acl
from ..security.acl_index import AclIndex


class SecurityImage:
    """Who may do what, the credentials that prove who they are, and their quotas."""

    _KEPT: Final = ("acls", "credentials", "quotas", "tokens")
    __slots__ = (*_KEPT, "_quota_table")

    def __init__(self) -> None:
        self.acls = AclIndex()
        self.credentials: dict[tuple[str, int], UserScramCredentialRecord] = {}
        self.tokens: dict[str, DelegationTokenRecord] = {}
        self.quotas: dict[tuple[QuotaEntity, str], ClientQuotaRecord] = {}
        self._quota_table: QuotaTable | None = None

    def apply_quota(self, record: ClientQuotaRecord) -> None:
        """Set or remove one limit of one entity."""
        self._quota_table = None
        entity = tuple(sorted((one.entity_type, one.entity_name) for one in record.entity))
        if record.remove:
            self.quotas.pop((entity, record.key), None)
        else:
            self.quotas[entity, record.key] = record

    @property
    def quota_table(self) -> QuotaTable:
        """The quotas in the form in which they are looked up; made anew after each change."""
        if self._quota_table is None:
            self._quota_table = QuotaTable(
                (entity, key, record.value) for (entity, key), record in self.quotas.items()
            )
        return self._quota_table

    def copy(self) -> SecurityImage:
        """A separate image with the same records."""
        other = SecurityImage()
        other.acls = self.acls.copy()
        other.credentials = dict(self.credentials)
        other.tokens = dict(self.tokens)
        other.quotas = dict(self.quotas)
        return other

    def records(self) -> Iterator[Message]:
        """The records that build this image."""
        yield from self.quotas.values()
        yield from self.credentials.values()
        for acl_id, acl in self.acls.items():
            yield acl_record(acl_id, acl)
        yield from self.tokens.values()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SecurityImage):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._KEPT)

    __hash__ = None  # type: ignore[assignment]  # entries come and go


def acl_record(acl_id: bytes, acl: Acl) -> AccessControlEntryRecord:
    """The record that adds an entry (ACL-01)."""
    return AccessControlEntryRecord(
        id=acl_id,
        resource_type=acl.kind,
        resource_name=acl.name,
        pattern_type=acl.pattern,
        principal=acl.principal,
        host=acl.host,
        operation=acl.operation,
        permission_type=acl.permission,
    )


def acl_of(record: AccessControlEntryRecord) -> Acl:
    """The entry that a record adds."""
    return Acl(
        record.resource_type,
        record.resource_name,
        record.pattern_type,
        record.principal,
        record.host,
        record.operation,
        record.permission_type,
    )

"""Access control entries, credentials, tokens and quotas: kept whole, as their records say.

Some of them nothing reads yet; a directory that Kafka wrote may hold any, and what we take
over must not be lost in the next snapshot.
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


class SecurityImage:
    """Who may do what, how they prove who they are, and how much of it they may do."""

    _KEPT: Final = ("access_control", "credentials", "quotas", "tokens")
    __slots__ = (*_KEPT, "_quota_table")

    def __init__(self) -> None:
        self.access_control: dict[bytes, AccessControlEntryRecord] = {}
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
        """The quotas as they are looked up; made anew after each change."""
        if self._quota_table is None:
            self._quota_table = QuotaTable(
                (entity, key, record.value) for (entity, key), record in self.quotas.items()
            )
        return self._quota_table

    def copy(self) -> SecurityImage:
        """An image of its own, over the same records."""
        other = SecurityImage()
        for name in self._KEPT:
            setattr(other, name, dict(getattr(self, name)))
        return other

    def records(self) -> Iterator[Message]:
        """The records that say all of this."""
        yield from self.quotas.values()
        yield from self.credentials.values()
        yield from self.access_control.values()
        yield from self.tokens.values()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SecurityImage):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._KEPT)

    __hash__ = None  # type: ignore[assignment]  # entries come and go

"""Access control entries, credentials, tokens and quotas: kept whole, as their records say.

Some of them nothing reads yet; a directory that Kafka wrote may hold any, and what we take
over must not be lost in the next snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator

from barnabas.protocol.message import Message
from barnabas.protocol.messages.access_control_entry_record import AccessControlEntryRecord
from barnabas.protocol.messages.client_quota_record import ClientQuotaRecord
from barnabas.protocol.messages.delegation_token_record import DelegationTokenRecord
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord

from ..quotas.entities import QuotaEntity


class SecurityImage:
    """Who may do what, how they prove who they are, and how much of it they may do."""

    __slots__ = ("access_control", "credentials", "quotas", "tokens")

    def __init__(self) -> None:
        self.access_control: dict[bytes, AccessControlEntryRecord] = {}
        self.credentials: dict[tuple[str, int], UserScramCredentialRecord] = {}
        self.tokens: dict[str, DelegationTokenRecord] = {}
        self.quotas: dict[tuple[QuotaEntity, str], ClientQuotaRecord] = {}

    def apply_quota(self, record: ClientQuotaRecord) -> None:
        """Set or remove one limit of one entity."""
        entity = tuple(sorted((one.entity_type, one.entity_name) for one in record.entity))
        if record.remove:
            self.quotas.pop((entity, record.key), None)
        else:
            self.quotas[entity, record.key] = record

    def copy(self) -> SecurityImage:
        """An image of its own, over the same records."""
        other = SecurityImage()
        for name in self.__slots__:
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
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # entries come and go

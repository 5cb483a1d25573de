"""Which records of the metadata log hold secrets: credentials, and settings that are not shown."""

from __future__ import annotations

from pathlib import Path

METADATA_DIRECTORY = "__cluster_metadata-0"


def is_metadata(path: Path) -> bool:
    """Whether a segment or snapshot is of the metadata log."""
    return path.resolve().parent.name == METADATA_DIRECTORY


def is_secret(value: bytes | None) -> bool:
    """Whether the value of a record of the metadata log is no business of who reads a dump.

    What cannot be decoded may be anything, and is.
    """
    from barnabas.broker.core.cluster.image import RESOURCE_BROKER
    from barnabas.broker.core.config.broker import BrokerConfig
    from barnabas.broker.core.config.field import settings_of
    from barnabas.protocol.errors import DecodeError
    from barnabas.protocol.messages.config_record import ConfigRecord
    from barnabas.protocol.messages.delegation_token_record import DelegationTokenRecord
    from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord
    from barnabas.protocol.stored import decode_metadata_record

    if value is None:
        return False
    try:
        record = decode_metadata_record(value)
    except DecodeError:
        return True
    if not isinstance(record, ConfigRecord):
        return isinstance(record, UserScramCredentialRecord | DelegationTokenRecord)
    known = settings_of(BrokerConfig).get(record.name)
    return record.resource_type == RESOURCE_BROKER and (known is None or known.is_secret)

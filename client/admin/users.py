"""Admin calls about users of SCRAM (KIP-554)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from typing import Final

from barnabas.protocol.messages.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
)
from barnabas.protocol.messages.alter_user_scram_credentials_response import (
    AlterUserScramCredentialsResponse,
)
from barnabas.protocol.messages.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
    UserName,
)
from barnabas.protocol.messages.describe_user_scram_credentials_response import (
    DescribeUserScramCredentialsResponse,
)
from barnabas.protocol.sasl.scram import BY_NAME, BY_NUMBER, ScramHash, salted_password

from ..errors import ConfigurationError, error_of
from ..wire.cluster import Cluster
from .topics import Failures, raise_failures, raise_if_retriable
from .user_values import ScramAlteration, ScramDeletion, ScramUpsertion

_SALT_BYTES: Final = 24


async def describe_user_scram_credentials(
    cluster: Cluster, users: Sequence[str] | None
) -> dict[str, dict[str, int]]:
    """See `Admin.describe_user_scram_credentials`."""
    if users is not None and not users:
        return {}  # on the wire, nobody means all
    wanted = None if users is None else [UserName(name=name) for name in users]
    request = DescribeUserScramCredentialsRequest(users=wanted)
    failures: Failures = {}

    async def attempt() -> dict[str, dict[str, int]]:
        failures.clear()
        response = await cluster.call_any(request, DescribeUserScramCredentialsResponse)
        if response.error_code:
            raise error_of(response.error_code, response.error_message or "describing users")
        found = {}
        for row in response.results:
            if row.error_code:
                failures[row.user] = error_of(row.error_code, row.error_message or row.user)
                continue
            found[row.user] = {
                _name_of(one.mechanism): one.iterations for one in row.credential_infos
            }
        return found

    found = await cluster.retrying(attempt, "describing users")
    raise_failures(failures)
    return found


def _name_of(number: int) -> str:
    kind = BY_NUMBER.get(number)
    return f"mechanism {number}" if kind is None else kind.name


async def alter_user_scram_credentials(
    cluster: Cluster, alterations: Sequence[ScramAlteration]
) -> None:
    """See `Admin.alter_user_scram_credentials`."""
    # Hashing takes milliseconds for each, on purpose.
    upsertions = await asyncio.to_thread(
        lambda: [_upsertion(one) for one in alterations if isinstance(one, ScramUpsertion)]
    )
    deletions = [
        ScramCredentialDeletion(name=one.user, mechanism=_kind_of(one.mechanism).number)
        for one in alterations
        if isinstance(one, ScramDeletion)
    ]
    request = AlterUserScramCredentialsRequest(deletions=deletions, upsertions=upsertions)
    failures: Failures = {}

    async def attempt() -> None:
        failures.clear()
        done = []
        response = await cluster.call_controller(request, AlterUserScramCredentialsResponse)
        for row in response.results:
            if row.error_code:
                words = f"{row.user}: {row.error_message}" if row.error_message else row.user
                failures[row.user] = error_of(row.error_code, words)
            else:
                done.append(row.user)
        raise_if_retriable(failures, done)

    await cluster.retrying(attempt, "changing users")
    raise_failures(failures)


def _upsertion(wanted: ScramUpsertion) -> ScramCredentialUpsertion:
    if not wanted.password:
        raise ConfigurationError(f"the password of user {wanted.user} is empty")
    kind, salt = _kind_of(wanted.mechanism), secrets.token_bytes(_SALT_BYTES)
    if not 0 < wanted.iterations < 1 << 31:
        raise ConfigurationError(f"{wanted.iterations} iterations cannot be")
    return ScramCredentialUpsertion(
        name=wanted.user,
        mechanism=kind.number,
        iterations=wanted.iterations,
        salt=salt,
        salted_password=salted_password(kind, wanted.password, salt, wanted.iterations),
    )


def _kind_of(mechanism: str) -> ScramHash:
    kind = BY_NAME.get(mechanism)
    if kind is None:
        raise ConfigurationError(f"{mechanism} is none of {', '.join(BY_NAME)}")
    return kind

"""Users of SCRAM by the admin: made, described and gone; what is not taken is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from kit.secured import ADMIN, ADMIN_PASSWORD, KEYS, fields_of, logins

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.client import Admin, ScramDeletion, ScramUpsertion
from barnabas.client.errors import (
    ConfigurationError,
    DuplicateResourceError,
    ResourceNotFoundError,
    UnacceptableCredentialError,
)
from barnabas.client.login_errors import LoginFailedError

SETTINGS = {**KEYS, **logins("CLIENTS"), "listener.security.protocol.map": "CLIENTS:SASL_PLAINTEXT"}
SETTINGS["listeners"] = "CLIENTS://127.0.0.1:0"
del SETTINGS["metadata.bootstrap.scram"]


def client(node: Node, user: str, password: str, mechanism: str) -> Admin:
    return Admin(
        bootstrap_servers=f"127.0.0.1:{node.port}",
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism=mechanism,
        sasl_plain_username=user,
        sasl_plain_password=password,
    )


@asynccontextmanager
async def secured(directory: Path) -> AsyncIterator[tuple[Node, Admin]]:
    config = BrokerConfig(log_dirs=(str(directory),), **fields_of(SETTINGS))
    node = await Node.start(config)
    try:
        async with client(node, ADMIN, ADMIN_PASSWORD, "PLAIN") as admin:
            yield node, admin
    finally:
        await node.stop()


async def test_a_user_that_is_made_can_log_in(tmp_path: Path) -> None:
    """SASL-28..30: by each mechanism that was made; with the new password after a change; and
    not at all after the deletion."""
    async with secured(tmp_path) as (node, admin):
        assert await admin.describe_user_scram_credentials() == {}
        assert await admin.describe_user_scram_credentials([]) == {}
        await admin.alter_user_scram_credentials(
            [ScramUpsertion("alice", "first"), ScramUpsertion("bob", "b", iterations=8192)]
        )
        await admin.alter_user_scram_credentials([ScramUpsertion("bob", "b", "SCRAM-SHA-256")])
        assert await admin.describe_user_scram_credentials(["bob", "alice"]) == {
            "bob": {"SCRAM-SHA-256": 4096, "SCRAM-SHA-512": 8192},
            "alice": {"SCRAM-SHA-512": 4096},
        }
        for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
            async with client(node, "bob", "b", mechanism) as other:
                assert await other.list_topics() == {}
        await admin.alter_user_scram_credentials([ScramUpsertion("alice", "second")])
        with pytest.raises(LoginFailedError):
            await client(node, "alice", "first", "SCRAM-SHA-512").start()
        async with client(node, "alice", "second", "SCRAM-SHA-512"):
            pass
        await admin.alter_user_scram_credentials([ScramDeletion("alice")])
        with pytest.raises(LoginFailedError):
            await client(node, "alice", "second", "SCRAM-SHA-512").start()
        assert list(await admin.describe_user_scram_credentials()) == ["bob"]


async def test_what_is_refused(tmp_path: Path) -> None:
    """SASL-28, SASL-30, SEC-04: the name is in the text, and no password."""
    async with secured(tmp_path) as (_, admin):
        with pytest.raises(ResourceNotFoundError, match="nobody"):
            await admin.describe_user_scram_credentials(["nobody"])
        with pytest.raises(ResourceNotFoundError, match="nobody"):
            await admin.alter_user_scram_credentials([ScramDeletion("nobody")])
        with pytest.raises(DuplicateResourceError, match="x"):
            await admin.alter_user_scram_credentials(
                [ScramUpsertion("x", "p"), ScramUpsertion("x", "p", "SCRAM-SHA-256")]
            )
        with pytest.raises(UnacceptableCredentialError, match="Too few iterations"):
            await admin.alter_user_scram_credentials([ScramUpsertion("x", "p", iterations=4095)])
        for wrong in (ScramUpsertion("x", ""), ScramUpsertion("x", "p", "SCRAM-MD5")):
            with pytest.raises(ConfigurationError) as caught:
                await admin.alter_user_scram_credentials([wrong])
            assert "x" in str(caught.value) or "SCRAM-MD5" in str(caught.value)
        assert "secret" not in repr(ScramUpsertion("x", "secret"))
        assert await admin.describe_user_scram_credentials() == {}

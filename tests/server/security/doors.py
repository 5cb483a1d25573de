"""One secured listener of a broker, as tests knock at it."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from kit.broker import Bench, running
from kit.raw_client import RawClient
from kit.secured import KEYS, PASSWORD, USER, SecureClient, fields_of, logins
from kit.waiting import until

from barnabas.broker.core.ports import Env
from barnabas.broker.server.connection import Connection
from barnabas.broker.storage.files import real_env
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord
from barnabas.protocol.sasl.scram import BY_NAME, keys_of, salted_password

SCRAM = BY_NAME["SCRAM-SHA-256"]
LOGIN = f"\0{USER}\0{PASSWORD}".encode()


class Door:
    """One secured listener of a broker."""

    def __init__(self, bench: Bench, port: int) -> None:
        self.bench = bench
        self.port = port

    @property
    def connections(self) -> list[Connection]:
        return list(self.bench.broker.connections._all)

    @property
    def failures(self) -> int:
        return self.bench.broker.metrics.failed_authentications

    async def failed(self, count: int = 1) -> None:
        """Return once so many authentications have failed."""
        await until(lambda: self.failures >= count)

    def client(self, tls: ssl.SSLContext | None = None, name: str = "localhost") -> RawClient:
        return SecureClient(self.port, tls, name)


@asynccontextmanager
async def door(directory: Path, protocol: str, **more: str) -> AsyncIterator[Door]:
    """A broker with a listener of this protocol beside PLAINTEXT; settings with _ for ."""
    async with door_in(real_env(), directory, protocol, **more) as one:
        yield one


@asynccontextmanager
async def door_in(env: Env, directory: Path, protocol: str, **more: str) -> AsyncIterator[Door]:
    """The same, with this clock."""
    settings = {
        "listeners": f"PLAINTEXT://:0,{protocol}://:0",
        **KEYS,
        **(logins(protocol) if protocol.startswith("SASL") else {}),
        **{name.replace("__", ".").replace("_", "."): value for name, value in more.items()},
    }
    async with running(directory, env, **fields_of(settings)) as bench:
        listener = await bench.broker.bind(protocol, "127.0.0.1", 0)
        await listener.start_serving()
        yield Door(bench, listener.port)


@asynccontextmanager
async def door_with_a_user(directory: Path) -> AsyncIterator[Door]:
    """Somebody called eve has a credential of SCRAM, and is no user of PLAIN."""
    stored, of_server = keys_of(SCRAM, salted_password(SCRAM, "secret", b"salt", 4096))
    async with door(directory, "SASL_PLAINTEXT") as one:
        one.bench.apply(
            UserScramCredentialRecord(
                name="eve",
                mechanism=SCRAM.number,
                salt=b"salt",
                stored_key=stored,
                server_key=of_server,
                iterations=4096,
            )
        )
        yield one


async def log_in(client: RawClient, token: bytes = LOGIN, mechanism: str = "PLAIN") -> Any:
    """The answer to the token."""
    shaken = await client.ask(SaslHandshakeRequest(mechanism=mechanism), 1)
    assert shaken.error_code == 0, shaken
    return await client.ask(SaslAuthenticateRequest(auth_bytes=token), 2)

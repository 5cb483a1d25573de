"""Whoever is not let in yet: how little they can do, and what is left of them when they go."""

from __future__ import annotations

import base64
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from kit.broker import Bench, running
from kit.raw_client import RawClient
from kit.secured import fields_of, logins
from kit.waiting import until

from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.server.connection import Connection
from barnabas.broker.server.security.login import LoginDriver
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.sasl.scram import ScramClient

NAME = "SASL_PLAINTEXT"


class Door:
    """A listener that wants a login."""

    def __init__(self, bench: Bench, port: int) -> None:
        self.bench = bench
        self.port = port

    def client(self) -> RawClient:
        return RawClient("127.0.0.1", self.port)

    @property
    def connections(self) -> list[Connection]:
        return list(self.bench.broker.connections._all)


@asynccontextmanager
async def door(directory: Path, host: str = "127.0.0.1", **more: str) -> AsyncIterator[Door]:
    settings = {"listeners": f"PLAINTEXT://:0,{NAME}://:0", **logins(NAME)}
    settings |= {name.replace("_", "."): value for name, value in more.items()}
    async with running(directory, **fields_of(settings)) as bench:
        listener = await bench.broker.bind(NAME, host, 0)
        await listener.start_serving()
        yield Door(bench, listener.port)


def driver_of(connection: Connection) -> LoginDriver:
    assert isinstance(connection.login, LoginDriver)
    return connection.login


@pytest.mark.parametrize("begun", [False, True], ids=["silent", "half way"])
@pytest.mark.each_loop
async def test_nothing_is_left_of_who_goes(tmp_path: Path, begun: bool) -> None:
    """ATK-10, SASL-10: no timer holds a connection that has ended before its login was over."""
    async with door(tmp_path) as one:
        async with one.client() as client:
            if begun:
                await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
            await until(lambda: one.connections)
            timer = driver_of(one.connections[0])._timer
            assert not timer.cancelled()
        await until(lambda: not one.connections)
        assert timer.cancelled()


@pytest.mark.parametrize("key", [0, 1, 2, 3, 8, 10, 11, 15, 19, 32, 44, 55, 58, 60, 68, 75, 99])
async def test_only_three_apis(tmp_path: Path, key: int) -> None:
    """SASL-01, ATK-13, ATK-16: every other is closed at its key, whatever length it announces."""
    async with door(tmp_path) as one:
        for size in (10, 500_000, 2**31 - 1):
            async with one.client() as client:
                client.writer.write(struct.pack(">ihhih", size, key, 0, 1, -1) + bytes(1000))
                if size == 500_000:  # what is allowed is waited for, so let it come
                    client.writer.write(bytes(500_000 - 1010))
                assert await client.closed()
        await until(lambda: not one.connections)


async def test_many_wait_without_memory(tmp_path: Path) -> None:
    """ATK-12, SASL-10: who announces the largest frame holds what was sent of it, no more."""
    async with door(tmp_path) as one:
        clients = [one.client() for _ in range(50)]
        for client in clients:
            await client.__aenter__()
            client.writer.write(struct.pack(">i", 524_288) + bytes(100))
        await until(lambda: sum(one._end == 104 for one in one.connections) == len(clients))
        assert all(len(each._buffer) <= 4096 for each in one.connections)
        assert {each.principal for each in one.connections} == {ANONYMOUS}
        for client in clients:
            await client.__aexit__()


async def test_a_login_twice_over(tmp_path: Path) -> None:
    """SASL-12, ATK-20: the last message of SCRAM, sent again, is a request like any other."""
    async with door(tmp_path) as one, one.client() as client:
        await client.ask(ApiVersionsRequest(), 0)
        await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
        good = SaslAuthenticateRequest(auth_bytes=b"\0alice\0wonder; land")
        assert (await client.ask(good, 2)).error_code == 0
        assert (await client.ask(good, 2)).error_code == 34
        first = ScramClient("SCRAM-SHA-256", "alice", "x", "nonce").first()
        assert (await client.ask(SaslAuthenticateRequest(auth_bytes=first), 2)).error_code == 34
        assert (await client.ask(SaslHandshakeRequest(mechanism="SCRAM-SHA-256"), 1)).error_code


@pytest.mark.parametrize(("host", "count"), [("127.0.0.1", 0), ("0.0.0.0", 1)])
async def test_logins_that_can_be_read(tmp_path: Path, host: str, count: int) -> None:
    """SASL-15: told once, where others can connect."""
    async with door(tmp_path, host) as one:
        told = one.bench.log.events("logins can be read on their way")
        assert [line["mechanisms"] for line in told] == [["PLAIN"]] * count


async def test_no_delegation_tokens(tmp_path: Path) -> None:
    """SASL-52: their APIs are not named, and who logs in with one is nobody."""
    async with door(tmp_path) as one, one.client() as client:
        versions = await client.ask(ApiVersionsRequest(), 0)
        assert not {38, 39, 40, 41} & {each.api_key for each in versions.api_keys}
        await client.ask(SaslHandshakeRequest(mechanism="SCRAM-SHA-256"), 1)
        first = b"n,,n=alice,r=abc,tokenauth=true"
        answer = await client.ask(SaslAuthenticateRequest(auth_bytes=first), 2)
        nonce = bytes(answer.auth_bytes).split(b",")[0]
        last = b"c=biws," + nonce + b",p=" + base64.b64encode(bytes(32))
        answer = await client.ask(SaslAuthenticateRequest(auth_bytes=last), 2)
        assert answer.error_code == 58
        assert await client.closed()

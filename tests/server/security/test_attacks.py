"""Attacks on listeners with TLS and logins, by those who have no login."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import socket
import ssl
import struct
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kit.logins import token_of
from kit.secured import CA, PASSWORD, USER, context
from kit.waiting import until

from barnabas.broker.core.ports import Env
from barnabas.broker.storage.files import RealClock, RealDisk
from barnabas.protocol.header import encode_request
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.sasl.scram import ScramClient

from .doors import LOGIN, SCRAM, door, door_in, door_with_a_user, log_in

ASKED = MetadataRequest(topics=[])


async def test_a_certificate_that_signed_itself(tmp_path: Path) -> None:
    """ATK-02: with the right subject; the handshake fails, and nobody becomes a connection."""
    async with door(tmp_path, "SSL", ssl__client__auth="required") as one:
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            async with one.client(context("impostor")) as client:
                await client.ask(ASKED, 9)
        await one.failed()
        assert one.connections == []


class LateClock(RealClock):
    """The time of day can be moved on."""

    ahead_ms = 0

    def wall_ms(self) -> int:
        return super().wall_ms() + self.ahead_ms


def ask_by(
    port: int, tls: ssl.SSLContext, session: ssl.SSLSession | None = None
) -> tuple[ssl.SSLSession | None, bytes]:
    """Connect, with the session of another connection if there is one; the session, and what is
    answered to a request."""
    with (
        socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
        tls.wrap_socket(plain, server_hostname="localhost", session=session) as secured,
    ):
        assert secured.session_reused is (session is not None)
        # One that is answered before a login, too: a connection that the other side breaks off
        # costs OpenSSL's client its session.
        try:
            secured.sendall(encode_request(ApiVersionsRequest(), 0, 1, "test"))
            return secured.session, secured.recv(4)
        except OSError:
            return secured.session, b""


@pytest.mark.parametrize("protocol", ["SSL", "SASL_SSL"])
@pytest.mark.each_loop
async def test_a_certificate_that_ran_out_meanwhile(tmp_path: Path, protocol: str) -> None:
    """ATK-01, TLS-12: a session of TLS 1.2 is resumed without another look at the certificate by
    OpenSSL: once that has expired, it is refused, and not before."""
    clock = LateClock()
    tls = context("alice")
    tls.maximum_version = ssl.TLSVersion.TLSv1_2
    more = {f"listener__name__{protocol.lower()}__ssl__client__auth": "required"}
    env = Env(clock, RealDisk(), Random(1))
    async with door_in(env, tmp_path, protocol, **more) as one:
        session, _ = await asyncio.to_thread(ask_by, one.port, tls)
        assert session is not None
        before = one.failures
        _, answer = await asyncio.to_thread(ask_by, one.port, tls, session)
        assert one.failures == before
        assert answer
        clock.ahead_ms = 100 * 366 * 24 * 3_600_000
        _, answer = await asyncio.to_thread(ask_by, one.port, tls, session)
        assert answer == b""
        assert one.failures == before + 1
        await until(lambda: one.connections == [])


@pytest.mark.slow
@pytest.mark.each_loop
async def test_a_handshake_on_a_live_connection(tmp_path: Path) -> None:
    """ATK-07, TLS-22: OpenSSL's client asks for one; it is refused, and that connection ends."""
    async with door(tmp_path, "SSL") as one:
        command = ("openssl", "s_client", "-connect", f"127.0.0.1:{one.port}", "-tls1_2")
        client = await asyncio.create_subprocess_exec(
            *command,
            *("-CAfile", CA),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert client.stdin is not None
        assert client.stdout is not None
        await until(lambda: len(one.connections) == 1)
        client.stdin.write(b"R\n")
        async with asyncio.timeout(20):
            said = await client.stdout.read()
            await client.wait()
        assert b"no renegotiation" in said
        await until(lambda: one.connections == [])
        async with one.client(context()) as another:
            await another.ask(ASKED, 9)


async def _trickle(writer: asyncio.StreamWriter, data: bytes) -> None:
    for at in range(len(data)):
        writer.write(data[at : at + 1])
        await asyncio.sleep(0.01)  # how slowly somebody speaks is what is tested


@pytest.mark.parametrize("protocol", ["SSL", "SASL_PLAINTEXT"])
@pytest.mark.each_loop
async def test_a_byte_now_and_then(tmp_path: Path, protocol: str) -> None:
    """ATK-11: the time to the end of the login counts from the connection, whatever comes."""
    more = {"connections__authentication__timeout__ms": "60"}
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    hello = context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        hello.do_handshake()
    said = outgoing.read() if protocol == "SSL" else struct.pack(">i", 500) + bytes(500)
    async with door(tmp_path, protocol, **more) as one, one.client() as client:
        trickle = asyncio.create_task(_trickle(client.writer, said))
        assert await client.closed(3.0), "long before the last byte"
        assert not trickle.done()
        trickle.cancel()
        await asyncio.gather(trickle, return_exceptions=True)


@pytest.mark.parametrize("protocol", ["SSL", "SASL_PLAINTEXT"])
async def test_a_million_tags_in_the_first_header(tmp_path: Path, protocol: str) -> None:
    """ATK-14: a promise of them, and as many as a first frame may be long; closed."""
    promised = struct.pack(">hhih", 18, 3, 1, -1) + b"\xc0\x84\x3d"  # a varint: 1,000,000
    tags = b"".join(bytes((0x80 | number & 0x7F, number >> 7, 0)) for number in range(128, 16_000))
    real = struct.pack(">hhih", 18, 3, 1, -1) + b"\xff\x7b" + tags
    tls = context() if protocol == "SSL" else None
    async with door(tmp_path, protocol) as one:
        for body in (promised, promised + bytes(500_000), real):
            async with one.client(tls) as client:
                client.writer.write(struct.pack(">i", len(body)) + body)
                assert await client.closed()
        async with one.client(tls) as client:
            await client.ask(ApiVersionsRequest(), 0)


async def test_a_token_without_a_handshake(tmp_path: Path) -> None:
    """ATK-16: a right one; closed without an answer, and nobody is let in."""
    async with door(tmp_path, "SASL_PLAINTEXT") as one:
        for version in (0, 2):
            async with one.client() as client:
                client.send(SaslAuthenticateRequest(auth_bytes=LOGIN), version)
                assert await client.reader.read(-1) == b""


async def test_a_nonce_of_the_client_is_used_again(tmp_path: Path) -> None:
    """ATK-21: two logins with it get on, since the server's part is fresh; a final message of the
    one is none of the other."""
    async with door_with_a_user(tmp_path) as one:
        seen = set()
        finals = []
        for _ in range(2):
            scram = ScramClient(SCRAM.name, "eve", "secret", "same")
            async with one.client() as client:
                first = await log_in(client, scram.first(), SCRAM.name)
                seen.add(bytes(first.auth_bytes))
                finals.append(token_of(scram.next(bytes(first.auth_bytes))))
                over = await client.ask(SaslAuthenticateRequest(auth_bytes=finals[-1]), 1)
                assert over.error_code == 0
                assert scram.next(bytes(over.auth_bytes)) is None
        assert len(seen) == 2
        async with one.client() as client:
            scram = ScramClient(SCRAM.name, "eve", "secret", "same")
            await log_in(client, scram.first(), SCRAM.name)
            over = await client.ask(SaslAuthenticateRequest(auth_bytes=finals[0]), 1)
            assert over.error_code == 58


async def test_what_a_login_costs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SASL-32: the slow part is the client's alone; of a wrong proof as of a right one, and of
    somebody who is not there."""
    calls: list[str] = []

    def counted(module: Any, name: str) -> None:
        real = getattr(module, name)

        def call(*arguments: Any) -> Any:
            calls.append(name)
            return real(*arguments)

        monkeypatch.setattr(module, name, call)

    async with door_with_a_user(tmp_path) as one:
        for module, name in ((hmac, "digest"), (hashlib, "new"), (hashlib, "pbkdf2_hmac")):
            counted(module, name)
        for user, password in (("eve", "secret"), ("eve", "wrong"), ("nobody", "secret")):
            scram = ScramClient(SCRAM.name, user, password, "nonce")
            async with one.client() as client:
                calls.clear()
                first = await log_in(client, scram.first(), SCRAM.name)
                of_server = list(calls)
                final = token_of(scram.next(bytes(first.auth_bytes)))
                calls.clear()
                await client.ask(SaslAuthenticateRequest(auth_bytes=final), 1)
                of_server += calls
            assert "pbkdf2_hmac" not in of_server
            assert len(of_server) <= 5, "a salt, or four for the proof and the signature"


async def test_a_user_of_another_mechanism(tmp_path: Path) -> None:
    """ATK-26: PLAIN has users of its own, and SCRAM's; a password is good for one of them."""
    async with door_with_a_user(tmp_path) as one:
        async with one.client() as client:
            assert (await log_in(client, b"\0eve\0secret")).error_code == 58
        async with one.client() as client:
            scram = ScramClient(SCRAM.name, USER, PASSWORD, "nonce")
            first = await log_in(client, scram.first(), SCRAM.name)
            assert first.error_code == 0, "it is not told that there is no such user"
            final = token_of(scram.next(bytes(first.auth_bytes)))
            assert (await client.ask(SaslAuthenticateRequest(auth_bytes=final), 1)).error_code == 58

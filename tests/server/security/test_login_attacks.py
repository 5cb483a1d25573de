"""Attacks on the messages of logins, over sockets: what is sent, and all that comes back."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from kit.logins import token_of
from kit.raw_client import RawClient

from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.sasl.scram import ScramClient

from .doors import LOGIN, SCRAM, door, door_with_a_user, log_in

REFUSED = 58


def bare(token: bytes) -> bytes:
    """As after SaslHandshake 0."""
    return len(token).to_bytes(4, "big") + token


async def test_tokens_of_the_other_form(tmp_path: Path) -> None:
    """ATK-17: a bare one after version 1, and SaslAuthenticate after version 0; nobody is in."""
    async with door(tmp_path, "SASL_PLAINTEXT") as one:
        async with one.client() as client:
            await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
            client.writer.write(bare(LOGIN))
            assert await client.reader.read(-1) == b""
        async with one.client() as client:
            await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 0)
            client.send(SaslAuthenticateRequest(auth_bytes=LOGIN), 1)
            assert await client.reader.read(-1) == b""
        assert one.bench.broker.metrics.successful_authentications == 0


@pytest.mark.parametrize("version", [0, 1])
async def test_who_is_no_user_of_plain(tmp_path: Path, version: int) -> None:
    """ATK-18: a wrong password and an unknown name have the same answer, byte by byte."""
    seen = []
    async with door(tmp_path, "SASL_PLAINTEXT") as one:
        for token in (b"\0alice\0wrong", b"\0nobody\0wrong", b"\0\xc3\xa9\0wrong"):
            async with one.client() as client:
                await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), version)
                if version:
                    client.send(SaslAuthenticateRequest(auth_bytes=token), 2)
                else:
                    client.writer.write(bare(token))
                seen.append(await client.reader.read(-1))
    assert len(set(seen)) == 1
    assert (b"Invalid username or password" in seen[0]) == bool(version)


async def scram_login(client: RawClient, user: str) -> tuple[Any, Any]:
    """Both answers to somebody with a wrong password."""
    scram = ScramClient(SCRAM.name, user, "wrong", "nonce")
    first = await log_in(client, scram.first(), SCRAM.name)
    final = token_of(scram.next(bytes(first.auth_bytes)))
    return first, await client.ask(SaslAuthenticateRequest(auth_bytes=final), 2)


async def test_who_is_no_user_of_scram(tmp_path: Path) -> None:
    """ATK-19: as many messages as for a user, of the same form; the salt of a name stays."""
    async with door_with_a_user(tmp_path) as one:
        salts: dict[str, bytes] = {}
        texts = set()
        for user in ("eve", "nobody", "nobody", "nobody else"):
            async with one.client() as client:
                first, last = await scram_login(client, user)
                assert first.error_code == 0
                nonce, salt, count = bytes(first.auth_bytes).split(b",")
                assert (nonce.startswith(b"r=nonce"), count) == (True, b"i=4096")
                assert len(base64.b64decode(salt[2:])) == len(b"salt")
                assert salts.setdefault(user, salt) == salt
                assert (last.error_code, bytes(last.auth_bytes)) == (REFUSED, b"")
                assert user not in str(last.error_message)
                texts.add(last.error_message)
                assert await client.closed()
        assert len(texts) == 1
        assert len(set(salts.values())) == 3


def _with_channel(final: bytes, channel: bytes) -> bytes:
    """The last message, as though for another channel binding."""
    _, rest = final.split(b",", 1)
    return b"c=" + base64.b64encode(channel) + b"," + rest


@pytest.mark.parametrize("header", [b"y,,", b"p=tls-unique,,", b"p=tls-exporter,,", b"x,,", b","])
async def test_channel_binding_in_the_first_message(tmp_path: Path, header: bytes) -> None:
    """ATK-24: there is none here, and who claims that there is, or could be, is refused."""
    async with door_with_a_user(tmp_path) as one, one.client() as client:
        answer = await log_in(client, header + b"n=eve,r=nonce", SCRAM.name)
        assert answer.error_code == REFUSED
        assert await client.closed()


@pytest.mark.parametrize("channel", [b"y,,", b"p=tls-unique,,", b"n,a=eve,", b""])
async def test_channel_binding_in_the_last_message(tmp_path: Path, channel: bytes) -> None:
    """ATK-24: it must be the header of the first one, whatever the proof is good for."""
    scram = ScramClient(SCRAM.name, "eve", "secret", "nonce")
    async with door_with_a_user(tmp_path) as one, one.client() as client:
        first = await log_in(client, scram.first(), SCRAM.name)
        final = token_of(scram.next(bytes(first.auth_bytes)))
        bad = SaslAuthenticateRequest(auth_bytes=_with_channel(final, channel))
        assert (await client.ask(bad, 2)).error_code == REFUSED
        assert await client.closed()


async def test_in_the_name_of_somebody_else(tmp_path: Path) -> None:
    """ATK-25: the right password of one user does not make him another, by any mechanism."""
    scram = ScramClient(SCRAM.name, "eve", "secret", "nonce")
    async with door_with_a_user(tmp_path) as one:
        async with one.client() as client:
            assert (await log_in(client, b"admin" + LOGIN)).error_code == REFUSED
        async with one.client() as client:
            asked = scram.first().replace(b"n,,", b"n,a=admin,")
            answer = await log_in(client, asked, SCRAM.name)
            if answer.error_code == 0:
                final = token_of(scram.next(bytes(answer.auth_bytes)))
                final = _with_channel(final, b"n,a=admin,")
                answer = await client.ask(SaslAuthenticateRequest(auth_bytes=final), 2)
            assert answer.error_code == REFUSED
        assert one.bench.broker.metrics.successful_authentications == 0

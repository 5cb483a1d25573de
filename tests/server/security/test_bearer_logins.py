"""Logins by OAUTHBEARER over real sockets: listeners, their keys, and how long logins hold."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kit.broker import Bench, running
from kit.raw_client import RawClient
from kit.secured import assignments, fields_of, logins
from kit.tokens import bearer, claims, jwks, public, signed, token, token_server
from kit.waiting import until

from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.core.config.security import TOKENS_UNSECURED
from barnabas.broker.core.security.principal import Principal
from barnabas.broker.server.security.token_logins import SignedTokens
from barnabas.broker.settings import load_config
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.sasl.oauthbearer import client_initial

NAME = "SASL_PLAINTEXT"
INVALID = '{"status":"invalid_token"}'


def settings(more: dict[str, str]) -> dict[str, Any]:
    return fields_of({"listeners": f"PLAINTEXT://:0,{NAME}://:0", **logins(NAME), **more})


class Door:
    """A listener that takes tokens."""

    def __init__(self, bench: Bench, port: int) -> None:
        self.bench = bench
        self.port = port

    def client(self) -> RawClient:
        return RawClient("127.0.0.1", self.port)

    @property
    def principals(self) -> list[Principal]:
        return [one.principal for one in self.bench.broker.connections._all]

    @property
    def failures(self) -> int:
        return self.bench.broker.metrics.failed_authentications


@asynccontextmanager
async def door(directory: Path, more: dict[str, str]) -> AsyncIterator[Door]:
    async with running(directory, **settings(more)) as bench:
        listener = await bench.broker.bind(NAME, "127.0.0.1", 0)
        await listener.start_serving()
        yield Door(bench, listener.port)


async def log_in(client: RawClient, content: str | bytes) -> Any:
    """The answer to a token, or to a whole message."""
    shaken = await client.ask(SaslHandshakeRequest(mechanism="OAUTHBEARER"), 1)
    assert shaken.error_code == 0, shaken
    sent = content if isinstance(content, bytes) else client_initial(content, {"a": "b"})
    return await client.ask(SaslAuthenticateRequest(auth_bytes=sent), 2)


@pytest.mark.each_loop
async def test_a_token_lets_in(tmp_path: Path) -> None:
    """SASL-40, SASL-43, SASL-13, SASL-47: with the rest of its time; a request right behind it is
    served as its principal's."""
    async with (
        token_server() as tokens,
        door(tmp_path, bearer(NAME, tokens.keys_url)) as one,
        one.client() as client,
    ):
        client.send(SaslHandshakeRequest(mechanism="OAUTHBEARER"), 1)
        good = client_initial(token(), {})
        client.send(SaslAuthenticateRequest(auth_bytes=good), 2)
        client.send(MetadataRequest(topics=[]), 9)
        await client.receive(17, 1)
        answer = await client.receive(36, 2)
        assert (answer.error_code, answer.error_message, answer.auth_bytes) == (0, "", b"")
        assert 200_000 < answer.session_lifetime_ms <= 300_000
        await client.receive(3, 9)
        assert one.principals == [Principal("User", "alice")]


@pytest.mark.each_loop
async def test_a_token_that_is_not_taken(tmp_path: Path) -> None:
    """SASL-41, ATK-27, ATK-28: two steps, counted once; who leaves after the first one, too."""
    async with token_server() as tokens, door(tmp_path, bearer(NAME, tokens.keys_url)) as one:
        async with one.client() as client:
            answer = await log_in(client, token(aud="elsewhere"))
            assert (answer.error_code, bytes(answer.auth_bytes).decode()) == (0, INVALID)
            answer = await client.ask(SaslAuthenticateRequest(auth_bytes=b"\x01"), 2)
            assert (answer.error_code, answer.error_message) == (58, INVALID)
            assert await client.closed()
        assert one.failures == 1
        async with one.client() as client:
            answer = await log_in(client, token(name="b"))
            assert bytes(answer.auth_bytes).decode() == INVALID
        await until(lambda: one.failures == 2)


async def test_new_keys_are_found(tmp_path: Path) -> None:
    """SASL-45: a token by a key that is new fails, and the next one does not."""
    async with token_server() as tokens, door(tmp_path, bearer(NAME, tokens.keys_url)) as one:
        tokens.document = jwks(public("a"), public("new"))
        async with one.client() as client:
            assert (await log_in(client, token(name="new"))).auth_bytes == INVALID.encode()
            checks = one.bench.broker.listeners[-1].security._tokens
            assert isinstance(checks, SignedTokens)
            await until(lambda: len(checks._jwks.keys) == 2)
            good = client_initial(token(name="new"), {})
            answer = await client.ask(SaslAuthenticateRequest(auth_bytes=good), 2)
        assert (answer.error_code, answer.auth_bytes, len(tokens.asked)) == (0, b"", 2)


@pytest.mark.each_loop
async def test_a_session_ends_with_its_token(tmp_path: Path) -> None:
    """SASL-47, SASL-18, ATK-32: a request after that closes."""
    keys = tmp_path / "keys.json"
    keys.write_bytes(jwks())
    async with door(tmp_path / "data", bearer(NAME, keys.as_uri())) as one, one.client() as client:
        answer = await log_in(client, token(exp=time.time() + 0.2))
        assert 0 < answer.session_lifetime_ms <= 200
        await asyncio.sleep(0.25)  # the time that a token lasts is what is tested
        client.send(MetadataRequest(topics=[]), 9)
        assert await client.closed()


@pytest.mark.slow
async def test_a_session_is_renewed_by_another_token(tmp_path: Path) -> None:
    """SASL-47, SASL-18, SASL-19: after its end, too."""
    keys = tmp_path / "keys.json"
    keys.write_bytes(jwks())
    async with door(tmp_path / "data", bearer(NAME, keys.as_uri())) as one, one.client() as client:
        await log_in(client, token(exp=time.time() + 1.1))
        await asyncio.sleep(1.15)  # no renewal is sooner than a second after the login
        assert (await log_in(client, token())).error_code == 0
        await client.ask(MetadataRequest(topics=[]), 9)


@pytest.mark.each_loop
async def test_huge_tokens(tmp_path: Path) -> None:
    """ATK-29, SASL-48: not read beyond their bound, and beyond the frame's limit not at all."""
    long_kid = signed(claims(time.time()), headers={"kid": "k" * 40_000})
    async with token_server() as tokens, door(tmp_path, bearer(NAME, tokens.keys_url)) as one:
        for content in ("x" * 500_000, "." * 500_000, long_kid):
            async with one.client() as client:
                assert bytes((await log_in(client, content)).auth_bytes).decode() == INVALID
        async with one.client() as client:
            await client.ask(SaslHandshakeRequest(mechanism="OAUTHBEARER"), 1)
            huge = client_initial("x" * 600_000, {})
            client.send(SaslAuthenticateRequest(auth_bytes=huge), 2)
            assert await client.closed()


async def test_a_connection_that_ends_while_its_token_is_looked_at(tmp_path: Path) -> None:
    """SASL-48: nobody is answered, and nothing is left over."""
    async with token_server() as tokens, door(tmp_path, bearer(NAME, tokens.keys_url)) as one:
        for _ in range(20):
            async with one.client() as client:
                await client.ask(SaslHandshakeRequest(mechanism="OAUTHBEARER"), 1)
                good = client_initial(token(), {})
                client.send(SaslAuthenticateRequest(auth_bytes=good), 2)
        await until(lambda: not one.principals)


async def test_a_renewal_while_the_node_stops(tmp_path: Path) -> None:
    """SASL-48, SASL-19: the listener's threads have ended; the connection ends, too."""
    keys = tmp_path / "keys.json"
    keys.write_bytes(jwks())
    async with door(tmp_path / "data", bearer(NAME, keys.as_uri())) as one, one.client() as client:
        await client.ask(SaslHandshakeRequest(mechanism="OAUTHBEARER"), 1)
        await one.bench.broker.listeners[-1].close()
        good = client_initial(token(), {})
        client.send(SaslAuthenticateRequest(auth_bytes=good), 2)
        assert await client.closed()


async def test_unsecured_tokens_only_if_that_is_said(tmp_path: Path) -> None:
    """SASL-46, ATK-27: Kafka's class for tests must be named."""
    unsecured = (
        "eyJhbGciOiJub25lIn0."  # {"alg":"none"}
        "eyJzdWIiOiJib2IiLCJleHAiOjk5OTk5OTk5OTl9."  # {"sub":"bob","exp":9999999999}
    )
    prefix = f"listener.name.{NAME.lower()}."
    chosen = {
        f"{prefix}sasl.enabled.mechanisms": "PLAIN,OAUTHBEARER",
        f"{prefix}oauthbearer.sasl.server.callback.handler.class": TOKENS_UNSECURED,
    }
    async with door(tmp_path / "a", chosen) as one, one.client() as client:
        assert (await log_in(client, unsecured)).auth_bytes == b""
        assert one.principals == [Principal("User", "bob")]
        assert any("nobody signed" in line[1] for line in one.bench.log.lines)
    keys = tmp_path / "keys.json"
    keys.write_bytes(jwks())
    async with door(tmp_path / "b", bearer(NAME, keys.as_uri())) as one, one.client() as client:
        assert (await log_in(client, unsecured)).auth_bytes == INVALID.encode()


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"jwks.endpoint.url": ""}, "must be set for OAUTHBEARER"),
        ({"jwks.endpoint.url": "http://keys.example/"}, "must be https://"),
        ({"jwks.endpoint.url": "ftp://keys.example/"}, "must be an https:// URL"),
        ({"jwks.endpoint.url": "https://a:b@keys.example/"}, "neither user nor password"),
        ({"jwks.endpoint.url": "file://keys.example/keys"}, "whole path"),
        ({"clock.skew.seconds": "-1"}, "at least 0"),
    ],
)
async def test_settings_that_do_not_fit(tmp_path: Path, changed: dict[str, str], what: str) -> None:
    """SASL-46: the listener does not start, and the setting is named."""
    prefix = f"listener.name.{NAME.lower()}.sasl.oauthbearer."
    more = bearer(NAME, "file:///nowhere") | {prefix + name: one for name, one in changed.items()}
    with pytest.raises(ConfigError, match=what):
        async with door(tmp_path, more):
            raise AssertionError("it started")


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
        b"SSH-2.0-x\r\n\r\n",
        b"",
    ],
)
async def test_keys_that_cannot_be_had(tmp_path: Path, answer: bytes) -> None:
    """SASL-45, SASL-46: redirects, answers that are too long or none end the start."""
    async with token_server() as tokens:
        tokens.answer = answer or b"\r\n"
        with pytest.raises(ConfigError, match="gives no keys"):
            async with door(tmp_path, bearer(NAME, tokens.keys_url)):
                raise AssertionError("it started")


def test_names_as_kafka_has_them() -> None:
    """SASL-46: with the listener's prefix, the mechanism's, or none; nodes log in otherwise."""
    names = (
        "sasl.oauthbearer.sub.claim.name",
        f"listener.name.{NAME}.sasl.oauthbearer.sub.claim.name",
        f"listener.name.{NAME}.oauthbearer.sasl.oauthbearer.sub.claim.name",
    )
    for name in names:
        load_config(
            assignments=assignments(
                {"listeners": f"PLAINTEXT://:0,{NAME}://:0", **logins(NAME), name: "user"}
            )
        )
    with pytest.raises(ConfigError, match="must be one of: PLAIN"):
        load_config(assignments=["sasl.mechanism.inter.broker.protocol=OAUTHBEARER"])


async def test_the_audit_tells_of_logins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SEC-06, SEC-04: who, how, from where, and whether; nothing that is secret."""
    async with token_server() as tokens, door(tmp_path, bearer(NAME, tokens.keys_url)) as one:
        good, bad = token(), token(exp=1, iat=1)
        async with one.client() as client:
            await log_in(client, good)
        async with one.client() as client:
            await log_in(client, bad)
            await client.ask(SaslAuthenticateRequest(auth_bytes=b"\x01"), 2)
        for secret in ("not it", "wonder; land"):
            async with one.client() as client:
                await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
                content = f"\0alice\0{secret}".encode()
                await client.ask(SaslAuthenticateRequest(auth_bytes=content), 2)
        await until(lambda: one.failures == 2)
    text = capsys.readouterr().err
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    told = [
        (one["event"], one["principal"], one["mechanism"], one.get("claimed"))
        for one in lines
        if one.get("log") == "audit"
    ]
    assert told == [
        ("login", "User:alice", "OAUTHBEARER", None),
        ("login failed", "User:ANONYMOUS", "OAUTHBEARER", None),
        ("login failed", "User:ANONYMOUS", "PLAIN", "alice"),
        ("login", "User:alice", "PLAIN", None),
    ]
    assert all(one["address"] == "127.0.0.1" and one["listener"] == NAME for one in lines)
    assert "has expired" in lines[1]["reason"]
    for secret in (good, bad, "not it", "wonder"):
        assert secret not in text


async def test_failures_are_counted_by_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SEC-06: names that are made up do not make more lines."""
    more = {**settings({}), "audit_max_lines_per_minute": 3}
    async with running(tmp_path, **more) as bench:
        listener = await bench.broker.bind(NAME, "127.0.0.1", 0)
        await listener.start_serving()
        for number in range(6):
            async with RawClient("127.0.0.1", listener.port) as client:
                await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
                content = f"\0nobody {number}\0wrong".encode()
                await client.ask(SaslAuthenticateRequest(auth_bytes=content), 2)
    assert capsys.readouterr().err.count("login failed") == 3

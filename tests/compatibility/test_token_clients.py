"""Other libraries' clients, and ours, with logins by OAUTHBEARER against a whole node."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kit.foreign_clients import franz_go_login, run
from kit.kafka_jars import KafkaJars
from kit.secured import CA, KEYS, assignments, context, logins
from kit.tokens import CLIENT_ID, CLIENT_SECRET, TokenServer, bearer, token, token_server

from barnabas.broker.node import Node
from barnabas.broker.settings import load_config
from barnabas.client import Consumer, Producer

pytestmark = pytest.mark.slow

NAME = "SASL_SSL"


@asynccontextmanager
async def running(directory: Path) -> AsyncIterator[tuple[str, TokenServer, Node]]:
    """A node with one listener, of TLS and logins, and who makes its tokens."""
    async with token_server() as tokens:
        settings = {
            "log.dirs": str(directory),
            "listeners": f"{NAME}://localhost:0",
            "logging.level": "error",
            **KEYS,
            **logins(NAME),
            **bearer(NAME, tokens.keys_url),
        }
        node = await Node.start(load_config(assignments=assignments(settings)))
        try:
            yield f"localhost:{node.listeners[0].port}", tokens, node
        finally:
            await node.stop()


def of_confluent(options: dict[str, Any]) -> bytes:
    from confluent_kafka import Consumer as Reader
    from confluent_kafka import Producer as Writer

    writer = Writer(options)
    writer.produce("t", b"hello")
    assert writer.flush(10) == 0
    reader = Reader({**options, "group.id": "g", "auto.offset.reset": "earliest"})
    reader.subscribe(["t"])
    try:
        message = reader.poll(20)
        assert message is not None
        assert message.error() is None
        value = message.value()
        assert value is not None
        return value
    finally:
        reader.close()


def by_callback(address: str, tokens: TokenServer) -> dict[str, Any]:
    del tokens
    return {
        "bootstrap.servers": address,
        "security.protocol": NAME,
        "ssl.ca.location": CA,
        "sasl.mechanism": "OAUTHBEARER",
        "oauth_cb": lambda _: (token(), time.time() + 300, "alice", {"traceId": "7"}),
    }


def by_oidc(address: str, tokens: TokenServer) -> dict[str, Any]:
    return {
        "bootstrap.servers": address,
        "security.protocol": NAME,
        "ssl.ca.location": CA,
        "sasl.mechanism": "OAUTHBEARER",
        "sasl.oauthbearer.method": "oidc",
        "sasl.oauthbearer.client.id": CLIENT_ID,
        "sasl.oauthbearer.client.secret": CLIENT_SECRET,
        "sasl.oauthbearer.token.endpoint.url": tokens.token_url,
    }


@pytest.mark.parametrize("options", [by_callback, by_oidc])
async def test_librdkafka(tmp_path: Path, options: Any) -> None:
    """SASL-40, SASL-43, SASL-47: with tokens of the program, and of an endpoint."""
    async with running(tmp_path) as (address, tokens, _):
        work = partial(of_confluent, options(address, tokens))
        assert await asyncio.to_thread(work) == b"hello"


async def test_aiokafka(tmp_path: Path) -> None:
    """SASL-40, SASL-43."""
    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
    from aiokafka.abc import AbstractTokenProvider

    class Provider(AbstractTokenProvider):  # type: ignore[misc]  # it has no types
        async def token(self) -> Any:  # the library says None
            return token()

        def extensions(self) -> dict[str, str]:
            return {"traceId": "7"}

    async with running(tmp_path) as (address, _, _):
        options: dict[str, Any] = {
            "bootstrap_servers": address,
            "security_protocol": NAME,
            "ssl_context": context(),
            "sasl_mechanism": "OAUTHBEARER",
            "sasl_oauth_token_provider": Provider(),
        }
        writer = AIOKafkaProducer(**options)
        await writer.start()
        await writer.send_and_wait("t", b"hello")
        await writer.stop()
        reader = AIOKafkaConsumer("t", auto_offset_reset="earliest", **options)
        await reader.start()
        try:
            async with asyncio.timeout(20):
                assert (await reader.getone()).value == b"hello"
        finally:
            await reader.stop()


def of_kafka_python(address: str) -> bytes:
    from kafka import KafkaConsumer, KafkaProducer
    from kafka.net.sasl.oauth import AbstractTokenProvider

    class Provider(AbstractTokenProvider):  # type: ignore[misc]  # it has no types
        def token(self) -> Any:  # the library says None
            return token()

    options: dict[str, Any] = {
        "bootstrap_servers": address,
        "security_protocol": NAME,
        "ssl_cafile": CA,
        "sasl_mechanism": "OAUTHBEARER",
        "sasl_oauth_token_provider": Provider(),
    }
    writer = KafkaProducer(**options)
    writer.send("t", b"hello").get(timeout=10)
    writer.close()
    reader = KafkaConsumer("t", auto_offset_reset="earliest", consumer_timeout_ms=20_000, **options)
    try:
        value: bytes = next(iter(reader)).value
        return value
    finally:
        reader.close()


async def test_kafka_python(tmp_path: Path) -> None:
    """SASL-40, SASL-43."""
    async with running(tmp_path) as (address, _, _):
        assert await asyncio.to_thread(of_kafka_python, address) == b"hello"


async def test_franz_go(tmp_path: Path) -> None:
    """SASL-40, SASL-42, SASL-43."""
    program = await asyncio.to_thread(franz_go_login)
    async with running(tmp_path) as (address, _, _):
        command = (program, address, CA, "OAUTHBEARER", "", token())
        assert await asyncio.to_thread(run, command) == (0, "hello\n")


async def test_ours_renews_its_tokens(tmp_path: Path) -> None:
    """SASL-49, SASL-47: no request meets the end of a session, though tokens last two seconds."""
    async with running(tmp_path) as (address, tokens, node):
        tokens.lifetime_s = 2
        options: dict[str, Any] = {
            "bootstrap_servers": address,
            "security_protocol": NAME,
            "ssl_cafile": CA,
            "sasl_mechanism": "OAUTHBEARER",
            "sasl_oauthbearer_token_endpoint_url": tokens.token_url,
            "sasl_oauthbearer_client_credentials_client_id": CLIENT_ID,
            "sasl_oauthbearer_client_credentials_client_secret": CLIENT_SECRET,
        }
        loop = asyncio.get_running_loop()
        sent = 0
        async with (
            Producer(**options) as writer,
            Consumer("t", auto_offset_reset="earliest", group_id="g", **options) as reader,
        ):
            ends = loop.time() + 6
            while loop.time() < ends:
                await (await writer.send("t", str(sent).encode()))
                async with asyncio.timeout(10):
                    assert (await reader.getone()).value == str(sent).encode()
                sent += 1
                await asyncio.sleep(0.02)  # so that sessions end while it works
        asked = [first for first, _ in tokens.asked if first.startswith("POST")]
        assert 4 <= len(asked) <= 12
        assert node.metrics.failed_authentications == 0


@pytest.mark.kafka
async def test_java(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """SASL-40, SASL-43, SASL-47: with an endpoint, by Kafka's own classes, which renew logins."""
    async with running(tmp_path / "data") as (address, tokens, _):
        tokens.lifetime_s = 8
        properties = tmp_path / "client.properties"
        module = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
        properties.write_text(
            f"security.protocol={NAME}\nsasl.mechanism=OAUTHBEARER\n"
            f"ssl.truststore.type=PEM\nssl.truststore.location={CA}\n"
            f"sasl.oauthbearer.token.endpoint.url={tokens.token_url}\n"
            "sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer."
            "OAuthBearerLoginCallbackHandler\n"
            f'sasl.jaas.config={module} required clientId="{CLIENT_ID}" '
            f'clientSecret="{CLIENT_SECRET}";\n'
        )
        common = ["java", f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={tokens.token_url}"]
        command = [*common, "-cp", kafka_jars.classpath, "org.apache.kafka.tools.TopicCommand"]
        command += ["--bootstrap-server", address, "--command-config", str(properties)]
        done = await asyncio.to_thread(
            partial(
                subprocess.run,
                [*command, "--create", "--topic", "by-java", "--partitions", "2"],
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Created topic by-java" in done.stdout

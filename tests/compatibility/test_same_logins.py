"""What comes before a login is answered as by Apache Kafka 4.3.1, byte for byte."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess
from kit.kafka_secured import kafka_settings
from kit.secured import ADMIN, ADMIN_PASSWORD, PASSWORD, USER, assignments, logins, options

from barnabas.broker.node import Node
from barnabas.broker.settings import load_config
from barnabas.client import Admin, ScramUpsertion

from .login_conversations import conversations

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

PROTOCOL = "SASL_PLAINTEXT"
SILENCE_S = 5.0
"""So long nothing may come where an answer is due; the delay of failures is 20 ms."""

OPEN_S = 2.0
"""A connection that is not closed within this time stays."""

SCRAM = "listener.name.plaintext.scram-sha-256.sasl.jaas.config"
MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule"


async def told(port: int, frames: Sequence[bytes]) -> list[object]:
    """The answers, and what became of the connection; what differs at each login is left out."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found: list[object] = []
    try:
        for frame in frames:
            with suppress(OSError):
                writer.write(frame)
                await writer.drain()
            async with asyncio.timeout(SILENCE_S):
                size = int.from_bytes(await reader.readexactly(4), "big")
                answer = await reader.readexactly(size)
            found.append(normal(frame, answer))
        with suppress(TimeoutError):
            async with asyncio.timeout(OPEN_S):
                return [*found, "closed" if await reader.read(1) == b"" else "talks"]
        return [*found, "stays"]
    except TimeoutError:
        return [*found, "silent"]
    except (asyncio.IncompleteReadError, ConnectionError):
        return [*found, "closed"]
    finally:
        writer.close()


def normal(asked: bytes, answer: bytes) -> bytes:
    """Without the APIs that a node has, and without a server's nonce, salt and their length."""
    if asked[4:6] == b"\0\x12":
        return answer[:6]
    return re.sub(rb".?r=abc[^,]+,s=[^,]+,i=\d+", b"r=abc...", answer, flags=re.DOTALL)


async def all_told(port: int) -> dict[str, list[object]]:
    """By the name of the conversation."""
    named = list(conversations())
    answers = await asyncio.gather(*(told(port, frames) for _, frames in named))
    return {name: answer for (name, _), answer in zip(named, answers, strict=True)}


async def test_conversations(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """SASL-01..12, SASL-20, SASL-22..24, ATK-12, ATK-13, ATK-15..18, ATK-24, ATK-25: what is
    answered, what is not, and when a connection is closed."""
    (tmp_path / "kafka").mkdir()
    settings = kafka_settings(PROTOCOL) | {
        "listener.name.plaintext.sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256",
        SCRAM: f"{MODULE} required;",
    }
    kafka = KafkaProcess(kafka_jars, tmp_path / "kafka", settings)
    node = await Node.start(
        load_config(
            assignments=assignments(
                {
                    "log.dirs": str(tmp_path / "ours"),
                    "listeners": f"{PROTOCOL}://localhost:0",
                    "logging.level": "error",
                    "audit.enable": "false",
                    **logins(PROTOCOL),
                    "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256",
                }
            )
        )
    )
    try:
        await asyncio.to_thread(kafka.start)
        as_admin = {**options(PROTOCOL, "PLAIN", ADMIN_PASSWORD), "sasl_plain_username": ADMIN}
        async with Admin(bootstrap_servers=kafka.address, **as_admin) as admin:
            alice = ScramUpsertion(USER, PASSWORD, "SCRAM-SHA-256")
            await admin.alter_user_scram_credentials([alice])
        ours = await all_told(node.listeners[0].port)
        theirs = await all_told(int(kafka.address.rpartition(":")[2]))
    finally:
        await asyncio.to_thread(kafka.stop)
        await node.stop()
    assert len(ours) > 70
    different = [
        f"{name}\n  ours:  {answer}\n  Kafka: {theirs[name]}"
        for name, answer in ours.items()
        if answer != theirs[name]
    ]
    assert not different, "\n".join(different)

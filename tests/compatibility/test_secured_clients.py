"""Other libraries' clients over TLS and with logins, with the rights that they need alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kit.foreign_clients import franz_go_login, run
from kit.kafka_python import know_topic
from kit.secured import (
    CA,
    MECHANISMS,
    PASSWORD,
    USER,
    context,
)

from barnabas.client import Consumer, Producer

from .locked_node import ALICE, PROTOCOLS, ports

pytestmark = pytest.mark.slow


def of_confluent(address: str, protocol: str, mechanism: str) -> bytes:
    from confluent_kafka import Consumer as Reader
    from confluent_kafka import Producer as Writer

    options: dict[str, Any] = {
        "bootstrap.servers": address,
        "security.protocol": protocol,
        "ssl.ca.location": CA,
    }
    if protocol == "SSL":
        options |= {"ssl.certificate.location": ALICE, "ssl.key.location": ALICE}
    else:
        options |= {
            "sasl.mechanism": mechanism,
            "sasl.username": USER,
            "sasl.password": PASSWORD,
        }
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


def of_kafka_python(address: str, protocol: str, mechanism: str) -> bytes:
    from kafka import KafkaConsumer, KafkaProducer

    options: dict[str, Any] = {
        "bootstrap_servers": address,
        "security_protocol": protocol,
        "ssl_cafile": CA,
    }
    if protocol == "SSL":
        options |= {"ssl_certfile": ALICE, "ssl_keyfile": ALICE}
    else:
        options |= {
            "sasl_mechanism": mechanism,
            "sasl_plain_username": USER,
            "sasl_plain_password": PASSWORD,
        }
    writer = KafkaProducer(**options)
    writer.send("t", b"hello").get(timeout=10)
    writer.close()
    reader = KafkaConsumer(
        "t", group_id="g", auto_offset_reset="earliest", consumer_timeout_ms=20_000, **options
    )
    try:
        know_topic(reader, "t")
        value: bytes = next(iter(reader)).value
        return value
    finally:
        reader.close()


async def of_aiokafka(address: str, protocol: str, mechanism: str) -> bytes:
    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

    options: dict[str, Any] = {"bootstrap_servers": address, "security_protocol": protocol}
    if protocol.endswith("SSL"):
        options["ssl_context"] = context("alice" if protocol == "SSL" else None)
    if protocol.startswith("SASL"):
        options |= {
            "sasl_mechanism": mechanism,
            "sasl_plain_username": USER,
            "sasl_plain_password": PASSWORD,
        }
    writer = AIOKafkaProducer(**options)
    await writer.start()
    await writer.send_and_wait("t", b"hello")
    await writer.stop()
    reader = AIOKafkaConsumer("t", group_id="g", auto_offset_reset="earliest", **options)
    await reader.start()
    try:
        async with asyncio.timeout(20):
            value: bytes | None = (await reader.getone()).value
        assert value is not None
        return value
    finally:
        await reader.stop()


async def of_ours(address: str, protocol: str, mechanism: str) -> bytes:
    options: dict[str, Any] = {"bootstrap_servers": address, "security_protocol": protocol}
    if protocol.endswith("SSL"):
        options["ssl_cafile"] = CA
    if protocol == "SSL":
        options["ssl_certfile"] = ALICE
    else:
        options |= {
            "sasl_mechanism": mechanism,
            "sasl_plain_username": USER,
            "sasl_plain_password": PASSWORD,
        }
    async with Producer(**options) as writer:
        await (await writer.send("t", b"hello"))
    async with Consumer("t", auto_offset_reset="earliest", group_id="g", **options) as reader:
        async with asyncio.timeout(20):
            value: bytes | None = (await reader.getone()).value
        assert value is not None
        return value


BLOCKING = {"confluent": of_confluent, "kafka-python": of_kafka_python}
ON_THE_LOOP = {"aiokafka": of_aiokafka, "barnabas": of_ours}
WAYS = [("SSL", "")] + [(one, kind) for one in PROTOCOLS[1:] for kind in MECHANISMS]


@pytest.mark.parametrize(("protocol", "mechanism"), WAYS)
@pytest.mark.parametrize("client", BLOCKING)
async def test_clients_with_threads(
    tmp_path: Path, client: str, protocol: str, mechanism: str
) -> None:
    """TLS-12, SASL-06, SASL-20, SASL-24, ACL-07, ACL-11: a record goes in and comes out."""
    async with ports(tmp_path) as addresses:
        work: Callable[[], bytes] = partial(
            BLOCKING[client], addresses[protocol], protocol, mechanism
        )
        assert await asyncio.to_thread(work) == b"hello"


@pytest.mark.parametrize(("protocol", "mechanism"), WAYS)
@pytest.mark.parametrize("client", ON_THE_LOOP)
async def test_clients_on_a_loop(
    tmp_path: Path, client: str, protocol: str, mechanism: str
) -> None:
    """TLS-12, SASL-06, SASL-20, SASL-24, ACL-07, ACL-11: a record goes in and comes out."""
    async with ports(tmp_path) as addresses:
        found = await ON_THE_LOOP[client](addresses[protocol], protocol, mechanism)
        assert found == b"hello"


@pytest.mark.parametrize("mechanism", MECHANISMS)
async def test_franz_go(tmp_path: Path, mechanism: str) -> None:
    """SASL-06, SASL-20, SASL-24, ACL-07, ACL-11: the same over SASL_SSL, by a program in Go."""
    program = await asyncio.to_thread(franz_go_login)
    async with ports(tmp_path) as addresses:
        command = (program, addresses["SASL_SSL"], CA, mechanism, USER, PASSWORD)
        status, told = await asyncio.to_thread(run, command)
        assert (status, told) == (0, "hello\n")

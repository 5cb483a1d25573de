"""The connection to the active controller that all clients of a broker share: none breaks it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from kit.waiting import until

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.server.lifecycle.channel import ControllerChannel
from barnabas.broker.server.roles.cluster_membership import ClusterMembership
from barnabas.broker.serving.context import RequestContext
from barnabas.broker.storage.files import real_env
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.header import SIZE_BYTES, RequestHeader, encode_request
from barnabas.protocol.messages.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)

from .servers import Controller, Leader, controllers

VERSION = 4
CLIENT_ID = "client"
PATIENT_MS = 60_000
LIMIT = 4096


class Broker:
    """A broker on another node than the controller, and how often it has lost its connection."""

    def __init__(self, one: Controller, **settings: Any) -> None:
        self.lost: list[str] = []
        config = BrokerConfig(**settings)
        self._channel = ControllerChannel(
            Leader(one.address), config, real_env(), client_id="broker-1", on_lost=self.lost.append
        )
        quorum: Any = one.parts.quorum
        nothing: Any = None
        self._membership = ClusterMembership(
            config,
            quorum,
            one.parts.publisher,
            None,
            controllers=nothing,
            forwards=self._channel,
            lifecycle=nothing,
        )

    async def ask(self, request: CreateTopicsRequest) -> ErrorCode:
        """What a client is answered about the only topic, or as a whole."""
        header = RequestHeader(CreateTopicsRequest.API_KEY or 0, VERSION, 1, CLIENT_ID)
        peer: Any = SimpleNamespace(principal=ANONYMOUS, client_host="10.0.0.7")
        node: Any = SimpleNamespace()
        context = RequestContext(node, header, peer)
        try:
            answer: Any = await self._membership.forward(request, context)
        except KafkaError as error:
            return error.code
        return ErrorCode(answer.topics[0].error_code)

    def close(self) -> None:
        self._channel.close()


@asynccontextmanager
async def joined(**settings: Any) -> AsyncIterator[tuple[Controller, Broker]]:
    """An active controller, and a broker; both with these settings."""
    async with controllers(**settings) as (one,):
        one.parts.quorum.lead()
        await one.parts.register(1)
        broker = Broker(one, request_timeout_ms=PATIENT_MS, **settings)
        try:
            yield one, broker
        finally:
            broker.close()


def create(name: str, timeout_ms: int = PATIENT_MS) -> CreateTopicsRequest:
    topic = CreatableTopic(name=name, num_partitions=1, replication_factor=1)
    return CreateTopicsRequest(topics=[topic], timeout_ms=timeout_ms)


def sized(size: int) -> CreateTopicsRequest:
    """A request whose frame has so many bytes; the setting that it names does not exist."""
    request = create("t", 10_000)
    config = CreatableTopicConfig(name="no.such.setting", value="")
    request.topics[0].configs.append(config)
    config.value = "x" * (size - size_of(request))
    assert size_of(request) == size
    return request


def size_of(request: CreateTopicsRequest) -> int:
    return len(encode_request(request, VERSION, 1, CLIENT_ID)) - SIZE_BYTES


async def test_a_client_in_a_hurry_gives_up_alone() -> None:
    """Goal: its time-out (7) is its own; whoever waits on the same connection is answered, and
    so is who comes later: each with the answer to its own request."""
    async with joined() as (one, broker):
        assert await broker.ask(create("first")) == ErrorCode.NONE
        quorum = one.parts.quorum
        quorum.commits_at_once = False
        before = len(quorum.log)
        patient = asyncio.create_task(broker.ask(create("patient")))
        await until(lambda: len(quorum.log) > before)
        for timeout_ms in (0, 1):
            hurried = create("hurried", timeout_ms)
            assert await broker.ask(hurried) == ErrorCode.REQUEST_TIMED_OUT
        assert not patient.done()
        quorum.commits_at_once = True
        quorum.commit()
        assert await patient == ErrorCode.NONE
        assert await broker.ask(create("first")) == ErrorCode.TOPIC_ALREADY_EXISTS
        assert not broker.lost


async def test_a_request_as_large_as_a_broker_takes_is_sent_on() -> None:
    """ENV-12: the envelope around it does not count against it."""
    async with joined(socket_request_max_bytes_other=LIMIT) as (_, broker):
        assert await broker.ask(sized(LIMIT)) == ErrorCode.INVALID_CONFIG
        assert not broker.lost


@pytest.mark.parametrize("name", ["socket_request_max_bytes", "socket_request_max_bytes_other"])
async def test_what_no_controller_takes_is_not_sent_on(name: str) -> None:
    """ENV-12: the client is told (44), and the connection stays: a controller would close it.

    Requests that are no Produce obey the limit of all requests, too, together with what the
    envelope adds to them.
    """
    async with joined(**{name: LIMIT}) as (_, broker):
        assert await broker.ask(create("first")) == ErrorCode.NONE
        assert await broker.ask(sized(LIMIT + 1)) == ErrorCode.POLICY_VIOLATION
        if name == "socket_request_max_bytes":
            assert await broker.ask(sized(LIMIT)) == ErrorCode.POLICY_VIOLATION
        assert await broker.ask(create("second")) == ErrorCode.NONE
        assert not broker.lost

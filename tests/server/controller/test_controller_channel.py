"""The way to the active controller, over real sockets."""

from __future__ import annotations

import asyncio

import pytest
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.server.lifecycle.channel import is_from_another
from barnabas.broker.server.peer_channel import PeerUnavailableError, UnsupportedPeerError
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.broker_heartbeat_response import BrokerHeartbeatResponse
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.create_topics_response import (
    CreatableTopicResult,
    CreateTopicsResponse,
)
from barnabas.protocol.messages.metadata_request import MetadataRequest

from .servers import Leader, channel_to, controllers

NEW_TOPIC = CreateTopicsRequest(
    topics=[CreatableTopic(name="t", num_partitions=1, replication_factor=1)]
)


async def test_the_active_controller_answers_on_its_listener() -> None:
    async with controllers() as (one,):
        one.parts.quorum.lead()
        await one.parts.register(1)
        channel = channel_to(Leader(one.address))
        answer = await channel.call(NEW_TOPIC, timeout_ms=5000)
        assert [topic.error_code for topic in answer.topics] == [ErrorCode.NONE]
        assert "t" in one.server.image.topics_by_name
        channel.close()


async def test_not_controller_is_asked_elsewhere() -> None:
    """631-02: 41 sends the caller on until it finds the node that is active."""
    async with controllers(2) as (first, second):
        second.parts.quorum.lead()
        await second.parts.register(2)
        leader = Leader(first.address)
        channel = channel_to(leader)
        answer = asyncio.ensure_future(channel.call(NEW_TOPIC, timeout_ms=5000))
        await until(lambda: len(first.server.connections))
        assert not answer.done()
        leader.address = second.address
        assert [topic.error_code for topic in (await answer).topics] == [ErrorCode.NONE]
        channel.close()


async def test_a_call_to_a_silent_leader_ends_with_its_reign() -> None:
    """A leader that hangs is left as soon as another leads, not when the call times out."""
    async with controllers(2) as (first, second):
        first.parts.quorum.lead()
        await first.parts.register(1)
        first.parts.quorum.commits_at_once = False  # it answers nobody any more
        second.parts.quorum.lead()
        await second.parts.register(2)
        leader = Leader(first.address)
        channel = channel_to(leader)
        answer = asyncio.ensure_future(channel.call(NEW_TOPIC, timeout_ms=60_000))
        await until(
            lambda: first.parts.service.reign is not None and len(first.parts.service.reign)
        )
        leader.address = second.address
        channel.on_leader_changed()
        assert [topic.error_code for topic in (await answer).topics] == [ErrorCode.NONE]
        channel.close()


async def test_without_a_controller_a_call_fails_in_time() -> None:
    channel = channel_to(Leader())
    with pytest.raises(PeerUnavailableError, match="no active controller"):
        await channel.call(NEW_TOPIC, timeout_ms=60)
    channel.close()
    with pytest.raises(PeerUnavailableError, match="closed"):
        await channel.call(NEW_TOPIC, timeout_ms=60)


async def test_a_leader_that_appears_is_asked_at_once() -> None:
    async with controllers() as (one,):
        one.parts.quorum.lead()
        await one.parts.register(1)
        leader = Leader()
        channel = channel_to(leader, controller_quorum_retry_backoff_ms=60_000)
        answer = asyncio.ensure_future(channel.call(NEW_TOPIC, timeout_ms=100_000))
        for _ in range(5):
            await asyncio.sleep(0)
        leader.address = one.address
        channel.on_leader_changed()
        assert [topic.error_code for topic in (await answer).topics] == [ErrorCode.NONE]
        channel.close()


async def test_the_own_controller_is_asked_without_a_connection() -> None:
    async with controllers() as (one,):
        one.parts.quorum.lead()
        await one.parts.register(1)
        answer = await one.server.answer(NEW_TOPIC, None)
        assert [topic.error_code for topic in answer.topics] == [ErrorCode.NONE]
        assert not len(one.server.connections)
        with pytest.raises(UnsupportedPeerError, match="Metadata"):
            await one.server.answer(MetadataRequest(), None)


async def test_controllers_list_what_they_serve() -> None:
    """ApiVersions on a controller's listener: the quorum's APIs, and none for clients' records."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        async with RawClient(*one.address) as client:
            answer = await client.ask(
                ApiVersionsRequest(client_software_name="t", client_software_version="1"), 3
            )
        keys = {api.api_key for api in answer.api_keys}
        assert {1, 18, 19, 52, 53, 54, 59} <= keys
        assert not {0, 2, 3, 22} & keys


async def test_produce_on_a_controllers_listener_closes_the_connection() -> None:
    """ENV-05: an API that is not served there."""
    async with controllers() as (one,), RawClient(*one.address) as client:
        client.send(MetadataRequest(), 9)
        assert await client.closed()


def test_refusals_of_other_nodes_are_recognised() -> None:
    """At the top, or on each thing that was asked about."""
    code = int(ErrorCode.NOT_CONTROLLER)
    assert is_from_another(BrokerHeartbeatResponse(error_code=code))
    assert not is_from_another(BrokerHeartbeatResponse())
    rows = [CreatableTopicResult(name="t", error_code=code)]
    assert is_from_another(CreateTopicsResponse(topics=rows))
    assert not is_from_another(CreateTopicsResponse(topics=[CreatableTopicResult(name="t")]))
    assert not is_from_another(CreateTopicsResponse())

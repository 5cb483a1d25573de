"""What a broker sends on to the active controller, and what it asks for itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.broker.core.cluster.commands import (
    AllocateProducerIds,
    AlterClientQuotas,
    CreateTopics,
    DeleteTopics,
    NewTopic,
    QuotaChange,
)
from barnabas.broker.core.quotas.mutations import MutationCharge
from barnabas.broker.core.security.enveloped import ForwardedClient
from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.serving.context import RequestContext
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.header import RequestHeader
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest

from .servers import Leader, controllers, membership


def asked_in(version: int) -> RequestContext[Any]:
    """The context of a client's CreateTopics."""
    header = RequestHeader(CreateTopicsRequest.API_KEY or 0, version, 1, "client")
    peer: Any = SimpleNamespace(principal=ANONYMOUS, client_host="10.0.0.7")
    node: Any = SimpleNamespace()
    return RequestContext(node, header, peer)


async def refusal(work: Any) -> ErrorCode:
    with pytest.raises(KafkaError) as caught:
        await work
    return ErrorCode(caught.value.code)


async def test_a_request_goes_on_in_the_clients_version() -> None:
    """The answer is the active controller's, in the version that the client can read."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        await one.parts.register(1)
        broker = membership(one, Leader(one.address))
        assert not broker.is_here
        topic = CreatableTopic(name="t", num_partitions=1, replication_factor=1)
        answer: Any = await broker.forward(CreateTopicsRequest(topics=[topic]), asked_in(2))
        assert [row.error_code for row in answer.topics] == [ErrorCode.NONE]
        assert answer.topics[0].topic_id == bytes(16), "version 2 has no ids"


async def test_without_a_controller_clients_are_told_in_time() -> None:
    """REQUEST_TIMED_OUT (7) after the request's own time-out; clients try again."""
    async with controllers() as (one,):
        broker = membership(one, Leader())
        request = CreateTopicsRequest(topics=[], timeout_ms=50)
        assert await refusal(broker.forward(request, asked_in(7))) == ErrorCode.REQUEST_TIMED_OUT


async def test_producer_ids_come_from_the_active_controller() -> None:
    """98-01: blocks that follow each other, whichever broker asks; 77 for an old epoch."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        epoch = await one.parts.register(1)
        far = membership(one, Leader(one.address))
        near = membership(one, Leader(), own=True)
        command = AllocateProducerIds(1, epoch)
        blocks = [await far.submit(command), await near.submit(command), await far.submit(command)]
        assert [block.first for block in blocks] == [0, 1000, 2000]
        stale = AllocateProducerIds(1, epoch - 1)
        assert await refusal(far.submit(stale)) == ErrorCode.STALE_BROKER_EPOCH


async def test_topics_on_demand_are_created_by_the_active_controller() -> None:
    async with controllers() as (one,):
        one.parts.quorum.lead()
        await one.parts.register(1)
        broker = membership(one, Leader(one.address))
        command = CreateTopics((NewTopic("a"), NewTopic("b")))
        created = await broker.submit(command)
        assert [(topic.name, topic.code) for topic in created] == [
            ("a", ErrorCode.NONE),
            ("b", ErrorCode.NONE),
        ]
        assert set(broker.image.topics_by_name) == {"a", "b"}


async def test_changes_of_clients_are_at_their_own_cost() -> None:
    """FWD-06, FWD-09, QTA-14, QTA-15: the user and client id inside count, at the controller, and
    the time that they must wait comes back; on demand nothing is refused for it."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        await one.parts.register(1)
        entity = (("user", ANONYMOUS.name), ("client-id", "client"))
        change = QuotaChange(entity, (("controller_mutation_rate", 1.0),))
        await one.parts.service.submit(AlterClientQuotas((change,)))
        broker = membership(one, Leader(one.address))

        async def create(name: str) -> Any:
            topic = CreatableTopic(name=name, num_partitions=12, replication_factor=1)
            return await broker.forward(CreateTopicsRequest(topics=[topic]), asked_in(7))

        first, second = await create("a"), await create("b")
        assert (first.topics[0].error_code, first.throttle_time_ms) == (0, 0)
        assert second.topics[0].error_code == ErrorCode.THROTTLING_QUOTA_EXCEEDED
        assert second.throttle_time_ms > 500
        charge = MutationCharge(ANONYMOUS.name, "client", is_strict=False)
        asker = ForwardedClient(ANONYMOUS, "10.0.0.7", "client", 1)
        topics = (NewTopic("on-demand"),)
        (made,) = await broker.submit(CreateTopics(topics, charge=charge, asker=asker))
        assert made.code == ErrorCode.NONE
        assert charge.throttle_ms > second.throttle_time_ms
        own = CreateTopics((NewTopic("of-the-broker"),))
        assert [each.code for each in await broker.submit(own)] == [ErrorCode.NONE]


async def test_other_commands_are_for_the_active_controller_alone() -> None:
    """631-02: NOT_CONTROLLER (41)."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        broker = membership(one, Leader(one.address))
        assert await refusal(broker.submit(DeleteTopics(()))) == ErrorCode.NOT_CONTROLLER

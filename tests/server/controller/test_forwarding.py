"""Requests that brokers send on are carried out with the rights of their clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from kit.authorization import acl_for
from kit.list_logger import ListLogger

from barnabas.broker.core.cluster.commands import CreateTopics, NewTopic
from barnabas.broker.core.security.acl import Acl
from barnabas.broker.core.security.acl_index import AclIndex
from barnabas.broker.core.security.authorizer import Authorizer
from barnabas.broker.core.security.enveloped import (
    ForwardedClient,
    address_bytes,
    address_from,
    principal_bytes,
    principal_from,
)
from barnabas.broker.core.security.principal import ANONYMOUS, Principal
from barnabas.broker.observe.audit import Audit
from barnabas.broker.server.roles.cluster_membership import ClusterMembership
from barnabas.broker.serving.context import RequestContext
from barnabas.broker.serving.rights import AccessControl
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.header import RequestHeader
from barnabas.protocol.messages.broker_heartbeat_request import BrokerHeartbeatRequest
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest

from .servers import Leader, controllers, membership

ALICE = Principal("User", "alice")
NOWHERE: Any = SimpleNamespace()
CLUSTER_ACTION = acl_for("CLUSTER:kafka-cluster:CLUSTER_ACTION", str(ANONYMOUS))
CREATE = acl_for("TOPIC:t:CREATE", str(ALICE))


@asynccontextmanager
async def guarded(
    *acls: Acl, is_heard: bool = True, **settings: Any
) -> AsyncIterator[tuple[ClusterMembership, ListLogger]]:
    """A broker whose controller has these entries; and that controller's audit.

    `is_heard`: whether the controller has had a heartbeat of the broker.
    """
    index, log = AclIndex(), ListLogger()
    for number, acl in enumerate(acls):
        index.add(number.to_bytes(16, "big"), acl)
    async with controllers(**settings) as (one,):
        one.parts.quorum.lead()
        epoch = await one.parts.register(1)
        authorizer = Authorizer(lambda: index)
        one.server.access = AccessControl(authorizer, Audit(log, lambda: 0.0, 10))
        broker = membership(one, Leader(one.address))
        if is_heard:
            beat = BrokerHeartbeatRequest(broker_id=1, broker_epoch=epoch)
            await broker.controllers.call(beat, timeout_ms=2000)
            log.lines.clear()
        yield broker, log


async def forward(broker: ClusterMembership, client: Principal, host: str = "10.0.0.7") -> int:
    """Have a topic created as `client`; its code."""
    peer: Any = SimpleNamespace(principal=client, client_host=host)
    context = RequestContext(NOWHERE, RequestHeader(19, 7, 1, "client"), peer)
    topic = CreatableTopic(name="t", num_partitions=1, replication_factor=1)
    answer: Any = await broker.forward(CreateTopicsRequest(topics=[topic]), context)
    code: int = answer.topics[0].error_code
    return code


async def test_the_client_is_authorised_not_the_broker() -> None:
    """FWD-03, FWD-07, ATK-37: refused and allowed as the client; the audit names both."""
    async with guarded(CLUSTER_ACTION, CREATE) as (broker, log):
        assert await forward(broker, Principal("User", "bob")) == 29
        (denied,) = log.events("denied")
        assert denied["principal"] == "User:bob"
        assert denied["address"] == "10.0.0.7"
        assert denied["forwarded_by"] == "User:ANONYMOUS"
        assert await forward(broker, ALICE) == 0


async def test_entries_with_hosts_mean_the_clients_address() -> None:
    """FWD-07: not the broker's."""
    async with guarded(CLUSTER_ACTION, CREATE._replace(host="10.0.0.8")) as (broker, _):
        assert await forward(broker, ALICE, "10.0.0.7") == 29
        assert await forward(broker, ALICE, "10.0.0.8") == 0


async def test_who_is_no_node_sends_nothing_on() -> None:
    """FWD-03, FWD-05: the envelope itself is refused, which the client hears as -1."""
    async with guarded(CREATE) as (broker, log):
        with pytest.raises(KafkaError) as caught:
            await forward(broker, ALICE)
        assert caught.value.code is ErrorCode.UNKNOWN_SERVER_ERROR
        (denied,) = log.events("denied")
        assert (denied["principal"], denied["api"]) == ("User:ANONYMOUS", "Envelope")


async def test_to_act_for_the_cluster_is_not_to_speak_for_clients() -> None:
    """FWD-04: the principal must be that of a registered broker; the audit names it."""
    async with guarded(
        CLUSTER_ACTION,
        CREATE,
        is_heard=False,
        broker_session_timeout_ms=2,
        broker_heartbeat_interval_ms=1,
    ) as (broker, log):
        with pytest.raises(KafkaError) as caught:
            await forward(broker, ALICE)
        assert caught.value.code is ErrorCode.UNKNOWN_SERVER_ERROR
        (denied,) = log.events("denied")
        assert (denied["principal"], denied["api"]) == ("User:ANONYMOUS", "Envelope")
        assert denied["rule"] == "NoRegisteredBroker"


async def test_a_new_controller_gets_to_know_its_brokers() -> None:
    """FWD-04: what comes before the first heartbeat is tried again, and not refused."""
    async with guarded(CLUSTER_ACTION, CREATE, is_heard=False) as (broker, _):
        waiting = asyncio.create_task(forward(broker, ALICE))
        epoch = broker.image.brokers[1].epoch
        beat = BrokerHeartbeatRequest(broker_id=1, broker_epoch=epoch)
        await broker.controllers.call(beat, timeout_ms=2000)
        assert await waiting == 0


async def test_topics_on_demand_are_the_clients() -> None:
    """FWD-09: created with its rights, from its address; those of coordinators as the broker."""
    wide = acl_for("CLUSTER:kafka-cluster:CREATE", str(ALICE))._replace(host="10.0.0.8")
    own = acl_for("TOPIC:internal:CREATE", str(ANONYMOUS))
    async with guarded(CLUSTER_ACTION, wide, own) as (broker, log):
        asked = ForwardedClient(ALICE, "10.0.0.7", "client", 5)
        command = CreateTopics((NewTopic("t"),), asker=asked)
        assert [one.code for one in await broker.submit(command)] == [29]
        (denied,) = log.events("denied")
        assert (denied["principal"], denied["address"]) == ("User:alice", "10.0.0.7")
        assert (denied["correlation_id"], denied["client_id"]) == (5, "client")
        assert denied["forwarded_by"] == "User:ANONYMOUS"
        command = replace(command, asker=asked._replace(host="10.0.0.8"))
        assert [one.code for one in await broker.submit(command)] == [0]
        assert [one.code for one in await broker.submit(CreateTopics((NewTopic("internal"),)))] == [
            0
        ]


async def test_nobody_can_say_that_it_is_the_controller_itself() -> None:
    """FWD-03: the name by which a node asks itself gives no right in an envelope."""
    async with guarded(CLUSTER_ACTION) as (broker, _):
        assert await forward(broker, Principal("Node", "this")) == 29


@pytest.mark.parametrize("data", [None, b"", b"\0", b"\0\1\2", b"\0\0", b"\0\0\x05ab", b"\0\0\xff"])
def test_principals_that_cannot_be_read(data: bytes | None) -> None:
    """FWD-05: 97, whatever the bytes are."""
    with pytest.raises(KafkaError) as caught:
        principal_from(data)
    assert caught.value.code is ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE


def test_principals_and_addresses_go_there_and_back() -> None:
    """FWD-02: version 0 and DefaultPrincipalData; 4 or 16 bytes."""
    assert principal_bytes(ALICE) == b"\0\0\x05User\x06alice\0\0"
    assert principal_from(principal_bytes(ALICE)) == ALICE
    for host in ("10.0.0.7", "::1"):
        assert address_from(address_bytes(host)) == host
    assert address_bytes("somewhere") == bytes(4)
    for size in (0, 3, 5, 17):
        with pytest.raises(KafkaError) as caught:
            address_from(bytes(size))
        assert caught.value.code is ErrorCode.INVALID_REQUEST

"""What nodes say to controllers, said by somebody else at the listener of controllers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit.authorization import acl_for
from kit.raw_client import RawClient

from barnabas.broker.core.cluster.acl_changes import CreateAcls
from barnabas.broker.core.security.enveloped import principal_bytes
from barnabas.broker.core.security.principal import Principal
from barnabas.protocol.header import SIZE_BYTES, encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages import alter_partition_request as alter
from barnabas.protocol.messages import begin_quorum_epoch_request as begin
from barnabas.protocol.messages import end_quorum_epoch_request as end
from barnabas.protocol.messages import vote_request as vote
from barnabas.protocol.messages.broker_heartbeat_request import BrokerHeartbeatRequest
from barnabas.protocol.messages.broker_registration_request import BrokerRegistrationRequest
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.envelope_request import EnvelopeRequest
from barnabas.protocol.messages.unregister_broker_request import UnregisterBrokerRequest

from .trust import LOCKED, OPEN, Trust, trusting

pytestmark = pytest.mark.slow

TOPIC = "__cluster_metadata"
REFUSED = 31


def code_of(answer: Any) -> int:
    """The error of the whole answer."""
    code: int = answer.error_code
    return code


def of_the_quorum(trust: Trust, epoch: int) -> list[tuple[Message, int]]:
    """A vote for node 2, node 2 as leader, and the leader that gives up; in that epoch."""
    cluster_id = trust.active.cluster_id
    leader = trust.active.quorum.leader.leader_id
    other = next(one for one in trust.cluster.nodes if one != leader)
    wanted = vote.PartitionData(replica_epoch=epoch, replica_id=other, last_offset=1 << 40)
    leads = begin.PartitionData(leader_id=other, leader_epoch=epoch)
    ends = end.PartitionData(leader_id=leader, leader_epoch=epoch)
    return [
        (
            vote.VoteRequest(
                cluster_id=cluster_id,
                topics=[vote.TopicData(topic_name=TOPIC, partitions=[wanted])],
            ),
            0,
        ),
        (
            begin.BeginQuorumEpochRequest(
                cluster_id=cluster_id,
                topics=[begin.TopicData(topic_name=TOPIC, partitions=[leads])],
            ),
            0,
        ),
        (
            end.EndQuorumEpochRequest(
                cluster_id=cluster_id,
                topics=[end.TopicData(topic_name=TOPIC, partitions=[ends])],
            ),
            0,
        ),
    ]


def of_brokers(trust: Trust) -> list[tuple[Message, int]]:
    """Broker 2 that begins anew, that wants to stop, and that is alone in sync; with its epoch."""
    image = trust.active.image
    broker = image.brokers[2]
    topic = image.topics_by_name["t"]
    partition = alter.PartitionData(
        partition_index=0,
        leader_epoch=topic.partitions[0].leader_epoch,
        new_isr_with_epochs=[alter.BrokerState(broker_id=2, broker_epoch=broker.epoch)],
        partition_epoch=topic.partitions[0].partition_epoch,
    )
    return [
        (
            BrokerRegistrationRequest(
                broker_id=2, cluster_id=trust.active.cluster_id, incarnation_id=bytes(15) + b"\7"
            ),
            0,
        ),
        (
            BrokerHeartbeatRequest(
                broker_id=2, broker_epoch=broker.epoch, want_fence=True, want_shut_down=True
            ),
            0,
        ),
        (
            alter.AlterPartitionRequest(
                broker_id=2,
                broker_epoch=broker.epoch,
                topics=[alter.TopicData(topic_id=topic.topic_id, partitions=[partition])],
            ),
            3,
        ),
    ]


def envelope(request: Message, version: int, principal: Principal) -> EnvelopeRequest:
    """The request as if a broker sent it on for that principal."""
    return EnvelopeRequest(
        request_data=encode_request(request, version, 1, "inner")[SIZE_BYTES:],
        request_principal=principal_bytes(principal),
        client_host_address=b"\x7f\0\0\1",
    )


async def test_a_client_of_a_locked_cluster(tmp_path: Path) -> None:
    """ATK-36, ATK-37: all is refused with 31, by every node, and nothing has changed."""
    async with trusting(tmp_path, LOCKED) as trust:
        leader = trust.active.quorum.leader
        before = (leader.leader_id, leader.epoch)
        topics = CreateTopicsRequest(
            topics=[CreatableTopic(name="theirs", num_partitions=1, replication_factor=1)]
        )
        requests = [
            *of_the_quorum(trust, before[1]),
            *of_the_quorum(trust, before[1] + 1),
            *of_brokers(trust),
            (envelope(topics, 7, Principal("User", "admin")), 0),
            (UnregisterBrokerRequest(broker_id=2), 0),
        ]
        for node in trust.cluster.nodes.values():
            async with trust.at_controller(node) as client:
                for request, version in requests:
                    answer = await client.ask(request, version)
                    assert code_of(answer) == REFUSED, request.NAME
        leader = trust.active.quorum.leader
        assert (leader.leader_id, leader.epoch) == before
        isr = trust.active.image.topics_by_name["t"].partitions[0].isr
        assert sorted(isr) == [1, 2, 3]
        assert "theirs" not in trust.active.image.topics_by_name
        await trust.check_well()


async def test_nobody_gets_there_without_a_login(tmp_path: Path) -> None:
    """ATK-13, ATK-36: closed before the request is read."""
    async with trusting(tmp_path, LOCKED) as trust:
        role = trust.active.controller
        assert role is not None
        for request, version in (*of_the_quorum(trust, 5), *of_brokers(trust)):
            async with RawClient("127.0.0.1", role.server.listeners[0].port) as client:
                client.send(request, version)
                assert await client.reader.read(-1) == b""
        await trust.check_well()


async def test_to_act_for_the_cluster_is_not_to_be_a_broker(tmp_path: Path) -> None:
    """ATK-37, FWD-04: with CLUSTER_ACTION still nobody speaks for others, and an epoch that is not
    a broker's own is refused."""
    async with trusting(
        tmp_path, LOCKED, broker_session_timeout_ms=300, broker_heartbeat_interval_ms=50
    ) as trust:
        role = trust.active.controller
        assert role is not None
        right = acl_for("CLUSTER:kafka-cluster:CLUSTER_ACTION", str(trust.mallory))
        await role.service.submit(CreateAcls((right,)))
        topics = CreateTopicsRequest(
            topics=[CreatableTopic(name="theirs", num_partitions=1, replication_factor=1)]
        )
        asked = envelope(topics, 7, Principal("User", "admin"))
        async with trust.at_controller(trust.active) as client:
            async with asyncio.timeout(20):
                # For a session's time a controller that is new there knows no broker by its name.
                while (code := code_of(await client.ask(asked, 0))) == 41:
                    continue
            assert code == REFUSED
            registration, heartbeat, _ = of_brokers(trust)
            answer = await client.ask(*registration)
            assert code_of(answer) == 101, "the broker lives"
            beat = heartbeat[0]
            assert isinstance(beat, BrokerHeartbeatRequest)
            beat.broker_epoch += 1
            assert code_of(await client.ask(beat, 0)) == 77
        assert "theirs" not in trust.active.image.topics_by_name
        await trust.check_well()


async def test_a_client_of_an_open_cluster(tmp_path: Path) -> None:
    """Decision 12: a number is not enough: no leader that is none, no second life of a broker that
    is alive, and no word of a broker without its epoch."""
    async with trusting(tmp_path, OPEN) as trust:
        epoch = trust.active.quorum.leader.epoch
        far = of_the_quorum(trust, epoch + 1_000_000)
        registration, heartbeat, isr = of_brokers(trust)
        for told in (heartbeat[0], isr[0]):
            assert isinstance(told, BrokerHeartbeatRequest | alter.AlterPartitionRequest)
            told.broker_epoch += 1
        async with trust.at_controller(trust.active) as client:
            for request, version in far[:2]:
                answer = await client.ask(request, version)
                assert answer.topics[0].partitions[0].error_code != 0, request.NAME
            assert code_of(await client.ask(*registration)) == 101
            for request, version in (heartbeat, isr):
                assert code_of(await client.ask(request, version)) == 77, request.NAME
        assert trust.active.quorum.leader.epoch < epoch + 100
        partition = trust.active.image.topics_by_name["t"].partitions[0]
        assert sorted(partition.isr) == [1, 2, 3]
        await trust.check_well()

"""What clients say at the listener of clients: in the name of nodes, of others, and about secrets.

Each is said to an open cluster and to a locked one, where `User:alice` is nobody special.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.authorization import acl_for
from kit.fetching import wanted
from kit.producing import produce
from kit.raw_batches import small_batch
from kit.secured import KEYS

from barnabas.broker.core.cluster.acl_changes import CreateAcls
from barnabas.broker.core.cluster.commands import Command
from barnabas.broker.core.security.acl import Acl
from barnabas.broker.core.security.resources import Operation, PatternType, Permission, ResourceType
from barnabas.client import AlterConfig, ConfigResource, NewTopic, QuotaEntity
from barnabas.protocol.apis import api
from barnabas.protocol.messages import add_partitions_to_txn_request as adding
from barnabas.protocol.messages import list_offsets_request as offsets
from barnabas.protocol.messages import offset_for_leader_epoch_request as epochs
from barnabas.protocol.messages import write_txn_markers_request as markers
from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
)
from barnabas.protocol.messages.fetch_request import FetchRequest, FetchTopic, ReplicaState
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic

from .trust import LOCKED, OPEN, Trust, trusting

pytestmark = pytest.mark.slow

BOTH = pytest.mark.parametrize("kind", [OPEN, LOCKED])
TOPIC_REFUSED, CLUSTER_REFUSED = 29, 31
OF_CONTROLLERS = (52, 53, 54, 56, 58, 59, 62, 63, 67, 70, 73, 82)
"""Vote, Begin- and EndQuorumEpoch, AlterPartition, Envelope, FetchSnapshot, BrokerRegistration,
BrokerHeartbeat, AllocateProducerIds, ControllerRegistration, AssignReplicasToDirs,
UpdateRaftVoter."""


async def submit(trust: Trust, command: Command[Any]) -> Any:
    """Have the controller decide; no right is asked for that."""
    role = trust.active.controller
    assert role is not None
    return await role.service.submit(command)


async def grant(trust: Trust, *rights: str | Acl) -> None:
    who = str(trust.mallory)
    acls = tuple(acl_for(one, who) if isinstance(one, str) else one for one in rights)
    assert all(one.code == 0 for one in await submit(trust, CreateAcls(acls)))


@BOTH
async def test_what_only_controllers_take(tmp_path: Path, kind: str) -> None:
    """ATK-36: not served there at all: the connection ends, and the others do not notice."""
    async with trusting(tmp_path, kind) as trust:
        for key in OF_CONTROLLERS:
            async with trust.client(trust.active) as client:
                client.send(api(key).request(), api(key).max_version)
                assert await client.closed(), api(key).name
        await trust.check_well()


@BOTH
async def test_a_fetch_in_the_name_of_a_broker(tmp_path: Path, kind: str) -> None:
    """ATK-35, 903-01: a forged number and a far offset move no watermark; locked it is refused on
    each partition, open it needs the broker's epoch."""
    async with trusting(tmp_path, kind, replica_lag_time_max_ms=600_000) as trust:
        leader = trust.leader_of()
        role = leader.role
        assert role is not None
        partition = role.broker.replicas.get("t", 0)
        assert partition is not None
        before = partition.high_watermark
        topic_id = leader.image.topics_by_name["t"].topic_id
        if kind == LOCKED:
            await grant(trust, "TOPIC:t:READ")
        for broker in (one for one in trust.cluster.nodes if one != leader.node_id):
            claim = wanted(offset=1 << 40)
            old = FetchRequest(
                replica_id=broker,
                max_bytes=1000,
                topics=[FetchTopic(topic="t", partitions=[claim])],
            )
            new = FetchRequest(
                replica_state=ReplicaState(replica_id=broker, replica_epoch=1 << 40),
                max_bytes=1000,
                topics=[FetchTopic(topic_id=topic_id, partitions=[claim])],
            )
            for request, version in ((old, 12), (new, 17)):
                async with trust.client(leader) as client:
                    answer = await client.ask(request, version)
                codes = {
                    row.error_code for topic in answer.responses for row in topic.partitions
                } | {answer.error_code}
                assert codes - {0}, "it is not taken"
                if kind == LOCKED:
                    assert codes == {0, TOPIC_REFUSED}
        assert partition.high_watermark == before
        await trust.check_well()


@BOTH
async def test_questions_in_the_name_of_a_broker(tmp_path: Path, kind: str) -> None:
    """ATK-35: the number gives no right: without DESCRIBE there is no answer, and with it that of a
    client."""
    async with trusting(tmp_path, kind) as trust:
        leader = trust.leader_of()
        latest = offsets.ListOffsetsPartition(partition_index=0, timestamp=-1)
        asked = offsets.ListOffsetsRequest(
            replica_id=2, topics=[offsets.ListOffsetsTopic(name="t", partitions=[latest])]
        )
        of_epoch = epochs.OffsetForLeaderPartition(partition=0, leader_epoch=0)
        ends = epochs.OffsetForLeaderEpochRequest(
            replica_id=2,
            topics=[epochs.OffsetForLeaderTopic(topic="t", partitions=[of_epoch])],
        )

        async def codes() -> tuple[int, int]:
            async with trust.client(leader) as client:
                first = (await client.ask(asked, 7)).topics[0].partitions[0]
                second = (await client.ask(ends, 4)).topics[0].partitions[0]
            return first.error_code, second.error_code

        if kind == LOCKED:
            assert await codes() == (TOPIC_REFUSED, TOPIC_REFUSED)
            await grant(trust, "TOPIC:t:DESCRIBE")
        assert await codes() == (0, 0)


async def test_transactions_of_others(tmp_path: Path) -> None:
    """ATK-36: who is no broker writes no markers, and adds no partitions for a coordinator."""
    async with trusting(tmp_path, LOCKED) as trust:
        await grant(trust, "TOPIC:t:ALL", "TRANSACTIONAL_ID:*:ALL")
        leader = trust.leader_of()
        marker = markers.WritableTxnMarker(
            producer_id=1,
            producer_epoch=0,
            transaction_result=True,
            topics=[markers.WritableTxnMarkerTopic(name="t", partition_indexes=[0])],
            coordinator_epoch=0,
        )
        batch = adding.AddPartitionsToTxnRequest(
            transactions=[
                adding.AddPartitionsToTxnTransaction(
                    transactional_id="theirs",
                    producer_id=1,
                    topics=[adding.AddPartitionsToTxnTopic(name="t", partitions=[0])],
                )
            ]
        )
        async with trust.client(leader) as client:
            told = await client.ask(markers.WriteTxnMarkersRequest(markers=[marker]), 1)
            (row,) = told.markers[0].topics[0].partitions
            assert row.error_code == CLUSTER_REFUSED
            assert (await client.ask(batch, 4)).error_code == CLUSTER_REFUSED
            answer = await client.ask(produce(small_batch(), topic="t", acks=-1), 9)
            assert answer.responses[0].partition_responses[0].base_offset == 0, "no marker is there"


@BOTH
async def test_secrets_in_descriptions(tmp_path: Path, kind: str) -> None:
    """ATK-38, ATK-44, SEC-01: null for whoever may ask, and for a setting that nobody knows; the
    others are refused at once."""
    keys = {name.replace(".", "_"): value for name, value in KEYS.items()}
    async with trusting(tmp_path, kind, ssl_key_password="hidden-1", **keys) as trust:
        node = trust.active
        broker = ConfigResource.broker(node.node_id)
        async with trust.admin() as admin:
            own = "some.reporter.secret"
            await admin.incremental_alter_configs({broker: [AlterConfig(own, "hidden-2")]})
            told = (await admin.describe_configs([broker]))[broker]
        for name in ("ssl.key.password", "super.users", "sasl.jaas.config", own):
            assert (told[name].value, told[name].is_sensitive) == (None, True)
        resource = DescribeConfigsResource(resource_type=4, resource_name=str(node.node_id))
        request = DescribeConfigsRequest(resources=[resource], include_synonyms=True)
        async with trust.client(node) as client:
            answer = await client.ask(request, 4)
            assert "hidden-" not in repr(answer.encode(4))
            assert answer.results[0].error_code == (CLUSTER_REFUSED if kind == LOCKED else 0)
            users = await client.ask(DescribeUserScramCredentialsRequest(users=None), 0)
        if kind == LOCKED:
            assert (users.error_code, users.results) == (CLUSTER_REFUSED, [])


async def test_prefixes_of_prefixes(tmp_path: Path) -> None:
    """ATK-33, ATK-34, ATK-39: an entry for `team-a` is none for `team-b`, `team` or a star; a
    denial within it holds; and nobody is told which of the names are there."""
    names = ("team-a", "team-ab", "team-abc", "team-b", "team")
    async with trusting(tmp_path, LOCKED) as trust:
        async with trust.admin() as admin:
            await admin.create_topics([NewTopic(one, 1, 1) for one in names])
        denied = Acl(
            ResourceType.TOPIC,
            "team-ab",
            PatternType.PREFIXED,
            str(trust.mallory),
            "*",
            Operation.DESCRIBE,
            Permission.DENY,
        )
        star = acl_for("TOPIC:t:DESCRIBE", str(trust.mallory))
        star = star._replace(name="*", pattern=PatternType.PREFIXED)
        await grant(
            trust,
            "TOPIC:team-a*:READ",
            denied,
            star._replace(name="*", pattern=PatternType.PREFIXED),
        )
        topics = [MetadataRequestTopic(name=one) for one in (*names, "team-z", "team-aa", "t")]
        async with trust.client(trust.active) as client:
            request = MetadataRequest(topics=topics, allow_auto_topic_creation=False)
            answer = await client.ask(request, 9)
            listed = await client.ask(MetadataRequest(topics=None), 9)
        codes = {one.name: one.error_code for one in answer.topics}
        refused = dict.fromkeys(("team-ab", "team-abc", "team-b", "team", "team-z", "t"), 29)
        assert codes == {"team-a": 0, "team-aa": 3, **refused}
        assert [one.name for one in listed.topics] == ["team-a"]


@BOTH
async def test_many_client_ids_and_one_quota(tmp_path: Path, kind: str) -> None:
    """ATK-40: a user's quota is one for all its client ids, and over all its connections; of ids
    with a quota each no more are counted than the settings say."""
    most = 50
    async with trusting(tmp_path, kind, quota_counters_max_per_user=most) as trust:
        if kind == LOCKED:
            await grant(trust, "TOPIC:t:WRITE")
        leader, user = trust.leader_of(), QuotaEntity.of({"user": trust.mallory.name})
        async with trust.admin() as admin:
            await admin.alter_client_quotas({user: {"producer_byte_rate": 10.0}})
        request = produce(small_batch(), topic="t", acks=1)
        throttled = []
        for number in range(4):
            async with trust.client(leader) as client:
                client.client_id = f"id-{number}"
                throttled.append((await client.ask(request, 9)).throttle_time_ms)
        assert throttled == sorted(throttled)
        assert throttled[-1] > throttled[0], "each pays for those before it"
        async with trust.admin() as admin:
            await admin.alter_client_quotas({user: {"producer_byte_rate": None}})
            everybody = QuotaEntity.of({"client-id": None})
            await admin.alter_client_quotas({everybody: {"producer_byte_rate": 1e9}})
        async with trust.client(leader) as client:
            for number in range(3 * most):
                client.client_id = f"new-{number}"
                await client.ask(request, 9)
        role = leader.role
        assert role is not None
        counters = role.broker.quotas._counters["producer_byte_rate"]
        assert len(counters) <= most + 2

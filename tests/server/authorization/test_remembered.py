"""What brokers remember of rights is void when an entry comes or goes (ACL-21)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kit.authorization import acl_for
from kit.broker import Bench, running
from kit.fetching import fetch, read, wanted
from kit.producing import produce, send
from kit.raw_batches import small_batch
from kit.raw_client import RawClient

from barnabas.broker.core.cluster.security_image import acl_record
from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.messages.remove_access_control_entry_record import (
    RemoveAccessControlEntryRecord,
)

REFUSED = ErrorCode.TOPIC_AUTHORIZATION_FAILED
ACL_ID = bytes(15) + b"\1"


def grant(bench: Bench, right: str, number: int = 1) -> None:
    acl_id = number.to_bytes(16, "big")
    bench.apply(acl_record(acl_id, acl_for(right, "User:ANONYMOUS")))


def revoke(bench: Bench, number: int = 1) -> None:
    bench.apply(RemoveAccessControlEntryRecord(id=number.to_bytes(16, "big")))


@asynccontextmanager
async def limited(path: Path, **settings: Any) -> AsyncIterator[tuple[Bench, RawClient]]:
    """A broker with an authorizer, a topic `t` of two partitions, and a client without rights."""
    settings.setdefault("audit_enable", False)
    async with (
        running(path, authorizer_class_name=STANDARD_AUTHORIZER, **settings) as bench,
        bench.connect() as client,
    ):
        bench.create_topic("t", 2)
        yield bench, client


async def test_a_producers_plan_is_asked_about_again(tmp_path: Path) -> None:
    """ACL-21: the usual batch goes the short way while it may, and not one batch longer."""
    async with limited(tmp_path) as (bench, client):
        metrics = bench.broker.metrics
        assert (await send(client, small_batch())).error_code == REFUSED
        assert metrics.produce_requests == 0
        grant(bench, "TOPIC:t:WRITE")
        for number in range(1, 4):
            assert (await send(client, small_batch())).error_code == 0
            assert metrics.produce_requests == number, "it went the short way"
        revoke(bench)
        assert (await send(client, small_batch())).error_code == REFUSED
        grant(bench, "TOPIC:t:WRITE")
        assert (await send(client, small_batch())).error_code == 0
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        assert partition.log.log_end_offset == 4 * 3


async def test_several_partitions_at_once(tmp_path: Path) -> None:
    """ACL-18: each topic of a request for its own; what may be written is written."""
    async with limited(tmp_path) as (bench, client):
        bench.create_topic("u")
        request = ProduceRequest(
            acks=-1,
            timeout_ms=5000,
            topic_data=[
                TopicProduceData(
                    name=name,
                    partition_data=[PartitionProduceData(index=0, records=small_batch())],
                )
                for name in ("t", "u", "missing")
            ],
        )
        grant(bench, "TOPIC:u:WRITE")
        answer = await client.ask(request, 9)
        codes = [row.error_code for one in answer.responses for row in one.partition_responses]
        assert codes == [REFUSED, 0, REFUSED]
        grant(bench, "TOPIC:*:WRITE", 2)
        answer = await client.ask(request, 9)
        codes = [row.error_code for one in answer.responses for row in one.partition_responses]
        assert codes == [0, 0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]


async def test_without_an_answer_the_connection_ends(tmp_path: Path) -> None:
    """ENV-09: acks=0 and a refusal: closing is all there is."""
    async with limited(tmp_path) as (_, client):
        client.send(produce(small_batch(), acks=0), 9)
        assert await client.closed()


async def test_partitions_of_a_session_that_rest(tmp_path: Path) -> None:
    """ACL-21: a fetch session tells of the refusal, though nothing else happened to it."""
    async with limited(tmp_path) as (bench, client):
        grant(bench, "TOPIC:t:READ")
        opened = await client.ask(
            fetch(wanted(), wanted(index=1), session_id=0, session_epoch=0), 11
        )
        session = opened.session_id
        assert session
        for epoch in (1, 2):  # now both rest
            answer = await client.ask(fetch(session_id=session, session_epoch=epoch, topic="t"), 11)
            assert answer.responses == []
        revoke(bench)
        answer = await client.ask(fetch(session_id=session, session_epoch=3), 11)
        rows = [row for topic in answer.responses for row in topic.partitions]
        assert [row.error_code for row in rows] == [REFUSED, REFUSED]
        grant(bench, "TOPIC:t:READ")
        answer = await client.ask(fetch(session_id=session, session_epoch=4), 11)
        rows = [row for topic in answer.responses for row in topic.partitions]
        assert [row.error_code for row in rows] == [0, 0]


async def test_who_claims_to_be_a_replica(tmp_path: Path) -> None:
    """ATK-35: the right to read does not help, and no session is opened."""
    async with limited(tmp_path) as (bench, client):
        grant(bench, "TOPIC:t:ALL")
        request = fetch(wanted(), replica_id=1, session_id=0, session_epoch=0)
        row = await read(client, request)
        assert row.error_code == REFUSED
        many = fetch(*map(wanted, range(1000)), replica_id=1, session_id=0, session_epoch=0)
        (topic,) = (await client.ask(many, 11)).responses  # its name is told once
        assert [row.error_code for row in topic.partitions] == [REFUSED] * 1000
        assert len(bench.broker.sessions) == 0
        grant(bench, "CLUSTER:kafka-cluster:CLUSTER_ACTION", 2)
        assert (await read(client, request)).error_code != REFUSED


async def test_without_an_authorizer_nothing_is_asked(tmp_path: Path) -> None:
    """ACL-10: everything is allowed, and every operation told as authorised."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        assert bench.broker.access is None
        assert (await send(client, small_batch())).error_code == 0


@pytest.mark.parametrize("is_told", [False, True])
async def test_the_audit_of_what_is_allowed(tmp_path: Path, is_told: bool, capsys: Any) -> None:
    """SEC-06: with `audit.allowed.enable` a producer is told of, too, by the first batch."""
    settings = {"audit_enable": True, "audit_allowed_enable": is_told}
    async with limited(tmp_path, **settings) as (bench, client):
        grant(bench, "TOPIC:t:WRITE")
        for _ in range(3):
            assert (await send(client, small_batch())).error_code == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if '"audit"' in line]
    assert len(lines) == int(is_told)
    if is_told:
        assert '"Topic:LITERAL:t"' in lines[0]

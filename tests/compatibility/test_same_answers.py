"""The same frames to a node of ours and to Apache Kafka 4.3.1, in all versions: same answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess

from barnabas.protocol.message import Message
from barnabas.protocol.messages.alter_partition_request import (
    AlterPartitionRequest,
    BrokerState,
)
from barnabas.protocol.messages.alter_partition_request import PartitionData as AlteredPartition
from barnabas.protocol.messages.alter_partition_request import TopicData as AlteredTopic
from barnabas.protocol.messages.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from barnabas.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)

from .side_by_side import SETTINGS, Both, Build, Side, always, side_by_side

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

FETCH_VERSIONS = range(4, 19)
IDS_SINCE, EPOCHS_SINCE, COMPARED_SINCE, BROKER_EPOCHS_SINCE = 13, 9, 12, 15
SESSIONS_SINCE = 7


@pytest.fixture(scope="module")
def kafka(
    kafka_jars: KafkaJars, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KafkaProcess]:
    process = KafkaProcess(kafka_jars, tmp_path_factory.mktemp("kafka"), SETTINGS)
    try:
        process.start()
        yield process
    finally:
        process.stop()


def fetch(
    side: Side,
    version: int,
    topic: str = "plain",
    *,
    replica: int = -1,
    broker_epoch: int = -1,
    partitions: int = 1,
    max_bytes: int = 1 << 20,
    session: tuple[int, int] = (0, -1),
    **fields: Any,
) -> FetchRequest:
    """One topic; `fields` are of its partitions."""
    given: dict[str, Any] = {"partition_max_bytes": 1 << 20, "log_start_offset": 0} | fields
    rows = [
        FetchPartition(**dict[str, Any](partition=number) | given) for number in range(partitions)
    ]
    request = FetchRequest(
        max_bytes=max_bytes,
        session_id=session[0],
        session_epoch=session[1],
        topics=[
            FetchTopic(
                topic=topic, topic_id=side.topic_ids.get(topic, b"\x07" * 16), partitions=rows
            )
        ]
        * (partitions > 0),
    )
    if version >= BROKER_EPOCHS_SINCE:
        request.replica_state = ReplicaState(replica_id=replica, replica_epoch=broker_epoch)
    else:
        request.replica_id = replica
    return request


def fetching(version: int, asked: dict[str, Any]) -> Build:
    return lambda side: fetch(side, version, **asked)


CONSUMERS: dict[str, tuple[int, dict[str, Any]]] = {
    "all": (4, {}),
    "two partitions, one byte": (4, {"partitions": 2, "max_bytes": 1, "partition_max_bytes": 1}),
    "no bytes": (4, {"max_bytes": 0}),
    "nothing": (4, {"partitions": 0}),
    "in the middle of a batch": (4, {"fetch_offset": 4}),
    "at the end": (4, {"fetch_offset": 5}),
    "beyond the end": (4, {"fetch_offset": 6}),
    "a negative offset": (4, {"fetch_offset": -1}),
    "an unknown topic": (4, {"topic": "nobody"}),
    "an unknown partition": (4, {"partition": 9}),
    "a negative partition": (4, {"partition": -1}),
    "of a follower": (4, {"topic": "elsewhere"}),
    "of a replica that is elsewhere": (4, {"topic": "away"}),
    "at the watermark": (4, {"topic": "followed"}),
    "in a newer epoch": (EPOCHS_SINCE, {"current_leader_epoch": 1}),
    "of a follower in a newer epoch": (
        EPOCHS_SINCE,
        {"topic": "elsewhere", "current_leader_epoch": 1},
    ),
    "in a newer epoch, beyond the end": (
        EPOCHS_SINCE,
        {"current_leader_epoch": 1, "fetch_offset": 9},
    ),
    "who knows epoch 0": (COMPARED_SINCE, {"last_fetched_epoch": 0, "fetch_offset": 3}),
    "who parted": (COMPARED_SINCE, {"last_fetched_epoch": 0, "fetch_offset": 9}),
    "who knows epoch 3": (COMPARED_SINCE, {"last_fetched_epoch": 3, "fetch_offset": 3}),
}
"""By name: the first version, and what is asked for."""

FOLLOWERS: dict[str, dict[str, Any]] = {
    "of another leader": {"topic": "elsewhere"},
    "beyond the end": {"topic": "followed", "fetch_offset": 9},
    "who is no replica": {"topic": "plain"},
    "nobody knows": {"topic": "followed", "replica": 9},
    "of an older life": {"topic": "followed", "broker_epoch": 0},
}


async def test_reads(kafka: KafkaProcess, tmp_path: Path) -> None:
    """Goal: no answer differs but by decision.

    Fetch, of whom and of what one may ask: 392-01..03, 392-07..09, 279-02, 74-01,
    516-01, 903-01; ListOffsets: 207-06, 207-07; OffsetForLeaderEpoch: 101-02.
    """
    async with side_by_side(kafka, tmp_path) as both:
        for version in FETCH_VERSIONS:
            await ask_fetches(both, version)
            if version >= SESSIONS_SINCE:
                await ask_sessions(both, version)
        await ask_offsets(both)
        await ask_registrations(both)
        for version in (2, 3):
            await ask_in_sync_sets(both, version)
        assert not both.differences, "\n".join(both.differences[:20])
        assert both.asked > 600


async def ask_fetches(both: Both, version: int) -> None:
    for what, (since, asked) in CONSUMERS.items():
        if version >= since:
            await both.ask(what, version, fetching(version, asked))
    for what, asked in FOLLOWERS.items():

        def build(side: Side, one: dict[str, Any] = asked) -> Message:
            return fetch(side, version, **{"replica": 2, "broker_epoch": side.epoch} | one)

        if version >= BROKER_EPOCHS_SINCE or what != "of an older life":
            # Followers hear here where the leader is, as consumers do; they look at their metadata.
            await both.ask(f"by a follower {what}", version, build, without=("nodeEndpoints",))


async def ask_sessions(both: Both, version: int) -> None:
    """227-01, 227-02: epochs one after the other, 70 and 71, nothing told twice."""
    ids: dict[Side, int] = {}
    for what, partitions, offset, epoch in (
        ("begins", 2, 0, 0),
        ("goes on", 1, 5, 1),
        ("has nothing new", 0, 0, 2),
        ("skips an epoch", 0, 0, 9),
        ("repeats an epoch", 0, 0, 2),
        ("reads again", 1, 3, 3),
        ("ends", 0, 0, -1),
        ("is over", 0, 0, 4),
    ):

        def build(side: Side, count: int = partitions, at: int = offset, e: int = epoch) -> Message:
            session = (ids.get(side, 0), e)
            return fetch(side, version, partitions=count, fetch_offset=at, session=session)

        found = await both.ask(f"a session {what}", version, build)
        for side, answer in zip(both.sides, found, strict=True):
            ids.setdefault(side, answer.session_id)


async def ask_offsets(both: Both) -> None:
    for version in range(1, 12):
        for topic in ("plain", "followed", "elsewhere", "away", "nobody"):
            for time in (-1, -2, -4, -5, -6, -7, 0, 1000, 1001, 6000):
                row = ListOffsetsPartition(timestamp=time)
                request = ListOffsetsRequest(
                    replica_id=-1, topics=[ListOffsetsTopic(name=topic, partitions=[row])]
                )
                await both.ask(f"{topic} at {time}", version, always(request))
    for version in (2, 3, 4):
        for topic in ("plain", "elsewhere", "away", "nobody"):
            for epoch, current in ((-1, -1), (0, -1), (1, -1), (0, 0), (0, 3)):
                wanted = OffsetForLeaderPartition(leader_epoch=epoch, current_leader_epoch=current)
                asked = OffsetForLeaderTopic(topic=topic, partitions=[wanted])
                end = OffsetForLeaderEpochRequest(topics=[asked])
                what = f"{topic}, {epoch} in {current}"
                await both.ask(what, version, always(end))


async def ask_registrations(both: Both) -> None:
    """631-01: 104, 101, 119."""
    theirs = [bytes([102]) * 16]
    for what, broker_id, fields in (
        ("of another cluster", 3, {"cluster_id": "A" * 22}),
        ("of another incarnation", 2, {"incarnation_id": b"x" * 16}),
        ("without directories", 3, {"log_dirs": []}),
        ("with one directory twice", 3, {"log_dirs": [b"d" * 16] * 2}),
        ("with a directory that is reserved", 3, {"log_dirs": [bytes(15) + b"\x01"]}),
        ("with the directory of broker 2", 3, {"log_dirs": theirs}),
    ):
        for version in (2, 3, 4):

            def build(side: Side, who: int = broker_id, given: dict[str, Any] = fields) -> Message:
                return side.registration(who, **given)

            if version == 4 or "director" in what or "cluster" in what:
                await both.ask(what, version, build, ask_controller=True)


async def ask_in_sync_sets(both: Both, version: int) -> None:
    """497-01: which of several faults is told."""
    for what, fields in (
        ("by an older life", {"broker_epoch": 0, "topic": "nobody"}),
        ("of an unknown topic", {"topic": "nobody"}),
        ("of an unknown partition", {"partition": 4, "leader_epoch": 9}),
        ("in a newer leader epoch", {"leader_epoch": 1}),
        ("in a newer partition epoch", {"partition_epoch": 9, "leader_epoch": -1}),
        ("in an older leader epoch", {"leader_epoch": -1}),
        ("by who does not lead", {"topic": "followed", "partition_epoch": -1}),
        ("in an older partition epoch", {"partition_epoch": -1, "members": (1,)}),
        ("without the leader", {"members": (1,)}),
        ("with a stranger", {"members": (2, 5)}),
        ("of several while it recovers", {"recovery": 1}),
        ("as it is", {}),
    ):

        def build(side: Side, given: dict[str, Any] = fields) -> Message:
            return in_sync(side, version, **given)

        await both.ask(what, version, build, ask_controller=True)


def in_sync(
    side: Side,
    version: int,
    *,
    topic: str = "elsewhere",
    broker_epoch: int | None = None,
    members: tuple[int, ...] = (2, 1),
    recovery: int = 0,
    **fields: int,
) -> AlterPartitionRequest:
    """By broker 2, which leads `elsewhere`."""
    row = AlteredPartition(
        partition_index=fields.get("partition", 0),
        leader_epoch=fields.get("leader_epoch", 0),
        partition_epoch=fields.get("partition_epoch", 0),
        leader_recovery_state=recovery,
    )
    if version >= 3:
        row.new_isr_with_epochs = [BrokerState(broker_id=one) for one in members]
    else:
        row.new_isr = list(members)
    topic_id = side.topic_ids.get(topic, b"\x07" * 16)
    return AlterPartitionRequest(
        broker_id=2,
        broker_epoch=side.epoch if broker_epoch is None else broker_epoch,
        topics=[AlteredTopic(topic_id=topic_id, partitions=[row])],
    )

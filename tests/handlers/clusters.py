"""One broker that believes it is one of three: topics of three replicas, followers by hand."""

from __future__ import annotations

import asyncio
from typing import Any

from kit.broker import NODE_ID, Bench
from kit.raw_client import RawClient

from barnabas.broker.core.cluster.image import RESOURCE_TOPIC
from barnabas.broker.core.replication.partition import Partition
from barnabas.protocol.message import Message
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.register_broker_record import (
    BrokerEndpoint,
    RegisterBrokerRecord,
)
from barnabas.protocol.messages.topic_record import TopicRecord

TOPIC_ID = b"\x0a" * 16
BROKER_IDS = (1, 2, 3)


def epoch_of(broker_id: int) -> int:
    return 100 + broker_id


def register(bench: Bench, *, fenced: tuple[int, ...] = (), **racks: str) -> None:
    """Brokers 1 to 3, on ports 9001 to 9003; racks as b1="…"."""
    bench.apply(
        *(
            RegisterBrokerRecord(
                broker_id=broker_id,
                broker_epoch=epoch_of(broker_id),
                end_points=[
                    BrokerEndpoint(name="PLAINTEXT", host=f"b{broker_id}", port=9000 + broker_id)
                ],
                rack=racks.get(f"b{broker_id}"),
                fenced=broker_id in fenced,
            )
            for broker_id in BROKER_IDS
        )
    )


def create_replicated(
    bench: Bench, *, leader: int = NODE_ID, isr: tuple[int, ...] = BROKER_IDS, **configs: object
) -> bytes:
    """Topic t with one partition on brokers 1 to 3; its id."""
    records: list[Message] = [TopicRecord(name="t", topic_id=TOPIC_ID)]
    records += [
        ConfigRecord(
            resource_type=RESOURCE_TOPIC,
            resource_name="t",
            name=key.replace("_", "."),
            value=str(value),
        )
        for key, value in configs.items()
    ]
    records.append(
        PartitionRecord(
            partition_id=0,
            topic_id=TOPIC_ID,
            replicas=list(BROKER_IDS),
            isr=list(isr),
            leader=leader,
            leader_epoch=0,
            partition_epoch=0,
        )
    )
    bench.apply(*records)
    return TOPIC_ID


def elect(bench: Bench, leader: int) -> None:
    """A new leader epoch, led by this broker."""
    bench.apply(PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, leader=leader))


class Follower:
    """Fetches t-0 by hand, as broker `broker_id` would."""

    def __init__(self, client: RawClient, broker_id: int) -> None:
        self.client = client
        self.broker_id = broker_id
        self.session_id = 0
        self.session_epoch = 0

    def request(
        self,
        offset: int | None,
        *,
        broker_epoch: int | None = None,
        max_wait_ms: int = 0,
        **fields: Any,
    ) -> FetchRequest:
        """A fetch from `offset`; None continues the session where it is."""
        fields.setdefault("partition_max_bytes", 1 << 20)
        fields.setdefault("log_start_offset", 0)
        topics = []
        if offset is not None:
            part = FetchPartition(partition=0, fetch_offset=offset, **fields)
            topics.append(FetchTopic(topic_id=TOPIC_ID, partitions=[part]))
        epoch = epoch_of(self.broker_id) if broker_epoch is None else broker_epoch
        return FetchRequest(
            replica_state=ReplicaState(replica_id=self.broker_id, replica_epoch=epoch),
            max_wait_ms=max_wait_ms,
            min_bytes=1,
            session_id=self.session_id,
            session_epoch=self.session_epoch,
            topics=topics,
        )

    async def fetch(self, offset: int, **fields: Any) -> Any:
        """One fetch outside of a session; its only row."""
        self.session_epoch = -1
        answer = await self.client.ask(self.request(offset, **fields), 17)
        assert answer.error_code == 0
        return answer.responses[0].partitions[0]

    async def fetch_in_session(self, offset: int | None, **fields: Any) -> list[Any]:
        """The next fetch of the session; the rows that it is told."""
        answer = await self.client.ask(self.request(offset, **fields), 17)
        assert answer.error_code == 0
        self.session_id = answer.session_id
        self.session_epoch += 1
        return [row for topic in answer.responses for row in topic.partitions]


async def settled() -> None:
    """Let the loop deal with what is at hand."""
    for _ in range(5):
        await asyncio.sleep(0)


def partition_of(bench: Bench) -> Partition:
    found = bench.broker.replicas.get("t", 0)
    assert found is not None
    return found

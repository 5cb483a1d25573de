"""Asking for an offset by time, and for the end of a leader epoch."""

from __future__ import annotations

from typing import Any

from kit.raw_client import RawClient

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


async def ask_offset(
    client: RawClient, timestamp: int, version: int = 5, *, index: int = 0, **fields: Any
) -> Any:
    wanted = ListOffsetsPartition(partition_index=index, timestamp=timestamp)
    wanted.current_leader_epoch = fields.pop("current_leader_epoch", -1)
    fields.setdefault("replica_id", -1)
    request = ListOffsetsRequest(topics=[ListOffsetsTopic(name="t", partitions=[wanted])], **fields)
    return (await client.ask(request, version)).topics[0].partitions[0]


async def ask_epoch(client: RawClient, epoch: int, version: int = 3, **fields: Any) -> Any:
    wanted = OffsetForLeaderPartition(partition=0, leader_epoch=epoch, **fields)
    request = OffsetForLeaderEpochRequest(
        replica_id=-1 if version >= 3 else -2,
        topics=[OffsetForLeaderTopic(topic="t", partitions=[wanted])],
    )
    return (await client.ask(request, version)).topics[0].partitions[0]

"""Groups in a log that Apache Kafka wrote: classic, KIP-848, and offsets of transactions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from kit.kafka_directory import expectations, unpack
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.node import Node
from barnabas.protocol.messages.list_groups_request import ListGroupsRequest
from barnabas.protocol.messages.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)

from ..taken_over import start

KINDS = {
    ("g-classic-0", "consumer", "Empty", "classic"),
    ("g-consumer-0", "consumer", "Empty", "consumer"),
    ("tx-group-0", "", "Empty", "classic"),
}


def _is_loaded(node: Node) -> bool:
    return node.broker.groups.figures()["GroupCoordinator.ShardsActive"] > 0


async def offsets_of(client: RawClient, group: str, *, is_stable: bool) -> list[list[Any]]:
    one = OffsetFetchRequestGroup(group_id=group, topics=None)
    answer = await client.ask(OffsetFetchRequest(groups=[one], require_stable=is_stable), 9)
    assert answer.groups[0].error_code == 0
    return sorted(
        [topic.name, row.partition_index, row.committed_offset, row.committed_leader_epoch]
        for topic in answer.groups[0].topics
        for row in topic.partitions
    )


async def test_kafkas_groups_and_offsets_are_loaded(tmp_path: Path) -> None:
    """Every group has the offsets that Kafka told, stable ones too; transactions of the log are
    decided as their markers say; share groups are left unread (CRT-14, CRT-15, OFF-09)."""
    path = unpack(tmp_path)
    for _ in range(2):
        node = await start(path)
        try:
            await until(partial(_is_loaded, node))
            async with RawClient("127.0.0.1", node.port) as client:
                listed = (await client.ask(ListGroupsRequest(), 5)).groups
                assert {
                    (one.group_id, one.protocol_type, one.group_state, one.group_type)
                    for one in listed
                } == KINDS
                for group, wanted in expectations()["groups"].items():
                    for is_stable in (False, True):
                        found = await offsets_of(client, group, is_stable=is_stable)
                        assert found == wanted, group
        finally:
            await node.stop()

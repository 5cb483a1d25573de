"""What the tests of exactly-once writing look at: what readers see, and what is left open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from kit.markers import until_markers_are_written

from barnabas.client import Admin, Consumer, TopicPartition


async def committed_values(bootstrap: str, topic: str) -> list[bytes]:
    """The values that read_committed consumers see of all that has ended, sorted."""
    await until_markers_are_written(bootstrap)
    found: list[bytes] = []
    async with Consumer(
        bootstrap_servers=bootstrap, isolation_level="read_committed", auto_offset_reset="earliest"
    ) as consumer:
        partitions = sorted(await consumer.all_partitions(topic))
        ends = await consumer.end_offsets(partitions)
        consumer.assign([each for each in partitions if ends[each]])
        async with asyncio.timeout(60):
            while any([await consumer.position(at) < ends[at] for at in consumer.assignment()]):
                for records in (await consumer.getmany(timeout_ms=200)).values():
                    found += [bytes(each.value or b"") for each in records]
    return sorted(found)


async def open_transactions(bootstrap: str, prefix: str) -> list[str]:
    """Transactional ids with this prefix that have a transaction open."""
    async with Admin(bootstrap_servers=bootstrap) as admin:
        found = await admin.list_transactions(states=["Ongoing"])
    return [each.transactional_id for each in found if each.transactional_id.startswith(prefix)]


async def committed_offsets(bootstrap: str, groups: Sequence[str], topic: str) -> list[int]:
    """Of partition 0, by group; -1 where there is none."""
    at = TopicPartition(topic, 0)
    async with Admin(bootstrap_servers=bootstrap) as admin:
        found = [
            await admin.list_group_offsets(group, [at], require_stable=True) for group in groups
        ]
    return [each[at].offset if at in each else -1 for each in found]

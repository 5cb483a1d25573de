"""Producers that a node remembers: no more than `max.producer.ids`, in all partitions together."""

from __future__ import annotations

from pathlib import Path

from kit.batches import batch
from kit.broker import running
from kit.producing import send


async def test_the_partition_with_most_forgets_first(tmp_path: Path) -> None:
    """98-04: the limit is the node's; a partition with few producers loses none."""
    async with running(tmp_path, max_producer_ids=1000) as bench, bench.connect() as client:
        bench.create_topic("t", 2)
        for index, count in ((0, 1200), (1, 20)):
            for number in range(count):
                data = batch(
                    b"v",
                    producer_id=10_000 * index + number,
                    producer_epoch=0,
                    base_sequence=0,
                )
                assert (await send(client, data, index=index)).error_code == 0
        logs = [partition.log for partition in bench.broker.replicas]
        counts = [len(log.producers.by_id) for log in logs]
        assert sorted(counts) == [20, 1200]
        await bench.broker.background.limit_producers()
        kept = {len(log.producers.by_id): log for log in logs}
        assert sorted(kept) == [20, 880]
        assert min(kept[880].producers.by_id) == 320
        assert bench.log.events("producers forgotten") == [{"producers": 320, "limit": 1000}]
        await bench.broker.background.limit_producers()
        assert sorted(len(log.producers.by_id) for log in logs) == [20, 880]

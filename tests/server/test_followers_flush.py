"""What reaches a broker by no request of a producer is flushed by the same rules."""

from __future__ import annotations

from kit.waiting import until

from barnabas.client import Admin, NewTopic, Producer
from barnabas.testing import Cluster

MIB = 1024 * 1024


async def test_a_broker_that_only_follows_flushes_what_it_rolled() -> None:
    """Goal: its recovery point follows, or a start after a crash reads all of the log again, and
    compaction, which ends there, never begins."""
    async with Cluster(brokers=2) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            configs = {"segment.bytes": str(MIB), "min.insync.replicas": "1"}
            await admin.create_topics([NewTopic("t", 1, 2, topic_configs=configs)])
        leader = await cluster.wait_for_leader("t")
        follower = 3 - leader
        background = cluster.node(follower).broker.background
        await background.flush_due()  # nothing yet: what comes now must be found all the same
        async with Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer:
            for _ in range(4):
                await producer.send_and_wait("t", bytes(600 * 1024), partition=0)
        log = cluster.replica(follower, "t").log
        await until(lambda: log.log_end_offset == 4)
        assert len(log.segments) > 1
        await background.flush_due()
        await until(lambda: log.recovery_point >= log.segments.active.base_offset)

"""A cluster whose listeners all have TLS and logins, those of the quorum, too."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kit.secured import KEYS, PASSWORD, USER, fields_of, logins, options

from barnabas.client import Consumer, Producer, TopicPartition

from .clusters import cluster

SETTINGS = {
    **KEYS,
    **logins("PLAINTEXT", "CONTROLLER"),
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:SASL_SSL,CONTROLLER:SASL_SSL",
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
}
FIELDS = fields_of(SETTINGS)
del FIELDS["controller_listener_names"]  # `cluster` says it


@pytest.mark.slow
@pytest.mark.each_loop
async def test_three_nodes_with_tls_and_logins_everywhere(tmp_path: Path) -> None:
    """TLS-03, TLS-04, TLS-16, TLS-17: brokers replicate, and nodes elect, register and forward,
    over SASL_SSL alone; a leader is lost and another one goes on."""
    async with cluster(tmp_path, combined=3, **FIELDS) as nodes:
        assert not any(
            one.principal.name == "ANONYMOUS"
            for node in nodes.nodes.values()
            for listener in node.listeners
            for one in listener.connections._all
            if one.login is None
        )
        bootstrap = nodes.bootstrap
        for mechanism in ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"):
            login = options("SASL_SSL", mechanism)
            async with Producer(bootstrap_servers=bootstrap, **login) as producer:
                await (await producer.send("t", mechanism.encode(), partition=0))
        async with Producer(bootstrap_servers=bootstrap, **options("SASL_SSL")) as producer:
            image = nodes.active.image
            leader = image.topics_by_name["t"].partitions[0].leader
            await nodes.kill(leader)
            await (await producer.send("t", b"after", partition=0))
        values: list[bytes | None] = []
        async with Consumer(
            bootstrap_servers=bootstrap, auto_offset_reset="earliest", **options("SASL_SSL")
        ) as consumer:
            consumer.assign([TopicPartition("t", 0)])
            async with asyncio.timeout(20):
                while len(values) < 4:
                    found = await consumer.getmany(timeout_ms=1000)
                    values += [one.value for rows in found.values() for one in rows]
        assert values == [b"PLAIN", b"SCRAM-SHA-256", b"SCRAM-SHA-512", b"after"]


@pytest.mark.slow
async def test_brokers_by_scram(tmp_path: Path) -> None:
    """TLS-03, SASL-32: brokers prove that they know a password to each other, and replicate."""
    module = "org.apache.kafka.common.security.scram.ScramLoginModule"
    fields = fields_of(
        {
            **SETTINGS,
            "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
            "listener.name.plaintext.scram-sha-512.sasl.jaas.config": (
                f'{module} required username="{USER}" password="{PASSWORD}";'
            ),
        }
    )
    del fields["controller_listener_names"]
    async with cluster(tmp_path, combined=3, **fields) as nodes:
        login = options("SASL_SSL")
        async with Producer(bootstrap_servers=nodes.bootstrap, **login) as producer:
            await (await producer.send("t", b"by all of them", partition=0))
        partition = nodes.active.image.topics_by_name["t"].partitions[0]
        assert len(partition.isr) >= 2

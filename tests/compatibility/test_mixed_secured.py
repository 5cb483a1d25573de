"""A cluster of Apache Kafka 4.3.1 and barnabas where every connection is SASL_SSL.

Nodes log in to each other, to the controller too, and the controller decides who may do what, also
of what the other kind of broker sends on to it.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess
from kit.kafka_secured import kafka_settings
from kit.secured import (
    ADMIN,
    ADMIN_PASSWORD,
    KEYS,
    USER,
    fields_of,
    logins,
    options,
)
from kit.waiting import eventually
from server.clusters import CLUSTER_ID, cluster

from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.broker.node import Node
from barnabas.client import (
    AclBinding,
    AclOperation,
    AclPatternType,
    AclResourceType,
    Admin,
    Consumer,
    NewTopic,
    Producer,
    TopicPartition,
)
from barnabas.client.errors import ClientError, TopicAuthorizationFailedError
from barnabas.testing.cluster_layout import free_ports

from .mixed_cluster import (
    ASSIGNED,
    LED_BY_KAFKA,
    LED_BY_US,
    PATIENCE_S,
    are_active,
    check_same_files,
    is_full,
    join,
    until,
)

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

PROTOCOL: Final = "SASL_SSL"
OURS: Final = {
    **KEYS,
    **logins("PLAINTEXT", "CONTROLLER"),
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": f"PLAINTEXT:{PROTOCOL},CONTROLLER:{PROTOCOL}",
    "inter.broker.listener.name": "PLAINTEXT",
    "authorizer.class.name": STANDARD_AUTHORIZER,
    "super.users": f"User:{ADMIN}",
    "audit.enable": "false",
}
"""A node of ours with the same rules as Kafka's, whose nodes are the admin, too."""

AS_ADMIN: Final = {
    **options(PROTOCOL, "PLAIN", ADMIN_PASSWORD),
    "sasl_plain_username": ADMIN,
}
AS_ALICE: Final = options(PROTOCOL)
COUNT: Final = 200
RIGHTS: Final = ("TOPIC:t:READ", "TOPIC:t:WRITE", "TOPIC:alices-:CREATE")


def fields() -> dict[str, Any]:
    """`OURS` by field name; who starts the node names the controllers' listener."""
    found = fields_of(OURS)
    del found["controller_listener_names"]
    return found


def entries() -> list[AclBinding]:
    """What alice may do."""
    return [
        AclBinding(
            AclResourceType.TOPIC,
            name,
            f"User:{USER}",
            AclOperation[operation],
            pattern_type=AclPatternType.PREFIXED if name.endswith("-") else AclPatternType.LITERAL,
        )
        for _, name, operation in (right.split(":") for right in RIGHTS)
    ]


async def write(bootstrap: str, partitions: Sequence[int], **who: Any) -> None:
    """Numbers to each partition, acknowledged by all in sync."""
    async with Producer(bootstrap_servers=bootstrap, acks="all", **who) as producer:
        sent = [
            await producer.send("t", str(number).encode(), partition=partition)
            for number in range(COUNT)
            for partition in partitions
        ]
        await asyncio.wait_for(asyncio.gather(*sent), PATIENCE_S)


async def read(bootstrap: str, partition: int, **who: Any) -> list[int]:
    wanted = TopicPartition("t", partition)
    async with Consumer(
        bootstrap_servers=bootstrap, auto_offset_reset="earliest", **who
    ) as consumer:
        consumer.assign([wanted])
        found = [await asyncio.wait_for(consumer.getone(wanted), PATIENCE_S) for _ in range(COUNT)]
    return [int(bytes(one.value or b"")) for one in found]


async def check_rights(decided_elsewhere: str, admins: str) -> None:
    """FWD-03: alice asks one kind of broker, and the other kind of controller says no, then yes.

    `decided_elsewhere` is the broker's address, `admins` that of any broker.
    """
    async with Admin(bootstrap_servers=decided_elsewhere, **AS_ALICE) as alice:
        with pytest.raises(TopicAuthorizationFailedError):
            await alice.create_topics([NewTopic("alices-own", 1, 1)])
    async with Admin(bootstrap_servers=admins, **AS_ADMIN) as admin:
        await admin.create_acls(entries())

    async def is_made() -> bool:
        async with Admin(bootstrap_servers=decided_elsewhere, **AS_ALICE) as alice:
            try:
                await alice.create_topics([NewTopic("alices-own", 1, 1)])
            except TopicAuthorizationFailedError:
                return False  # its broker has not heard of the entry
            with pytest.raises(TopicAuthorizationFailedError):
                await alice.create_topics([NewTopic("others", 1, 1)])
        return True

    await eventually(is_made, bool)


@pytest.fixture
def kafka(kafka_jars: KafkaJars, tmp_path: Path) -> Iterator[KafkaProcess]:
    """Controller and broker."""
    (tmp_path / "kafka").mkdir()
    settings = kafka_settings(PROTOCOL) | {"auto.leader.rebalance.enable": "false"}
    process = KafkaProcess(kafka_jars, tmp_path / "kafka", settings)
    try:
        process.start()
        yield process
    finally:
        process.stop()


async def test_our_broker_under_kafkas_controller(kafka: KafkaProcess, tmp_path: Path) -> None:
    """TLS-03, TLS-04, FWD-02, FWD-03: it registers, replicates both ways, and hands on what alice
    asks with her name; Kafka's controller decides by entries that our broker obeys too."""
    node = await join(kafka, tmp_path / "ours", fields())
    try:
        await until(partial(are_active, node), "our broker is not active in its own metadata")
        ours = f"127.0.0.1:{node.port}"
        both = f"{kafka.address},{ours}"
        async with Admin(bootstrap_servers=kafka.address, **AS_ADMIN) as admin:
            await admin.create_topics([NewTopic("t", replica_assignments=ASSIGNED)])
        with pytest.raises(ClientError):
            await asyncio.wait_for(write(both, [LED_BY_US], **AS_ALICE), PATIENCE_S)
        await check_rights(ours, kafka.address)
        await write(both, list(ASSIGNED), **AS_ALICE)
        for partition in (LED_BY_KAFKA, LED_BY_US):
            await until(partial(is_full, node, "t", partition), "a replica is not in sync")
            assert await read(both, partition, **AS_ALICE) == list(range(COUNT))
        await check_same_files(kafka, node, tmp_path / "ours")
    finally:
        await node.stop()


BOTH: Final = {0: [7, 1], 1: [1, 7]}
"""The replicas of a topic's partitions: Kafka's broker is 7, ours 1."""


def are_there(node: Node) -> bool:
    """Whether both brokers are active, as far as ours has heard."""
    return [one.broker_id for one in node.image.active_brokers()] == [1, 7]


class KafkaBroker:
    """A broker of Kafka, under our controller."""

    def __init__(self, jars: KafkaJars, folder: Path, cluster_id: str, voters: str) -> None:
        (port,) = free_ports(1)
        self.address = f"127.0.0.1:{port}"
        folder.mkdir()
        config = folder / "server.properties"
        wanted = {
            "process.roles": "broker",
            "node.id": "7",
            "log.dirs": str(folder / "data"),
            "controller.quorum.voters": voters,
            "listeners": f"PLAINTEXT://{self.address}",
            "controller.listener.names": "CONTROLLER",
            **kafka_settings(PROTOCOL),
        }
        config.write_text("".join(f"{name}={value}\n" for name, value in wanted.items()))
        tool = ("kafka.tools.StorageTool", "format", "-t", cluster_id, "-c", str(config))
        done = jars.run(*tool)
        assert done.returncode == 0, done.stderr
        command = ["java", "-Xmx384M", "-XX:+UseSerialGC", "-cp", jars.classpath]
        with (folder / "output.txt").open("wb") as output:
            self.process = subprocess.Popen(
                [*command, "kafka.Kafka", str(config)], stdout=output, stderr=output
            )

    def end(self) -> None:
        """At once."""
        self.process.kill()
        self.process.wait()


async def test_kafkas_broker_under_our_controller(kafka_jars: KafkaJars, tmp_path: Path) -> None:
    """TLS-03, TLS-04, FWD-02, FWD-03: the other way round; our controller opens Kafka's
    envelopes."""
    async with cluster(tmp_path / "ours", combined=1, **fields()) as nodes:
        config = nodes.configs[1]
        theirs = await asyncio.to_thread(
            KafkaBroker,
            kafka_jars,
            tmp_path / "kafka",
            CLUSTER_ID,
            ",".join(config.controller_quorum_voters),
        )
        try:
            node = nodes.nodes[1]
            await until(partial(are_there, node), "Kafka's broker is not active")
            both = f"{nodes.bootstrap},{theirs.address}"
            async with Admin(bootstrap_servers=nodes.bootstrap, **AS_ADMIN) as admin:
                await admin.create_topics(
                    [NewTopic("t", replica_assignments={0: [7, 1], 1: [1, 7]})]
                )
            await check_rights(theirs.address, nodes.bootstrap)
            await write(both, list(BOTH), **AS_ALICE)
            for partition in BOTH:
                assert await read(both, partition, **AS_ALICE) == list(range(COUNT))
                found = node.image.partition("t", partition)
                assert found is not None
                assert sorted(found.isr) == sorted(BOTH[partition])
        finally:
            await asyncio.to_thread(theirs.end)

"""Kafka's own tools and clients on a cluster of three with TLS, logins and rights everywhere."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from kit.kafka_jars import KafkaJars
from kit.secured import (
    ADMIN,
    ADMIN_PASSWORD,
    CA,
    KEYS,
    MECHANISMS,
    PASSWORD,
    USER,
    fields_of,
    logins,
)
from server.clusters import NodesCluster, cluster

from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER

from .locked_node import ALICE, ports

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

TOOLS: Final = "org.apache.kafka.tools."
TIMEOUT_S: Final = 240.0
SETTINGS: Final = {
    **KEYS,
    **logins("PLAINTEXT", "CONTROLLER"),
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:SASL_SSL,CONTROLLER:SASL_SSL",
    "super.users": f"User:{ADMIN}",
    "authorizer.class.name": STANDARD_AUTHORIZER,
    "audit.enable": "false",
    "default.replication.factor": "3",
    "auto.create.topics.enable": "false",
}


class Tools:
    """Runs Kafka's tools as somebody, and gives what they say."""

    def __init__(self, jars: KafkaJars, folder: Path, nodes: NodesCluster) -> None:
        self._jars = jars
        self._folder = folder
        self._nodes = nodes
        self._bootstrap = nodes.bootstrap

    def end_of(self, topic: str) -> int:
        """The end of its partition 0, as its leader has it."""
        leader = self._nodes.active.image.topics_by_name[topic].partitions[0].leader
        role = self._nodes.nodes[leader].role
        assert role is not None
        partition = role.broker.replicas.get(topic, 0)
        assert partition is not None
        return partition.log.log_end_offset

    def properties(self, mechanism: str, user: str, password: str) -> str:
        """The path of a client's properties."""
        module = "plain.PlainLoginModule" if mechanism == "PLAIN" else "scram.ScramLoginModule"
        escaped = password.replace('"', r"\\\"")
        path = self._folder / f"{user}-{mechanism}.properties"
        path.write_text(
            "security.protocol=SASL_SSL\nssl.truststore.type=PEM\n"
            f"ssl.truststore.location={CA}\nsasl.mechanism={mechanism}\n"
            f"sasl.jaas.config=org.apache.kafka.common.security.{module} required "
            f'username="{user}" password="{escaped}";\n'
        )
        return str(path)

    async def run(self, name: str, *arguments: str, config: str, said: str = "") -> tuple[int, str]:
        """Status, and what it printed on either output."""
        command = self._jars.command(
            name, "--bootstrap-server", self._bootstrap, *arguments, "--command-config", config
        )

        def work() -> tuple[int, str]:
            done = subprocess.run(
                command,
                input=said,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
            )
            return done.returncode, done.stdout + done.stderr

        return await asyncio.to_thread(work)

    async def well(self, name: str, *arguments: str, config: str, said: str = "") -> str:
        """The same of a tool that must succeed."""
        status, told = await self.run(name, *arguments, config=config, said=said)
        assert status == 0, told
        return told


@asynccontextmanager
async def locked(folder: Path, jars: KafkaJars) -> AsyncIterator[Tools]:
    """A cluster where nobody but the nodes' own user may do anything yet."""
    fields = fields_of(SETTINGS)
    del fields["controller_listener_names"]  # `cluster` says it
    async with cluster(folder, combined=3, **fields) as nodes:
        yield Tools(jars, folder, nodes)


async def test_other_listeners(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """TLS-12, TLS-14, SASL-20: a client's certificate, and a login without TLS: each makes a topic
    as the user that it is."""
    async with ports(tmp_path / "node") as addresses:
        for protocol, lines in {
            "SSL": f"ssl.keystore.type=PEM\nssl.keystore.location={ALICE}\n"
            f"ssl.truststore.type=PEM\nssl.truststore.location={CA}\n",
            "SASL_PLAINTEXT": "sasl.mechanism=PLAIN\nsasl.jaas.config=org.apache.kafka.common."
            f'security.plain.PlainLoginModule required username="{USER}" password="{PASSWORD}";\n',
        }.items():
            config = tmp_path / f"{protocol}.properties"
            config.write_text(f"security.protocol={protocol}\n{lines}")
            topic = ("--create", "--if-not-exists", "--topic", "t", "--command-config", str(config))
            at = ("--bootstrap-server", addresses[protocol])
            done = await asyncio.to_thread(kafka_jars.run, f"{TOOLS}TopicCommand", *at, *topic)
            assert done.returncode == 0, done.stdout + done.stderr
            listed = ("--list", "--command-config", str(config))
            done = await asyncio.to_thread(kafka_jars.run, f"{TOOLS}TopicCommand", *at, *listed)
            assert done.stdout.split() == ["t"], done.stdout + done.stderr


async def test_users_rights_and_quotas(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """SASL-28, SASL-30, ACL-13, ACL-14, QTA-04: kafka-configs makes a user and limits it,
    kafka-acls gives it rights, and with these it may do what it could not before."""
    async with locked(tmp_path, kafka_jars) as tools:
        admin = tools.properties("PLAIN", ADMIN, ADMIN_PASSWORD)
        configs = "kafka.admin.ConfigCommand"
        bob = ("--entity-type", "users", "--entity-name", "bob")
        secret = "SCRAM-SHA-512=[iterations=8192,password=bobs]"
        await tools.well(configs, "--alter", *bob, "--add-config", secret, config=admin)
        limit = ("--add-config", "producer_byte_rate=1000000,request_percentage=150")
        await tools.well(configs, "--alter", *bob, *limit, config=admin)
        told = await tools.well(configs, "--describe", *bob, config=admin)
        assert "SCRAM-SHA-512=iterations=8192" in told
        assert "producer_byte_rate=1000000.0" in told
        assert "request_percentage=150.0" in told
        assert "bobs" not in told
        own = tools.properties("SCRAM-SHA-512", "bob", "bobs")
        create = ("--create", "--topic", "bobs-own", "--partitions", "2")
        status, told = await tools.run(f"{TOOLS}TopicCommand", *create, config=own)
        assert status != 0
        assert "Topic authorization failed" in told
        add = ("--add", "--allow-principal", "User:bob", "--operation", "All", "--topic", "bobs-")
        acls = f"{TOOLS}AclCommand"
        await tools.well(acls, *add, "--resource-pattern-type", "prefixed", config=admin)
        assert "bobs-own" in await tools.well(f"{TOOLS}TopicCommand", *create, config=own)
        told = await tools.well(acls, "--list", "--principal", "User:bob", config=admin)
        assert "name=bobs-, patternType=PREFIXED" in told
        status, told = await tools.run(acls, "--list", config=own)
        assert "Cluster authorization failed" in told
        await tools.well(configs, "--alter", *bob, "--delete-config", "SCRAM-SHA-512", config=admin)
        _, told = await tools.run(f"{TOOLS}TopicCommand", "--list", config=own)
        assert "Authentication failed" in told


@pytest.mark.parametrize("mechanism", MECHANISMS)
async def test_records_and_groups(tmp_path: Path, kafka_jars: KafkaJars, mechanism: str) -> None:
    """TLS-16, SASL-20, SASL-24, ACL-07: console producer, console consumer in a group, and
    kafka-consumer-groups; what is not granted is refused."""
    async with locked(tmp_path, kafka_jars) as tools:
        admin = tools.properties("PLAIN", ADMIN, ADMIN_PASSWORD)
        alice = tools.properties(mechanism, USER, PASSWORD)
        for topic in ("flights", "others"):
            create = ("--create", "--topic", topic, "--partitions", "1")
            await tools.well(f"{TOOLS}TopicCommand", *create, config=admin)
        who = ("--add", "--allow-principal", f"User:{USER}", "--topic", "flights")
        acls = f"{TOOLS}AclCommand"
        await tools.well(acls, *who, "--producer", config=admin)
        await tools.well(acls, *who, "--consumer", "--group", "readers", config=admin)
        producer = f"{TOOLS}ConsoleProducer"
        await tools.well(producer, "--topic", "flights", config=alice, said="a\nb\nc\n")
        await tools.run(producer, "--topic", "others", config=alice, said="a\n")
        assert (tools.end_of("flights"), tools.end_of("others")) == (3, 0)
        consumer = f"{TOOLS}consumer.ConsoleConsumer"
        read = ("--topic", "flights", "--from-beginning", "--max-messages", "3")
        told = await tools.well(consumer, *read, "--group", "readers", config=alice)
        assert told.split()[:3] == ["a", "b", "c"]
        _, told = await tools.run(consumer, *read, "--group", "strangers", config=alice)
        assert "Processed a total of 0 messages" in told
        groups = f"{TOOLS}consumer.group.ConsumerGroupCommand"
        told = await tools.well(groups, "--describe", "--group", "readers", config=alice)
        assert " 3 " in told

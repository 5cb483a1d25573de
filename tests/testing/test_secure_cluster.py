"""A secured cluster on one loop: TLS at its doors, logins, rights, and the same faults."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from pathlib import Path

import confluent_kafka
import pytest

from barnabas.authority import issue, new_authority
from barnabas.broker.core.cluster.image import RESOURCE_BROKER
from barnabas.client import (
    Admin,
    AlterConfig,
    ConfigResource,
    ConfigResourceType,
    Consumer,
    NewTopic,
    Producer,
    TopicPartition,
)
from barnabas.client.errors import BrokerError, ConnectionFailedError, InvalidRequestError
from barnabas.testing import CLIENTS, BackgroundCluster, Cluster, ClusterError

pytestmark = pytest.mark.slow
TOPIC = "app-t"


async def test_faults_behind_tls() -> None:
    """TLS-03, TLS-04, ACL-06: nodes know each other by certificates through doors that know them,
    too: one is cut off, one killed, one paused, and clients go on with what was written."""
    async with Cluster(3, secure=True) as cluster:
        async with Admin(**cluster.client_options()) as admin:
            await admin.create_topics([NewTopic(TOPIC, 1, 3)])
            with pytest.raises(BrokerError, match="AUTHORIZATION"):
                await admin.create_topics([NewTopic("t", 1, 3)])
        async with Producer(**cluster.client_options(), acks="all") as producer:
            await (await producer.send(TOPIC, b"0", partition=0))
            first = await cluster.wait_for_leader(TOPIC)
            other = next(one for one in (1, 2, 3) if one != first)
            cluster.isolate(other)
            await cluster.wait_for_isr(TOPIC, 0, {1, 2, 3} - {other})
            await (await producer.send(TOPIC, b"1", partition=0))
            cluster.heal()
            await cluster.wait_for_isr(TOPIC, 0, {1, 2, 3})
            await cluster.kill(first)
            await cluster.wait_for_leader(TOPIC, not_=first)
            await (await producer.send(TOPIC, b"2", partition=0))
            await cluster.start(first)
            cluster.pause(first)
            cluster.resume(first)
            await cluster.wait_for_isr(TOPIC, 0, {1, 2, 3})
        values: list[bytes | None] = []
        async with Consumer(
            **cluster.client_options("admin"), auto_offset_reset="earliest"
        ) as consumer:
            consumer.assign([TopicPartition(TOPIC, 0)])
            async with asyncio.timeout(30):
                while len(values) < 3:
                    found = await consumer.getmany(timeout_ms=1000)
                    values += [one.value for rows in found.values() for one in rows]
        assert values == [b"0", b"1", b"2"]


async def test_each_node_judges_its_own_certificates(tmp_path: Path) -> None:
    """TLS-18..20: the broker that is asked looks, and only then is the controller; what it
    refuses is not forwarded, and all else in the request is; nobody answers for another."""
    name = "listener.name.clients.ssl.keystore.location"
    stranger = tmp_path / "stranger.pem"
    stranger.write_text(issue(new_authority("x"), "stranger", ["127.0.0.1"]).pem)
    async with Cluster(3, secure=True) as cluster:
        assert cluster.security is not None
        async with Admin(**cluster.client_options("admin")) as admin:
            for number in (1, 2, 3):
                broker = ConfigResource(ConfigResourceType.BROKER, str(number))
                good = AlterConfig(name, str(cluster.security.keystore_of(number)))
                await admin.incremental_alter_configs({broker: [good]})
                with pytest.raises(InvalidRequestError, match="is CN=stranger's, not CN=node-"):
                    await admin.incremental_alter_configs(
                        {broker: [AlterConfig(name, str(stranger))]}
                    )
                assert cluster.image.config_of(RESOURCE_BROKER, str(number)) == {name: good.value}
            assert await admin.list_topics() == {}


async def test_who_has_no_business_there() -> None:
    """TLS-12, TLS-23: the doors of nodes want a node's certificate; plain words reach nobody;
    the door is open to others meanwhile."""
    async with Cluster(1, secure=True) as cluster:
        assert cluster.security is not None
        (layout,) = cluster.layout.nodes
        context = ssl.create_default_context(cafile=str(cluster.security.ca))
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        for port in (layout.broker_port, layout.controller_port):
            with pytest.raises((ssl.SSLError, ConnectionError)):
                await asyncio.open_connection("127.0.0.1", port, ssl=context)
        silent = await asyncio.open_connection("127.0.0.1", layout.port)
        with pytest.raises(ConnectionFailedError):
            await Admin(bootstrap_servers=cluster.bootstrap, request_timeout_ms=2000).start()
        async with Admin(**cluster.client_options()) as admin:
            assert await admin.list_topics() == {}
        silent[1].close()
        with contextlib.suppress(ConnectionError):
            await silent[1].wait_closed()


def test_other_clients_by_their_own_words() -> None:
    """SASL-22..25: librdkafka; a client that is cut off is served when the cut is healed."""
    with BackgroundCluster(1, secure=True) as cluster:
        producer = confluent_kafka.Producer(cluster.client_properties("admin"))
        producer.produce("t", b"x")
        assert producer.flush(30) == 0
        cluster.cut(CLIENTS, 1)
        producer.produce("t", b"y")
        assert producer.flush(0.2) == 1
        cluster.heal()
        assert producer.flush(30) == 0


async def test_controllers_start_first() -> None:
    """Goal: rights are granted when there is a broker to ask, also where controllers came first."""
    cluster = Cluster(1, controllers=1, secure=True)
    try:
        await cluster.start(2)
        await cluster.start()
        assert cluster.security is not None
        assert cluster.security.has_granted
    finally:
        await cluster.close()


def test_what_is_asked_too_early_or_wrongly(tmp_path: Path) -> None:
    """Goal: errors that name what is wrong; an open cluster has options, too."""
    cluster = Cluster(1, secure=True, directory=tmp_path)
    with pytest.raises(ClusterError, match="when the cluster starts"):
        cluster.client_options()
    asyncio.run(cluster.close())
    with BackgroundCluster(1) as opened:
        assert opened.client_options() == {"bootstrap_servers": opened.bootstrap}
        assert opened.client_properties() == {"bootstrap.servers": opened.bootstrap}
    with (
        BackgroundCluster(1, secure=True) as secured,
        pytest.raises(ClusterError, match="the users are admin, app"),
    ):
        secured.client_options("nobody")

"""Every API in every version, while one of three brokers is dead.

What an answer tells depends on the state of the cluster, and what of it can be told on the version:
a value that a version cannot carry is a bug that shows only where both meet. A node that meets one
says so, and then the test fails (`kit/reported_bugs.py`).
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any  # Any: handlers of brokers and controllers

import pytest
from kit.plausible import Form, plausible
from kit.raw_client import RawClient

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.server.served_apis import OF_BROKERS
from barnabas.broker.serving.handler import Handler
from barnabas.broker.storage.files import real_env
from barnabas.client import Admin, NewTopic
from barnabas.protocol.message import Message
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import plan_cluster
from barnabas.testing.process_cluster import ProcessCluster

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

TOPIC = "t"
LAST = ("DeleteTopics", "DeleteGroups", "DeleteRecords", "UnregisterBroker")
"""APIs that would take away what others ask for."""

ANSWERED_WITHIN_S = 60.0


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ProcessCluster]:
    settings = {"group.initial.rebalance.delay.ms": "0", "broker.session.timeout.ms": "2000"}
    layout = plan_cluster(
        cluster_id=uuid_to_text(random_uuid(real_env())), brokers=3, settings=settings
    )
    made = ProcessCluster.create(tmp_path / "cluster", layout)
    try:
        yield made.start()
    finally:
        made.down()


async def ask(address: tuple[str, int], request: Message, version: int) -> bool:
    """Whether it is answered; the other thing that may happen is that the connection is closed."""
    assert request.API_KEY is not None
    async with RawClient(*address) as client:
        client.send(request, version)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            async with asyncio.timeout(ANSWERED_WITHIN_S):
                await client.receive(request.API_KEY, version)
            return True
    return False


async def ask_all(
    cluster: ProcessCluster, node_id: int, handler: Handler[Any], topic_id: bytes
) -> bool:
    """Each version, in four forms, at once: some are waited with as long as a controller may take.
    Whether any is answered."""
    address = cluster.layout.host, cluster.layout.node(node_id).port
    requests = [
        (plausible(handler.api.request, version, Form(TOPIC, topic_id, flag, has_nulls)), version)
        for version in range(handler.first, handler.last + 1)
        for flag, has_nulls in itertools.product((False, True), repeat=2)
    ]
    return any(await asyncio.gather(*(ask(address, *one) for one in requests)))


async def topic_of(cluster: ProcessCluster) -> bytes:
    """A topic on all brokers, and its id."""
    async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
        await admin.create_topics([NewTopic(TOPIC, 3, 3)])
        return (await admin.describe_topics([TOPIC]))[TOPIC].topic_id


async def test_while_a_broker_is_dead(cluster: ProcessCluster) -> None:
    """Goal: each of the others answers, or closes the connection; nothing is a bug."""
    topic_id = await topic_of(cluster)
    cluster.kill(3)
    handlers = sorted(OF_BROKERS.values(), key=lambda one: one.api.name in LAST)
    for handler in handlers:
        for node_id in (1, 2):
            assert await ask_all(cluster, node_id, handler, topic_id), handler.api.name


async def test_without_a_controller(cluster: ProcessCluster) -> None:
    """Goal: so does the last one of three, as far as nobody else must be asked."""
    topic_id = await topic_of(cluster)
    cluster.kill(2)
    cluster.kill(3)
    own = [handler for handler in OF_BROKERS.values() if not handler.is_forwarded]
    await asyncio.gather(*(ask_all(cluster, 1, handler, topic_id) for handler in own))

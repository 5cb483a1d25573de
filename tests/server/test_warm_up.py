"""What a node loads before the end of another one comes."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.server.warm_up import OF_BROKERS, OF_CONTROLLERS, modules_of

VOTERS = ("1@localhost:1", "2@localhost:2", "3@localhost:3")


def test_by_role() -> None:
    """Goal: a node alone has nobody whose end could come."""
    alone = BrokerConfig(process_roles=("broker", "controller"))
    assert modules_of(alone) == ()
    broker = BrokerConfig(process_roles=("broker",), controller_quorum_voters=VOTERS)
    assert modules_of(broker) == OF_BROKERS
    both = BrokerConfig(process_roles=("broker", "controller"), controller_quorum_voters=VOTERS)
    assert modules_of(both) == (*OF_BROKERS, *OF_CONTROLLERS)


def test_a_hand_over_loads_nothing_more() -> None:
    """631-03, 595-08: after the warm-up, the end of the node that leads partitions and the quorum
    makes nobody load a module while a producer waits."""
    program = textwrap.dedent(SCENARIO)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert loaded == []


SCENARIO = """
import asyncio, json, sys
from barnabas.broker.server import background, warm_up
from barnabas.client import Admin, NewTopic, Producer
from barnabas.testing import Cluster

background.WARM_UP_MS = 3_600_000  # done by hand below, once

async def run():
    async with Cluster(3) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 3, 3)])
        for partition in range(3):
            await cluster.wait_for_isr("t", partition, [1, 2, 3])
        async with Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer:
            for partition in range(3):
                await (await producer.send("t", b"before", partition=partition))
            node = cluster.active_controller
            warm_up.warm_up(node.config, node.log)
            before = set(sys.modules)
            await cluster.stop(node.node_id)
            for partition in range(3):
                await (await producer.send("t", b"after", partition=partition))
            await cluster.wait_until(lambda: cluster.active_controller not in (None, node), "41")
            loaded = set(sys.modules) - before
    print(json.dumps(sorted(one for one in loaded if "barnabas." in one or "structlog" in one)))

asyncio.run(run())
"""

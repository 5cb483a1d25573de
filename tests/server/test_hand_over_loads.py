"""What a node has loaded before the end of another one comes."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest


@pytest.mark.slow
def test_a_hand_over_loads_nothing_more() -> None:
    """631-03, 595-08: the end of the node that leads partitions and the quorum makes nobody load a
    module while a producer waits."""
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
from barnabas.client import Admin, NewTopic, Producer
from barnabas.testing import Cluster

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
            before = set(sys.modules)
            await cluster.stop(node.node_id)
            for partition in range(3):
                await (await producer.send("t", b"after", partition=partition))
            await cluster.wait_until(lambda: cluster.active_controller not in (None, node), "41")
            loaded = set(sys.modules) - before
    print(json.dumps(sorted(one for one in loaded if "barnabas." in one or "structlog" in one)))

asyncio.run(run())
"""

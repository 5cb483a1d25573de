"""docker-compose.yml, tried without Docker: its services as processes on this machine.

What is read from the file are the services' environments; names of containers become 127.0.0.1,
and their ports free ones.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from barnabas.broker.settings import load_config
from barnabas.client import Admin, NewTopic, Producer

from .compose_services import FILE, draw_cluster_id, environments, running

pytestmark = pytest.mark.slow


def test_the_id_is_drawn_once_for_each_cluster(tmp_path: Path) -> None:
    """Goal: no two clusters share an id because they share the file; a later `up` keeps it."""
    drawn = []
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        drawn.append(draw_cluster_id(folder))
        assert re.fullmatch(r'cluster\.id = "[\w-]{22}"\n', drawn[-1])
        config = load_config(file=str(folder / "barnabas.toml"))
        assert config.cluster_id == drawn[-1].split('"')[1]
        assert draw_cluster_id(folder) == drawn[-1]
    assert len(set(drawn)) == len(drawn)
    assert "CLUSTER_ID" not in FILE.read_text(encoding="utf-8")


async def use(bootstrap: str) -> None:
    """Write to a topic on all three, through whichever listener."""
    async with Admin(bootstrap_servers=bootstrap) as admin:
        await admin.create_topics([NewTopic(f"t-{bootstrap[-5:]}", 1, 3)])
        described = await admin.describe_cluster()
        brokers = sorted(described.brokers)
        assert [(one.node_id, one.rack) for one in brokers] == [(1, "a"), (2, "b"), (3, "c")]
        assert ",".join(f"{one.host}:{one.port}" for one in brokers) == bootstrap
    async with Producer(bootstrap_servers=bootstrap, acks="all") as producer:
        await asyncio.wait_for(await producer.send(f"t-{bootstrap[-5:]}", b"x"), 60)


def test_the_health_check_reads_the_age_of_the_ready_file(tmp_path: Path) -> None:
    """Goal: healthy while the node touches its file; not without it, nor when it got old."""
    dockerfile = (FILE.parent / "Dockerfile").read_text(encoding="utf-8")
    check = dockerfile.partition("HEALTHCHECK ")[2].partition("CMD ")[2].partition("\n")[0]
    told = {"/run/barnabas/ready"} | set(re.findall(r"ready.file = \"(.*)\"", dockerfile))
    told |= {settings["BARNABAS_READY_FILE"] for settings in environments().values()}
    assert len(told) == 1
    file = tmp_path / "ready"
    check = check.replace(told.pop(), str(file))

    def is_healthy() -> bool:
        return subprocess.run(["sh", "-c", check], check=False, timeout=60).returncode == 0

    assert not is_healthy()
    file.touch()
    assert is_healthy()
    long_ago = time.time() - 3600
    os.utime(file, (long_ago, long_ago))
    assert not is_healthy()


def test_the_services_are_one_cluster(tmp_path: Path) -> None:
    """Goal: three brokers in three racks, one cluster, reached inside and from the host."""
    draw_cluster_id(tmp_path)
    with running(tmp_path, environments()) as ports:
        for listener in ("INTERNAL", "EXTERNAL"):
            places = [f"127.0.0.1:{ports[number, listener]}" for number in (1, 2, 3)]
            asyncio.run(use(",".join(places)))

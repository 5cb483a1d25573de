"""docker-compose.yml, tried without Docker: its services as processes on this machine.

What is read from the file are the services' environments; names of containers become 127.0.0.1,
and their ports free ones.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from barnabas.broker.settings import load_config
from barnabas.client import Admin, NewTopic, Producer
from barnabas.testing.cluster_layout import free_ports

pytestmark = pytest.mark.slow

FILE = Path(__file__).resolve().parents[2] / "docker-compose.yml"
PORTS = {"9092": "EXTERNAL", "9093": "CONTROLLER", "9094": "INTERNAL"}
_ENTRY = re.compile(r"^\s+(BARNABAS_[A-Z_]+): \"?([^\"\n]+)\"?$", re.MULTILINE)
_PLACE = re.compile(r"(broker-\d|0\.0\.0\.0|localhost):(\d+)")


def environments() -> dict[int, dict[str, str]]:
    """Settings of each service by its node id, as Compose would merge them."""
    shared, _, services = FILE.read_text(encoding="utf-8").partition("\nservices:")
    found = {}
    for number in (1, 2, 3):
        _, _, own = services.partition(f"\n  broker-{number}:\n")
        own = own.partition("\n  broker-")[0]
        found[number] = dict(_ENTRY.findall(shared)) | dict(_ENTRY.findall(own))
        assert found[number]["BARNABAS_NODE_ID"] == str(number)
        assert f"data-{number}:/data" in own
        assert "<<: *environment" in own
    return found


def draw_cluster_id(folder: Path) -> str:
    """What the service that draws the cluster's id does, in `folder` instead of /cluster."""
    _, _, script = FILE.read_text(encoding="utf-8").partition("      - |\n")
    script, _, _ = script.partition("    healthcheck:")
    script = script.replace("$$", "$").replace("cd /cluster", f"cd {folder}")
    subprocess.run(["sh", "-ec", script], check=True, timeout=60)
    return (folder / "barnabas.toml").read_text()


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


def here(number: int, value: str, ports: dict[tuple[int, str], int]) -> str:
    """A setting of service `number` with this machine's places."""

    def place(found: re.Match[str]) -> str:
        host, port = found.groups()
        owner = int(host.removeprefix("broker-")) if host.startswith("broker-") else number
        name = PORTS.get(port, "EXTERNAL")  # a port of the host that leads to 9092
        return f"127.0.0.1:{ports[owner, name]}"

    return _PLACE.sub(place, value)


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
    names = [(number, name) for number in (1, 2, 3) for name in PORTS.values()]
    ports = dict(zip(names, free_ports(len(names)), strict=True))
    nodes = []
    try:
        for number, settings in environments().items():
            settings.pop("BARNABAS_BOOTSTRAP_SERVER")
            settings["BARNABAS_READY_FILE"] = str(tmp_path / f"ready-{number}")
            placed = {name: here(number, value, ports) for name, value in settings.items()}
            with (tmp_path / f"{number}.log").open("wb") as output:
                command = [sys.executable, "-m", "barnabas.cli.main", "serve"]
                nodes.append(
                    subprocess.Popen(
                        [
                            *command,
                            *("--config", str(tmp_path / "barnabas.toml")),
                            *("--dir", str(tmp_path / f"data-{number}")),
                        ],
                        env=dict(os.environ) | placed,
                        stdout=output,
                        stderr=subprocess.STDOUT,
                    )
                )
        for number, node in zip((1, 2, 3), nodes, strict=True):
            wait_until_ready(node, tmp_path / f"{number}.log")
        for listener in ("INTERNAL", "EXTERNAL"):
            places = [f"127.0.0.1:{ports[number, listener]}" for number in (1, 2, 3)]
            asyncio.run(use(",".join(places)))
        for node in nodes:
            node.terminate()
        assert [node.wait(60) for node in nodes] == [0, 0, 0]
    finally:
        for node in nodes:
            node.kill()
            node.wait()


def wait_until_ready(node: subprocess.Popen[bytes], output: Path) -> None:
    """Its ready line, which comes when the broker is let in."""
    deadline = time.monotonic() + 60
    while b" ready: " not in output.read_bytes():
        assert node.poll() is None, output.read_text()
        assert time.monotonic() < deadline, output.read_text()
        time.sleep(0.02)  # another process: there is nothing to wait on but its output

"""The services of docker-compose.yml without Docker: their settings, and their places here."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from barnabas.testing.cluster_layout import free_ports

FILE = Path(__file__).resolve().parents[2] / "docker-compose.yml"
SECURE_FILE = FILE.with_name("docker-compose.secure.yml")
PORTS = {"9092": "EXTERNAL", "9093": "CONTROLLER", "9094": "INTERNAL"}
_ENTRY = re.compile(r"^\s+(BARNABAS_[A-Z_]+): \"?([^\"\n]+)\"?$", re.MULTILINE)
_PLACE = re.compile(r"(broker-\d|0\.0\.0\.0|localhost):(\d+)")


def environments() -> dict[int, dict[str, str]]:
    """Settings of each service by its node id, as Compose would merge them."""
    found = _environments(FILE)
    for number, settings in found.items():
        assert settings["BARNABAS_NODE_ID"] == str(number)
    services = FILE.read_text(encoding="utf-8")
    assert all(f"data-{number}:/data" in services for number in found)
    return found


def secured_environments() -> dict[int, dict[str, str]]:
    """The same with the second file."""
    more = _environments(SECURE_FILE)
    return {number: settings | more[number] for number, settings in environments().items()}


def _environments(file: Path) -> dict[int, dict[str, str]]:
    shared, _, services = file.read_text(encoding="utf-8").partition("\nservices:")
    found = {}
    for number in (1, 2, 3):
        _, _, own = services.partition(f"\n  broker-{number}:\n")
        own = own.partition("\n  broker-")[0]
        found[number] = dict(_ENTRY.findall(shared)) | dict(_ENTRY.findall(own))
        assert "<<: *environment" in own
    return found


def script_of(file: Path) -> str:
    """What the one service does that is no broker."""
    lines = file.read_text(encoding="utf-8").partition("      - |\n")[2].splitlines()
    inside = [line for line in itertools.takewhile(lambda one: one.startswith(" " * 8), lines)]
    return "\n".join(line[8:] for line in inside).replace("$$", "$") + "\n"


def draw_cluster_id(folder: Path) -> str:
    """What the service that draws the cluster's id does, in `folder` instead of /cluster."""
    script = script_of(FILE).replace("cd /cluster", f"cd {folder}")
    subprocess.run(["sh", "-ec", script], check=True, timeout=60)
    return (folder / "barnabas.toml").read_text()


def here(number: int, value: str, ports: dict[tuple[int, str], int]) -> str:
    """A setting of service `number` with this machine's places."""

    def place(found: re.Match[str]) -> str:
        host, port = found.groups()
        owner = int(host.removeprefix("broker-")) if host.startswith("broker-") else number
        name = PORTS.get(port, "EXTERNAL")  # a port of the host that leads to 9092
        return f"127.0.0.1:{ports[owner, name]}"

    return _PLACE.sub(place, value)


@contextmanager
def running(
    folder: Path, environments: Mapping[int, Mapping[str, str]]
) -> Iterator[dict[tuple[int, str], int]]:
    """The services as processes, ready; in `folder` are `barnabas.toml` and their data. The ports
    by number and listener. At the end they are stopped, and must end well."""
    names = [(number, name) for number in environments for name in PORTS.values()]
    ports = dict(zip(names, free_ports(len(names)), strict=True))
    nodes = []
    try:
        for number, settings in environments.items():
            placed = {name: here(number, value, ports) for name, value in settings.items()}
            placed["BARNABAS_READY_FILE"] = str(folder / f"ready-{number}")
            with (folder / f"{number}.log").open("wb") as output:
                command = [sys.executable, "-m", "barnabas.cli.main", "serve"]
                command += ["--config", str(folder / "barnabas.toml")]
                command += ["--dir", str(folder / f"data-{number}")]
                nodes.append(
                    subprocess.Popen(
                        command,
                        env=dict(os.environ) | placed,
                        stdout=output,
                        stderr=subprocess.STDOUT,
                    )
                )
        for number, node in zip(environments, nodes, strict=True):
            wait_until_ready(node, folder / f"{number}.log")
        yield ports
        for node in nodes:
            node.terminate()
        assert [node.wait(60) for node in nodes] == [0] * len(nodes)
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

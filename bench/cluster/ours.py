"""Three nodes of barnabas: from the wheel, or from this checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from barnabas.testing.cluster_layout import plan_cluster

from ..node import ASK, PYTHON, build_environment
from .running import BUILD, NODES, RACKS, SETTINGS, Cluster

CLUSTER_ID = "AAAAAAAAAAAAAAAAAAAAAQ"
COMPILE = "import uvloop, barnabas.broker.__main__, barnabas.broker.node"


class Barnabas(Cluster):
    """Three brokers that are the quorum too."""

    name = "barnabas"
    title = "barnabas"

    def __init__(self, *, checkout: bool = False) -> None:
        super().__init__()
        self.python = Path(sys.executable) if checkout else PYTHON
        self.checkout = checkout

    def prepare(self) -> None:
        if not self.checkout:
            build_environment(compiled=True)
            return
        # As an installation has: else the first start reads 200 files of source.
        subprocess.run([str(self.python), "-c", COMPILE], env=self.environment(), check=True)

    def versions(self) -> dict[str, str]:
        command = [str(self.python), "-c", ASK]
        answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
        return dict(json.loads(answer.stdout))

    def environment(self) -> dict[str, str]:
        found = {**os.environ}
        if self.checkout:
            found.pop("PYTHONDONTWRITEBYTECODE", None)
            found["PYTHONPYCACHEPREFIX"] = str(BUILD / "bytecode")
        return found

    def format(self) -> dict[int, list[str]]:
        layout = plan_cluster(cluster_id=CLUSTER_ID, racks=list(RACKS.values()), settings=SETTINGS)
        self.ports = {node: layout.node(node).port for node in NODES}
        commands = {}
        for node in NODES:
            place = str(self.directory / f"node-{node}")
            command = [str(self.python), "-m", "barnabas.broker", "--dir", place]
            for name, value in layout.settings_of(layout.node(node)).items():
                command += ["--set", f"{name}={value}"]
            commands[node] = command
        return commands

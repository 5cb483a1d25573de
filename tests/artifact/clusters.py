"""A cluster of processes that run from the installed wheel, by the installed command."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from .installed import Installed

REJOIN_TIMEOUT_S = 60.0


class InstalledCluster:
    """`barnabas cluster` in a folder."""

    def __init__(self, installed: Installed, directory: Path) -> None:
        self.installed = installed
        self.bootstrap = ""
        self._where = ("--dir", str(directory))

    def up(self) -> None:
        """Start three nodes, and leave them running."""
        found = self.installed.json("cluster", "up", "--brokers", "3", "--detach", *self._where)
        self.bootstrap = found["bootstrap"]

    def down(self) -> None:
        """Stop all nodes."""
        self.installed.barnabas("cluster", "down", *self._where)

    def node(self, what: str, node_id: int) -> None:
        """`kill` or `restart` a node."""
        self.installed.barnabas("cluster", what, str(node_id), *self._where)

    def create(self, topic: str, partitions: int) -> None:
        """A topic with a replica on each node."""
        shape = ("-p", str(partitions), "-r", "3")
        self.installed.barnabas("topic", "create", topic, *shape, "-b", self.bootstrap)

    def partitions(self, topic: str) -> list[dict[str, Any]]:
        """Leader and in-sync replicas of each partition."""
        (row,) = self.installed.json("topic", "describe", topic, "-b", self.bootstrap)
        found: list[dict[str, Any]] = row["partitions"]
        return found

    def wait_until_all_in_sync(self, topic: str) -> None:
        """Ask until every replica is in sync; each question takes a process of its own."""
        deadline = time.monotonic() + REJOIN_TIMEOUT_S
        while any(len(one["isr"]) < 3 for one in self.partitions(topic)):
            assert time.monotonic() < deadline, f"not back in sync: {self.partitions(topic)}"

"""The brokers that the flights go through: one node in its own process, in a fresh directory."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from barnabas.testing.process import NodeProcess


class DirectoryInTheWayError(RuntimeError):
    """The directory for the node's log holds something that no node wrote."""


@dataclass(frozen=True, slots=True)
class Brokers:
    """What the replay has to know about whoever serves it."""

    bootstrap: str
    replicas: int
    """Replication factor that this many brokers can give."""
    description: str


@contextmanager
def one_node(directory: Path) -> Iterator[Brokers]:
    """A node with default settings on a free port; it is told to stop at the end.

    Raises:
        NodeDidNotStartError: with what the node printed.
        DirectoryInTheWayError: `directory` holds something else than a node's log.
    """
    clear(directory)
    with NodeProcess(directory) as node:
        yield Brokers(
            bootstrap=node.bootstrap,
            replicas=1,
            description=f"one node on {node.bootstrap}, process {node.pid}, log in {directory}",
        )


def clear(directory: Path) -> None:
    """Remove the log of an earlier run, and nothing that is not one."""
    if not directory.exists():
        return
    if any(directory.iterdir()) and not (directory / "meta.properties").exists():
        raise DirectoryInTheWayError(
            f"{directory} is not empty and not the log of a node; please move it away"
        )
    shutil.rmtree(directory)

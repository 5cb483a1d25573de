"""What nodes in processes of their own report as bugs of theirs, so that tests fail for it.

A client tries again after an error that it does not expect, and then no other check sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

import pytest

from barnabas.testing.process import NodeProcess
from barnabas.testing.process_cluster import ProcessCluster

BUGS = (b"failed unexpectedly", b"a request's task failed", b"Task exception was never retrieved")


class ReportedBugs:
    """The nodes that tests have begun, and how far their output was looked through."""

    def __init__(self) -> None:
        self._clusters: WeakKeyDictionary[ProcessCluster, dict[int, int]] = WeakKeyDictionary()
        self._nodes: WeakKeyDictionary[NodeProcess, int] = WeakKeyDictionary()

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Note whatever is begun from now on."""
        spawn, start = ProcessCluster.spawn, NodeProcess.start

        def spawned(cluster: ProcessCluster, nodes: list[int] | None = None) -> None:
            self._clusters.setdefault(cluster, {})
            spawn(cluster, nodes)

        def started(node: NodeProcess) -> NodeProcess:
            self._nodes.setdefault(node, 0)
            return start(node)

        patch.setattr(ProcessCluster, "spawn", spawned)
        patch.setattr(NodeProcess, "start", started)

    def new_ones(self) -> list[str]:
        """The reports that were not told before."""
        found = [*self._of_clusters(), *self._of_nodes()]
        return [line.decode(errors="replace") for line in found]

    def _of_clusters(self) -> Iterator[bytes]:
        for cluster, looked_at in list(self._clusters.items()):
            for node in cluster.layout.nodes:
                path = cluster.output_of(node.id)
                if path.exists():
                    text = path.read_bytes()
                    yield from _bugs(text[looked_at.get(node.id, 0) :].splitlines())
                    looked_at[node.id] = len(text)

    def _of_nodes(self) -> Iterator[bytes]:
        for node, told in list(self._nodes.items()):
            bugs = _bugs(node.output)
            yield from bugs[told:]
            self._nodes[node] = len(bugs)


def _bugs(lines: Iterable[bytes]) -> list[bytes]:
    return [line for line in list(lines) if any(bug in line for bug in BUGS)]

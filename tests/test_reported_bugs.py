"""The check itself: what a node in a process of its own reports as a bug is seen, once."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.reported_bugs import ReportedBugs

from barnabas.testing.cluster_layout import plan_cluster
from barnabas.testing.process import NodeProcess
from barnabas.testing.process_cluster import ProcessCluster

BUG = "2026-11-27T11:09:19.147416Z [error    ] request failed unexpectedly    api=DescribeCluster"


def test_a_bug_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: of nodes of a cluster, which write to files, and of single ones."""
    monkeypatch.setattr(ProcessCluster, "spawn", lambda cluster, nodes: None)
    monkeypatch.setattr(NodeProcess, "start", lambda node: node)
    found = ReportedBugs()
    found.watch(monkeypatch)

    cluster = ProcessCluster.create(tmp_path, plan_cluster(cluster_id="c", brokers=1))
    cluster.spawn()
    path = cluster.output_of(cluster.layout.nodes[0].id)
    path.write_text("barnabas ready\n")
    assert found.new_ones() == []
    path.write_text(f"barnabas ready\n{BUG}\nTraceback\n")
    assert found.new_ones() == [BUG]
    assert found.new_ones() == []

    node = NodeProcess(tmp_path / "single").start()
    node.output.append(f"{BUG}\n".encode())
    assert found.new_ones() == [f"{BUG}\n"]
    node.output.append(b"Traceback\n")
    node.start()
    assert found.new_ones() == []

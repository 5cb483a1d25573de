"""The fixtures, and every example of docs/cluster.md, in a pytest of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "cluster.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

FIXTURES = """
import pytest

from barnabas.testing import ClusterError


def test_three(barnabas_cluster):
    assert barnabas_cluster.bootstrap.count(":") == 3


@pytest.mark.barnabas(brokers=2, racks=("a", "b"), settings={"num.partitions": 7})
class TestMarked:
    def test_of_the_class(self, barnabas_cluster):
        nodes = barnabas_cluster.look(lambda cluster: dict(cluster.nodes))
        assert sorted(nodes) == [1, 2]
        assert [nodes[one].config.broker_rack for one in (1, 2)] == ["a", "b"]
        assert nodes[1].config.num_partitions == 7

    @pytest.mark.barnabas(settings={"num.partitions": 5})
    def test_the_nearest_mark_wins(self, barnabas_cluster):
        nodes = barnabas_cluster.look(lambda cluster: dict(cluster.nodes))
        assert sorted(nodes) == [1, 2]
        assert nodes[2].config.num_partitions == 5


def test_one(barnabas_broker):
    assert barnabas_broker.bootstrap.count(":") == 1
    with pytest.raises(ClusterError, match="no leader|a leader of none-0 did not come"):
        barnabas_broker.wait_for_leader("none", timeout_s=0.01)


@pytest.mark.barnabas(7)
def test_a_mark_that_cannot_be(barnabas_broker):
    pass
"""


def run_pytest(folder: Path, *options: str) -> str:
    """All tests of a folder in a process of their own; what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "barnabas.testing.pytest_plugin", "-q", *options],
        cwd=folder,
        env=dict(os.environ, PYTHONWARNINGS="error::ResourceWarning"),
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    return done.stdout + done.stderr


def test_fixtures(tmp_path: Path) -> None:
    """One broker, three, or what the mark asks for; a mark that cannot be says so."""
    (tmp_path / "test_with_brokers.py").write_text(FIXTURES)
    text = run_pytest(tmp_path, "--strict-markers")
    assert "4 passed, 1 error" in text, text
    assert "takes arguments by name only" in text, text


def test_examples_of_the_page(tmp_path: Path) -> None:
    """docs/cluster.md: every Python block is a file of tests that pass."""
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) >= 3
    for number, block in enumerate(blocks):
        (tmp_path / f"test_example_{number}.py").write_text(block)
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n")
    text = run_pytest(tmp_path)
    count = sum(block.count("def test_") for block in blocks)
    assert f"{count} passed" in text, text

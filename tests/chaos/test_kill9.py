"""A node is killed with SIGKILL while it takes records, again and again: nothing acked is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.testing.process import NodeProcess
from chaos.lives import live_and_die

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

ROUNDS = 50


def test_fifty_kills_lose_nothing_acked(tmp_path: Path) -> None:
    """Goal: with flush on, every acked record of all 50 lives is there at its offset."""
    node = NodeProcess(tmp_path / "data", settings={"log.flush.interval.messages": "1"})
    live_and_die(node, ROUNDS)

"""A node of the wheel is killed with SIGKILL again and again: nothing acked is lost."""

from __future__ import annotations

import pytest
from chaos.lives import live_and_die

from barnabas.testing.process import NodeProcess

from .installed import Installed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.artifact,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

ROUNDS = 10


def test_ten_kills_lose_nothing_acked(installed: Installed) -> None:
    """Goal: with flush on, every acked record of all lives is there at its offset."""
    node = NodeProcess(
        installed.home / "killed",
        settings={"log.flush.interval.messages": "1"},
        environment=installed.environment,
        python=installed.python,
    )
    live_and_die(node, ROUNDS)

"""Some seconds of the fuzzers over real sockets, each on a node of its own.

They are `tests/fuzz/wire.py` and `tests/fuzz/requests.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz import requests
from fuzz.wire import fuzz


@pytest.mark.slow
def test_a_node_that_is_told_nonsense(tmp_path: Path) -> None:
    """F-3: on all kinds of listeners, before a login and after; it answers others all the while,
    logs no error that nobody expected, and stops in good order."""
    assert fuzz(tmp_path / "data", tmp_path, seed=1, seconds=5.0, clients=4) == 0


@pytest.mark.slow
def test_a_node_that_is_asked_odd_things(tmp_path: Path) -> None:
    """F-4: well formed requests of all APIs with odd values, of clients and to the controller."""
    assert requests.fuzz(tmp_path / "data", tmp_path, seed=1, seconds=8.0, clients=4) == 0

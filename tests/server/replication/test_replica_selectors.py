"""Names of replica selectors: ours, Kafka's, and classes of one's own (392-04, C15)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.core.replication.replica_selector import (
    LeaderSelector,
    RackAwareReplicaSelector,
)
from barnabas.broker.server.replication.replica_selectors import replica_selector


@pytest.mark.parametrize("name", [None, ""])
def test_no_name_is_no_selector(name: str | None) -> None:
    """C15: not set and empty mean that consumers stay with the leader."""
    assert replica_selector(name) is None


@pytest.mark.parametrize("prefix", ["", "org.apache.kafka.common.replica."])
def test_known_names(prefix: str) -> None:
    """C15: short names and the names of Kafka's classes."""
    assert isinstance(replica_selector(prefix + "LeaderSelector"), LeaderSelector)
    found = replica_selector(prefix + "RackAwareReplicaSelector")
    assert isinstance(found, RackAwareReplicaSelector)


MODULE = """
class Nearest:
    def select(self, client, leader, candidates):
        return candidates[-1]

class Demanding:
    def __init__(self, city):
        self.city = city

class Mute:
    pass

ready_made = Nearest()
"""


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "own_selectors.py").write_text(MODULE)
    (tmp_path / "own_broken.py").write_text("raise RuntimeError('planted')")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("own_selectors", "own_broken"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return "own_selectors"


@pytest.mark.parametrize("name", ["Nearest", "ready_made"])
def test_a_class_or_an_object_of_ones_own(own_module: str, name: str) -> None:
    """392-04: a dotted path; its `select` is asked."""
    selector = replica_selector(f"{own_module}.{name}")
    assert selector is not None
    assert type(selector).__name__ == "Nearest"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("Fastest", "must be LeaderSelector"),
        (".Fastest", "must be LeaderSelector"),
        ("own_nothing.Fastest", "No module named 'own_nothing'"),
        ("own_broken.Fastest", "RuntimeError('planted')"),
        ("own_selectors.Fastest", "has no Fastest"),
        ("own_selectors.Demanding", "without arguments"),
        ("own_selectors.Mute", "has no method select"),
    ],
)
def test_a_wrong_path_says_what_is_wrong(own_module: str, path: str, reason: str) -> None:
    """392-04: the error names the setting, the path and the reason."""
    with pytest.raises(ConfigError) as caught:
        replica_selector(path)
    assert reason in str(caught.value)
    assert "replica.selector.class" in str(caught.value)
    assert path in str(caught.value)

"""Buggify points: all are listed, and they make trouble only where and when they may."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import barnabas.broker
from barnabas.broker.core.ports import Env
from barnabas.testing.simulation.points import POINTS
from barnabas.testing.simulation.profile import QUIET
from barnabas.testing.simulation.run import plan_for, run

ASKED = re.compile(r'(?:maybe|_wants_trouble)\(\s*"([a-z-]+)"')


def test_product_and_list_agree() -> None:
    """Goal: each point that product code asks at is described, and none is only described."""
    folder = Path(barnabas.broker.__path__[0])
    asked = [name for path in folder.rglob("*.py") for name in ASKED.findall(path.read_text())]
    assert sorted(asked) == sorted(POINTS)
    assert len(POINTS) >= 40


def test_without_a_simulator_there_is_no_trouble() -> None:
    """Goal: in production the answer is always no."""
    env = Env(SimpleNamespace(), SimpleNamespace(), SimpleNamespace())  # type: ignore[arg-type]
    assert not any(env.maybe(name) for name in POINTS)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_trouble_is_drawn_from_the_seed() -> None:
    """Goal: only runs that want it have it; the same seed has the same."""
    profile = QUIET.replaced(
        brokers=1, replication_factor=1, min_insync_replicas=1, duration_s=3.0, kills=20.0,
        down_s=0.2, timeouts_divisor=10.0,
    )  # fmt: skip
    assert not run(plan_for(2, profile)).trouble
    first, again = (run(plan_for(2, profile.replaced(buggify=True))) for _ in range(2))
    assert first.is_good, first.text
    assert first.trouble
    assert first.trouble.keys() <= POINTS.keys()
    assert (again.trouble, again.digest) == (first.trouble, first.digest)

"""Fixtures for tests that need brokers; pytest finds them where barnabas is installed.

`barnabas_cluster` is a cluster of three brokers, `barnabas_broker` of one, new for each test and
gone after it. The mark says more: `@pytest.mark.barnabas(racks=("a", "b", "c"), settings={...})`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .background_cluster import BackgroundCluster

MARK = "barnabas"


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line(
        "markers",
        f"{MARK}(brokers, racks, controllers, settings, directory, secure): how the cluster of the "
        "fixtures barnabas_cluster and barnabas_broker is made",
    )


@pytest.fixture
def barnabas_cluster(request: pytest.FixtureRequest) -> Iterator[BackgroundCluster]:
    """Three brokers that are their quorum too, unless the mark says otherwise."""
    with _running(request, brokers=3) as cluster:
        yield cluster


@pytest.fixture
def barnabas_broker(request: pytest.FixtureRequest) -> Iterator[BackgroundCluster]:
    """One broker, for tests that need no cluster: it starts in a fraction of a second."""
    with _running(request, brokers=1) as cluster:
        yield cluster


@contextmanager
def _running(request: pytest.FixtureRequest, brokers: int) -> Iterator[BackgroundCluster]:
    # Imported with the first use: most runs of pytest on a machine use no fixture of ours.
    from .background_cluster import BackgroundCluster

    options: dict[str, Any] = {"brokers": brokers}
    for mark in reversed(list(request.node.iter_markers(MARK))):  # the nearest one wins
        if mark.args:
            raise pytest.UsageError(f"@pytest.mark.{MARK} takes arguments by name only")
        options |= mark.kwargs
    with BackgroundCluster(**options) as cluster:
        yield cluster

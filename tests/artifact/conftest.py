"""One wheel for all tests of this folder, and one cluster of three of its nodes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .clusters import InstalledCluster
from .installed import Installed, build_and_install


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The environment with the wheel."""
    return build_and_install(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def cluster(installed: Installed) -> Iterator[InstalledCluster]:
    """Three nodes; topics of their own keep tests apart."""
    running = InstalledCluster(installed, installed.home / "cluster")
    running.up()
    yield running
    running.down()

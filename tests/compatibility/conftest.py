"""Real nodes in processes of their own, for real clients to talk to."""

from __future__ import annotations

import gc
import itertools
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from barnabas.testing.process import NodeProcess
from barnabas.testing.process_cluster import ProcessCluster

from .leader_kill import new_cluster


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """One node for the tests of a module; topics of their own keep them apart."""
    directory: Path = tmp_path_factory.mktemp("node")
    with NodeProcess(directory / "data", settings={"num.partitions": "3"}) as process:
        yield process


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessCluster]:
    """Three nodes for the tests of a module, which kill them (`new_cluster`)."""
    with new_cluster(tmp_path_factory.mktemp("brokers") / "cluster") as started:
        yield started


@pytest.fixture
def new_topic(request: pytest.FixtureRequest) -> Callable[[], str]:
    """Names that no other test uses; topics come into being by being asked for."""
    counter = itertools.count()
    stem = request.node.name.replace("[", ".").replace("]", "")
    return lambda: f"{stem}-{next(counter)}"


@pytest.fixture(autouse=True)
def their_leaks_are_theirs(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Some clients leave sockets to the garbage collector: collect them before the next test.

    What they logged goes first: its arguments are connections, which would live on in it.
    """
    yield
    for phase in ("setup", "call"):
        caplog.get_records(phase).clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()

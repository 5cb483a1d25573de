"""One node and one Spark session for the tests of a module."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from barnabas.spark.session import JavaMissingError, require_java, start_session
from barnabas.testing.process import NodeProcess

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OTHER_BROKER = "BARNABAS_TEST_BOOTSTRAP"
"""Set it to run these tests against another broker, as Apache Kafka, for comparison."""


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a node with default settings."""
    other = os.environ.get(OTHER_BROKER)
    if other:
        yield other
        return
    with NodeProcess(tmp_path_factory.mktemp("node") / "data") as node:
        yield node.bootstrap


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A small session; its Java process writes to a file."""
    try:
        require_java()
    except JavaMissingError as error:
        pytest.skip(str(error))
    log_file: Path = tmp_path_factory.mktemp("spark") / "spark.log"
    with warnings.catch_warnings():
        # PySpark 4.3 warns of pandas 3 and leaves sockets to py4j; neither is ours.
        warnings.simplefilter("ignore")
        session = start_session("barnabas tests", log_file=log_file)
    yield session
    session.stop()


@pytest.fixture
def new_topic(request: pytest.FixtureRequest) -> Callable[[], str]:
    """Names that no other test of the module uses."""
    counter = itertools.count()
    stem = request.node.name.replace("[", ".").replace("]", "")
    return lambda: f"{stem}-{next(counter)}"

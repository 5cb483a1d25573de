"""Fixtures for all tests, and how properties are tried: the same examples each time, untimed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings
from kit.kafka_jars import kafka_jars
from kit.reported_bugs import ReportedBugs

__all__ = ["kafka_jars"]

settings.register_profile("the same each time", derandomize=True, deadline=None)
settings.register_profile("quick", settings.get_profile("the same each time"), max_examples=20)
settings.load_profile("the same each time")


@pytest.fixture(scope="session")
def reported_bugs() -> Iterator[ReportedBugs]:
    """Knows the nodes in processes of their own that tests begin."""
    found = ReportedBugs()
    with pytest.MonkeyPatch.context() as patch:
        found.watch(patch)
        yield found


@pytest.fixture(autouse=True)
def no_node_reports_a_bug(reported_bugs: ReportedBugs) -> Iterator[None]:
    """A test fails where a node meanwhile said that something failed unexpectedly."""
    yield
    new = reported_bugs.new_ones()
    assert not new, "\n".join(new)

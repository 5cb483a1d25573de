"""One node for all these tests: what one of them does to it, the next would notice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from barnabas.testing.process import NodeProcess

from .wire import Wire, complaints, is_served


@pytest.fixture(scope="session")
def abused_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """A node with default settings, apart from short log segments' worth of patience."""
    with NodeProcess(tmp_path_factory.mktemp("abused") / "data") as node:
        yield node


@pytest.fixture
def node(abused_node: NodeProcess) -> Iterator[NodeProcess]:
    """The node; a connection made before a test must still be served after it."""
    before = len(complaints(abused_node))
    with Wire(abused_node) as honest:
        assert is_served(honest)
        yield abused_node
        assert is_served(honest)
    assert complaints(abused_node)[before:] == []

"""The cluster of programs without an event loop, begun and ended by calls of its own."""

from __future__ import annotations

import pytest

from barnabas.testing import BackgroundCluster, ClusterError


def test_without_a_with_statement() -> None:
    """Goal: `start` and `close` do for it what they do for `Cluster`; after that it says so."""
    cluster = BackgroundCluster(1)
    cluster.start()
    assert cluster.look(lambda one: list(one.nodes)) == [1]
    cluster.close()
    cluster.close()
    with pytest.raises(ClusterError, match="is closed"):
        cluster.start()


def test_closed_before_it_was_started() -> None:
    """Goal: a plan that is given up ends at once."""
    BackgroundCluster(1).close()


def test_all_waits_are_there() -> None:
    """Goal: the waits of `Cluster`, and a start in the background, without an event loop."""
    with BackgroundCluster(2, controllers=1) as cluster:
        cluster.kill(2)
        cluster.wait_for_fencing(2)
        with pytest.raises(ClusterError, match="a miracle did not come in 0 s"):
            cluster.wait_until(lambda one: 2 in one.nodes, "a miracle", 0)
        cluster.begin_start(2)
        cluster.wait_until(lambda one: 2 in one.nodes)
        cluster.wait_for_brokers([1, 2])

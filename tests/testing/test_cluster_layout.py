"""Which nodes a cluster has, and with which settings; a cluster that cannot be is refused."""

from __future__ import annotations

import socket

import pytest

from barnabas.testing import cluster_layout
from barnabas.testing.cluster_layout import ClusterLayout, LayoutError, free_ports, plan_cluster

ID = "AAAAAAAAAAAAAAAAAAAAAQ"


def test_three_combined_brokers_in_three_racks() -> None:
    """Goal: three voters, ports in a row, the rack-aware selector, replication factor 3."""
    layout = plan_cluster(cluster_id=ID, brokers=3, racks=("a", "b", "c"), port=9092)
    assert layout.bootstrap == "127.0.0.1:9092,127.0.0.1:9093,127.0.0.1:9094"
    settings = layout.settings_of(layout.node(2))
    assert settings["process.roles"] == "broker,controller"
    assert settings["listeners"] == "PLAINTEXT://127.0.0.1:9093,CONTROLLER://127.0.0.1:9096"
    voters = "1@127.0.0.1:9095,2@127.0.0.1:9096,3@127.0.0.1:9097"
    assert settings["controller.quorum.voters"] == voters
    assert (settings["broker.rack"], settings["default.replication.factor"]) == ("b", "3")
    assert settings["replica.selector.class"].endswith(".RackAwareReplicaSelector")


def test_without_racks_kafkas_defaults_hold() -> None:
    """Goal: no selector and no rack; the factor is no larger than the cluster."""
    layout = plan_cluster(cluster_id=ID, brokers=2, settings={"num.partitions": "7"})
    settings = layout.settings_of(layout.nodes[1])
    assert "replica.selector.class" not in settings
    assert "broker.rack" not in settings
    assert settings["process.roles"] == "broker"
    assert (settings["default.replication.factor"], settings["num.partitions"]) == ("2", "7")


def test_controllers_of_their_own() -> None:
    """Goal: controllers come after the brokers, and clients are not sent to them."""
    layout = plan_cluster(cluster_id=ID, brokers=1, controllers="3")
    assert [node.id for node in layout.nodes if node.is_voter] == [2, 3, 4]
    assert layout.settings_of(layout.node(3))["listeners"].startswith("CONTROLLER://")
    assert layout.bootstrap.count(":") == 1


def test_a_layout_survives_its_file() -> None:
    """Goal: what is written down is what is read."""
    layout = plan_cluster(cluster_id=ID, brokers=4, racks=("x", "y"), settings={"a": "b"})
    assert ClusterLayout.from_json(layout.as_json()) == layout


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"brokers": 0}, "at least one broker"),
        ({"controllers": "many"}, "'many'"),
        ({"controllers": 0}, "'0'"),
        ({"brokers": 1, "racks": ("a", "b")}, "2 racks for 1 brokers"),
        ({"port": 65_534}, "port 65534"),
    ],
)
def test_a_cluster_that_cannot_be(options: dict[str, object], named: str) -> None:
    """Goal: the error names what is wrong."""
    with pytest.raises(LayoutError, match=named):
        plan_cluster(cluster_id=ID, **options)  # type: ignore[arg-type]


def test_an_unknown_node_is_named_with_those_that_are() -> None:
    """Goal: a typing error is easy to mend."""
    layout = plan_cluster(cluster_id=ID, brokers=2)
    with pytest.raises(LayoutError, match="no node 9; the nodes are 1, 2"):
        layout.node(9)


def test_free_ports_are_different() -> None:
    """Goal: no two nodes are given the same."""
    assert len(set(free_ports(50))) == 50


def test_free_ports_are_none_that_an_outgoing_connection_may_take() -> None:
    """Goal: a node that starts, or starts again, finds its port as it was."""
    assert all(10_000 <= port < 32_768 for port in free_ports(20))


def test_ports_in_use_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        monkeypatch.setattr(cluster_layout, "FREE_PORTS", range(port, port + 1))
        with pytest.raises(OSError, match="1 unused ports are needed, 0 are there"):
            free_ports(1)

"""What `python -m bench.simulation` counts; never how fast it was."""

from __future__ import annotations

import pytest

from bench import simulation


@pytest.mark.slow
def test_a_busy_cluster_is_measured() -> None:
    """Goal: a window of 200 requests a second counts clients and nodes apart, and all APIs."""
    window = simulation.measure("busy", 2.0)
    assert 2.0 <= round(window.simulated_s, 6) < 2.5
    assert window.client_requests == sum(window.apis.values())
    assert 150 <= window.client_requests / window.simulated_s <= 250
    assert window.rpcs > window.client_requests
    assert {"ProduceRequest", "FetchRequest", "ListOffsetsRequest"} <= set(window.apis)


def test_an_idle_cluster_has_no_clients_and_few_requests() -> None:
    """Goal: without clients six nodes send each other at most 60 requests a second in all.

    Four times a second a record that says nothing goes to the five that follow the quorum (207-09).
    """
    window = simulation.measure("idle", 4.0)
    assert window.client_requests == 0
    assert 0 < window.rpcs / window.simulated_s <= 60


def test_the_table_says_which_targets_were_missed() -> None:
    """Goal: people see each figure beside its target."""
    window = simulation.Window(10.0, 1.0, 1.1, 5000, 2000, 4000, {"ProduceRequest": 2000})
    found = {
        "figures": {"busy": 10.0, "idle": 150.0, "rpcs": 4000.0, "raft": 120_000.0},
        "windows": {"busy": vars(window), "idle": vars(window)},
        "raft": {"events": 1000, "cpu_s": 0.01},
    }
    lines = simulation.table(found).splitlines()
    assert [line.rsplit(", ", 1)[1] for line in lines[1:5]] == ["missed", "met", "missed", "met"]
    assert "200 requests of clients, 400 RPCs in all" in lines[5]

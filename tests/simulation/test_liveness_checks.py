"""The check of L-9 gives a transaction the time that it needs, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from barnabas.testing.simulation.checks.liveness import Liveness
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.machines import UNTOLD
from barnabas.testing.simulation.machines import Machines as Cluster

NAME = "txn-abandoned/1/1"


class Machines:
    """They say what time it is, and that nothing has come true."""

    def __init__(self, is_half_open: bool) -> None:
        self.loop = SimpleNamespace(now=16.0)
        self.are_links_half_open = lambda: is_half_open
        self.waited_s: list[float] = []

    def __iter__(self) -> Iterator[Any]:
        yield SimpleNamespace(config=SimpleNamespace(request_timeout_ms=10_000))

    async def wait_for(self, condition: Callable[[], bool], limit_s: float) -> bool:
        self.waited_s.append(limit_s)
        return condition()

    def newest_image(self) -> None:
        return None


@pytest.mark.parametrize(("is_half_open", "limit_s"), [(False, 5.2), (True, 7.0)])
async def test_l9_an_abandoned_transaction_stays_open(is_half_open: bool, limit_s: float) -> None:
    """L-9: it fails after its time, and after that of markers that nobody answers."""

    async def abandon_transaction() -> str:
        return NAME

    machines = Machines(is_half_open)
    workload = SimpleNamespace(
        transactions=SimpleNamespace(are_there=True), abandon_transaction=abandon_transaction
    )
    contract = SimpleNamespace(still_open=lambda: [f"{NAME} in ledger-0"])
    liveness = Liveness(cast("Any", machines), cast("Any", workload))
    with pytest.raises(InvariantError, match="L-9"):
        await liveness.check_abandoned(cast("Any", contract))
    assert machines.waited_s == [pytest.approx(limit_s)]


@pytest.mark.parametrize(("known_epoch", "expected"), [(3, 2), (4, UNTOLD)])
def test_nobody_coordinates_whom_a_dead_node_knew_to_be_replaced(
    known_epoch: int, expected: int
) -> None:
    """Goal: of answers of a coordinator that was replaced without knowing it nothing is demanded,
    also while no node runs that knows it."""
    partition = SimpleNamespace(leader=2, leader_epoch=3)
    machines = SimpleNamespace(
        newest_image=lambda: SimpleNamespace(partition=lambda topic, index: partition),
        _groups_epoch=known_epoch,
    )
    assert Cluster.groups_coordinator(cast("Any", machines)) == expected

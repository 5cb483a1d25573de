"""A clock that stands still, so that rates and throttle times can be foretold."""

from __future__ import annotations

from random import Random

from barnabas.broker.core.ports import Env
from barnabas.broker.storage.files import RealClock, RealDisk


class StoppedClock(RealClock):
    """Its time of day goes on."""

    def monotonic_ms(self) -> float:
        return 1_000_000.0


def stopped_env() -> Env:
    """The real disk, and this clock."""
    return Env(StoppedClock(), RealDisk(), Random(1))

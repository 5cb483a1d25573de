"""What transactional programs are given: by the simulator, or by a test of real processes."""

from __future__ import annotations

from typing import Any, Protocol

from barnabas.testing.simulation.workload.retrying import Ending


class Around(Ending, Protocol):
    """Their clock, their settings, who hears of them, and when they shall end."""

    @property
    def now_s(self) -> float:
        """One clock for all of them, in seconds."""
        ...

    @property
    def session_ms(self) -> int:
        """Time without a heartbeat after which a member of a group goes."""
        ...

    @property
    def fetch_bytes(self) -> int:
        """Most bytes of a partition in an answer to a fetch."""
        ...

    def options(self, name: str) -> dict[str, Any]:
        """What the client of this name is configured with."""
        ...

    def note(self, text: str) -> None:
        """A line for whoever looks into a run."""
        ...

    def track(self, name: str, client: Any) -> None:
        """A client has started; checks may look into it."""
        ...

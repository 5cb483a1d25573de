"""The scenarios by name, and what they print."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from .disk_stall import Stall, play
from .leader_cut import leader_cut


class Played(Protocol):
    """One run of a scenario."""

    @property
    def misses(self) -> list[str]:
        """What is not as promised."""
        ...

    def row(self) -> dict[str, Any]:
        """For machines."""
        ...


def disk_stall(seed: int) -> Iterator[Stall]:
    """KIP-501 on and off; then with nothing in memory, and where the broker is a voter too."""
    for stall_s in (20.0, 25.0):
        yield play(Stall(seed, stall_s, is_on=True))
        yield play(Stall(seed, stall_s, is_on=False))
    yield play(Stall(seed, 20.0, is_on=True, is_memory_cold=True))
    for is_active in (False, True):
        yield play(
            Stall(seed, 20.0, is_on=True, has_own_quorum=False, is_active_controller=is_active)
        )


SCENARIOS: Final[dict[str, Callable[[int], Iterator[Played]]]] = {
    "disk-stall": disk_stall,
    "leader-cut": leader_cut,
}


def run(name: str, seed: int, echo: Callable[[str], object], *, as_json: bool) -> bool:
    """Play a scenario; False if something that is promised does not hold."""
    is_good = True
    for outcome in SCENARIOS[name](seed):
        is_good &= not outcome.misses
        echo(json.dumps({"scenario": name, **outcome.row()}) if as_json else text_of(outcome))
    return is_good


def text_of(outcome: Played) -> str:
    """A run in a few lines."""
    return _text_of_stall(outcome) if isinstance(outcome, Stall) else str(outcome)


def _text_of_stall(outcome: Stall) -> str:
    around = [f"KIP-501 {'on' if outcome.is_on else 'off'}"]
    if outcome.is_memory_cold:
        around.append("nothing in memory")
    if not outcome.has_own_quorum:
        of_whom = "the active controller" if outcome.is_active_controller else "a voter"
        around.append(f"the disk is {of_whom}'s too")
    verdict = "ok" if outcome.is_promised else "nothing is promised"
    moved = "not before it answered" if outcome.moved_s is None else f"after {outcome.moved_s} s"
    errors = ", ".join(f"{count} x {name}" for name, count in outcome.errors.items()) or "none"
    return (
        f"disk of a leader stalls {outcome.stall_s:.0f} s, {', '.join(around)}:"
        f" {'; '.join(outcome.misses) or verdict}\n"
        f"  longest time without an acknowledgement {outcome.held_up_s} s,"
        f" smallest ISR {outcome.smallest_isr}, leadership moved {moved}\n"
        f"  errors 19 and 20: {errors}; records given up: {outcome.lost};"
        f" acknowledged: {outcome.acknowledged}; reads left on the loop: {outcome.reads_on_loop}"
    )

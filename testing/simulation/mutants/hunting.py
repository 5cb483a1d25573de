"""Every planted bug of the cluster, the hunt for one, and the table of what caught them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from . import cluster, replication
from .mutant import SEEDS_MAX, Mutant

MUTANTS: tuple[Mutant, ...] = (*replication.MUTANTS, *cluster.MUTANTS)


class Caught(NamedTuple):
    """How a planted bug ended."""

    name: str
    what: str
    rule: str
    """What caught it; empty: nothing did."""
    seeds: int
    at_s: float
    text: str
    is_expected: bool


def hunt(name: str, seeds_max: int = SEEDS_MAX) -> Caught:
    """Run seeds until a check fires."""
    mutant = next(each for each in MUTANTS if each.name == name)
    seeds, outcome = mutant.hunt(seeds_max)
    if outcome is None:
        return Caught(name, mutant.what, "", seeds, 0.0, "", is_expected=False)
    return Caught(
        name,
        mutant.what,
        outcome.rule,
        seeds,
        outcome.simulated_s,
        outcome.text,
        is_expected=outcome.rule in mutant.rules,
    )


def table(found: Iterable[Caught]) -> str:
    """The page `docs/mutants.md`."""
    rows = list(found)
    caught = sum(bool(row.rule) for row in rows)
    lines = [
        "# Planted bugs",
        "",
        "Written by `python -m barnabas.testing.simulation.mutants --write docs/mutants.md`: each",
        "planted bug is run seed after seed until a check fires. Those of the quorum's core, which",
        "has a simulator of its own, are in `testing/simulation/raft`.",
        "",
        f"{caught} of {len(rows)} are caught.",
        "",
        "| bug | what is wrong | caught by | seeds |",
        "|---|---|---|---|",
    ]
    for row in rows:
        rule = row.rule or "**survives**"
        lines.append(f"| {row.name} | {row.what} | {rule} | {row.seeds} |")
    return "\n".join(lines) + "\n"

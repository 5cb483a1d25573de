"""Hunts planted bugs of the cluster, and writes the table of what caught them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from . import cluster, groups, raft, replication, serving
from .mutant import SEEDS_MAX, Mutant

RAFT_EVENTS = 20_000
"""The number of events in one run of the consensus core's simulator."""

MUTANTS: tuple[Mutant, ...] = (
    *replication.MUTANTS,
    *cluster.MUTANTS,
    *serving.MUTANTS,
    *groups.MUTANTS,
)


class Caught(NamedTuple):
    """The result of the hunt for one planted bug."""

    name: str
    what: str
    rule: str
    """The rule that caught it; empty if none did."""
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


def hunt_in_raft(name: str, seeds_max: int) -> Caught:
    """Run seeds of the consensus core's own simulator until a check fires for this bug of the
    core."""
    mutant = next(each for each in raft.MUTANTS if each.name == name)
    verdict = raft.hunt(mutant, range(1, seeds_max + 1), RAFT_EVENTS)
    if verdict is None:
        return Caught(name, "", "", seeds_max, 0.0, "", is_expected=False)
    rule = verdict.problem.partition(":")[0]
    is_expected = verdict.problem.startswith(mutant.caught_by)
    return Caught(name, "", rule, verdict.seed, 0.0, verdict.problem, is_expected=is_expected)


def table(found: Iterable[Caught], found_in_raft: Iterable[Caught] = ()) -> str:
    """The text of the page `docs/mutants.md`."""
    rows = list(found)
    raft_rows = list(found_in_raft)
    caught = sum(bool(row.rule) for row in rows)
    lines = [
        "# Planted bugs",
        "",
        "Written by `python -m lab.mutants --write docs/mutants.md`: each planted bug is run seed",
        "after seed until a check fires.",
        "",
        "## In the cluster",
        "",
        f"{caught} of {len(rows)} are caught.",
        "",
        "| bug | what is wrong | caught by | seeds |",
        "|---|---|---|---|",
    ]
    for row in rows:
        rule = row.rule or "**survives**"
        lines.append(f"| {row.name} | {row.what} | {rule} | {row.seeds} |")
    if raft_rows:
        caught = sum(bool(row.rule) for row in raft_rows)
        lines += [
            "",
            "## In the consensus core",
            "",
            "A simulator of its own: `python -m lab.mutants --raft`.",
            f"{caught} of {len(raft_rows)} are caught.",
            "",
            "| bug | caught by | seeds |",
            "|---|---|---|",
        ]
        for row in raft_rows:
            lines.append(f"| {row.name} | {row.rule or '**survives**'} | {row.seeds} |")
    return "\n".join(lines) + "\n"

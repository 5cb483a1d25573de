"""Outcomes as one table."""

from __future__ import annotations

import os
from collections.abc import Sequence

from .availability import PHASES, Served
from .run import Outcome

_HEADS = (
    "row",
    "fault",
    "times",
    *(f"{phase}: acks/s, p50/p99 ms, gap ms" for phase in PHASES),
    "acked",
    "lost",
    "twice",
    "back",
    "ISR changes",
    "leader changes",
    "elections",
    "result",
)


def as_markdown(outcomes: Sequence[Outcome]) -> str:
    """The table, and below it what was violated, missed or skipped."""
    lines = ["# Chaos", "", _about_machine(), ""]
    lines += [_line(_HEADS), _line(["---"] * len(_HEADS))]
    lines += [_line(_cells(one)) for one in outcomes]
    for outcome in outcomes:
        notes = [*outcome.verdict.violations, *outcome.misses]
        notes += [outcome.skipped] if outcome.skipped else []
        notes += [f"{name}: {text}" for name, text in sorted(outcome.notes.items())]
        notes += [f"{name}: {_spread(values)}" for name, values in sorted(outcome.figures.items())]
        if notes:
            lines += ["", f"**{outcome.row.id}** {outcome.row.title}", ""]
            lines += [f"- {note}" for note in notes]
    return "\n".join(lines) + "\n"


def _about_machine() -> str:
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} processors, load {load:.1f} at the end. A gap is the longest time in"
        " which one partition, the worst, acknowledged nothing; `during` lasts from the fault"
        " until every replica is in sync again."
    )


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cells(outcome: Outcome) -> list[str]:
    verdict, decisions = outcome.verdict, outcome.decisions
    return [
        outcome.row.id,
        outcome.row.title,
        str(outcome.repeats),
        *(_phase(outcome.served.get(phase)) for phase in PHASES),
        str(verdict.acked),
        str(verdict.lost),
        str(verdict.duplicates),
        str(verdict.back_in_time),
        str(decisions.isr_changes),
        str(decisions.leader_changes),
        str(decisions.elections),
        outcome.result,
    ]


def _phase(one: Served | None) -> str:
    if one is None or not one.acks:
        return "–"  # noqa: RUF001  # a dash in a table
    return f"{one.rate_per_s:.0f}, {one.p50_ms:.1f}/{one.p99_ms:.0f}, {one.longest_gap_ms:.0f}"


def _spread(values: Sequence[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:.2f}"
    middle = sorted(values)[len(values) // 2]
    return f"{min(values):.2f} to {max(values):.2f}, median {middle:.2f}, {len(values)} times"

"""Outcomes as one table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from .availability import PHASES, Served
from .run import Outcome

_HEADS = (
    "row",
    "fault",
    "times",
    "result",
    *PHASES,
    "acked",
    "lost",
    "twice",
    "back",
    "ISR changes",
    "leader changes",
    "elections",
)


def as_markdown(outcomes: Sequence[Outcome]) -> str:
    """The table, and below it what was violated, missed or skipped."""
    lines = ["# Chaos", "", _summary(outcomes), "", _about_machine(), ""]
    lines += _table([_HEADS, *map(_cells, outcomes)])
    for outcome in outcomes:
        notes = [*outcome.verdict.violations, *outcome.misses]
        notes += [outcome.skipped] if outcome.skipped else []
        notes += [f"{name}: {text}" for name, text in sorted(outcome.notes.items())]
        notes += [f"{name}: {_spread(values)}" for name, values in sorted(outcome.figures.items())]
        if notes:
            lines += ["", f"**{outcome.row.id}** {outcome.row.title}", ""]
            lines += [f"- {note}" for note in notes]
    return "\n".join(lines) + "\n"


def _summary(outcomes: Sequence[Outcome]) -> str:
    results = Counter(one.result for one in outcomes)
    told = ", ".join(f"{count} {result}" for result, count in results.items())
    acked = sum(one.verdict.acked for one in outcomes)
    lost = sum(one.verdict.lost for one in outcomes)
    twice = sum(one.verdict.duplicates for one in outcomes)
    return f"{len(outcomes)} rows: {told}. Of {acked} records acked {lost} lost, {twice} twice."


def _about_machine() -> str:
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} processors, load {load:.1f} at the end. `before`, `during` and `after`"
        " say how many acknowledgements came a second, the 99th percentile of what each took, and"
        " the longest time in which one partition, the worst, acknowledged nothing (both in ms)."
        " `during` lasts from the fault until every replica is in sync again."
    )


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Padded, so that it can be read as it is, too."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return [_line(padded[0]), _line(["-" * width for width in widths]), *map(_line, padded[1:])]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cells(outcome: Outcome) -> list[str]:
    verdict, decisions = outcome.verdict, outcome.decisions
    return [
        outcome.row.id,
        outcome.row.title,
        str(outcome.repeats),
        outcome.result,
        *(_phase(outcome.served.get(phase)) for phase in PHASES),
        str(verdict.acked),
        str(verdict.lost),
        str(verdict.duplicates),
        str(verdict.back_in_time),
        str(decisions.isr_changes),
        str(decisions.leader_changes),
        str(decisions.elections),
    ]


def _phase(one: Served | None) -> str:
    if one is None or not one.acks:
        return "-"
    return f"{one.rate_per_s:.0f}/s, p99 {one.p99_ms:.0f}, gap {one.longest_gap_ms:.0f}"


def _spread(values: Sequence[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:.2f}"
    middle = sorted(values)[len(values) // 2]
    return f"{min(values):.2f} to {max(values):.2f}, median {middle:.2f}, {len(values)} times"

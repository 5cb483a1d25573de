"""Samples to rows, and rows to a table, JSON and Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table

from .figures import median, ratio
from .targets import CONNECTIONS, METRICS, Metric

OURS, THEIRS = "barnabas", "kafka"


@dataclass(frozen=True, slots=True)
class Sample:
    """All figures of one pass over one broker."""

    round: int
    broker: str
    figures: Mapping[str, float]
    failures: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One metric over all rounds: medians, and the median of the rounds' ratios."""

    metric: Metric
    ours: float
    theirs: float | None
    ratio: float | None
    ratios: tuple[float, ...]

    @property
    def is_met(self) -> bool | None:
        """Whether the targets are reached; None without a target or without a comparison."""
        return self.metric.is_met(self.ours, self.ratio)


@dataclass(slots=True)
class Result:
    """Everything that one run of the benchmarks found."""

    machine: Mapping[str, object]
    versions: Mapping[str, str]
    plan: Mapping[str, object]
    generator_bound: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    metrics: Sequence[Metric] = METRICS

    def rows(self) -> list[Row]:
        """A row for each metric that our samples have."""
        return [row for metric in self.metrics if (row := self._row(metric)) is not None]

    def failures(self) -> list[str]:
        """What went wrong in any pass, with the broker's name."""
        return [f"{one.broker}: {text}" for one in self.samples for text in one.failures]

    def _row(self, metric: Metric) -> Row | None:
        by_round: dict[str, dict[int, float]] = {OURS: {}, THEIRS: {}}
        for sample in self.samples:
            if metric.key in sample.figures:
                by_round[sample.broker][sample.round] = sample.figures[metric.key]
        ours, theirs = by_round[OURS], by_round[THEIRS]
        if not ours:
            return None
        pairs = (ratio(ours[one], theirs[one]) for one in ours if one in theirs)
        ratios = tuple(one for one in pairs if one is not None)
        return Row(
            metric,
            median(list(ours.values())),
            median(list(theirs.values())) if theirs else None,
            median(ratios) if ratios else None,
            ratios,
        )


def figure_text(value: float | None, digits: int) -> str:
    """A figure with thin grouping; a dash for none."""
    return "-" if value is None else f"{value:,.{digits}f}"


def ratio_text(value: float | None) -> str:
    """A ratio with as many digits as say something."""
    if value is None:
        return "-"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def verdict(row: Row) -> str:
    """met, missed, or nothing where there is no target or nothing to compare with."""
    return {True: "met", False: "missed", None: ""}[row.is_met]


def table_cells(row: Row) -> tuple[str, ...]:
    """The row as text: what, unit, ours, Kafka's, ratio, target, verdict."""
    digits = row.metric.digits
    return (
        row.metric.title,
        row.metric.unit,
        figure_text(row.ours, digits),
        figure_text(row.theirs, digits),
        ratio_text(row.ratio),
        row.metric.target_text(),
        verdict(row),
    )


HEADINGS = ("", "unit", "barnabas", "Kafka", "ratio", "target", "")


def table(result: Result) -> Table:
    """The rows for a terminal."""
    made = Table(title=headline(result), title_justify="left")
    for number, heading in enumerate(HEADINGS):
        made.add_column(heading, justify="right" if 2 <= number <= 4 else "left", no_wrap=True)
    colours = {"met": "green", "missed": "red", "": ""}
    for row in result.rows():
        *cells, last = table_cells(row)
        colour = colours[last]
        made.add_row(*cells, f"[{colour}]{last}[/{colour}]" if colour else "")
    return made


def headline(result: Result) -> str:
    """One line: what ran where and when."""
    about, versions = result.machine, result.versions
    return (
        f"barnabas {versions.get('barnabas', '?')} ({versions.get('build', '?')}) "
        f"beside Apache Kafka {versions.get('kafka', 'absent')}, {about['cores']} cores, "
        f"{about['memory_gib']} GiB, {about['date']}"
    )


def bound_lines(result: Result) -> Iterable[str]:
    """What the load generator could have driven, and how much of a core it used."""
    for connections in CONNECTIONS:
        bound = result.generator_bound.get(str(connections))
        if bound is None:
            continue
        shares = [
            sample.figures[key]
            for sample in result.samples
            if (key := f"load_{connections}.generator_cpu_share") in sample.figures
        ]
        used = f", used {max(shares):.0%} of a core at most here" if shares else ""
        yield (
            f"{connections} connection(s): the generator reaches {bound['requests_per_s']:,.0f} "
            f"req/s (p99 {bound['p99_ms']:.3f} ms) against a null broker{used}"
        )


def markdown(result: Result) -> str:
    """The report as Markdown."""
    lines = ["# Bench", "", headline(result), ""]
    lines += ["| | unit | barnabas | Kafka | ratio | target | |", "|---|---|--:|--:|--:|---|---|"]
    lines += ["| " + " | ".join(table_cells(row)) + " |" for row in result.rows()]
    lines += ["", "Each ratio is the median of the rounds' own ratios, barnabas over Kafka.", ""]
    for heading, entries in (
        ("The load generator is not the limit", bound_lines(result)),
        ("Notes", result.notes),
        ("Failures", result.failures()),
    ):
        listed = [f"- {entry}" for entry in entries]
        if listed:
            lines += [f"## {heading}", "", *listed, ""]
    facts = {**result.machine, **result.versions, **result.plan}
    lines += ["## Circumstances", "", *(f"- {name}: {value}" for name, value in facts.items())]
    return "\n".join(lines) + "\n"


def as_json(result: Result) -> dict[str, object]:
    """The report as one JSON object; `samples` has every figure of every pass."""
    rows = [
        {
            "key": row.metric.key,
            "title": row.metric.title,
            "unit": row.metric.unit,
            "barnabas": row.ours,
            "kafka": row.theirs,
            "ratio": row.ratio,
            "ratios": list(row.ratios),
            "target": row.metric.target_text(),
            "met": row.is_met,
        }
        for row in result.rows()
    ]
    return {
        "machine": dict(result.machine),
        "versions": dict(result.versions),
        "plan": dict(result.plan),
        "rows": rows,
        "generator_bound": {name: dict(one) for name, one in result.generator_bound.items()},
        "notes": result.notes,
        "failures": result.failures(),
        "samples": [
            {"round": one.round, "broker": one.broker, "figures": dict(one.figures)}
            for one in result.samples
        ],
    }


def write(result: Result, directory: Path) -> list[Path]:
    """Write report.json and report.md; the paths written."""
    directory.mkdir(parents=True, exist_ok=True)
    json_path, markdown_path = directory / "report.json", directory / "report.md"
    json_path.write_text(json.dumps(as_json(result), indent=2) + "\n")
    markdown_path.write_text(markdown(result))
    return [json_path, markdown_path]

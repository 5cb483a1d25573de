"""The picture of the main job: who flies how much, and how late they leave."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .dataset import short_name
from .pipeline import FlightReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#1f2933"
QUIET = "#7b8794"
GRID = "#e4e7eb"
BAR = "#3b6ea5"
ON_TIME = "#4c9a8f"
LATE = "#c8553d"
ON_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
"""Behind a number that would stand on a grid line."""

STYLE: Any = {
    "font.size": 10,
    "font.family": "DejaVu Sans",
    "text.color": INK,
    "axes.labelcolor": QUIET,
    "axes.edgecolor": GRID,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "ytick.left": False,
    "grid.color": GRID,
    "figure.facecolor": "white",
}
"""How every picture of the main job looks."""


def draw(report: FlightReport, names: dict[str, str], path: Path) -> None:
    """Write `path` (PNG): carriers by flights, their mean delay, and the delay over the day."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(13, 8.2), dpi=130)
        grid = figure.add_gridspec(
            2, 2, height_ratios=[2.3, 1], left=0.175, right=0.975, top=0.845, bottom=0.06,
            hspace=0.22, wspace=0.06,
        )  # fmt: skip
        flights = figure.add_subplot(grid[0, 0])
        delays = figure.add_subplot(grid[0, 1], sharey=flights)
        _draw_flights(flights, report, names)
        _draw_delays(delays, report)
        _draw_hours(figure.add_subplot(grid[1, :]), report)
        _title(figure, report)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path)
        plt.close(figure)


def _title(figure: Any, report: FlightReport) -> None:
    departed = sum(stats.departed for stats in report.by_carrier.values())
    late = sum(stats.late for stats in report.by_carrier.values())
    figure.text(0.02, 0.948, f"{report.rows:,} flights out of New York", fontsize=18, weight="bold")
    figure.text(
        0.02,
        0.914,
        f"EWR, JFK and LGA, 2013 \N{MIDDLE DOT} {report.rows - departed:,} never departed, "
        f"{late / max(departed, 1):.0%} of the others left more than 15 minutes late "
        "\N{MIDDLE DOT} read from barnabas by PySpark",
        fontsize=10.5,
        color=QUIET,
    )


def _by_flights(report: FlightReport) -> list[str]:
    """Carriers, fewest flights first: horizontal bars are drawn from below."""
    return sorted(report.by_carrier, key=lambda code: report.by_carrier[code].flights)


def _draw_flights(axes: Axes, report: FlightReport, names: dict[str, str]) -> None:
    codes = _by_flights(report)
    counts = [report.by_carrier[code].flights for code in codes]
    axes.barh(range(len(codes)), counts, color=BAR, height=0.68)
    room = max(counts) * 0.012
    for place, count in enumerate(counts):
        axes.text(count + room, place, f"{count:,}", va="center", fontsize=9, color=INK)
    axes.set_yticks(
        range(len(codes)), [f"{short_name(names.get(code, ''))}  {code}".strip() for code in codes]
    )
    axes.set_xlim(0, max(counts) * 1.16)
    axes.set_title("Flights")
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)


def _draw_delays(axes: Axes, report: FlightReport) -> None:
    codes = _by_flights(report)
    means = [report.by_carrier[code].mean_dep_delay_min for code in codes]
    overall = _overall_delay(report)
    axes.axvline(overall, color=QUIET, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    axes.text(
        overall,
        len(codes) - 0.35,
        f" mean of all: {overall:.1f}",
        fontsize=9,
        color=QUIET,
        va="bottom",
    )
    for place, mean in enumerate(means):
        if mean is None:
            continue
        colour = LATE if mean > overall else ON_TIME
        axes.hlines(place, overall, mean, color=colour, linewidth=2.4, alpha=0.5)
        axes.plot(mean, place, "o", color=colour, markersize=8, zorder=3)
        side = 1 if mean > overall else -1
        axes.annotate(
            f"{mean:.1f}", (mean, place), xytext=(9 * side, 0), textcoords="offset points",
            ha="left" if side > 0 else "right", va="center", fontsize=9, bbox=ON_WHITE,
        )  # fmt: skip
    known = [mean for mean in means if mean is not None]
    low, high = min([*known, overall]), max([*known, overall])
    room = max(high - low, 1.0) * 0.14
    axes.set_xlim(low - room, high + room)
    axes.set_title("Mean departure delay, minutes")
    _legend(axes)
    axes.tick_params(axis="y", labelleft=False)
    axes.grid(axis="y", linewidth=0.8)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)


def _legend(axes: Axes) -> None:
    for place, colour, text in ((0.985, LATE, "above"), (0.865, ON_TIME, "below the mean")):
        axes.text(
            place, 1.032, f"\N{BLACK CIRCLE} {text}", transform=axes.transAxes, color=colour,
            ha="right", va="bottom", fontsize=9,
        )  # fmt: skip


def _overall_delay(report: FlightReport) -> float:
    stats = report.by_carrier.values()
    minutes = sum(each.departed * (each.mean_dep_delay_min or 0.0) for each in stats)
    return minutes / max(sum(each.departed for each in stats), 1)


def _draw_hours(axes: Axes, report: FlightReport) -> None:
    points = [
        (hour, stats.mean_dep_delay_min)
        for hour, stats in sorted(report.by_hour.items())
        if stats.mean_dep_delay_min is not None
    ]
    hours = [hour for hour, _ in points]
    means = [mean for _, mean in points]
    overall = _overall_delay(report)
    colours = [LATE if mean > overall else ON_TIME for mean in means]
    axes.bar(hours, means, color=colours, width=0.72, alpha=0.85)
    for hour, mean in points:
        axes.text(hour, max(mean, 0) + 0.5, f"{mean:.0f}", ha="center", fontsize=8.5, color=INK)
    axes.set_xticks(hours, [f"{hour}:00" for hour in hours])
    axes.set_ylim(min([0.0, *means]) - 0.5, max([1.0, *means]) * 1.18)
    axes.yaxis.set_visible(False)
    axes.set_title("Mean departure delay by scheduled hour of departure, minutes")

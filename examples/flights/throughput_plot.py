"""The picture of the replay: records a second over time, with the accident marked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .plot import BAR, INK, LATE, ON_TIME, QUIET, STYLE
from .timeline import Timeline, rates

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SLICES = 120
STEP_MIN_S = 0.05


def draw_throughput(timeline: Timeline, path: Path) -> None:
    """Write `path` (PNG): acknowledged and read records a second, and what happened when."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    end_s = max([at for at, _ in (*timeline.acks, *timeline.reads)], default=1.0)
    step_s = max(end_s / SLICES, STEP_MIN_S)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(13, 5.2), dpi=130)
        for points, colour, text in (
            (timeline.acks, BAR, "acknowledged (acks=all)"),
            (timeline.reads, ON_TIME, "read by the three consumers"),
        ):
            line = rates(points, step_s)
            axes.plot([x for x, _ in line], [y for _, y in line], color=colour, label=text)
        _mark(axes, timeline)
        axes.set_xlim(0, max(end_s, *(one.at_s for one in timeline.moments), 0.1) * 1.02)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("seconds since the replay began")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.grid(axis="y", linewidth=0.8)
        axes.set_title(
            "Records a second through three brokers; longest gap between acknowledgements "
            f"{timeline.longest_gap_ms():,.0f} ms"
        )
        axes.legend(frameon=False, loc="upper right")
        figure.tight_layout()
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path)
        plt.close(figure)


def _mark(axes: Axes, timeline: Timeline) -> None:
    for number, moment in enumerate(timeline.moments):
        colour = LATE if number == 0 else QUIET
        axes.axvline(moment.at_s, color=colour, linewidth=1.2, linestyle=(0, (4, 3)))
        axes.annotate(
            f" {moment.text}",
            (moment.at_s, 0.97 - 0.06 * number),
            xycoords=("data", "axes fraction"),
            color=colour if number == 0 else INK,
            fontsize=9,
            va="top",
        )

"""The report as a picture: one bar a metric, its ratio to Kafka, and a mark where the target is."""

from __future__ import annotations

from pathlib import Path

from .report import Result, Row, figure_text, headline, ratio_text
from .targets import Better

MET, MISSED, PLAIN, MARK = "#2e7d4f", "#c0392b", "#8795a1", "#1f2933"
INCHES_PER_ROW = 0.34
PLATE = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}


def label(row: Row) -> str:
    """What is measured, its unit, and which way is good."""
    arrow = "less is better" if row.metric.better is Better.LESS else "more is better"
    return f"{row.metric.title} [{row.metric.unit}], {arrow}"


def draw(result: Result, path: Path) -> Path | None:
    """Write the picture; None when no row has a ratio."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter

    rows = [row for row in reversed(result.rows()) if row.ratio]
    if not rows:
        return None
    figure, axes = pyplot.subplots(figsize=(12, 1.6 + INCHES_PER_ROW * len(rows)))
    for place, row in enumerate(rows):
        assert row.ratio is not None
        colour = {True: MET, False: MISSED, None: PLAIN}[row.is_met]
        axes.barh(place, row.ratio, color=colour, height=0.66)
        if row.metric.target_ratio is not None:
            axes.plot([row.metric.target_ratio] * 2, [place - 0.44, place + 0.44], color=MARK, lw=3)
        digits = row.metric.digits
        pair = f"{figure_text(row.ours, digits)} : {figure_text(row.theirs, digits)}"
        at = max(row.ratio, row.metric.target_ratio or 0.0) * 1.08
        axes.text(
            at, place, f"{ratio_text(row.ratio)}   ({pair})", va="center", fontsize=8, bbox=PLATE
        )
    axes.set_xscale("log")
    lowest = min(row.ratio for row in rows if row.ratio)
    highest = max(max(row.ratio or 0.0, row.metric.target_ratio or 0.0) for row in rows)
    axes.set_xlim(min(lowest, 0.05) * 0.8, max(highest, 1.0) * 5)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}x"))
    axes.axvline(1.0, color=MARK, lw=0.8, ls=":")
    axes.set_yticks(range(len(rows)), [label(row) for row in rows], fontsize=8)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlabel(
        "barnabas over Apache Kafka, same run (mark: target; green met, red missed, grey none)"
    )
    axes.set_title(headline(result), fontsize=10, loc="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
    return path

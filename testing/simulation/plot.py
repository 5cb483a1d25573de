"""A run as one HTML page without any script: machines, leaders, rates and faults over time."""

from __future__ import annotations

import html
import itertools
import math
from collections.abc import Iterator, Sequence

from .run import Outcome
from .watch import Sample

WIDTH = 1100
LEFT = 110
ROW = 16
COLOURS = ("#4269d0", "#efb118", "#3ca951", "#ff725c", "#a463f2", "#6cc5b0", "#9c6b4e", "#ff8ab7")
FAULT_COLOUR = "#333"
NO_LEADER_COLOUR = "#000"
RATES = {"sent": "#999", "acked": "#3ca951", "read": "#4269d0"}
USUAL_SHARE = 0.97
"""Of all rates, so many decide the scale."""
HEADROOM = 1.25
STATES = {"up": "#d8f0dc", "down": "#c0392b", "paused": "#f4b183", "starting": "#ffe699"}
RATE_HEIGHT = 90
STYLE = f"""body{{font:14px sans-serif;margin:1.5em;max-width:{WIDTH}px;overflow-wrap:anywhere}}
pre{{font-size:11px;overflow:auto;background:#f6f6f6;padding:.6em}}.bad{{color:#c0392b}}
.legend{{font-size:12px;line-height:1.7}}.key{{white-space:nowrap;margin-right:.8em}}
.key i{{display:inline-block;width:.9em;height:.9em;margin-right:.3em;vertical-align:-.1em;
border:1px solid #999}}.chart{{overflow-x:auto}}
.chart svg{{display:block;width:100%;min-width:760px}}
@media(max-width:600px){{body{{margin:.6em}}}}"""
"""Wide screens see all of the chart; on narrow ones it keeps its size, and scrolls by itself."""


class _Canvas:
    """SVG in the making; time goes from left to right."""

    def __init__(self, end_s: float) -> None:
        self._end_s = max(end_s, 0.001)
        self.parts: list[str] = []
        self.y = 24

    def x(self, at_s: float) -> float:
        return LEFT + (WIDTH - LEFT - 10) * at_s / self._end_s

    def text(self, x: float, y: float, text: str, size: int = 11, *, anchor: str = "start") -> None:
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">'
            f"{_escape(text)}</text>"
        )

    def spike(self, x: float, y: float, colour: str, title: str) -> None:
        """A mark for what goes beyond the top of a chart."""
        self.parts.append(
            f'<path d="M{x - 4:.1f},{y:.1f} l4,-6 l4,6 z" fill="{colour}">'
            f"<title>{_escape(title)}</title></path>"
        )

    def bar(self, start_s: float, end_s: float, height: int, colour: str, title: str) -> None:
        width = max(self.x(end_s) - self.x(start_s), 1.0)
        self.parts.append(
            f'<rect x="{self.x(start_s):.1f}" y="{self.y}" width="{width:.1f}" height="{height}"'
            f' fill="{colour}"><title>{_escape(title)}</title></rect>'
        )

    def line(self, points: Sequence[tuple[float, float]], colour: str) -> None:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        )


def page(outcome: Outcome, samples: Sequence[Sample]) -> str:
    """The page of a run."""
    canvas = _Canvas(outcome.simulated_s)
    _axis(canvas, outcome.simulated_s)
    _machines(canvas, samples)
    _faults(canvas, outcome.faults)
    _leaders(canvas, samples)
    _rates(canvas, samples)
    verdict = outcome.text or "all invariants held"
    facts = ", ".join(f"{name} {value:g}" for name, value in outcome.figures.items())
    knobs = "\n".join(f"{k} = {v}" for k, v in _knobs(outcome))
    trace = "\n".join(outcome.trace[-200:])
    return f"""<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>simulation {outcome.seed}</title>
<style>{STYLE}</style>
<h1>Seed {outcome.seed}</h1>
<p class="{"" if outcome.is_good else "bad"}"><b>{_escape(verdict)}</b></p>
<p>{outcome.simulated_s:.1f} simulated seconds, {outcome.events} events, hash {outcome.digest};
{_escape(facts)}</p>
{_legend()}
<div class="chart"><svg viewBox="0 0 {WIDTH} {canvas.y + 20}" font-family="sans-serif">
{chr(10).join(canvas.parts)}</svg></div>
<h2>Faults</h2><pre>{_escape(chr(10).join(outcome.faults)) or "none"}</pre>
<h2>Profile</h2><pre>{_escape(knobs)}</pre>
<h2>Last events</h2><pre>{_escape(trace)}</pre></html>
"""


def _escape(text: str) -> str:
    return html.escape(text)


def _knobs(outcome: Outcome) -> Iterator[tuple[str, object]]:
    from .profile import QUIET

    yield from outcome.profile.differences(QUIET).items()


def _axis(canvas: _Canvas, end_s: float) -> None:
    step = max(1, round(end_s / 12))
    for second in range(0, int(end_s) + 1, step):
        canvas.text(canvas.x(second), 14, f"{second} s", 10)


def _machines(canvas: _Canvas, samples: Sequence[Sample]) -> None:
    for name in samples[-1].machines if samples else ():
        canvas.text(4, canvas.y + 12, name)
        for start_s, end_s, state in _spans(samples, [s.machines.get(name, "") for s in samples]):
            canvas.bar(start_s, end_s, ROW - 3, STATES.get(str(state), "#eee"), f"{name} {state}")
        canvas.y += ROW
    canvas.y += 8


def _faults(canvas: _Canvas, faults: Sequence[str]) -> None:
    canvas.text(4, canvas.y + 12, "faults")
    for fault in faults:
        at_s = float(fault.split()[0])
        canvas.bar(at_s, at_s, ROW - 3, FAULT_COLOUR, fault.strip())
    canvas.y += ROW + 8


def _leaders(canvas: _Canvas, samples: Sequence[Sample]) -> None:
    names = sorted({name for sample in samples for name in sample.leaders})[:40]
    for name in names:
        canvas.text(4, canvas.y + 12, name[-16:])
        values = [
            (s.leaders.get(name), s.isr_sizes.get(name)) if name in s.leaders else None
            for s in samples
        ]
        for start_s, end_s, value in _spans(samples, values):
            if not isinstance(value, tuple):
                continue
            leader, in_sync = value
            colour = NO_LEADER_COLOUR if leader < 0 else COLOURS[leader % len(COLOURS)]
            canvas.bar(start_s, end_s, ROW - 3, colour, f"{name}: leader {leader}, ISR {in_sync}")
            if end_s - start_s > 0.5:
                canvas.text(canvas.x(start_s) + 2, canvas.y + 11, f"{leader} ({in_sync})", 9)
        canvas.y += ROW
    canvas.y += 8


def _rates(canvas: _Canvas, samples: Sequence[Sample]) -> None:
    if len(samples) < 2:
        return
    canvas.y += 6
    base = canvas.y + RATE_HEIGHT
    lines = [(label, colour, _rates_of(samples, label)) for label, colour in RATES.items()]
    every = [rate for _, _, rates in lines for _, rate in rates]
    top, highest = scale_of(every), max(every)
    for share in (0.0, 0.5, 1.0):
        y = base - RATE_HEIGHT * share
        canvas.line([(LEFT, y), (WIDTH - 10, y)], "#ddd")
        canvas.text(LEFT - 6, y + 4, f"{top * share:g}", 9, anchor="end")
    canvas.text(4, canvas.y + 14, "records")
    canvas.text(4, canvas.y + 28, "per second")
    if highest > top:
        canvas.text(4, canvas.y + 48, f"cut off at {top:g}", 9)
        canvas.text(4, canvas.y + 60, f"highest {highest:.0f}", 9)
    for _, colour, rates in lines:
        points = [
            (canvas.x(at_s), base - RATE_HEIGHT * min(rate, top) / top) for at_s, rate in rates
        ]
        canvas.line(points, colour)
        for (at_s, rate), (x, _) in zip(rates, points, strict=True):
            if rate > top:
                canvas.spike(x, base - RATE_HEIGHT, colour, f"{rate:.0f}/s at {at_s:.1f} s")
    canvas.y = base + 8


def _rates_of(samples: Sequence[Sample], label: str) -> list[tuple[float, float]]:
    """(time, records per second) between each two samples."""
    return [
        (b.at_s, (getattr(b, label) - getattr(a, label)) / max(b.at_s - a.at_s, 1e-9))
        for a, b in itertools.pairwise(samples)
    ]


def scale_of(rates: Sequence[float]) -> float:
    """The top of the chart: what nearly all rates are below, as 1, 2 or 5 times a power of ten.

    A reader that catches up reads a hundred times as much in one moment; what was usual would be a
    flat line below it.
    """
    usual = sorted(rates)[int((len(rates) - 1) * USUAL_SHARE)] * HEADROOM
    wanted = max(min(usual, max(rates)), 1.0)
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= wanted)


def _legend() -> str:
    """What the colours mean, as text that wraps where the page is narrow."""
    keys = [(state, colour) for state, colour in STATES.items()]
    rows = [
        ("machines", keys),
        ("faults", [("one fault; point at it for which", FAULT_COLOUR)]),
        (
            "leaders (in-sync replicas)",
            [("none", NO_LEADER_COLOUR)]
            + [(f"node {number}", COLOURS[number % len(COLOURS)]) for number in range(1, 6)],
        ),
        ("records per second", list(RATES.items())),
    ]
    lines = []
    for title, entries in rows:
        shown = " ".join(
            f'<span class="key"><i style="background:{colour}"></i>{_escape(name)}</span>'
            for name, colour in entries
        )
        lines.append(f"<div><b>{_escape(title)}</b> {shown}</div>")
    return '<div class="legend">' + "".join(lines) + "</div>"


def _spans(
    samples: Sequence[Sample], values: Sequence[object]
) -> Iterator[tuple[float, float, object]]:
    """Stretches of time in which a value stayed the same."""
    start = 0
    for at in range(1, len(samples) + 1):
        if at == len(samples) or values[at] != values[start]:
            end_s = samples[min(at, len(samples) - 1)].at_s
            yield samples[start].at_s, end_s, values[start]
            start = at

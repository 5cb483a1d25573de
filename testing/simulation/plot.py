"""A run as one HTML page without any script: machines, leaders, rates and faults over time."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterator, Sequence

from .run import Outcome
from .watch import Sample

WIDTH = 1100
LEFT = 110
ROW = 16
COLOURS = ("#4269d0", "#efb118", "#3ca951", "#ff725c", "#a463f2", "#6cc5b0", "#9c6b4e", "#ff8ab7")
STATES = {"up": "#d8f0dc", "down": "#c0392b", "paused": "#f4b183", "starting": "#ffe699"}
RATE_HEIGHT = 90


class _Canvas:
    """SVG in the making; time goes from left to right."""

    def __init__(self, end_s: float) -> None:
        self._end_s = max(end_s, 0.001)
        self.parts: list[str] = []
        self.y = 24

    def x(self, at_s: float) -> float:
        return LEFT + (WIDTH - LEFT - 10) * at_s / self._end_s

    def text(self, x: float, y: float, text: str, size: int = 11) -> None:
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}">{_escape(text)}</text>'
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
<title>simulation {outcome.seed}</title>
<style>body{{font:14px sans-serif;margin:1.5em;max-width:{WIDTH}px}}pre{{font-size:11px;
overflow:auto;background:#f6f6f6;padding:.6em}}.bad{{color:#c0392b}}</style>
<h1>Seed {outcome.seed}</h1>
<p class="{"" if outcome.is_good else "bad"}"><b>{_escape(verdict)}</b></p>
<p>{outcome.simulated_s:.1f} simulated seconds, {outcome.events} events, hash {outcome.digest};
{_escape(facts)}</p>
<svg width="{WIDTH}" height="{canvas.y + 20}" font-family="sans-serif">
{chr(10).join(canvas.parts)}</svg>
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
        canvas.bar(at_s, at_s, ROW - 3, "#333", fault.strip())
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
            colour = "#000" if leader < 0 else COLOURS[leader % len(COLOURS)]
            canvas.bar(start_s, end_s, ROW - 3, colour, f"{name}: leader {leader}, ISR {in_sync}")
            if end_s - start_s > 0.5:
                canvas.text(canvas.x(start_s) + 2, canvas.y + 11, f"{leader} ({in_sync})", 9)
        canvas.y += ROW
    canvas.y += 8


def _rates(canvas: _Canvas, samples: Sequence[Sample]) -> None:
    if len(samples) < 2:
        return
    base = canvas.y + RATE_HEIGHT
    highest = 1.0
    lines = []
    for label, colour in (("sent", "#999"), ("acked", "#3ca951"), ("read", "#4269d0")):
        rates = [
            (b.at_s, (getattr(b, label) - getattr(a, label)) / max(b.at_s - a.at_s, 1e-9))
            for a, b in itertools.pairwise(samples)
        ]
        highest = max(highest, *(rate for _, rate in rates))
        lines.append((label, colour, rates))
    for number, (label, colour, rates) in enumerate(lines):
        points = [(canvas.x(at_s), base - RATE_HEIGHT * rate / highest) for at_s, rate in rates]
        canvas.line(points, colour)
        canvas.text(4, canvas.y + 14 + 14 * number, f"{label} /s")
        canvas.bar(0, 0, 1, colour, label)
    canvas.text(4, canvas.y + 14 + 14 * len(lines), f"max {highest:.0f}")
    canvas.y = base + 8


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

"""What the main job shows: progress bars for people, plain lines for a log file, then tables."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress, TaskID

NAME_COLUMNS = 23
COLUMNS_BESIDE_BAR = NAME_COLUMNS + 44
"""What a line with a progress bar needs besides the bar, so that it fits into 80 columns."""

RATE_AFTER_S = 0.3
"""A rate before this says nothing."""


class Advance(Protocol):
    """Says how much of a phase is done, and of how much where that is known only now."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the closing list: what was checked, what was found, and whether it is right."""

    what: str
    found: str
    is_right: bool


@dataclass(slots=True)
class Screen:
    """Phases one after the other, with their times; on a terminal each has a bar."""

    console: Console
    seconds: dict[str, float] = field(default_factory=dict)
    """Name of a phase -> how long it took."""

    def title(self, text: str) -> None:
        """What this is."""
        self.console.print(f"[bold]{text}[/bold]", highlight=False)

    def details(self, *lines: str) -> None:
        """Where its parts are."""
        for line in lines:
            self.console.print(f"[dim]  {line}[/dim]", highlight=False, soft_wrap=True)

    @contextmanager
    def phase(
        self,
        name: str,
        text: str,
        total: int | None = None,
        unit: str = "records",
        *,
        shows_bar: bool = True,
    ) -> Iterator[Advance]:
        """Run the body as phase `name`; call what it yields with how much is done so far.

        Without `shows_bar` the body shows something of its own on a terminal.
        """
        started = time.perf_counter()
        if self.console.is_terminal and shows_bar:
            with _bar(self.console, text, total, unit) as advance:
                yield advance
        else:
            yield lambda done, total=None: None
        self.seconds[name] = round(time.perf_counter() - started, 3)
        if not (self.console.is_terminal and shows_bar):
            self._print_line(text, total, unit, self.seconds[name])

    def _print_line(self, text: str, total: int | None, unit: str, seconds: float) -> None:
        amount = rate = ""
        if total is not None:
            amount = f"{total:>9,} {unit}"
            rate = f"{total / max(seconds, 1e-6):>11,.0f}/s" if unit == "records" else ""
        self.console.print(
            f"{text:<{NAME_COLUMNS}} {amount:<18} {seconds:>7.1f} s {rate}".rstrip(),
            highlight=False,
        )

    def table(
        self, title: str, columns: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str]]
    ) -> None:
        """A table; a column is a heading and whether it holds numbers."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(
            title=title,
            title_justify="left",
            title_style="bold",
            box=SIMPLE_HEAD,
            pad_edge=False,
            collapse_padding=True,
        )
        for heading, is_number in columns:
            table.add_column(heading, justify="right" if is_number else "left", no_wrap=True)
        for row in rows:
            table.add_row(*row)
        self.console.print()
        self.console.print(table)

    def findings(self, findings: Sequence[Finding]) -> None:
        """The closing list of checks."""
        from rich.markup import escape

        width = max(len(each.what) for each in findings)
        for each in findings:
            mark, style = ("ok   ", "green") if each.is_right else ("WRONG", "bold red")
            self.console.print(
                f"[{style}]{mark}[/] {each.what:<{width}}  {escape(each.found)}",
                highlight=False,
                soft_wrap=True,
            )

    def line(self, text: RenderableType = "") -> None:
        """One line of its own, not broken: paths stay whole."""
        self.console.print(text, highlight=False, soft_wrap=True)


def make_screen(*, to_standard_error: bool) -> Screen:
    """A screen of the terminal's width, or of 100 columns where the output is no terminal."""
    from rich.console import Console

    console = Console(stderr=to_standard_error)
    if not console.is_terminal:
        console = Console(stderr=to_standard_error, width=100)
    return Screen(console)


@contextmanager
def _bar(console: Console, text: str, total: int | None, unit: str) -> Iterator[Advance]:
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = [
        SpinnerColumn(finished_text="[green]\N{HEAVY CHECK MARK}[/]"),
        TextColumn(f"{{task.description:<{NAME_COLUMNS}}}"),
        BarColumn(bar_width=max(8, min(40, console.width - COLUMNS_BESIDE_BAR))),
        TextColumn("{task.fields[amount]:>17}"),
        TextColumn("{task.fields[rate]:>10}", style="cyan"),
        TimeElapsedColumn(),
    ]
    with Progress(*columns, console=console, refresh_per_second=10) as progress:
        task = progress.add_task(text, total=total, amount="", rate="")
        started = time.perf_counter()

        def advance(done: int, total: int | None = None) -> None:
            _update(progress, task, done, total, unit, time.perf_counter() - started)

        yield advance
        _finish(progress, task, unit, time.perf_counter() - started)


def _update(
    progress: Progress, task: TaskID, done: int, total: int | None, unit: str, seconds: float
) -> None:
    known = total or progress.tasks[task].total
    shows_rate = unit == "records" and seconds > RATE_AFTER_S
    progress.update(
        task,
        completed=done,
        total=known,
        amount=f"{done:,} / {known:,.0f}" if known else f"{done:,} {unit}",
        rate=f"{done / seconds:,.0f}/s" if shows_rate else "",
    )


def _finish(progress: Progress, task: TaskID, unit: str, seconds: float) -> None:
    """Fill the bar, also of a phase without a measure, so that it does not stay in motion."""
    total = progress.tasks[task].total
    if total is None:
        progress.update(task, total=1, completed=1)
    else:
        _update(progress, task, int(total), None, unit, seconds)

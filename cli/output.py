"""Tables for people, JSON for machines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any


def print_json(value: Any) -> None:
    """One JSON document on standard output, stable key order as given."""
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table; numbers are right-aligned. Imports rich only here."""
    from rich.console import Console
    from rich.table import Table

    materialised = [tuple(row) for row in rows]
    table = Table(title=title or None, title_justify="left", header_style="bold")
    for index, column in enumerate(columns):
        numeric = bool(materialised) and all(
            isinstance(row[index], int | float) for row in materialised
        )
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in materialised:
        table.add_row(*("" if cell is None else str(cell) for cell in row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=max(80, _natural_width(columns, materialised)))
    console.print(table)


def _natural_width(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
    """Wide enough that nothing is folded when the output goes to a file or a pipe."""
    widths = [
        max([len(column), *(len(str(row[index])) for row in rows)])
        for index, column in enumerate(columns)
    ]
    return sum(widths) + 3 * len(widths) + 1


def counted(number: int, noun: str) -> str:
    """`1 record`, `2 records`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")

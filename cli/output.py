"""Tables for people, JSON for machines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def print_json(value: Any) -> None:
    """One JSON document on standard output, stable key order as given."""
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table; numbers are right-aligned. On a terminal with lines, else plain columns."""
    materialised = [tuple(row) for row in rows]
    numeric = [
        bool(materialised) and all(isinstance(row[at], int | float) for row in materialised)
        for at in range(len(columns))
    ]
    texts = [tuple("" if cell is None else str(cell) for cell in row) for row in materialised]
    if sys.stdout.isatty():
        _print_rich(title, columns, numeric, texts)
    else:
        _print_plain(title, columns, numeric, texts)


def print_rows(
    rows: Sequence[Mapping[str, Any]], *, as_json: bool, empty: str, columns: Sequence[str] = ()
) -> None:
    """Rows of the same names: as JSON, as a table, or `empty` where there are none.

    `columns`: the names that the table shows, in their order; all if left out.
    """
    if as_json:
        print_json(rows)
    elif not rows:
        print(empty)
    else:
        names = columns or list(rows[0])
        titles = [name.replace("_", " ") for name in names]
        print_table("", titles, [[row[name] for name in names] for row in rows])


def _print_rich(
    title: str,
    columns: Sequence[str],
    numeric: Sequence[bool],
    rows: Sequence[Sequence[str]],
) -> None:
    """Imports rich only here; as `Text`, so that `[b]` and `:x:` in a name are no marks of rich."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title) if title else None, title_justify="left", header_style="bold")
    for column, is_numeric in zip(columns, numeric, strict=True):
        table.add_column(column, justify="right" if is_numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def _print_plain(
    title: str,
    columns: Sequence[str],
    numeric: Sequence[bool],
    rows: Sequence[Sequence[str]],
) -> None:
    """For files, pipes and `awk`: two spaces between columns, `-` for nothing, never folded."""
    lines = [tuple(one.replace(" ", "-") for one in columns), *rows]
    shown = [[cell or "-" for cell in line] for line in lines]
    widths = [max(len(line[at]) for line in shown) for at in range(len(columns))]
    if title:
        print(title)
    for line in shown:
        cells = [
            cell.rjust(width) if is_numeric else cell.ljust(width)
            for cell, width, is_numeric in zip(line, widths, numeric, strict=True)
        ]
        print("  ".join(cells).rstrip())


def counted(number: int, noun: str) -> str:
    """`1 record`, `2 records`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")

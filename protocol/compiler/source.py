"""A Python source text that grows line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

COLUMNS: Final = 100


class Source:
    """Lines with their indentation, and fresh names for local variables."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0
        self._numbers: dict[str, int] = {}

    def line(self, text: str = "") -> None:
        """Append one line at the present depth."""
        self._lines.append("    " * self._depth + text if text else "")

    def lines(self, *texts: str) -> None:
        """Append several lines."""
        for text in texts:
            self.line(text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A line that ends with a colon, and what is indented below it."""
        self.line(head)
        with self.inside():
            yield

    @contextmanager
    def inside(self) -> Iterator[None]:
        """One level deeper, below what was written last."""
        self._depth += 1
        yield
        self._depth -= 1

    def sequence(self, head: str, items: list[str], tail: str) -> None:
        """`head` items `tail` on one line, or the items on lines of their own below the head."""
        line = f"{head}{', '.join(items)}{tail}"
        if len(line) + 4 * self._depth <= COLUMNS:
            self.line(line)
            return
        self.line(head)
        with self.inside():
            for item in items:
                self.line(f"{item},")
        self.line(tail)

    def fresh(self, stem: str) -> str:
        """A local name that nothing else in this function has: `s1`, `s2`, ..."""
        self._numbers[stem] = self._numbers.get(stem, 0) + 1
        return f"{stem}{self._numbers[stem]}"

    def start_function(self) -> None:
        """Begin to count local names anew."""
        self._numbers.clear()

    @property
    def position(self) -> int:
        """A place to which `insert` can go back."""
        return len(self._lines)

    def insert(self, position: int, texts: list[str]) -> None:
        """Put lines before what was written since `position`, at the present depth."""
        self._lines[position:position] = ["    " * self._depth + text for text in texts]

    def text(self) -> str:
        """All of it, with a newline at the end."""
        return "\n".join(self._lines) + "\n"

"""Java's properties files: `name=value` or `name: value`, a line each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}
_BLANKS: Final = " \t\f"
_LINE: Final = re.compile(r"((?:\\.|[^=:\s\\])+)[ \t\f]*(?:[=:][ \t\f]*)?(.*)", re.DOTALL)
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class PropertiesError(ValueError):
    """A line that is none; the text has its number alone, for it may hold a secret."""


def parse_properties(text: str) -> dict[str, str]:
    """Names and values; of a name that is there twice the last value.

    There are comments (`#`, `!`), lines that go on after a backslash, and Java's escapes. Blanks
    at the end of a line belong to the value. Raises PropertiesError for a line without a name, or
    with a name and nothing else.
    """
    found: dict[str, str] = {}
    for number, line in _logical_lines(text):
        match = _LINE.fullmatch(line)
        if match is None or match.end(1) == len(line):
            raise PropertiesError(f"line {number} is not name=value")
        found[_unescaped(match[1])] = _unescaped(match[2])
    return found


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that say something, each with those that it goes on in, and its number."""
    lines = iter(enumerate(_LINE_END.split(text), 1))
    for number, raw in lines:
        line = raw.lstrip(_BLANKS)
        if not line or line[0] in "#!":
            continue
        while _goes_on(line):
            _, more = next(lines, (0, ""))
            line = line[:-1] + more.lstrip(_BLANKS)
        if line:
            yield number, line


def _goes_on(line: str) -> bool:
    """Whether its end is escaped: by an odd number of backslashes."""
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _unescaped(text: str) -> str:
    return re.sub(
        r"\\(?:u([0-9a-fA-F]{4})|(.))",
        lambda one: chr(int(one[1], 16)) if one[1] else _ESCAPES.get(one[2], one[2]),
        text,
        flags=re.DOTALL,
    )

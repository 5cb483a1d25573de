"""Version ranges of the schema grammar: `3`, `0-4`, `2+`, `none`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

HIGHEST: Final = 32767  # what "+" stands for: an API version is an int16 on the wire

_RANGE: Final = re.compile(r"(\d{1,5})(?:(\+)|-(\d{1,5}))?")


class Versions:
    """A closed range of versions, or none at all when `lowest` is above `highest`."""

    __slots__ = ("highest", "lowest")

    def __init__(self, lowest: int, highest: int) -> None:
        self.lowest = lowest
        self.highest = highest

    @classmethod
    def parse(cls, text: str) -> Versions:
        """The range that `text` stands for; ValueError with the reason when it stands for none."""
        text = text.strip()
        if text == "none":
            return NONE
        match = _RANGE.fullmatch(text)
        if match is None:
            raise ValueError(f'{text!r} is not a version range: write "3", "0-4", "2+" or "none"')
        lowest = int(match[1])
        highest = HIGHEST if match[2] else int(match[3] or match[1])
        if lowest > highest:
            raise ValueError(f"{text!r} ends before it begins")
        if highest > HIGHEST:
            raise ValueError(f"{text!r} goes beyond version {HIGHEST}")
        return cls(lowest, highest)

    @property
    def is_open(self) -> bool:
        """Whether the range was written with a plus sign."""
        return self.highest == HIGHEST

    def __bool__(self) -> bool:
        return self.lowest <= self.highest

    def __contains__(self, version: int) -> bool:
        return self.lowest <= version <= self.highest

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.lowest, self.highest + 1))

    def __and__(self, other: Versions) -> Versions:
        return Versions(max(self.lowest, other.lowest), min(self.highest, other.highest))

    def covers(self, other: Versions) -> bool:
        """Whether every version of `other` is in this range."""
        return not other or (self.lowest <= other.lowest and other.highest <= self.highest)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Versions):
            return NotImplemented
        if not self or not other:
            return not self and not other
        return self.lowest == other.lowest and self.highest == other.highest

    def __hash__(self) -> int:
        return hash((self.lowest, self.highest)) if self else hash(())

    def __str__(self) -> str:
        if not self:
            return "none"
        if self.is_open:
            return f"{self.lowest}+"
        if self.lowest == self.highest:
            return str(self.lowest)
        return f"{self.lowest}-{self.highest}"

    def __repr__(self) -> str:
        return f"Versions.parse({str(self)!r})"


NONE: Final = Versions(0, -1)
EVERY: Final = Versions(0, HIGHEST)


def spans(versions: list[int]) -> list[Versions]:
    """Ascending versions as the fewest ranges: [0, 1, 2, 5] gives 0-2 and 5."""
    ranges: list[Versions] = []
    for version in versions:
        if ranges and ranges[-1].highest == version - 1:
            ranges[-1] = Versions(ranges[-1].lowest, version)
        else:
            ranges.append(Versions(version, version))
    return ranges

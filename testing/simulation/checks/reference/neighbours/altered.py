"""What the other files here build their questions from."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

Questions = Iterator[tuple[Any, ...]]
"""Arguments to ask as well."""

QUESTIONS: Final = 4
"""Asked for each decision that is looked at."""

NEAR: Final = (-1, 0, 1)


class Altered:
    """An object of which some attributes are others."""

    def __init__(self, original: Any, **attributes: Any) -> None:
        self._original = original
        self.__dict__.update(attributes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def altered(original: Any, **attributes: Any) -> Any:
    """The same where one of the original's type is asked for."""
    return Altered(original, **attributes)


def subset(random: Random, members: tuple[int, ...]) -> tuple[int, ...]:
    """Some of them, in their order."""
    return tuple(one for one in members if random.random() < 0.6)

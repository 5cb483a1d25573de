"""The assignors by name, and which of them a group takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from .range_assignor import assign_ranges
from .subscriber import Assignor
from .uniform_assignor import assign_uniformly

ASSIGNORS: Final[Mapping[str, Assignor]] = {"uniform": assign_uniformly, "range": assign_ranges}


def preferred(asked_for: Iterable[str | None], allowed: tuple[str, ...]) -> str:
    """The one that most members ask for, of those allowed; else the first allowed (848-13)."""
    votes = Counter(one for one in asked_for if one is not None and one in allowed)
    if not votes:
        return allowed[0]
    return min(votes, key=lambda one: (-votes[one], allowed.index(one)))

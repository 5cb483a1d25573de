"""How many examples a property is tried with."""

from __future__ import annotations

from hypothesis import settings

FULL = 100
"""The examples of the profile that is used where none is asked for."""


def examples(count: int) -> int:
    """`count`, or its share under a profile with fewer than 100: at least one.

    `make check` runs with `--hypothesis-profile=quick`; `make test` tries all of them.
    """
    return max(1, count * settings().max_examples // FULL)

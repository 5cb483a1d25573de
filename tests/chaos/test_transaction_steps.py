"""The check of P-29 sees what it is for: each kind of broken promise is named."""

from __future__ import annotations

import pytest

from lab.chaos.transaction_client import RECORDS
from lab.chaos.transaction_steps import Told


def whole(number: int) -> list[str]:
    """All records of a transaction."""
    return [f"{number}-{each}" for each in range(RECORDS)]


RIGHT = [*whole(0), *whole(2)]


def told(seen: list[str], offset: int) -> list[str]:
    """Of a committed transaction, an aborted one, and one of which nobody knows."""
    outcomes = {0: "committed", 1: "aborted", 2: "unknown"}
    return Told("t", outcomes).violations(seen, offset)


@pytest.mark.parametrize(("seen", "offset"), [(RIGHT, 3), (whole(0), 1)])
def test_what_is_whole_passes(seen: list[str], offset: int) -> None:
    """P-29, KIP-98: what is unknown is seen, or not, with its offset."""
    assert told(seen, offset) == []


@pytest.mark.parametrize(
    ("seen", "offset", "text"),
    [
        (whole(2), 3, "committed transaction 0 is not seen"),
        ([*RIGHT, *whole(1)], 3, "aborted transaction 1 is seen"),
        (RIGHT[:-1], 3, "unknown transaction 2 is seen in part or twice"),
        ([*RIGHT, "0-0"], 3, "committed transaction 0 is seen in part or twice"),
        (RIGHT, 1, "the offset is 1, and of the last transaction seen 3"),
        (whole(0), 3, "the offset is 3, and of the last transaction seen 1"),
    ],
)
def test_what_is_broken_is_named(seen: list[str], offset: int, text: str) -> None:
    """P-29, KIP-98: half, twice, missing, undone, or without its offset."""
    (found,) = told(seen, offset)
    assert found.startswith(text)

"""Who waits for acknowledgements: in the order of offsets, whatever the order of arrival."""

from __future__ import annotations

from collections import deque
from functools import partial
from random import Random

import pytest

from barnabas.broker.core.replication.waiters import Line, wait_in_line
from barnabas.protocol.errors import ErrorCode


@pytest.mark.parametrize("seed", range(20))
def test_the_line_is_in_order(seed: int) -> None:
    """Goal: a late and low offset does not wait for a higher one; equals keep their turns."""
    rng = Random(seed)
    line: Line = deque()
    told: list[int] = []

    def tell(number: int, code: ErrorCode) -> None:
        told.append(number)

    offsets = [rng.randrange(8) for _ in range(30)]
    for number, offset in enumerate(offsets):
        wait_in_line(line, offset, partial(tell, number))
    assert [offset for offset, _ in line] == sorted(offsets)
    for _, waiter in line:
        waiter(ErrorCode.NONE)
    assert told == sorted(range(30), key=lambda number: (offsets[number], number))

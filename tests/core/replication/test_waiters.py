"""Who waits for acknowledgements or bytes: nobody waits longer than for what was asked."""

from __future__ import annotations

from collections import deque
from functools import partial
from random import Random
from typing import Any

import pytest

from barnabas.broker.core.replication.waiters import Line, Waiters, wait_in_line
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


def test_who_gave_up_is_not_kept_for_ever() -> None:
    """Goal: while the watermark stands still, requests whose time was up leave nothing behind; the
    others are called in their turn."""
    log: Any = Log([1])
    waiters = Waiters(log)
    told: list[int] = []
    for number in range(10_000):
        waiter = partial(lambda number, _: told.append(number), number)
        waiters.await_watermark(number // 2, waiter)
        if number % 1000:
            waiters.stop_awaiting(waiter)
    assert len(waiters._acks) < 2000
    waiters.on_high_watermark(10_000)
    assert [number for number in told if number % 1000 == 0] == list(range(0, 10_000, 1000))


class Log:
    """Batches of some sizes, each of one record."""

    def __init__(self, sizes: list[int]) -> None:
        self.sizes = sizes

    @property
    def log_end_offset(self) -> int:
        return len(self.sizes)

    @property
    def size_bytes(self) -> int:
        return sum(self.sizes)


class Asleep:
    """Counts the bytes of which it was told."""

    def __init__(self) -> None:
        self.told = 0

    def on_bytes(self, place: int, size: int) -> None:
        assert size > 0, "the watermark moved, so there are some"
        self.told += size


@pytest.mark.parametrize("seed", range(30))
def test_no_byte_below_the_watermark_goes_untold(seed: int) -> None:
    """74-02: whatever is appended meanwhile, cut off again, or was there at the start; who is told
    of more than there is only looks too soon, and not much too soon."""
    rng = Random(seed)
    some: Any = Log([rng.randrange(1, 50) for _ in range(rng.randrange(4))])
    log: Log = some
    waiters, watermark = Waiters(some), rng.randint(0, log.log_end_offset)
    extra = log.size_bytes
    for _ in range(200):
        for _ in range(rng.randrange(3)):
            log.sizes.append(rng.randrange(1, 50))
            waiters.on_append(log.sizes[-1])
        if rng.random() < 0.05:
            extra += sum(log.sizes[watermark:])
            del log.sizes[watermark:]
        if watermark == log.log_end_offset:
            continue
        sleeper: Any = Asleep()
        waiters.park(sleeper, 0)
        before, watermark = watermark, rng.randint(watermark + 1, log.log_end_offset)
        waiters.on_high_watermark(watermark)
        waiters.unpark(sleeper)
        assert sleeper.told >= sum(log.sizes[before:watermark])
    extra += sum(log.sizes[watermark:])
    assert waiters._appended_bytes - waiters._readable_bytes <= extra + 50 * 20

"""Work in turns: who makes a long answer does not hold up others, however many do so."""

from __future__ import annotations

import asyncio

from barnabas.broker.serving.waiting import SLICE, Turns


async def test_one_at_a_time() -> None:
    """Goal: of a hundred long answers no more than one goes on in a turn of the loop (I-28)."""
    passes = in_pass = most = 0

    async def long_work() -> None:
        nonlocal in_pass, most
        turns = Turns()
        for _ in range(5):
            await turns.after(SLICE)
            in_pass += 1
            most = max(most, in_pass)

    work = [asyncio.ensure_future(long_work()) for _ in range(100)]
    work[3].cancel()
    while not all(one.done() for one in work):
        in_pass = 0
        passes += 1
        await asyncio.sleep(0)
    assert most == 1
    assert passes >= 99 * 5


async def test_who_goes_away_is_passed_over() -> None:
    """Goal: a request that is cancelled while it waits for its turn holds up nobody (I-28)."""
    turns = [Turns() for _ in range(3)]
    first, second, third = (asyncio.ensure_future(one.after(SLICE)) for one in turns)
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait_for(asyncio.gather(first, third), 10)
    assert second.cancelled()

"""Goal: the rate of answers that carry a watermark only is bounded, and an even pace goes through.

Rule 392-12.
"""

from __future__ import annotations

from random import Random

import pytest

from barnabas.broker.core.replication.watermark_pace import WatermarkPace

WINDOW_MS = 10.0


def told_at(needs_ms: list[float]) -> list[float]:
    """When answers leave, if all there is to tell comes at these times; one carries what waits."""
    pace = WatermarkPace()
    told: list[float] = []
    for need_ms in needs_ms:
        if told and need_ms <= told[-1]:
            continue  # the answer that waited carries this too
        leaves_ms = need_ms + max(pace.due_ms(need_ms, WINDOW_MS), 0.0)
        pace.note(leaves_ms, WINDOW_MS)
        told.append(leaves_ms)
    return told


def test_the_first_leaves_at_once() -> None:
    """392-12: after a quiet time nothing is waited for; what comes right behind it waits."""
    pace = WatermarkPace()
    assert pace.due_ms(1_000.0, WINDOW_MS) <= 0
    pace.note(1_000.0, WINDOW_MS)
    assert pace.due_ms(1_001.0, WINDOW_MS) == pytest.approx(4.0)
    pace.note(1_005.0, WINDOW_MS)
    assert pace.due_ms(1_006.0, WINDOW_MS) == pytest.approx(9.0)


def test_an_even_pace_is_not_held_up() -> None:
    """392-12: one in each window, each of them a few milliseconds early or late, waits for none."""
    random = Random(1)
    needs = [0.0]
    needs += [number * WINDOW_MS + random.uniform(-4.9, 4.9) for number in range(1, 500)]
    assert told_at(needs) == needs


@pytest.mark.parametrize("mean_ms", [0.5, 3.0, 10.0, 40.0])
def test_the_rate_is_bounded(mean_ms: float) -> None:
    """392-12: in no time are there more answers than windows that it touches, none is late."""
    random = Random(2)
    needs: list[float] = []
    now_ms = 0.0
    for _ in range(2_000):
        now_ms += random.expovariate(1 / mean_ms)
        needs.append(now_ms)
    told = told_at(needs)
    for count in (2, 3, 10):
        spans = [later - one for one, later in zip(told, told[count:], strict=False)]
        assert min(spans) > (count - 1) * WINDOW_MS - 1e-6
    for need_ms in needs:
        after = next((one for one in told if one >= need_ms), need_ms)
        assert after - need_ms <= WINDOW_MS


def test_a_timer_that_is_early_uses_its_window() -> None:
    """392-12: an answer that leaves just before its time counts as the one of that window."""
    pace = WatermarkPace()
    pace.note(1_000.0, WINDOW_MS)
    pace.note(1_004.6, WINDOW_MS)
    assert pace.due_ms(1_005.0, WINDOW_MS) == pytest.approx(10.0)


def test_deadlines_do_not_use_up_the_time_to_come() -> None:
    """392-12: fetches that end by their deadlines do not put off what is due."""
    pace = WatermarkPace()
    pace.note(0.0, 60_000.0)
    for number in range(1, 100):
        pace.note(number * 100.0, 60_000.0)
    assert pace.due_ms(10_000.0, 60_000.0) == pytest.approx(20_000.0)


def test_without_a_window_nothing_waits() -> None:
    """392-12: `replica.fetch.hw.propagation.min.ms=0` is no limit."""
    pace = WatermarkPace()
    for _ in range(3):
        pace.note(5.0, 0.0)
        assert pace.due_ms(5.0, 0.0) <= 0

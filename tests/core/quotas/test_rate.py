"""Rates over samples of time, and the times that follow from them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from barnabas.broker.core.quotas.rate import THROTTLE_MS_MAX, Rate, Window

DEFAULTS = Window(11, 1000.0)


def test_a_fresh_client_may_use_ten_seconds_at_once() -> None:
    """QTA-07: the time is at least all samples but one, here ten seconds."""
    rate = Rate()
    rate.record(10_000, 5.0, DEFAULTS)
    assert rate.per_second(5.0, DEFAULTS) == 1000
    assert rate.throttle_ms(1000, 5.0, DEFAULTS) == 0
    rate.record(1000, 5.0, DEFAULTS)
    assert rate.throttle_ms(1000, 5.0, DEFAULTS) == 1000


def test_the_throttle_has_no_bound() -> None:
    """QTA-08: 50,115 bytes at 1000 a second are 40 seconds too many, as Kafka answers."""
    rate = Rate()
    rate.record(50_115, 0.0, DEFAULTS)
    assert rate.throttle_ms(1000, 0.0, DEFAULTS) == 40_115


def test_a_limit_that_is_hardly_one() -> None:
    """QTA-08: the longest time that an answer can say, also where it would be no number."""
    rate = Rate()
    rate.record(50_115, 0.0, DEFAULTS)
    assert rate.throttle_ms(1e-310, 0.0, DEFAULTS) == THROTTLE_MS_MAX


def test_what_was_recorded_can_be_taken_back() -> None:
    """QTA-10: an answer that does not leave counts for nothing."""
    rate = Rate()
    rate.record(500, 0.0, DEFAULTS)
    rate.record(99_000, 10.0, DEFAULTS)
    rate.record(-99_000, 10.0, DEFAULTS)
    assert rate.per_second(10.0, DEFAULTS) == 500 * 1000 / 10_010


def test_old_samples_are_forgotten() -> None:
    """QTA-07: what was used before the window counts no more."""
    rate = Rate()
    rate.record(1_000_000, 0.0, DEFAULTS)
    assert rate.per_second(10_999.0, DEFAULTS) > 0
    assert rate.per_second(11_000.0, DEFAULTS) == 0
    assert rate.elapsed_ms(11_000.0, DEFAULTS) == 10_000


Uses = st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 10_000)), min_size=1, max_size=60)


@given(uses=Uses, samples=st.integers(2, 12), sample_ms=st.sampled_from([1.0, 100.0, 1000.0]))
def test_a_rate_is_of_the_live_window(
    uses: list[tuple[int, int]], samples: int, sample_ms: float
) -> None:
    """QTA-07: all of the last window is in the sum, nothing older than it and one sample more."""
    window = Window(samples, sample_ms)
    rate = Rate()
    seen: list[tuple[float, int]] = []
    now = 0.0
    for after, used in uses:
        now += after
        rate.record(used, now, window)
        seen.append((now, used))
        elapsed = rate.elapsed_ms(now, window)
        total = rate.per_second(now, window) * elapsed / 1000
        # A sample lives for the window after its last use, and is one sample long.
        oldest = window.whole_ms + sample_ms
        certain = sum(each for at, each in seen if now - at < window.whole_ms - sample_ms)
        possible = sum(each for at, each in seen if now - at < oldest)
        assert certain - 0.001 <= total <= possible + 0.001
        assert elapsed >= min((samples - 1) * sample_ms, window.whole_ms)
        assert elapsed <= oldest


@given(uses=Uses, limit=st.integers(1, 5000))
def test_the_throttle_follows_the_rate(uses: list[tuple[int, int]], limit: int) -> None:
    """QTA-08: there is one exactly above the limit, and none once the window has passed."""
    rate = Rate()
    now = 0.0
    for after, used in uses:
        now += after
        rate.record(used, now, DEFAULTS)
        over = rate.per_second(now, DEFAULTS) / limit - 1
        wait_ms = rate.throttle_ms(limit, now, DEFAULTS)
        assert wait_ms == (round(over * rate.elapsed_ms(now, DEFAULTS)) if over > 0 else 0)
    assert rate.throttle_ms(limit, now + 11_000, DEFAULTS) == 0

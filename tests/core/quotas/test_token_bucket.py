"""Buckets of tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from barnabas.broker.core.quotas.rate import THROTTLE_MS_MAX, Window
from barnabas.broker.core.quotas.token_bucket import TokenBucket

DEFAULTS = Window(11, 1000.0)


def test_a_burst_passes_and_is_paid_for() -> None:
    """QTA-14: at one a second, two of seven pass, and the third waits for three seconds."""
    bucket = TokenBucket()
    for _ in range(2):
        assert bucket.may_take(1.0, 0.0, DEFAULTS)
        bucket.take(7, 1.0, 0.0, DEFAULTS)
    assert not bucket.may_take(1.0, 68.0, DEFAULTS)
    assert bucket.throttle_ms(1.0, 68.0, DEFAULTS) == 2932
    assert bucket.may_take(1.0, 3000.0, DEFAULTS)


def test_a_limit_that_is_hardly_one() -> None:
    """QTA-14: the longest time that an answer can say, also where it would be no number."""
    bucket = TokenBucket()
    bucket.take(7, 1e-310, 0.0, DEFAULTS)
    assert bucket.throttle_ms(1e-310, 68.0, DEFAULTS) == THROTTLE_MS_MAX


@given(
    uses=st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 50)), max_size=50),
    limit=st.floats(0.1, 100),
)
def test_no_more_than_the_limit_and_a_burst(uses: list[tuple[int, int]], limit: float) -> None:
    """QTA-14: what passed is at most the burst, the limit times the time, and one request more."""
    bucket = TokenBucket()
    now, passed = 0.0, 0.0
    for after, cost in uses:
        now += after
        if bucket.may_take(limit, now, DEFAULTS):
            bucket.take(cost, limit, now, DEFAULTS)
            assert passed <= limit * (11 + now / 1000) + 0.01
            passed += cost
        else:
            later = now + bucket.throttle_ms(limit, now, DEFAULTS) + 1
            assert bucket.throttle_ms(limit, now, DEFAULTS) > 0 or later > now
            assert bucket.may_take(limit, later, DEFAULTS)
            now = later

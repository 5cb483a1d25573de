"""How long a batch waits after an error before it is sent again."""

from __future__ import annotations

from typing import Final

from ..config import ProducerConfig

LATE_MS: Final = 2
"""First wait, in ms, for a broker that will learn at any moment that it leads."""

_DOUBLINGS_MAX: Final = 20


def wait_ms(config: ProducerConfig, attempts: int, *, is_late: bool = False) -> int:
    """After the first attempt `retry_backoff_ms`, then two, four, … times that (951-07).

    `is_late`: the broker told an older leader epoch than the one in which it was asked, so the
    metadata that makes it the leader is still on its way to it. That is waited for in small steps,
    which double as well.
    """
    first_ms = config.retry_backoff_ms
    limit_ms = max(first_ms, config.retry_backoff_max_ms)
    wait = min(limit_ms, first_ms << _doublings(attempts, 1))
    return min(wait, LATE_MS << _doublings(attempts, 2)) if is_late else wait


def _doublings(attempts: int, free: int) -> int:
    return min(_DOUBLINGS_MAX, max(0, attempts - free))

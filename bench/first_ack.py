"""How long until a broker acknowledges a record on a topic that it creates itself."""

from __future__ import annotations

import time
from collections.abc import Callable

from . import wire

RETRY_S = 0.001
ATTEMPT_TIMEOUT_S = 2.0


def wait_for_first_ack(
    port: int, topic: str, *, started: float, timeout_s: float, alive: Callable[[], bool]
) -> float:
    """Seconds from `started` to the first acknowledged record; dials every millisecond until then.

    `started` is a `time.perf_counter`. `TimeoutError` when there is no acknowledged record in
    `timeout_s`, or when `alive` turns False.
    """
    batch = wire.one_record_batch(b"first", int(time.time() * 1000))
    reason = "no connection"
    while time.perf_counter() - started < timeout_s:
        try:
            with wire.Wire(port, ATTEMPT_TIMEOUT_S) as connection:
                while not connection.topic(topic, create=True).is_ready():
                    reason = "the topic has no leader"
                    time.sleep(RETRY_S)
                    if time.perf_counter() - started > timeout_s:
                        break
                connection.produce_one(topic, 0, batch)
                return time.perf_counter() - started
        except (OSError, EOFError, wire.RefusedError) as error:
            reason = str(error)
        if not alive():
            raise TimeoutError(f"the broker ended before it acknowledged a record ({reason})")
        time.sleep(RETRY_S)
    raise TimeoutError(f"no acknowledged record in {timeout_s:.0f} s ({reason})")

"""What one request names again and again: described a few times, as by Kafka, and then refused.

A few bytes name something whose description is long, so that a small request could ask for an
answer of any size. No client names a thing more than once.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError

TIMES_MAX: Final = 10
"""A request may name the same thing so many times."""


class Repeats:
    """How often one request has named each thing."""

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times: dict[Hashable, int] = {}

    def count(self, key: Hashable) -> None:
        """It is named once more. Raises KafkaError INVALID_REQUEST (42) after `TIMES_MAX`."""
        times = self._times.get(key, 0)
        if times == TIMES_MAX:
            # Without its name, which may be long.
            raise KafkaError(ErrorCode.INVALID_REQUEST, f"named more than {TIMES_MAX} times")
        self._times[key] = times + 1

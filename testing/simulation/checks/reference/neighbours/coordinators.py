"""Operations of timers that fail, on timers of their own."""

from __future__ import annotations

from random import Random
from typing import Any

from barnabas.broker.core.coordination.shard_timers import LoopTimers
from barnabas.protocol.errors import ErrorCode, KafkaError

from .altered import Questions


class NoLoop:
    """Timers that are set on it never go off."""

    def call_later(self, delay_ms: float, callback: Any) -> NoLoop:
        """What is returned can be cancelled."""
        del delay_ms, callback
        return self

    call_soon = call_later

    def now_ms(self) -> float:
        """It stands still."""
        return 0.0

    def cancel(self) -> None:
        """Nothing was to happen."""


def tried_again(random: Random, *args: Any) -> Questions:
    del random, args
    loop: Any = NoLoop()
    error = KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    yield LoopTimers(loop, _nothing), "a timer", _nothing, error


def _nothing(*args: Any, **options: Any) -> Any:
    del args, options

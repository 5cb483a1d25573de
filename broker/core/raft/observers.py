"""Replicas that are no voters, as a leader knows them: how far each is, for as long as it asks.

Anybody can fetch under any id. So no more than `OBSERVERS_MAX` are remembered, and those that were
silent for longest make way: an observer that lives is back with its next Fetch.
"""

from __future__ import annotations

from typing import Final

from .messages import ReplicaKey
from .states import Progress

OBSERVERS_MAX: Final = 1000


def known_or_new(observers: dict[ReplicaKey, Progress], key: ReplicaKey) -> Progress:
    """What is known of this one; from now on it is remembered."""
    progress = observers.get(key)
    if progress is None:
        if len(observers) >= OBSERVERS_MAX:
            _forget_silent(observers)
        progress = observers[key] = Progress()
    return progress


def _forget_silent(observers: dict[ReplicaKey, Progress]) -> None:
    by_silence = sorted(observers, key=lambda key: observers[key].last_fetch_ms)
    for key in by_silence[: OBSERVERS_MAX // 10]:
        del observers[key]

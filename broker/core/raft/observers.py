"""Who fetches from a leader: voters, and replicas that are none, for as long as they ask.

Anybody can fetch under any id. So no more than `OBSERVERS_MAX` are remembered, and those that were
silent for longest make way: an observer that lives is back with its next Fetch.
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.primitives import ZERO_UUID

from .messages import ReplicaKey
from .states import Leader, Progress, Replica

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


def note_alive(replica: Replica, role: Leader, key: ReplicaKey, now_ms: float) -> Progress | None:
    """A replica asked for something: check quorum counts that. None for what is no replica."""
    if key.node_id < 0 or key.node_id == replica.me.node_id:
        return None
    progress = role.voters.get(key.node_id)
    if progress is None or not replica.has_voter(key):
        progress = known_or_new(role.observers, key)
    progress.last_fetch_ms = now_ms
    if role.told:
        note_directory(role, key)
    return progress


def note_directory(role: Leader, key: ReplicaKey) -> None:
    """A Fetch came from this directory: what was told of another one holds no more."""
    told = role.told.get(key.node_id)
    if told is not None and key.directory_id not in (told.directory_id, ZERO_UUID):
        del role.told[key.node_id]

"""Counters of those who have a quota: as many as are in use, and no more than a bound (ATK-40)."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

EXPIRY_MS: Final = 3_600_000.0
"""Time after which a counter that nobody used is forgotten (QTA-18)."""

_EXPIRED_AT_ONCE: Final = 100
"""Most counters that one look-up forgets, so that none takes long."""

_FURTHER: Final = object()
"""Stands for all names of an owner for whom there is no room."""

CounterT = TypeVar("CounterT")


class Counters(Generic[CounterT]):
    """Counters by what is counted together, such as a user, or a user with a client id."""

    __slots__ = ("_by_key", "_make", "_most", "_of_owner")

    def __init__(self, make: Callable[[], CounterT], most_of_owner: int) -> None:
        """`make`: a new counter. An owner, who makes it grow, has at most `most_of_owner`."""
        self._make = make
        self._most = most_of_owner
        self._by_key: OrderedDict[Hashable, tuple[CounterT, str, float]] = OrderedDict()
        """With owner and time of the last use; least recently used first."""
        self._of_owner: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._by_key)

    def get(self, key: Hashable, owner: str, now_ms: float) -> CounterT:
        """The counter, which is used now; a new one if there is none.

        Where the owner has too many, all further keys share one: who invents names gains nothing.
        """
        self._expire(now_ms)
        found = self._by_key.pop(key, None)
        if found is None:
            if self._of_owner[owner] >= self._most and key != (owner, _FURTHER):
                return self.get((owner, _FURTHER), owner, now_ms)
            self._of_owner[owner] += 1
        counter, owner = (self._make(), owner) if found is None else found[:2]
        self._by_key[key] = (counter, owner, now_ms)
        return counter

    def recent(self, key: Hashable, now_ms: float) -> CounterT:
        """As `get` for what belongs to nobody, such as addresses: the oldest makes way."""
        if key not in self._by_key and self._of_owner[""] >= self._most:
            self._forget_oldest()
        return self.get(key, "", now_ms)

    def _forget_oldest(self) -> None:
        _, (_, owner, _) = self._by_key.popitem(last=False)
        self._of_owner[owner] -= 1
        if not self._of_owner[owner]:
            del self._of_owner[owner]

    def _expire(self, now_ms: float) -> None:
        for _ in range(_EXPIRED_AT_ONCE):
            oldest = next(iter(self._by_key.values()), None)
            if oldest is None or now_ms - oldest[2] < EXPIRY_MS:
                return
            self._forget_oldest()

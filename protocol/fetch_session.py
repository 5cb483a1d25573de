"""Incremental fetch sessions, the fetcher's side: what a broker already knows is not sent again.

KIP-227. A session belongs to one broker. `plan` says what the next request has to hold; `take` and
`lose` say what became of it.

- 227-01: epoch 0 asks for a new session and names all partitions; from then on each request has the
  next epoch (after 2^31-1 comes 1), names what is new or is asked for otherwise, and forgets what
  is fetched no longer. After an error of the session, and after an answer that never came, the next
  request is full again: with the old id, which ends the old session. After
  FETCH_SESSION_ID_NOT_FOUND (70) there is none to end.
- 227-03: a broker without a free slot answers with session id 0: the next request is full again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import eq
from typing import Final, Generic, NamedTuple, TypeVar

from .errors import ErrorCode

NO_SESSION: Final = 0
FULL_EPOCH: Final = 0
SESSIONLESS_EPOCH: Final = -1
"""Of a full fetch that leaves no session behind (227-01)."""

EPOCH_MAX: Final = 2**31 - 1

SESSION_ERRORS: Final = frozenset(
    {
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
    }
)
"""Codes of a whole response that a full request answers (227-01)."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Plan(NamedTuple, Generic[K, V]):
    """One request: its session fields, the partitions to name and those to take out."""

    session_id: int
    session_epoch: int
    to_send: Mapping[K, V]
    to_forget: Sequence[K]

    @property
    def is_full(self) -> bool:
        return self.session_epoch == FULL_EPOCH


class FetchSession(Generic[K, V]):
    """The session with one broker. K names a partition, V is what is asked for of it.

    `is_same` says whether two V are told to the broker alike.
    """

    __slots__ = ("_epoch", "_id", "_is_same", "asked")

    def __init__(self, is_same: Callable[[V, V], bool] = eq) -> None:
        self._id = NO_SESSION
        self._epoch = FULL_EPOCH
        self._is_same = is_same
        self.asked: dict[K, V] = {}
        """The partitions of the session, which an answer may be about."""

    @property
    def is_full(self) -> bool:
        """Whether the next request must name all partitions."""
        return self._epoch == FULL_EPOCH

    def plan_for(self, wanted: Mapping[K, V]) -> Plan[K, V] | None:
        """What to send so that the session covers exactly `wanted`; None if that is nothing."""
        return self.plan(wanted, [key for key in self.asked if key not in wanted])

    def plan(self, wanted: Mapping[K, V], gone: Iterable[K]) -> Plan[K, V] | None:
        """What to send next; None if nothing is left to ask for.

        `wanted`: all that is fetched if `is_full`, else what may have changed; `gone`: what is not
        fetched any more, or not now.
        """
        to_forget: Sequence[K] = ()
        if self.is_full:
            self.asked = dict(wanted)
            to_send = wanted
        else:
            to_forget = [key for key in gone if self.asked.pop(key, None) is not None]
            to_send = self._changed(wanted)
        if not self.asked:
            # An empty session ends itself: the next request begins another.
            self._epoch = FULL_EPOCH
            return None
        return Plan(self._id, self._epoch, to_send, to_forget)

    def _changed(self, wanted: Mapping[K, V]) -> dict[K, V]:
        """What the broker does not know yet; it is told of it now."""
        changed: dict[K, V] = {}
        is_same = self._is_same
        for key, value in wanted.items():
            known = self.asked.get(key)
            if known is None or not is_same(known, value):
                changed[key] = value
            self.asked[key] = value
        return changed

    def take(self, error_code: int, session_id: int) -> bool:
        """An answer came; True if it is about the partitions that were asked for."""
        if error_code != ErrorCode.NONE:
            if error_code == ErrorCode.FETCH_SESSION_ID_NOT_FOUND:
                self._id = NO_SESSION
            self._epoch = FULL_EPOCH
            return False
        if self.is_full:
            self._id = session_id
            self._epoch = FULL_EPOCH if session_id == NO_SESSION else 1
            return True
        if session_id != self._id:
            self._epoch = FULL_EPOCH
            # Of another session than ours, or of none: what it says of positions is still true.
            return session_id == NO_SESSION
        self._epoch = 1 if self._epoch == EPOCH_MAX else self._epoch + 1
        return True

    def lose(self) -> None:
        """No answer came: nobody knows whether the broker took the request."""
        self._epoch = FULL_EPOCH

"""Incremental fetch sessions, client side: what a broker already knows is not sent again (KIP-227).

A session belongs to one broker. `plan` says what the next request has to hold, `answered`,
`failed` and `restart` move on:

    no session --(full request, epoch 0)--> answered with an id --> incremental, epoch 1, 2, …
    any error of the session or of the connection              --> full request again
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Generic, NamedTuple, TypeVar

from barnabas.protocol.errors import ErrorCode

NO_SESSION = 0
INITIAL_EPOCH = 0
EPOCH_MAX = 2**31 - 1

SESSION_ERRORS = frozenset(
    {
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
        ErrorCode.INCONSISTENT_TOPIC_ID,
        ErrorCode.UNKNOWN_TOPIC_ID,
    }
)
"""Codes of a whole response after which only a full request makes sense (227-01)."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Plan(NamedTuple, Generic[K, V]):
    """One request: its session fields, the partitions to name and those to take out."""

    session_id: int
    session_epoch: int
    to_send: Mapping[K, V]
    to_forget: tuple[K, ...]

    @property
    def is_full(self) -> bool:
        return self.session_epoch == INITIAL_EPOCH


class FetchSession(Generic[K, V]):
    """The session with one broker. K names a partition, V is all that a request says of it."""

    __slots__ = ("_epoch", "_known", "_session_id")

    def __init__(self) -> None:
        self._session_id = NO_SESSION
        self._epoch = INITIAL_EPOCH
        self._known: dict[K, V] = {}

    @property
    def session_id(self) -> int:
        return self._session_id

    def plan(self, wanted: Mapping[K, V]) -> Plan[K, V]:
        """What to send so that the broker's session covers exactly `wanted`."""
        if self._epoch == INITIAL_EPOCH:
            self._known = dict(wanted)
            return Plan(self._session_id, INITIAL_EPOCH, dict(wanted), ())
        changed = {
            key: value for key, value in wanted.items() if self._known.get(key, None) != value
        }
        gone = tuple(key for key in self._known if key not in wanted)
        self._known = dict(wanted)
        return Plan(self._session_id, self._epoch, changed, gone)

    def answered(self, session_id: int) -> None:
        """A response without a session error came: go on with the session that it names."""
        if session_id == NO_SESSION:
            self.failed()
        elif session_id != self._session_id or self._epoch == INITIAL_EPOCH:
            self._session_id = session_id
            self._epoch = 1
        else:
            self._epoch = 1 if self._epoch == EPOCH_MAX else self._epoch + 1

    def failed(self) -> None:
        """The broker does not have the session: start with a full request."""
        self._session_id = NO_SESSION
        self._epoch = INITIAL_EPOCH
        self._known = {}

    def restart(self) -> None:
        """Nobody knows what the broker saw: a full request that closes the session, if there
        is one, and begins another."""
        self._epoch = INITIAL_EPOCH
        self._known = {}

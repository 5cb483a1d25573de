"""The client's end of one connection to a broker: bytes in, events out, nothing that waits.

A driver owns the transport, the clock and whoever waits. It does four things:

- When the transport is connected, send what `open` returns.
- Send what `request` and `post` return. `open` and `request` take a `waiter`, which is the
  driver's own (a future, say) and comes back with the answer.
- Give `receive` what came, and do what its events say: hand an answer to its waiter (`Asked`),
  send more (`ToSend`), or run what is slow in a thread, and send what `computed` makes of it
  (`Slow`). A ProtocolError means that no broker is there, or a broken one.
- At `next_deadline`, look whether a request is `overdue`. Answers come in the order of requests
  (ENV-08), so nothing that comes later is of use.

After an error and after a request that is overdue the driver ends the connection, and tells the
waiters that `close` returns. Times are seconds on the driver's clock, always handed in.

    CONNECTING --open--> NEGOTIATING --versions are known--> LOGGING_IN --let in--> READY
         any phase --close--> CLOSED

A handshake of TLS is over before `open`. LOGGING_IN is left out without a login; no driver sees
its requests and answers (`login.py`), as it sees none of the negotiation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar  # Any: of any message

from ..errors import ProtocolError
from ..header import decode_response_header, encode_request
from ..message import Message
from ..sasl.client import SaslClient
from ..sasl.errors import SaslError
from ..sasl.slow import Slow
from .frames import FrameReader
from .login import ClientLogin, Request
from .negotiation import Negotiation, VersionsAnswer

IN_FLIGHT_MAX: Final = 1000
"""Requests of one connection that may wait for an answer, whoever sends them."""

CORRELATION_ID_MAX: Final = 2**31 - 1

R_co = TypeVar("R_co", covariant=True)
W = TypeVar("W")


class ResponseClass(Protocol[R_co]):
    """The class of a response."""

    NAME: str

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[R_co, int]: ...


class Phase(Enum):
    """How far a connection is."""

    CONNECTING = auto()
    NEGOTIATING = auto()
    LOGGING_IN = auto()
    READY = auto()
    CLOSED = auto()


@dataclass(slots=True)
class Asked(Generic[W]):
    """A request that was sent; as an event: its answer has come, and is in `response`."""

    correlation_id: int
    api_key: int
    version: int
    answer: ResponseClass[Any]  # of any message
    waiter: W
    asked_at: float
    deadline: float
    response: Any = None  # what `answer` decoded; for `open` the versions

    @property
    def name(self) -> str:
        """The name of the API."""
        return self.answer.NAME.removesuffix("Response")


class ToSend(NamedTuple):
    """Bytes that must be sent now."""

    data: bytes


Event = Asked[W] | ToSend | Slow


class ClientEnd(Generic[W]):
    """See the module. Answers of more than `frame_bytes_max` are not read."""

    __slots__ = (
        "_client_id",
        "_correlation_id",
        "_frames",
        "_heard_at",
        "_is_computing",
        "_login",
        "_negotiation",
        "_pending",
        "_versions",
        "has_answered",
        "phase",
    )

    def __init__(
        self, client_id: str, frame_bytes_max: int, login: SaslClient | None = None
    ) -> None:
        """`login` if the broker wants one."""
        self.phase = Phase.CONNECTING
        self.has_answered = False
        """Whether an answer came that only a broker can give."""
        self._client_id = client_id
        self._frames = FrameReader(frame_bytes_max)
        self._negotiation = Negotiation()
        self._login = None if login is None else ClientLogin(login)
        self._versions: dict[int, tuple[int, int]] = {}
        self._pending: deque[Asked[W]] = deque()
        self._correlation_id = 0
        self._heard_at = 0.0
        self._is_computing = False

    # --- opening and closing ------------------------------------------------------------------

    def open(self, waiter: W, now: float, deadline: float) -> bytes:
        """The transport is connected: what to send first.

        The waiter's answer says that requests may be sent; it is due by `deadline`.
        """
        assert self.phase is Phase.CONNECTING, self.phase
        self.phase = Phase.NEGOTIATING
        return self._negotiate(waiter, now, deadline)

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self.phase is Phase.CLOSED

    def close(self) -> list[W]:
        """No more answers are taken; who waits for one, oldest first. A second call gives none."""
        self.phase = Phase.CLOSED
        waiters = [each.waiter for each in self._pending]
        self._pending.clear()
        return waiters

    @property
    def login_lifetime_ms(self) -> int:
        """For how long the login holds, once it is over; 0: for ever (KIP-368)."""
        return 0 if self._login is None else self._login.lifetime_ms

    @property
    def held(self) -> bytes:
        """The bytes that came after the last whole frame."""
        return self._frames.held

    # --- versions -----------------------------------------------------------------------------

    def version_of(self, api_key: int, lowest: int, highest: int) -> int | None:
        """The highest version in this range that the broker serves; None if it serves none."""
        served = self._versions.get(api_key)
        if served is None:
            return None
        version = min(highest, served[1])
        return version if version >= max(lowest, served[0]) else None

    def feature_level(self, name: str) -> int:
        """The level of a feature that the cluster had finalised when this was opened; 0: none."""
        return self._negotiation.features.get(name, 0)

    def offer(self, api_key: int) -> str:
        """In words, which versions the broker serves."""
        served = self._versions.get(api_key)
        return "not at all" if served is None else f"in versions {served[0]} to {served[1]}"

    # --- requests -----------------------------------------------------------------------------

    @property
    def in_flight(self) -> int:
        """How many requests wait for an answer; at IN_FLIGHT_MAX no more should be sent."""
        return len(self._pending)

    def request(
        self,
        request: Message,
        version: int,
        answer: ResponseClass[Any],  # of any message
        waiter: W,
        now: float,
        deadline: float,
    ) -> bytes:
        """The frame of a request whose answer is due by `deadline`.

        Raises EncodeError if `version` cannot carry a field that is set; then nothing has changed.
        """
        key, number = request.API_KEY, self._correlation_id
        assert key is not None, "a request"
        frame = encode_request(request, version, number, self._client_id)
        self._correlation_id = (number + 1) & CORRELATION_ID_MAX
        self._pending.append(Asked(number, key, version, answer, waiter, now, deadline))
        return frame

    def post(self, request: Message, version: int) -> bytes:
        """The frame of a request that gets no answer (Produce with acks=0). Raises EncodeError."""
        number = self._correlation_id
        frame = encode_request(request, version, number, self._client_id)
        self._correlation_id = (number + 1) & CORRELATION_ID_MAX
        return frame

    # --- answers ------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> Iterator[Event[W]]:
        """What these bytes bring; use it up before the next call.

        Raises:
            FrameSizeError: there is no frame where one should begin.
            NegotiationError: the broker does not say which versions it serves.
            LoginRefusedError: it does not let this client in.
            ProtocolError: an answer to nothing, to another request, or that does not decode.
        """
        if self.is_closed:
            return
        self._heard_at = now
        for frame, offset in self._frames.feed(data):
            if self.phase is Phase.READY:
                asked = self._match(frame, offset)
                self._pending.popleft()
                yield asked
            elif self.is_closed:
                return  # the driver did that, on the last event
            else:
                yield self._opening(self._match(frame, offset), now)

    def _match(self, frame: bytes, offset: int) -> Asked[W]:
        """The oldest request, with this frame as its answer; it is pending still."""
        if not self._pending or self._is_computing:
            raise ProtocolError("an answer that nothing was asked for")
        asked = self._pending[0]
        number, body = decode_response_header(frame, offset, asked.api_key, asked.version)
        if number != asked.correlation_id:
            raise ProtocolError(
                f"correlation id {number} where {asked.correlation_id} was due (ENV-08)"
            )
        asked.response, end = asked.answer.decode_at(frame, body, asked.version)
        if end != len(frame):
            raise ProtocolError(f"{len(frame) - end} bytes left over after {asked.answer.NAME}")
        self.has_answered = True
        return asked

    # --- time ---------------------------------------------------------------------------------

    def next_deadline(self) -> float | None:
        """When the first answer is overdue, if none comes; None: nothing waits."""
        return min((each.deadline for each in self._pending), default=None)

    def overdue(self, now: float) -> Asked[W] | None:
        """The request that has waited too long, if there is one."""
        first = min(self._pending, key=lambda each: each.deadline, default=None)
        return first if first is not None and first.deadline <= now else None

    def silent_s(self, now: float) -> float:
        """For how long the broker has owed an answer without sending a byte."""
        if not self._pending:
            return 0.0
        return now - max(self._pending[0].asked_at, self._heard_at)

    # --- negotiation --------------------------------------------------------------------------

    def _negotiate(self, waiter: W, now: float, deadline: float) -> bytes:
        asked = self._negotiation
        return self.request(asked.request(), asked.version, VersionsAnswer, waiter, now, deadline)

    def _opening(self, asked: Asked[W], now: float) -> Event[W]:
        """What follows an answer before the connection is ready."""
        if self.phase is Phase.NEGOTIATING:
            versions = self._negotiation.take(asked.response)
            if versions is None:
                self._pending.popleft()  # not before: after an error somebody waits still
                return ToSend(self._negotiate(asked.waiter, now, asked.deadline))
            self._versions = versions
        login = self._login
        following: Request | Slow | None = None
        if login is not None:
            if self.phase is Phase.NEGOTIATING:
                following = login.begin(self._versions)
            else:
                following = login.take(asked.response)
        if isinstance(following, Slow):
            self._is_computing = True  # and its waiter stays the one that is told of the end
            return following
        self._pending.popleft()
        if following is None:
            asked.response = self._versions
            self.phase = Phase.READY
            return asked
        self.phase = Phase.LOGGING_IN
        return self._ask(following, asked, now)

    def _ask(self, following: Request, asked: Asked[W], now: float) -> ToSend:
        message, version, answer = following
        return ToSend(self.request(message, version, answer, asked.waiter, now, asked.deadline))

    def computed(self, token: bytes | SaslError, now: float) -> ToSend | None:
        """What to send after the work of a `Slow`; None: the connection has ended meanwhile.

        Raises LoginRefusedError.
        """
        if self.is_closed or not self._is_computing:
            return None
        assert self._login is not None
        following = self._login.computed(token)
        self._is_computing = False
        return self._ask(following, self._pending.popleft(), now)

"""Logins on connections: drives `SaslServer`, holds failures back, and renews what runs out.

Until it is over, nothing that comes is a request to anybody else, and no frame may be longer than
`sasl.server.max.receive.size` (SASL-10). A failure is answered, and the connection closed, after
`connection.failed.authentication.delay.ms`; nothing is read meanwhile (SASL-11).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import partial
from struct import Struct
from typing import Final, NamedTuple, Protocol

from barnabas.protocol.errors import ErrorCode

from ...core.security.mechanisms import LoginError, ServerMechanism
from ...core.security.principal import Principal
from ...core.security.sasl_server import (
    SASL_HANDSHAKE,
    Answer,
    Doubted,
    LoggedIn,
    Misplaced,
    Outcome,
    PassOn,
    Pending,
    Refused,
    SaslServer,
    Session,
)
from ..connection import Connection, Dispatch, Produce

_LENGTH: Final = Struct(">i")
_RENEWALS_APART_S: Final = 1.0
"""Kafka refuses to begin a renewal sooner after the last one (SASL-17)."""


class SaslRules(NamedTuple):
    """What holds for the logins of one listener."""

    mechanisms: Mapping[str, Callable[[], ServerMechanism]]
    lifetime_ms: Mapping[str, int]  # by mechanism; 0: for ever
    frame_max: int
    failure_delay_ms: int
    timeout_ms: int
    threads: Executor | None = None  # where slow mechanisms work


class LoginEnd(NamedTuple):
    """How a login ended: for counters, log and audit."""

    mechanism: str  # empty: none was chosen
    is_renewal: bool
    principal: Principal | None  # who is in now; None: it failed
    claimed: str | None = None  # who somebody said to be
    reason: str = ""  # why it failed


class Gate(Protocol):
    """The listener, as logins need it."""

    dispatch: Dispatch
    produce: Produce

    def refuse(self, connection: Connection, frame: bytes, code: ErrorCode) -> None:
        """Answer this request with an error, in its own form, if that has a place for one."""
        ...

    def login_ended(self, connection: Connection, end: LoginEnd) -> None:
        """Count it, and tell of it."""
        ...

    def login_expired(self) -> None:
        """A connection is closed since its login was not renewed in its time: count it."""
        ...

    def report_bug(self, connection: Connection, error: BaseException) -> None:
        """Log an unexpected exception, outside of any request."""
        ...


class LoginDriver:
    """The login of one connection; `connection.Login` to it."""

    def __init__(
        self,
        connection: Connection,
        gate: Gate,
        rules: SaslRules,
        session: Session | None = None,
    ) -> None:
        self._connection = connection
        self._gate = gate
        self._rules = rules
        self._loop = asyncio.get_running_loop()
        self._work: asyncio.Future[bytes] | None = None  # what a thread does, or has in its queue
        self._server = SaslServer(rules.mechanisms, rules.lifetime_ms, session)
        self._doubt: str | None = None  # why it will fail, if the client has been told
        self._began = self._loop.time()
        self._timer = self._deadline()

    def _deadline(self) -> asyncio.TimerHandle:
        return self._loop.call_later(self._rules.timeout_ms / 1000.0, self._too_late)

    def take(self, buffer: bytearray, start: int, end: int) -> int:
        """Work on one frame, if it is whole; where the next one starts. Raises ProtocolError."""
        link = self._connection.link
        if link.begins_late:  # it had to wait until now, and its time begins only here
            link.begins_late = False
            self._timer.cancel()
            self._timer = self._deadline()
        if end - start < _LENGTH.size:
            return start
        (size,) = _LENGTH.unpack_from(buffer, start)
        if not 0 <= size <= self._rules.frame_max:
            self._fail(None, f"a frame of {size} bytes before the login")
            return end
        frame_end: int = start + _LENGTH.size + size
        if frame_end > end:
            return start
        frame = bytes(memoryview(buffer)[start + _LENGTH.size : frame_end])
        outcome = self._server.on_frame(frame)
        if isinstance(outcome, PassOn):
            key, version = outcome
            self._gate.dispatch(self._connection, buffer, start, frame_end, key, version)
        else:
            self._obey(outcome, frame)
        return frame_end

    def _obey(self, outcome: Outcome, frame: bytes) -> None:
        connection = self._connection
        match outcome:
            case Answer(answer):
                connection.answers.give(answer)
            case Doubted(answer, reason):
                self._doubt = reason
                connection.answers.give(answer)
            case Pending(run, then):
                self._compute(run, partial(self._computed, then, frame))
            case Refused(refusal, reason):
                answer_later = (
                    None if refusal is None else partial(connection.answers.give, refusal)
                )
                self._fail(answer_later, reason)
            case Misplaced(_, _, reason):
                code = ErrorCode.ILLEGAL_SASL_STATE
                self._fail(partial(self._gate.refuse, connection, frame, code), reason)
            case LoggedIn():
                self._let_in(outcome)

    def _compute(
        self, run: Callable[[], bytes], done: Callable[[asyncio.Future[bytes]], object]
    ) -> None:
        """Have a thread do that, and begin nothing else of this connection meanwhile."""
        try:
            future = self._loop.run_in_executor(self._rules.threads, run)
        except RuntimeError:  # the listener is closed, and its threads have ended
            self._connection.close("the node stops")
            return
        self._connection.link.hold()
        self._work = future
        future.add_done_callback(done)

    def _computed(
        self,
        then: Callable[[bytes | LoginError], Outcome],
        frame: bytes,
        future: asyncio.Future[bytes],
    ) -> None:
        """What a thread was asked for is there, or nobody wants it any more."""
        self._work = None
        connection = self._connection
        if future.cancelled() or connection.is_closed or connection.link.closing_reason is not None:
            if not future.cancelled():
                future.exception()  # nobody else looks at it
            return
        error = future.exception()
        if error is not None and not isinstance(error, LoginError):
            self._gate.report_bug(connection, error)
            connection.close("an error of this broker")
            return
        self._obey(then(future.result() if error is None else error), frame)
        connection.link.release()

    def abandon(self) -> None:
        """The connection is gone before the login was over."""
        self._timer.cancel()
        if self._work is not None:
            self._work.cancel()  # or those who try again wait behind all who have gone
        if self._doubt is not None:
            self._tell(None, self._doubt)

    def _too_late(self) -> None:
        if self._connection.link.begins_late:  # it waits for us, not we for it (QTA-16, TLS-24)
            self._timer = self._deadline()
            return
        self._connection.close(f"no login within {self._rules.timeout_ms} ms")

    def _tell(self, principal: Principal | None, reason: str = "") -> None:
        """Of the end, once."""
        self._doubt = None
        server = self._server
        end = LoginEnd(server.mechanism, server.is_renewal, principal, server.claimed, reason)
        self._gate.login_ended(self._connection, end)

    def _let_in(self, over: LoggedIn) -> None:
        self._timer.cancel()
        gate, connection = self._gate, self._connection
        connection.answers.give(over.frame)
        self._tell(over.principal)
        dispatch, produce = gate.dispatch, gate.produce
        if over.lifetime_ms:
            session = Session(over.principal, over.mechanism)
            ends = self._loop.time() + over.lifetime_ms / 1000.0
            limited = LimitedSession(gate, self._rules, session, self._began, ends)
            dispatch, produce = limited.dispatch, limited.produce
        connection.let_in(over.principal, dispatch=dispatch, produce=produce)

    def _fail(self, answer: Callable[[], object] | None, reason: str) -> None:
        self._timer.cancel()
        self._tell(None, reason)
        self._connection.stop_taking_requests()

        def close() -> None:
            if answer is not None and not self._connection.is_closed:
                answer()
            self._connection.link.end()

        if self._rules.failure_delay_ms:
            self._loop.call_later(self._rules.failure_delay_ms / 1000.0, close)
        else:
            self._loop.call_soon(close)  # not in this turn: its answers have not left yet


class LimitedSession:
    """Takes the requests of a connection whose login must be renewed (KIP-368).

    Past its end a request closes the connection without an answer, but a SaslHandshake still
    begins a renewal (SASL-18).
    """

    def __init__(
        self, gate: Gate, rules: SaslRules, session: Session, began: float, ends: float
    ) -> None:
        """`began` is when this login began, `ends` when it must have been renewed."""
        self._gate = gate
        self._rules = rules
        self._session = session
        self._began = began
        self._ends = ends
        self._now = asyncio.get_running_loop().time

    def produce(
        self,
        connection: Connection,
        buffer: bytearray,
        start: int,
        end: int,
        version: int,
        correlation_id: int,
    ) -> bytes | None:
        """As `connection.Produce`; past the end `dispatch` gets it, and closes."""
        if self._now() > self._ends:
            return None
        return self._gate.produce(connection, buffer, start, end, version, correlation_id)

    def dispatch(
        self,
        connection: Connection,
        buffer: bytearray,
        start: int,
        end: int,
        key: int,
        version: int,
    ) -> None:
        """As `connection.Dispatch`. Raises ProtocolError."""
        now = self._now()
        if key == SASL_HANDSHAKE and now - self._began >= _RENEWALS_APART_S:
            login = LoginDriver(connection, self._gate, self._rules, self._session)
            connection.log_in_again(login)
            login.take(buffer, start, end)
        elif now > self._ends and key != SASL_HANDSHAKE:
            self._gate.login_expired()
            connection.close("the login was not renewed in its time")
        else:
            self._gate.dispatch(connection, buffer, start, end, key, version)

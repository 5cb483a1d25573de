"""The server's side of a login, without I/O: frames in, what to do about them out.

    START --ApiVersions--> START --SaslHandshake--> TOKENS --the last token--> over

Which requests may come where is SASL-01..07. What may not come raises ProtocolError, which closes
the connection at once; what fails is a `Refused`, which closes it after a delay (SASL-11).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from struct import Struct
from typing import Final, NamedTuple, TypeAlias

from barnabas.protocol.errors import ErrorCode, ProtocolError
from barnabas.protocol.header import decode_request_header, encode_response
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_authenticate_response import SaslAuthenticateResponse
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.messages.sasl_handshake_response import SaslHandshakeResponse
from barnabas.protocol.sasl.slow import Slow

from .mechanisms import LoginError, ServerMechanism
from .principal import USER, Principal

SASL_HANDSHAKE: Final = 17
API_VERSIONS: Final = 18
SASL_AUTHENTICATE: Final = 36

_KEY_AND_VERSION: Final = Struct(">hh")
_LENGTH: Final = Struct(">i")
_TOLD_MAX: Final = 1000
"""Characters of why a login failed: names may stand in it, which can be longer than any answer."""


class Answer(NamedTuple):
    """Send this, and go on."""

    frame: bytes


class Doubted(NamedTuple):
    """Send this, and go on; but the login will fail for this reason."""

    frame: bytes
    reason: str


class Pending(NamedTuple):
    """Run this in a thread, and hand what it gives or raises to `then`; meanwhile read nothing."""

    run: Callable[[], bytes]
    then: Callable[[bytes | LoginError], Outcome]


class PassOn(NamedTuple):
    """Have this frame handled as any other: it is ApiVersions."""

    key: int
    version: int


class Misplaced(NamedTuple):
    """Refuse this request in the form of its own answer, then close after the delay (SASL-02)."""

    key: int
    version: int
    reason: str


class Refused(NamedTuple):
    """Send this, if there is something, and close after the delay."""

    frame: bytes | None
    reason: str


class LoggedIn(NamedTuple):
    """Send this; from now on the connection is this principal's."""

    frame: bytes
    principal: Principal
    mechanism: str
    lifetime_ms: int  # 0: without end


Outcome: TypeAlias = "Answer | Doubted | Pending | PassOn | Misplaced | Refused | LoggedIn"


class Session(NamedTuple):
    """The login that another one renews (KIP-368)."""

    principal: Principal
    mechanism: str


class SaslServer:
    """One login."""

    def __init__(
        self,
        mechanisms: Mapping[str, Callable[[], ServerMechanism]],
        lifetime_ms: Mapping[str, int],
        session: Session | None = None,
    ) -> None:
        """`mechanisms` by name, with what makes one; `lifetime_ms` of logins by mechanism, 0 for
        ever; `session` if the connection has logged in before."""
        self._mechanisms = mechanisms
        self._lifetime_ms = lifetime_ms
        self._session = session
        self._has_versions = False
        self._name = ""
        self._mechanism: ServerMechanism | None = None
        self._is_raw = False

    def on_frame(self, frame: bytes) -> Outcome:
        """What to do about this frame, which is without its length. Raises ProtocolError."""
        if self._mechanism is None:
            return self._before(frame)
        if self._session is not None and self._session.mechanism != self._name:
            return Refused(None, "another mechanism than before")  # SASL-19
        if self._is_raw:
            return self._on_token(frame, _RAW)
        key, version = _key_and_version(frame)
        if key != SASL_AUTHENTICATE:
            return Misplaced(key, version, f"API key {key} where a token was due")
        _check_version(version, SaslAuthenticateRequest)
        header, at = decode_request_header(frame)
        request, _ = SaslAuthenticateRequest.decode_at(frame, at, version)
        return self._on_token(
            request.auth_bytes,
            _Answers(
                partial(_authenticated, version, header.correlation_id),
                partial(_not_authenticated, version, header.correlation_id),
            ),
        )

    @property
    def mechanism(self) -> str:
        """The mechanism that the client chose; empty before that."""
        return self._name

    @property
    def claimed(self) -> str | None:
        """Who the client says to be, as far as that is known."""
        return None if self._mechanism is None else self._mechanism.claimed

    @property
    def is_renewal(self) -> bool:
        """Whether the connection has logged in before."""
        return self._session is not None

    # --- before the tokens --------------------------------------------------------------------

    def _before(self, frame: bytes) -> Outcome:
        key, version = _key_and_version(frame)
        if key == API_VERSIONS and not self._has_versions and self._session is None:
            served = ApiVersionsRequest.MIN_VERSION <= version <= ApiVersionsRequest.MAX_VERSION
            self._has_versions = served  # one that is not may be repeated (SASL-03)
            return PassOn(key, version)
        if key != SASL_HANDSHAKE:
            raise ProtocolError(f"API key {key} before SaslHandshake")
        _check_version(version, SaslHandshakeRequest)
        header, at = decode_request_header(frame)
        request, _ = SaslHandshakeRequest.decode_at(frame, at, version)
        make = self._mechanisms.get(request.mechanism)
        response = SaslHandshakeResponse(mechanisms=list(self._mechanisms))
        if make is None:
            response.error_code = int(ErrorCode.UNSUPPORTED_SASL_MECHANISM)
        encoded = encode_response(response, version, header.correlation_id)
        if make is None:
            return Refused(encoded, "a mechanism that is not enabled")
        self._name, self._mechanism, self._is_raw = request.mechanism, make(), version == 0
        return Answer(encoded)

    # --- tokens -------------------------------------------------------------------------------

    def _on_token(self, token: bytes, answers: _Answers) -> Outcome:
        mechanism = self._mechanism
        assert mechanism is not None
        made: bytes | Slow | LoginError
        try:
            made = mechanism.step(token)
        except LoginError as error:
            made = error
        if isinstance(made, Slow):
            return Pending(made.run, partial(self._after_token, mechanism, answers))
        return self._after_token(mechanism, answers, made)

    def _after_token(
        self, mechanism: ServerMechanism, answers: _Answers, made: bytes | LoginError
    ) -> Outcome:
        try:
            if isinstance(made, LoginError):
                raise made
            if mechanism.user is None:
                frame = answers.go_on(made, 0)
                return (
                    Answer(frame)
                    if mechanism.doubt is None
                    else Doubted(frame, f"{self._name}: {mechanism.doubt}")
                )
            principal = self._principal(mechanism.user)
        except LoginError as error:
            told = (error.told or self._generic())[:_TOLD_MAX]
            return Refused(answers.refuse(told), f"{self._name}: {error}")
        ends = (self._lifetime_ms.get(self._name, 0), mechanism.lifetime_ms)
        lifetime_ms = min((one for one in ends if one), default=0)  # SASL-16
        return LoggedIn(answers.go_on(made, lifetime_ms), principal, self._name, lifetime_ms)

    def _principal(self, user: str) -> Principal:
        principal = Principal(USER, user)
        if self._session is not None and self._session.principal != principal:
            before = self._session.principal
            text = (
                "Cannot change principals during re-authentication from "
                f"{before.kind}.{before.name}: {principal.kind}.{principal.name}"
            )
            raise LoginError("another principal than before", text)
        return principal

    def _generic(self) -> str:
        what = "authentication" if self._session is None else "re-authentication"
        return (
            f"Authentication failed during {what} due to invalid credentials with SASL mechanism "
            f"{self._name}"
        )


class _Answers(NamedTuple):
    """How tokens are answered, by the form of the handshake (SASL-05)."""

    go_on: Callable[[bytes, int], bytes]  # token, lifetime in ms
    refuse: Callable[[str], bytes | None]


def _authenticated(version: int, correlation_id: int, token: bytes, lifetime_ms: int) -> bytes:
    response = SaslAuthenticateResponse(
        error_message="", auth_bytes=token, session_lifetime_ms=lifetime_ms
    )
    return encode_response(response, version, correlation_id)


def _not_authenticated(version: int, correlation_id: int, text: str) -> bytes:
    code = int(ErrorCode.SASL_AUTHENTICATION_FAILED)
    response = SaslAuthenticateResponse(error_code=code, error_message=text)
    return encode_response(response, version, correlation_id)


def _raw_answer(token: bytes, lifetime_ms: int) -> bytes:
    del lifetime_ms  # there is no place for it
    return _LENGTH.pack(len(token)) + token


def _no_refusal(text: str) -> None:
    del text  # nor for this: the connection closes


_RAW: Final = _Answers(_raw_answer, _no_refusal)


_HEADER_MIN: Final = 10
"""API key, version, correlation id and the length of the client id: no request is shorter."""


def _key_and_version(frame: bytes) -> tuple[int, int]:
    if len(frame) < _HEADER_MIN:
        raise ProtocolError(f"a request cannot be {len(frame)} bytes long")
    key, version = _KEY_AND_VERSION.unpack_from(frame)
    return key, version


def _check_version(version: int, request: type[Message]) -> None:
    if not request.MIN_VERSION <= version <= request.MAX_VERSION:
        raise ProtocolError(f"{request.NAME} version {version} is not served")

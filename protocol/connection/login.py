"""The client's login over one connection: SaslHandshake, then tokens until both sides are content.

KIP-43, KIP-152; it comes after the negotiation of versions, and no driver sees its requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple  # Any: an answer of either API

from ..errors import ErrorCode, ProtocolError
from ..message import Message
from ..messages.sasl_authenticate_request import SaslAuthenticateRequest
from ..messages.sasl_authenticate_response import SaslAuthenticateResponse
from ..messages.sasl_handshake_request import SaslHandshakeRequest
from ..messages.sasl_handshake_response import SaslHandshakeResponse
from ..sasl.client import SaslClient
from ..sasl.errors import SaslError
from ..sasl.slow import Slow

_SASL_HANDSHAKE: Final = 17
_SASL_AUTHENTICATE: Final = 36
_HANDSHAKE_VERSION: Final = 1  # in version 0 the tokens would have no frame with an error


class LoginRefusedError(ProtocolError):
    """The login failed: trying it again as it is cannot help. `code` is the broker's, or 0."""

    def __init__(self, text: str, code: int = 0) -> None:
        super().__init__(text)
        self.code = code


class Request(NamedTuple):
    """What to send next, and how to read its answer."""

    message: Message
    version: int
    answer: type[SaslHandshakeResponse] | type[SaslAuthenticateResponse]


class ClientLogin:
    """One login. `begin`, then `take` each answer."""

    def __init__(self, sasl: SaslClient) -> None:
        self._sasl = sasl
        self._version = 0
        self.lifetime_ms = 0
        """After this time the broker closes the connection at the next request; 0: never."""

    def begin(self, served: Mapping[int, tuple[int, int]]) -> Request:
        """The first request, to a broker that serves these versions. Raises LoginRefusedError."""
        handshake, tokens = served.get(_SASL_HANDSHAKE), served.get(_SASL_AUTHENTICATE)
        if handshake is None or tokens is None or handshake[1] < _HANDSHAKE_VERSION:
            raise LoginRefusedError("the broker has no logins (SASL) as this client does them")
        self._version = min(tokens[1], SaslAuthenticateRequest.MAX_VERSION)
        request = SaslHandshakeRequest(mechanism=self._sasl.mechanism)
        return Request(request, _HANDSHAKE_VERSION, SaslHandshakeResponse)

    def take(self, response: Any) -> Request | Slow | None:
        """What to send after this answer; None: the login is over. Raises LoginRefusedError.

        Of what is `Slow`, `computed` takes the result.
        """
        try:
            if isinstance(response, SaslHandshakeResponse):
                self._check_handshake(response)
                return self._with(self._sasl.first())
            self._check_answer(response)
            token = self._sasl.next(bytes(response.auth_bytes))
        except SaslError as error:
            raise self._refused(error) from None
        if isinstance(token, Slow):
            return token
        if token is not None:
            return self._with(token)
        self.lifetime_ms = response.session_lifetime_ms
        return None

    def computed(self, token: bytes | SaslError) -> Request:
        """What to send after work that was slow. Raises LoginRefusedError."""
        if isinstance(token, SaslError):
            raise self._refused(token)
        return self._with(token)

    def _refused(self, error: SaslError) -> LoginRefusedError:
        return LoginRefusedError(f"{self._sasl.mechanism}: {error}")

    def _with(self, token: bytes) -> Request:
        request = SaslAuthenticateRequest(auth_bytes=token)
        return Request(request, self._version, SaslAuthenticateResponse)

    def _check_handshake(self, response: SaslHandshakeResponse) -> None:
        if response.error_code == ErrorCode.UNSUPPORTED_SASL_MECHANISM:
            offered = ", ".join(sorted(response.mechanisms))
            raise LoginRefusedError(
                f"the broker has no mechanism {self._sasl.mechanism}, but {offered or 'none'}",
                response.error_code,
            )
        self._check_code(response.error_code, None)

    def _check_answer(self, response: SaslAuthenticateResponse) -> None:
        self._check_code(response.error_code, response.error_message)

    @staticmethod
    def _check_code(code: int, message: str | None) -> None:
        if code:
            raise LoginRefusedError(message or f"the login failed with error code {code}", code)

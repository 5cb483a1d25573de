"""Tokens for logins by OAUTHBEARER: from the program, or from a token endpoint (KIP-768, KIP-1139).

A login asks for a token before it connects. A broker ends the session when the token expires; the
pool opens a new connection before that, which asks again, so a token is always fresh enough.
"""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import ssl
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple, Protocol
from urllib.parse import urlencode

from barnabas.http_exchange import Answer, HttpError, Limits, Place, Question, ask

from ..login_errors import TokenRefusedError, TokenUnavailableError
from ..tokens import TokenProvider

ANSWER_BYTES_MAX: Final = 1_048_576
FRESH_SHARE: Final = 0.8
"""The share of a token's lifetime in which it is used for new connections: as in Kafka's
clients."""

_OK: Final = 200
_BUSY: Final = 429
_SERVER_ERRORS: Final = 500
_SECONDS_MAX: Final = 1e9


class TokenSource(Protocol):
    """The source of tokens of one client."""

    async def token(self) -> str:
        """A token that brokers accept now. Raises TokenUnavailableError, TokenRefusedError."""
        ...


class ProvidedTokens:
    """Tokens from the program, which is asked once for each connection."""

    def __init__(self, provider: TokenProvider) -> None:
        self._ask: Callable[[], str | Awaitable[str]] = (
            provider if callable(provider) else provider.token
        )

    async def token(self) -> str:
        """Raises TokenUnavailableError if the program's function raises."""
        asked = self._ask
        try:
            if inspect.iscoroutinefunction(asked) or inspect.iscoroutinefunction(
                type(asked).__call__
            ):
                found = asked()
            else:
                found = await asyncio.to_thread(asked)
            if inspect.isawaitable(found):
                found = await found
        except Exception as error:
            raise TokenUnavailableError(
                f"sasl_oauth_token_provider raised {type(error).__name__}"
            ) from error
        if not isinstance(found, str):
            raise TokenRefusedError(
                f"sasl_oauth_token_provider gave a {type(found).__name__}, not the text of a token"
            )
        return found


class ClientCredentials(NamedTuple):
    """Where to ask for tokens, and with which credentials (RFC 6749, 4.4)."""

    place: Place
    client_id: str
    secret: str
    scope: str | None
    tls: ssl.SSLContext | None
    timeout_s: float

    def question(self) -> Question:
        """The body of the request for a token."""
        known = base64.b64encode(f"{self.client_id}:{self.secret}".encode()).decode()
        form = {"grant_type": "client_credentials"}
        if self.scope:
            form["scope"] = self.scope
        headers = {
            "Authorization": f"Basic {known}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return Question(self.place, headers, urlencode(form).encode())


class EndpointTokens:
    """Tokens from a token endpoint; one token serves all connections while it is fresh."""

    def __init__(self, credentials: ClientCredentials, now_s: Callable[[], float]) -> None:
        """`now_s` is a monotonic clock."""
        self._credentials = credentials
        self._now_s = now_s
        self._lock = asyncio.Lock()
        self._token = ""
        self._fresh_until = float("-inf")

    async def token(self) -> str:
        """Raises TokenUnavailableError, TokenRefusedError."""
        async with self._lock:
            if self._now_s() < self._fresh_until:
                return self._token
            asked_at = self._now_s()
            found = await self._fetch()
            self._token = _token_of(found)
            self._fresh_until = asked_at + FRESH_SHARE * _seconds(found.get("expires_in"))
            return self._token

    async def _fetch(self) -> Mapping[str, object]:
        known = self._credentials
        limits = Limits(known.timeout_s, known.timeout_s, ANSWER_BYTES_MAX)
        try:
            answer = await ask(known.question(), limits, known.tls)
        except HttpError as error:
            raise TokenUnavailableError(f"the token endpoint: {error}") from None
        _check_status(answer, known.place)
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise TokenRefusedError(f"the token endpoint {known.place} answers with no JSON object")
        return found


def _check_status(answer: Answer, place: Place) -> None:
    if answer.status == _OK:
        return
    text = f"the token endpoint {place} answers with status {answer.status}{_error_of(answer)}"
    if answer.status >= _SERVER_ERRORS or answer.status == _BUSY:
        raise TokenUnavailableError(text)
    raise TokenRefusedError(text)


def _error_of(answer: Answer) -> str:
    """The error code of RFC 6749, 5.2, if the answer has one that the RFC defines."""
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        return ""
    code = found.get("error") if isinstance(found, dict) else None
    is_code = isinstance(code, str) and code.replace("_", "").isalpha() and len(code) <= 40
    return f": {code}" if is_code else ""


def _token_of(found: Mapping[str, object]) -> str:
    token = found.get("access_token")
    if not isinstance(token, str) or not token.strip():
        raise TokenRefusedError("the answer of the token endpoint has no access_token")
    return token.strip()


def _seconds(value: object) -> float:
    """For how many seconds the token is valid; 0 if the endpoint does not say."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 9:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value < _SECONDS_MAX else 0.0

"""Logins by OAUTHBEARER on one listener, as its settings want them: which tokens are good."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import unquote, urlsplit

from barnabas.http_exchange import HttpError, Limits, Place, Question, ask, parse_url
from barnabas.protocol.sasl import oauthbearer
from barnabas.tls import TlsError, Trust, client_context

from ...core.config.broker import BrokerConfig
from ...core.config.field import ConfigError
from ...core.config.listeners import for_listener
from ...core.config.security import TOKENS_SIGNED, TOKENS_UNSECURED
from ...core.ports import Clock
from ...core.security.bearer_tokens import Bearer, ClaimRules, bearer_of, unsecured_claims
from .jaas_entries import entry_of
from .jwks import DOCUMENT_BYTES_MAX, Fetch, Jwks, Pace
from .material import Warn
from .token_keys import JwksError, UnknownKeyError

URL: Final = "sasl.oauthbearer.jwks.endpoint.url"
_MS: Final = 1000
_LIMIT_MS: Final = 10_000
_OK: Final = 200
_TRUST: Final = ("ssl.truststore.location", "ssl.truststore.type")
_UNSECURED: Final = "unsecuredValidator"


class TokenChecks(Protocol):
    """Says whose a token is."""

    def check(self, token: str) -> Bearer:
        """Raises TokenRejectedError. Called in a thread."""
        ...

    async def start(self, warn: Warn) -> None:
        """Before the first token. Raises ConfigError."""
        ...

    async def stop(self) -> None:
        """After the last one."""
        ...


class SignedTokens:
    """Tokens that a key of the JWKS signed."""

    def __init__(self, jwks: Jwks, rules: ClaimRules, wall_ms: Callable[[], int]) -> None:
        self._jwks = jwks
        self._rules = rules
        self._wall_ms = wall_ms

    def check(self, token: str) -> Bearer:
        """Raises TokenRejectedError."""
        try:
            claims = self._jwks.keys.claims_of(token)
        except UnknownKeyError as error:
            self._jwks.miss(error)
            raise
        return bearer_of(claims, self._rules, self._wall_ms())

    async def start(self, warn: Warn) -> None:
        """Read the keys; without them the listener cannot start. Raises ConfigError."""
        try:
            await self._jwks.start(warn)
        except (HttpError, OSError, JwksError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise ConfigError(URL, None, f"gives no keys: {reason}") from None

    async def stop(self) -> None:
        """Read the keys no more."""
        await self._jwks.stop()


class UnsecuredTokens:
    """Tokens that say that nobody signed them: anybody can be anybody."""

    def __init__(self, rules: ClaimRules, wall_ms: Callable[[], int]) -> None:
        self._rules = rules
        self._wall_ms = wall_ms

    def check(self, token: str) -> Bearer:
        """Raises TokenRejectedError."""
        return bearer_of(unsecured_claims(token), self._rules, self._wall_ms())

    async def start(self, warn: Warn) -> None:
        """Say how dangerous that is."""
        warn("OAUTHBEARER takes tokens that nobody signed: everybody can be everybody")

    async def stop(self) -> None:
        """There is nothing to end."""


def token_checks(config: BrokerConfig, listener: str, clock: Clock, warn: Warn) -> TokenChecks:
    """As the settings of this listener say. Raises ConfigError."""
    entry = entry_of(config, listener, oauthbearer.NAME)
    options = {} if entry is None else entry.options
    of_this = for_listener(config, listener, oauthbearer.NAME)
    url = of_this.sasl_oauthbearer_jwks_endpoint_url
    handler = of_this.sasl_server_callback_handler_class
    if handler not in (None, TOKENS_SIGNED, TOKENS_UNSECURED):
        allowed = f"must be {TOKENS_SIGNED} or {TOKENS_UNSECURED} for OAUTHBEARER"
        raise ConfigError("sasl.server.callback.handler.class", handler, allowed)
    if handler == TOKENS_UNSECURED:
        if url is not None:
            raise ConfigError(URL, None, "cannot be set where unsecured tokens are taken")
        return UnsecuredTokens(_unsecured_rules(options), clock.wall_ms)
    for name in options:
        if name not in _TRUST:
            raise ConfigError("sasl.jaas.config", None, f"has {name}, which OAUTHBEARER has not")
    if not url:
        raise ConfigError(URL, None, f"must be set for OAUTHBEARER on listener {listener}")
    for name, value in (
        ("sasl.oauthbearer.expected.audience", of_this.sasl_oauthbearer_expected_audience),
        ("sasl.oauthbearer.expected.issuer", of_this.sasl_oauthbearer_expected_issuer),
    ):
        if not value:
            warn("tokens for anybody, or of anybody with the keys, are taken", unset=name)
    pace = Pace(
        of_this.sasl_oauthbearer_jwks_endpoint_refresh_ms / _MS,
        of_this.sasl_oauthbearer_jwks_endpoint_retry_backoff_ms / _MS,
        of_this.sasl_oauthbearer_jwks_endpoint_retry_backoff_max_ms / _MS,
    )
    rules = ClaimRules(
        of_this.sasl_oauthbearer_expected_audience,
        of_this.sasl_oauthbearer_expected_issuer,
        of_this.sasl_oauthbearer_clock_skew_seconds,
        of_this.sasl_oauthbearer_scope_claim_name,
        of_this.sasl_oauthbearer_sub_claim_name,
    )
    jwks = Jwks(_fetch_of(of_this, url, options), pace, lambda: clock.monotonic_ms() / _MS)
    return SignedTokens(jwks, rules, clock.wall_ms)


def _unsecured_rules(options: Mapping[str, str]) -> ClaimRules:
    rules = ClaimRules(skew_s=0, requires_iat=False)
    for name, value in options.items():
        known = name.removeprefix(_UNSECURED)
        if known == "PrincipalClaimName":
            rules = rules._replace(sub_claim=value)
        elif known == "ScopeClaimName":
            rules = rules._replace(scope_claim=value)
        elif known == "AllowableClockSkewMs" and value.isascii() and value.isdigit():
            rules = rules._replace(skew_s=int(value[:9]) // _MS)
        else:
            raise ConfigError("sasl.jaas.config", None, f"has {name}, or a value, not known here")
    return rules


def _fetch_of(config: BrokerConfig, url: str, options: Mapping[str, str]) -> Fetch:
    if url.startswith("file:"):
        parts = urlsplit(url)
        if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
            raise ConfigError(URL, None, "must be file:///… with a whole path")
        return partial(_read_file, Path(unquote(parts.path)))
    try:
        place = parse_url(url)
    except ValueError as error:
        raise ConfigError(URL, None, str(error)) from None
    if options.get("ssl.truststore.type", "PEM").upper() != "PEM":
        raise ConfigError("sasl.jaas.config", None, "ssl.truststore.type: only PEM is read")
    try:
        tls = client_context(None, Trust(file=options.get("ssl.truststore.location")))
    except TlsError as error:
        raise ConfigError("sasl.jaas.config", None, f"ssl.truststore.location: {error}") from None
    limits = Limits(
        (config.sasl_login_connect_timeout_ms or _LIMIT_MS) / _MS,
        (config.sasl_login_read_timeout_ms or _LIMIT_MS) / _MS,
        DOCUMENT_BYTES_MAX,
    )
    return partial(_read_url, place, limits, tls)


async def _read_file(path: Path) -> bytes:
    return await asyncio.to_thread(_beginning_of, path)


def _beginning_of(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(DOCUMENT_BYTES_MAX + 1)


async def _read_url(place: Place, limits: Limits, tls: ssl.SSLContext) -> bytes:
    answer = await ask(Question(place), limits, tls)
    if answer.status != _OK:
        raise HttpError(f"{place} answered with status {answer.status}, not {_OK}")
    return answer.body

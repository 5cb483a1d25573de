"""TLS and logins of a client's connections, according to its options."""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from barnabas.http_exchange import parse_url
from barnabas.protocol.connection.login import LoginRefusedError
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.sasl import oauthbearer
from barnabas.protocol.sasl.client import SaslClient, new_client
from barnabas.protocol.sasl.errors import SaslError
from barnabas.protocol.sasl.oauthbearer import OauthBearerClient, client_initial
from barnabas.tls import Own, TlsError, Trust, client_context, key_and_chain, read_pem, reason_of

from ..config import ClientConfig
from ..errors import ConfigurationError, ConnectionFailedError
from ..login_errors import (
    AuthenticationError,
    CertificateError,
    LoginFailedError,
    MechanismNotOfferedError,
    TlsFailedError,
    TokenRefusedError,
)
from .tokens import ClientCredentials, EndpointTokens, ProvidedTokens, TokenSource

_NONCE_BYTES = 20


class ClientSecurity(NamedTuple):
    """TLS and login of all connections of one client; each is None if it is not used."""

    tls: ssl.SSLContext | None = None
    login: Callable[[], Awaitable[SaslClient]] | None = None

    async def new_login(self) -> SaslClient | None:
        """A login for one connection. Raises AuthenticationError if there is no token for it."""
        return None if self.login is None else await self.login()


OPEN: Final = ClientSecurity()
"""Neither TLS nor a login: PLAINTEXT."""


def security_of(config: ClientConfig) -> ClientSecurity:
    """Read keys and certificates. Raises ConfigurationError."""
    tls = _tls_of(config) if config.security_protocol in ("SSL", "SASL_SSL") else None
    if not config.security_protocol.startswith("SASL_"):
        return ClientSecurity(tls)
    if config.sasl_mechanism == oauthbearer.NAME:
        extensions = _extensions_of(config.sasl_oauthbearer_extensions or "")
        return ClientSecurity(tls, partial(_by_token, _tokens_of(config), extensions))
    return ClientSecurity(
        tls,
        partial(
            _by_password,
            config.sasl_mechanism or "",
            config.sasl_plain_username or "",
            config.sasl_plain_password or "",
        ),
    )


async def _by_password(mechanism: str, name: str, password: str) -> SaslClient:
    return new_client(mechanism, name, password, secrets.token_urlsafe(_NONCE_BYTES))


async def _by_token(source: TokenSource, extensions: Mapping[str, str]) -> SaslClient:
    token = await source.token()
    try:
        return OauthBearerClient(token, extensions)
    except SaslError as error:
        raise TokenRefusedError(str(error)) from None


def _extensions_of(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if equals:
            found[name.strip()] = value.strip()
        elif part.strip():
            raise ConfigurationError("sasl_oauthbearer_extensions must be name=value, by comma")
    try:
        client_initial("token", found)
    except SaslError as error:
        raise ConfigurationError(f"sasl_oauthbearer_extensions: {error}") from None
    return found


def _tokens_of(config: ClientConfig) -> TokenSource:
    if config.sasl_oauth_token_provider is not None:
        return ProvidedTokens(config.sasl_oauth_token_provider)
    place = parse_url(config.sasl_oauthbearer_token_endpoint_url or "")
    tls = None
    if place.has_tls:
        try:
            tls = client_context(None, Trust(file=config.https_ca_location))
        except TlsError as error:
            raise ConfigurationError(f"https_ca_location: {error}") from None
    credentials = ClientCredentials(
        place,
        config.sasl_oauthbearer_client_credentials_client_id or "",
        config.sasl_oauthbearer_client_credentials_client_secret or "",
        config.sasl_oauthbearer_scope,
        tls,
        config.socket_connection_setup_timeout_ms / 1000,
    )
    return EndpointTokens(credentials, asyncio.get_running_loop().time)


def _tls_of(config: ClientConfig) -> ssl.SSLContext:
    if config.ssl_context is not None:
        return config.ssl_context
    try:
        return client_context(
            _own_of(config),
            Trust(file=config.ssl_cafile),
            checks_names=config.ssl_check_hostname,
        )
    except TlsError as error:
        raise ConfigurationError(f"TLS: {error}") from None


def _own_of(config: ClientConfig) -> Own | None:
    if config.ssl_certfile is None:
        return None
    text = read_pem(config.ssl_certfile)
    if config.ssl_keyfile is not None and config.ssl_keyfile != config.ssl_certfile:
        text += "\n" + read_pem(config.ssl_keyfile)
    return Own(key_and_chain(text, config.ssl_certfile), config.ssl_password)


def tls_failure(who: str, error: ssl.SSLError) -> ConnectionFailedError:
    """The typed error of a handshake that failed, or of a connection that ended in an alert."""
    reason = reason_of(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        return CertificateError(f"{who}: the broker's certificate does not verify: {reason}")
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return ConnectionFailedError(f"{who} ended the TLS handshake (has this port TLS?)")
    if "alert" in reason and any(one in reason for one in ("certificate", "unknown ca")):
        return CertificateError(f"{who} refuses this client's certificate: {reason}")
    if "wrong version number" in reason:
        return TlsFailedError(f"{who} has no TLS: {reason}")
    return TlsFailedError(f"{who}: no TLS handshake came about: {reason}")


def closed_after_handshake(who: str) -> CertificateError:
    """With TLS 1.3 a client learns only after the handshake that its certificate was refused, and
    often sees nothing but a closed connection. A broker that is stopping looks the same, so the
    attempt may be repeated."""
    error = CertificateError(
        f"{who} closed the connection right after the TLS handshake: it wants a certificate of"
        " this client, or another one"
    )
    error.retriable = True
    return error


def login_failure(who: str, error: LoginRefusedError) -> AuthenticationError:
    """The typed error of a login that was refused."""
    if error.code == ErrorCode.SASL_AUTHENTICATION_FAILED:
        return LoginFailedError(f"{who} refuses the login: {error}")
    if error.code in (0, ErrorCode.UNSUPPORTED_SASL_MECHANISM) and "mechanism" in str(error):
        return MechanismNotOfferedError(f"{who}: {error}")
    return LoginFailedError(f"{who}: {error}")

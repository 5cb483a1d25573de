"""Keys and certificates, as the settings of a listener name them; TLS contexts made of them."""

from __future__ import annotations

import os
import ssl
import stat
from collections.abc import Callable
from typing import Final

from barnabas.key_stores import PEM, kind_of, own_from_file, trust_from_file
from barnabas.tls import Own, TlsError, Trust, client_context, key_and_chain, server_context

from ...core.config.broker import BrokerConfig
from ...core.config.field import ConfigError
from ...core.config.listeners import for_listener, is_own

KEY: Final = "ssl.keystore.key"
CHAIN: Final = "ssl.keystore.certificate.chain"
LOCATION: Final = "ssl.keystore.location"
CLIENT_AUTH: Final = ("required", "requested", "none")

Warn = Callable[..., object]
"""Event and fields, for the node's log."""


def own_of(config: BrokerConfig, warn: Warn) -> Own | None:
    """The listener's own key and certificates; None if none are set (TLS-07..09).

    Raises ConfigError for what does not go together or cannot be read (TLS-08, TLS-11).
    """
    kind = _kind("ssl.keystore.type", config.ssl_keystore_type)
    key, chain = config.ssl_keystore_key, config.ssl_keystore_certificate_chain
    location = config.ssl_keystore_location
    if location is None and config.ssl_keystore_password is not None:
        raise ConfigError("ssl.keystore.password", None, f"is for a file, but {LOCATION} is unset")
    if key is not None and kind != PEM:
        raise ConfigError(KEY, None, f"is PEM, but ssl.keystore.type is {kind}")
    if (key is None) != (chain is None):
        missing, there = (CHAIN, KEY) if chain is None else (KEY, CHAIN)
        raise ConfigError(missing, None, f"must be set, for {there} is")
    if key is not None and location is not None:
        raise ConfigError(LOCATION, location, f"cannot be set together with {KEY}")
    try:
        if key is not None:
            return Own(key_and_chain(f"{key}\n{chain}", KEY), config.ssl_key_password)
        if location is None:
            return None
        _look_at_rights(location, warn)
        return own_from_file(kind, location, config.ssl_keystore_password, config.ssl_key_password)
    except TlsError as error:
        raise ConfigError(LOCATION if key is None else KEY, None, str(error)) from None


def trust_of(config: BrokerConfig) -> Trust:
    """Whom the listener trusts (TLS-10). Raises ConfigError."""
    kind = _kind("ssl.truststore.type", config.ssl_truststore_type)
    text, file = config.ssl_truststore_certificates, config.ssl_truststore_location
    if text is not None and file is not None:
        name = "ssl.truststore.location"
        raise ConfigError(name, file, "cannot be set together with ssl.truststore.certificates")
    if text is not None and kind != PEM:
        name = "ssl.truststore.certificates"
        raise ConfigError(name, None, f"is PEM, but ssl.truststore.type is {kind}")
    password = config.ssl_truststore_password
    if file is None:
        if password is not None:
            name = "ssl.truststore.password"
            raise ConfigError(name, None, "is for a file, but ssl.truststore.location is unset")
        return Trust(text)
    try:
        return trust_from_file(kind, file, password)
    except TlsError as error:
        raise ConfigError("ssl.truststore.location", None, str(error)) from None


def _kind(name: str, given: str) -> str:
    try:
        return kind_of(given)
    except TlsError as error:
        raise ConfigError(name, given, str(error)) from None


def _look_at_rights(path: str, warn: Warn) -> None:
    """A private key that others may read is no secret (SEC-08)."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return  # reading it says why
    if mode & (stat.S_IROTH | stat.S_IRGRP):
        warn("others may read this private key", path=path, mode=oct(stat.S_IMODE(mode)))


def client_auth_of(config: BrokerConfig, listener: str, protocol: str, warn: Warn) -> str:
    """Whether clients show certificates on this listener (TLS-12, TLS-13)."""
    given = for_listener(config, listener).ssl_client_auth
    chosen = given.lower()
    if chosen not in CLIENT_AUTH:
        warn("ssl.client.auth is not known: none", value=given)
        return "none"
    if protocol == "SASL_SSL" and not is_own(config, listener, "ssl_client_auth"):
        if chosen != "none":
            warn("ssl.client.auth without prefix is not for SASL_SSL", listener=listener)
        return "none"
    return chosen


def server_side(
    config: BrokerConfig, listener: str, client_auth: str, warn: Warn
) -> ssl.SSLContext:
    """The context of a listener; `config` is as the listener sees it. Raises ConfigError."""
    own = own_of(config, warn)
    if own is None:
        raise ConfigError(LOCATION, None, f"must be set, or {KEY}, for listener {listener} has TLS")
    try:
        return server_context(
            own,
            trust_of(config),
            client_auth=client_auth,
            versions=config.ssl_enabled_protocols,
            ciphers=config.ssl_cipher_suites,
        )
    except TlsError as error:
        raise ConfigError("ssl", None, f"listener {listener}: {error}") from None


def client_side(config: BrokerConfig, listener: str, warn: Warn) -> ssl.SSLContext:
    """For connections to other nodes' listener of that name (TLS-16). Raises ConfigError."""
    try:
        return client_context(
            own_of(config, warn),
            trust_of(config),
            versions=config.ssl_enabled_protocols,
            ciphers=config.ssl_cipher_suites,
            checks_names=bool(config.ssl_endpoint_identification_algorithm),
        )
    except TlsError as error:
        raise ConfigError("ssl", None, f"listener {listener}: {error}") from None

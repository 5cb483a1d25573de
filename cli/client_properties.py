"""`--client-config FILE`: options of a client in Java's or librdkafka's properties.

Names of both dialects are understood: `ssl.truststore.location` and `ssl.ca.location`,
`sasl.jaas.config` and `sasl.username`. What is not for this client is refused by name. A value may
refer to a secret that is elsewhere, by `config.providers`.
"""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Mapping
from typing import Any, Final

from barnabas.client.errors import ConfigurationError
from barnabas.config_providers import NAMES, ConfigProviders, ProviderError, is_of_provider
from barnabas.key_stores import PEM, kind_of, own_from_file, trust_from_file
from barnabas.properties import PropertiesError, parse_properties
from barnabas.protocol.sasl.jaas import JaasError, parse_jaas
from barnabas.tls import Own, TlsError, Trust, client_context, key_and_chain, read_pem

_PLAIN_NAMES: Final = {
    "bootstrap.servers": "bootstrap_servers",
    "client.id": "client_id",
    "request.timeout.ms": "request_timeout_ms",
    "default.api.timeout.ms": "default_api_timeout_ms",
    "sasl.mechanism": "sasl_mechanism",
    "sasl.mechanisms": "sasl_mechanism",
    "sasl.username": "sasl_plain_username",
    "sasl.password": "sasl_plain_password",
    "sasl.oauthbearer.token.endpoint.url": "sasl_oauthbearer_token_endpoint_url",
    "sasl.oauthbearer.client.id": "sasl_oauthbearer_client_credentials_client_id",
    "sasl.oauthbearer.client.secret": "sasl_oauthbearer_client_credentials_client_secret",
    "sasl.oauthbearer.client.credentials.client.id": (
        "sasl_oauthbearer_client_credentials_client_id"
    ),
    "sasl.oauthbearer.client.credentials.client.secret": (
        "sasl_oauthbearer_client_credentials_client_secret"
    ),
    "sasl.oauthbearer.scope": "sasl_oauthbearer_scope",
    "sasl.oauthbearer.extensions": "sasl_oauthbearer_extensions",
    "https.ca.location": "https_ca_location",
}
_NUMBERS: Final = ("request.timeout.ms", "default.api.timeout.ms")
_STORES: Final = (
    "ssl.keystore.type",
    "ssl.truststore.type",
    "ssl.keystore.password",
    "ssl.truststore.password",
)
_OWN_FILES: Final = (
    "ssl.keystore.location",
    "ssl.certificate.location",
    "ssl.key.location",
)
_OWN_TEXTS: Final = (
    "ssl.keystore.key",
    "ssl.keystore.certificate.chain",
    "ssl.certificate.pem",
    "ssl.key.pem",
)
_TRUST_FILES: Final = ("ssl.truststore.location", "ssl.ca.location")
_TRUST_TEXTS: Final = ("ssl.truststore.certificates", "ssl.ca.pem")
_OTHERS: Final = (
    "security.protocol",
    "sasl.jaas.config",
    "sasl.oauthbearer.method",
    "sasl.login.callback.handler.class",
    "ssl.key.password",
    "ssl.endpoint.identification.algorithm",
    "enable.ssl.certificate.verification",
    "ssl.enabled.protocols",
    "ssl.cipher.suites",
)
_KNOWN: Final = {
    *_PLAIN_NAMES,
    *_STORES,
    *_OWN_FILES,
    *_OWN_TEXTS,
    *_TRUST_FILES,
    *_TRUST_TEXTS,
    *_OTHERS,
}
_BY_PASSWORD: Final = ("PlainLoginModule", "ScramLoginModule")
_BY_TOKEN: Final = "OAuthBearerLoginModule"
_MODULES: Final = (*_BY_PASSWORD, _BY_TOKEN)
_OF_TOKENS: Final = {
    "clientId": "sasl_oauthbearer_client_credentials_client_id",
    "clientSecret": "sasl_oauthbearer_client_credentials_client_secret",
    "scope": "sasl_oauthbearer_scope",
    "ssl.truststore.location": "https_ca_location",
}
_EXTENSION: Final = "extension_"
_LOGIN_HANDLER: Final = "OAuthBearerLoginCallbackHandler"


def read_properties(text: str) -> dict[str, str]:
    """Java's form of properties, with what they refer to; blanks around a value are none of it.

    Raises ConfigurationError; it shows names, references and numbers of lines, but no value.
    """
    try:
        found = parse_properties(text)
        providers = ConfigProviders(found, os.environ)
        return {
            name: providers.resolve(name, value).strip()
            for name, value in found.items()
            if name != NAMES and not is_of_provider(name)
        }
    except PropertiesError as error:
        raise ConfigurationError(str(error)) from None
    except ProviderError as error:
        raise ConfigurationError(f"--client-config: {error}") from None


def client_options(properties: Mapping[str, str]) -> dict[str, Any]:
    """Keyword options of our client for these properties.

    Raises ConfigurationError: a name that this client has not, or what does not go together; no
    password is in its text.
    """
    unknown = sorted(set(properties) - _KNOWN)
    if unknown:
        raise ConfigurationError(f"--client-config: {unknown[0]} is no property of this client")
    for name in ("ssl.keystore.type", "ssl.truststore.type"):
        try:
            kind_of(properties.get(name, PEM))
        except TlsError as error:
            raise ConfigurationError(f"{name}: {error}") from None
    options: dict[str, Any] = {}
    for name, option in _PLAIN_NAMES.items():
        if name in properties:
            options[option] = _number(name, properties) if name in _NUMBERS else properties[name]
    _check_token_source(properties)
    protocol = properties.get("security.protocol", "PLAINTEXT").upper()
    options["security_protocol"] = protocol
    if "sasl.jaas.config" in properties:
        options |= _login_of(properties["sasl.jaas.config"])
    if protocol in ("SSL", "SASL_SSL"):
        try:
            options["ssl_context"] = _context(properties)
        except TlsError as error:
            raise ConfigurationError(f"--client-config: {error}") from None
    return options


def _check_token_source(properties: Mapping[str, str]) -> None:
    """Of the ways to tokens, a file can only choose the endpoint."""
    if properties.get("sasl.oauthbearer.method", "oidc").lower() != "oidc":
        raise ConfigurationError("sasl.oauthbearer.method: only oidc can be done here")
    name = "sasl.login.callback.handler.class"
    if properties.get(name, _LOGIN_HANDLER).rpartition(".")[2] != _LOGIN_HANDLER:
        raise ConfigurationError(f"{name}: only {_LOGIN_HANDLER} is known, and no class is run")


def _number(name: str, properties: Mapping[str, str]) -> int:
    text = properties[name]
    if not (text.isascii() and text.isdecimal()):
        raise ConfigurationError(f"--client-config: {name} is no number")
    return int(text)


def _login_of(text: str) -> dict[str, str]:
    try:
        entry = parse_jaas(text)
    except JaasError as error:
        raise ConfigurationError(f"sasl.jaas.config {error}") from None
    module = entry.module.rpartition(".")[2]
    if module not in _MODULES:
        raise ConfigurationError(f"sasl.jaas.config: {module} is none of {', '.join(_MODULES)}")
    if "tokenauth" in entry.options:
        raise ConfigurationError("sasl.jaas.config: delegation tokens are not known here")
    if module == _BY_TOKEN:
        return _token_login(entry.options)
    return {
        "sasl_plain_username": entry.options.get("username", ""),
        "sasl_plain_password": entry.options.get("password", ""),
    }


def _token_login(options: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    extensions: list[str] = []
    for name, value in options.items():
        if name.startswith(_EXTENSION):
            extensions.append(f"{name.removeprefix(_EXTENSION)}={value}")
        elif name in _OF_TOKENS:
            found[_OF_TOKENS[name]] = value
        elif (name, value.upper()) != ("ssl.truststore.type", "PEM"):
            raise ConfigurationError(f"sasl.jaas.config: {name} is not known here, or its value")
    if extensions:
        found["sasl_oauthbearer_extensions"] = ",".join(extensions)
    return found


def _context(properties: Mapping[str, str]) -> ssl.SSLContext:
    is_checking = properties.get("enable.ssl.certificate.verification", "true").lower() != "false"
    algorithm = properties.get("ssl.endpoint.identification.algorithm", "https").lower()
    versions = _listed(properties, "ssl.enabled.protocols") or ("TLSv1.2", "TLSv1.3")
    for version in versions:
        if version not in ("TLSv1.2", "TLSv1.3"):
            raise ConfigurationError(f"ssl.enabled.protocols: {version} is not spoken")
    context = client_context(
        _own_of(properties),
        _trust_of(properties),
        versions=versions,
        ciphers=_listed(properties, "ssl.cipher.suites"),
        checks_names=is_checking and algorithm not in ("", "none"),
    )
    if not is_checking:
        context.verify_mode = ssl.CERT_NONE
    return context


def _own_of(properties: Mapping[str, str]) -> Own | None:
    kind = kind_of(properties.get("ssl.keystore.type", PEM))
    path, store = properties.get("ssl.keystore.location"), properties.get("ssl.keystore.password")
    password = properties.get("ssl.key.password")
    if kind != PEM and path is not None:
        return own_from_file(kind, path, store, password)
    _check_no_password("ssl.keystore", store)
    text = _joined(properties, _OWN_FILES, _OWN_TEXTS)
    return None if text is None else Own(key_and_chain(text, "--client-config"), password)


def _trust_of(properties: Mapping[str, str]) -> Trust:
    kind = kind_of(properties.get("ssl.truststore.type", PEM))
    path = properties.get("ssl.truststore.location")
    password = properties.get("ssl.truststore.password")
    if kind != PEM and path is not None:
        return trust_from_file(kind, path, password)
    _check_no_password("ssl.truststore", password)
    return Trust(text=_joined(properties, _TRUST_FILES, _TRUST_TEXTS))


def _check_no_password(store: str, password: str | None) -> None:
    if password is not None:
        raise ConfigurationError(f"{store}.password is for {store}.location in PKCS12 alone")


def _listed(properties: Mapping[str, str], name: str) -> tuple[str, ...]:
    text = properties.get(name, "")
    return tuple(part.strip() for part in re.split("[,:]", text) if part.strip())


def _joined(
    properties: Mapping[str, str], files: tuple[str, ...], texts: tuple[str, ...]
) -> str | None:
    """All that the properties give, as one PEM text; None: nothing."""
    paths = dict.fromkeys(properties[name] for name in files if name in properties)
    found = [read_pem(path) for path in paths]
    found += [properties[name] for name in texts if name in properties]
    return "\n".join(found) if found else None

"""`--client-config FILE`: options of a client in Java's or librdkafka's properties.

Names of both dialects are understood: `ssl.truststore.location` and `ssl.ca.location`,
`sasl.jaas.config` and `sasl.username`. What is not for this client is refused by name.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from typing import Any, Final

from barnabas.client.errors import ConfigurationError
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
_PEM_TYPES: Final = ("ssl.keystore.type", "ssl.truststore.type")
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
    *_PEM_TYPES,
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
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}


def parse_properties(text: str) -> dict[str, str]:
    """Java's form: `name=value` or `name: value`, comments, and lines that go on after a backslash.

    Raises ConfigurationError for a line without a value's sign; it shows the line's number alone.
    """
    found: dict[str, str] = {}
    lines = iter(enumerate(text.splitlines(), 1))
    for number, raw in lines:
        line = raw.strip()
        if not line or line[0] in "#!":
            continue
        while line.endswith("\\") and not line.endswith("\\\\"):
            _, more = next(lines, (0, ""))
            line = line[:-1] + more.strip()
        match = re.match(r"((?:\\.|[^=:\s\\])+)\s*[=:\s]\s*(.*)", line, re.DOTALL)
        if match is None:
            raise ConfigurationError(f"line {number} is not name=value")
        found[_unescaped(match[1])] = _unescaped(match[2])
    return found


def _unescaped(text: str) -> str:
    return re.sub(
        r"\\(?:u([0-9a-fA-F]{4})|(.))",
        lambda one: chr(int(one[1], 16)) if one[1] else _ESCAPES.get(one[2], one[2]),
        text,
    )


def client_options(properties: Mapping[str, str]) -> dict[str, Any]:
    """Keyword options of our client for these properties.

    Raises ConfigurationError: a name that this client has not, or what does not go together; no
    password is in its text.
    """
    unknown = sorted(set(properties) - _KNOWN)
    if unknown:
        raise ConfigurationError(f"--client-config: {unknown[0]} is no property of this client")
    for name in _PEM_TYPES:
        if properties.get(name, "PEM").upper() != "PEM":
            raise ConfigurationError(f"{name}={properties[name]}: only PEM is read")
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
        raise ConfigurationError(f"--client-config: {name}={text} is no number")
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
    trusted = _joined(properties, _TRUST_FILES, _TRUST_TEXTS)
    own = _joined(properties, _OWN_FILES, _OWN_TEXTS)
    context = client_context(
        None
        if own is None
        else Own(key_and_chain(own, "--client-config"), properties.get("ssl.key.password")),
        Trust(text=trusted),
        versions=versions,
        ciphers=_listed(properties, "ssl.cipher.suites"),
        checks_names=is_checking and algorithm not in ("", "none"),
    )
    if not is_checking:
        context.verify_mode = ssl.CERT_NONE
    return context


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

"""Whether the options of TLS and logins go together."""

from __future__ import annotations

from collections.abc import Mapping

from barnabas.http_exchange import parse_url
from barnabas.protocol.sasl import oauthbearer, plain

from .errors import ConfigurationError

_NEEDED = ("sasl_mechanism", "sasl_plain_username", "sasl_plain_password")
_PROVIDER = "sasl_oauth_token_provider"
_URL = "sasl_oauthbearer_token_endpoint_url"
_EXTENSIONS = "sasl_oauthbearer_extensions"
_CREDENTIALS = (
    "sasl_oauthbearer_client_credentials_client_id",
    "sasl_oauthbearer_client_credentials_client_secret",
)
_OF_TOKENS = (_URL, *_CREDENTIALS, "sasl_oauthbearer_scope", _EXTENSIONS, "https_ca_location")
_OF_FILES = ("ssl_cafile", "ssl_certfile", "ssl_keyfile", "ssl_password")


def check_security(options: Mapping[str, object]) -> None:
    """Raise ConfigurationError, which names the option that is missing or one too many."""
    protocol, mechanism = str(options["security_protocol"]), options["sasl_mechanism"]
    has_tokens = mechanism == oauthbearer.NAME
    if protocol.startswith("SASL_"):
        for name in _NEEDED[:1] if has_tokens else _NEEDED:
            if not options[name]:
                raise ConfigurationError(f"{name} is needed with {protocol}")
        if has_tokens:
            _check_tokens(options)
        else:
            _check_password(options, may_have_null=mechanism != plain.NAME)
    given = [name for name in (*_OF_TOKENS, _PROVIDER) if options[name] is not None]
    if given and not has_tokens:
        raise ConfigurationError(f"{given[0]} is for sasl_mechanism='OAUTHBEARER' alone")
    given = [name for name in _OF_FILES if options[name] is not None]
    if options["ssl_context"] is not None and given:
        raise ConfigurationError(f"{given[0]} cannot be set beside ssl_context")
    if options["ssl_keyfile"] is not None and options["ssl_certfile"] is None:
        raise ConfigurationError("ssl_keyfile needs ssl_certfile")


def _check_password(options: Mapping[str, object], *, may_have_null: bool) -> None:
    """Name and password must be text that a login can carry; the error shows neither."""
    for name in _NEEDED[1:]:
        given = options[name]
        if not isinstance(given, str):
            raise ConfigurationError(f"{name} must be text, not {type(given).__name__}")
        try:
            given.encode()
        except UnicodeEncodeError:
            raise ConfigurationError(f"{name} is not UTF-8") from None
        if "\0" in given and not may_have_null:
            raise ConfigurationError(f"{name} has a null character, which PLAIN cannot carry")


def _check_tokens(options: Mapping[str, object]) -> None:
    url, provider = options[_URL], options[_PROVIDER]
    if (url is None) == (provider is None):
        raise ConfigurationError(f"OAUTHBEARER needs either {_PROVIDER} or {_URL}")
    if provider is not None:
        if not callable(provider) and not callable(getattr(provider, "token", None)):
            raise ConfigurationError(f"{_PROVIDER} is no function, and has no method `token`")
        for name in _OF_TOKENS:
            if name != _EXTENSIONS and options[name] is not None:
                raise ConfigurationError(f"{name} is for {_URL}, not for {_PROVIDER}")
        return
    for name in _CREDENTIALS:
        if not options[name]:
            raise ConfigurationError(f"{name} is needed with {_URL}")
    try:
        parse_url(str(url))
    except ValueError as error:
        raise ConfigurationError(f"{_URL} {error}") from None

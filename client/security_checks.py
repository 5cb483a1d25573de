"""Whether the options of TLS and logins go together."""

from __future__ import annotations

from collections.abc import Mapping

from .errors import ConfigurationError

_OF_FILES = ("ssl_cafile", "ssl_certfile", "ssl_keyfile", "ssl_password")


def check_security(options: Mapping[str, object]) -> None:
    """Raise ConfigurationError, which names the option that is missing or one too many."""
    protocol = str(options["security_protocol"])
    if protocol.startswith("SASL_"):
        for name in ("sasl_mechanism", "sasl_plain_username", "sasl_plain_password"):
            if not options[name]:
                raise ConfigurationError(f"{name} is needed with {protocol}")
    given = [name for name in _OF_FILES if options[name] is not None]
    if options["ssl_context"] is not None and given:
        raise ConfigurationError(f"{given[0]} cannot be set beside ssl_context")
    if options["ssl_keyfile"] is not None and options["ssl_certfile"] is None:
        raise ConfigurationError("ssl_keyfile needs ssl_certfile")

"""Settings of certificates that change while a node runs: of one broker's one listener (TLS-18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .field import ConfigError
from .listeners import PREFIX, canonical, parse_override
from .security import Override

RELOADABLE: Final = frozenset(
    {
        "ssl_keystore_type",
        "ssl_keystore_location",
        "ssl_keystore_password",
        "ssl_key_password",
        "ssl_keystore_key",
        "ssl_keystore_certificate_chain",
        "ssl_truststore_type",
        "ssl_truststore_location",
        "ssl_truststore_password",
        "ssl_truststore_certificates",
    }
)
"""Field names of the ten."""


def override_of(name: str, text: str) -> Override | None:
    """What a setting with a listener's prefix says; None for a name that is none of ours.

    Raises ConfigError: it is ours, and cannot change while a node runs, or not to this.
    """
    if not canonical(name).startswith(PREFIX):
        return None
    try:
        found = parse_override(name, text)
    except ConfigError as error:
        if error.name == name:  # no such setting, which others may read
            return None
        raise
    if found.field_name not in RELOADABLE:
        raise ConfigError(name, None, "cannot be changed while a node runs")
    return found


def overrides_of(settings: Mapping[str, str]) -> tuple[Override, ...]:
    """Those among a broker's settings; what cannot be is passed over."""
    found = []
    for name, text in settings.items():
        try:
            override = override_of(name, text)
        except ConfigError:
            continue
        if override is not None:
            found.append(override)
    return tuple(found)

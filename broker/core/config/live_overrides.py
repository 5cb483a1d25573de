"""Settings with a listener's prefix that change while a node runs: certificates (TLS-18), and how
many connections there may be (KIP-402, KIP-612)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .field import ConfigError
from .listeners import PREFIX, canonical, parse_override
from .security import Override

CERTIFICATES: Final = frozenset(
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
"""Field names of the ten; they are for one broker alone."""

CONNECTIONS: Final = frozenset({"max_connections", "max_connection_creation_rate"})
"""Field names; they may be for all brokers."""

_LIVE: Final = CERTIFICATES | CONNECTIONS


def override_of(name: str, text: str) -> Override | None:
    """What a setting with a listener's prefix says; None for a name that is none of ours.

    Raises ConfigError: it is ours, and cannot change while a node runs, or not to this.
    """
    if not canonical(name).startswith(PREFIX):
        return None
    try:
        found = parse_override(name, text)
    except ConfigError as error:
        if error.name == name and error.value is None:  # no such setting, which others may read
            return None
        raise
    if found.field_name not in _LIVE:
        raise ConfigError(name, None, "cannot be changed while a node runs")
    return found


def certificate_of(name: str, text: str) -> Override | None:
    """The same, for settings of certificates alone. Raises ConfigError."""
    found = override_of(name, text)
    return found if found is not None and found.field_name in CERTIFICATES else None


def overrides_of(
    settings: Mapping[str, str], which: Callable[[str, str], Override | None] = override_of
) -> tuple[Override, ...]:
    """Those among a broker's settings, as `which` finds them; what cannot be is passed over."""
    found = []
    for name, text in settings.items():
        try:
            override = which(name, text)
        except ConfigError:
            continue
        if override is not None:
            found.append(override)
    return tuple(found)

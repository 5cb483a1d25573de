"""Subscriptions to clients' metrics: which settings they may have, and what is told of them.

KIP-714. They are kept for the tools that administer them, and for controllers that know more.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import re2

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..config.client_metrics import INTERVAL_MAX_MS, INTERVAL_MIN_MS, ClientMetricsConfig
from ..config.field import ConfigError, Setting, Value, settings_of
from .effective import CLIENT_METRICS, DEFAULT, Entry, Synonym
from .image import RESOURCE_CLIENT_METRICS, ClusterImage

PROPERTIES: Final = frozenset(
    {
        "client_id",
        "client_instance_id",
        "client_software_name",
        "client_software_version",
        "client_source_address",
        "client_source_port",
    }
)
"""The properties by which a subscription may select clients."""

_INTERVAL: Final = "interval.ms"
_MATCH: Final = "match"


def check_client_metrics(name: str, values: Mapping[str, str]) -> None:
    """Raise KafkaError unless a subscription may have this name and all these settings.

    INVALID_REQUEST (42): no name, an unknown setting, an interval out of bounds. INVALID_CONFIG
    (40): a value of the wrong kind, an expression that cannot select clients.
    """
    if not name:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "Subscription name can't be empty")
    known = settings_of(ClientMetricsConfig)
    for key in values:
        if key not in known:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, f"Unknown client metrics configuration: {key}"
            )
    try:
        parsed = {key: known[key].parse(text) for key, text in values.items()}
    except ConfigError as error:
        raise KafkaError(ErrorCode.INVALID_CONFIG, str(error)) from None
    _check_interval(parsed.get(_INTERVAL))
    for pattern in _parts(parsed.get(_MATCH)):
        if not _is_match(pattern):
            raise KafkaError(
                ErrorCode.INVALID_CONFIG, f"Illegal client matching pattern: {pattern}"
            )


def _check_interval(value: Value) -> None:
    if isinstance(value, int) and not INTERVAL_MIN_MS <= value <= INTERVAL_MAX_MS:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"Invalid value {value} for {_INTERVAL}, interval must be between "
            f"{INTERVAL_MIN_MS} and {INTERVAL_MAX_MS} (1 hour)",
        )


def _parts(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _is_match(pattern: str) -> bool:
    """Whether it is PROPERTY=EXPRESSION; as in Kafka, a second `=` may have nothing behind it."""
    name, _, expression = pattern.rstrip("=").partition("=")
    if name.strip() not in PROPERTIES or not expression or "=" in expression:
        return False
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(expression.strip(), options)
    except (re2.error, UnicodeError):
        return False
    finally:
        re2.purge()  # nothing is matched: the library need not cache it
    return True


def client_metrics_entries(image: ClusterImage, name: str) -> list[Entry]:
    """All settings of a subscription, by name; one that does not exist has the defaults."""
    own = image.config_of(RESOURCE_CLIENT_METRICS, name)
    known = settings_of(ClientMetricsConfig)
    entries = [_entry(one, own) for one in known.values()]
    for key, text in own.items():
        if key not in known:
            place = Synonym(key, text, CLIENT_METRICS)
            entries.append(Entry(key, text, CLIENT_METRICS, None, (place,)))
    return sorted(entries, key=lambda one: one.name)


def _entry(setting: Setting, own: Mapping[str, str]) -> Entry:
    if setting.name not in own:
        return Entry(setting.name, setting.text(setting.default), DEFAULT, setting, ())
    text: str | None = own[setting.name]
    with suppress(ConfigError):  # written by a controller that allows more: shown as it is
        text = setting.text(setting.parse(own[setting.name]))
    place = Synonym(setting.name, text, CLIENT_METRICS)
    return Entry(setting.name, text, CLIENT_METRICS, setting, (place,))

"""The settings that one group may have of its own, with the names of Kafka 4.3 (848-26).

They have the defaults and the bounds of the broker's settings of like names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .field import SECOND_MS, ConfigError, Settings, Value, setting, settings_of
from .groups import GroupSettings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class GroupConfig(Settings):
    """How one consumer group is kept (KIP-848)."""

    consumer_session_timeout_ms: int = setting(
        45 * SECOND_MS,
        unit="ms",
        minimum=1,
        synonyms=(("group.consumer.session.timeout.ms", 1),),
        doc="Time without a heartbeat after which a member goes.",
    )
    consumer_heartbeat_interval_ms: int = setting(
        5 * SECOND_MS,
        unit="ms",
        minimum=1,
        synonyms=(("group.consumer.heartbeat.interval.ms", 1),),
        doc="How often members are told to send heartbeats.",
    )
    consumer_assignment_interval_ms: int = setting(
        SECOND_MS,
        unit="ms",
        minimum=0,
        synonyms=(("group.consumer.assignment.interval.ms", 1),),
        doc="Shortest time between two target assignments.",
    )


def bounds_of(name: str, broker: GroupSettings) -> tuple[int, int]:
    """Least and greatest value that the broker allows for a group's setting."""
    what = name.removeprefix("consumer.")
    low = broker.value(f"group.consumer.min.{what}")
    high = broker.value(f"group.consumer.max.{what}")
    assert isinstance(low, int)
    assert isinstance(high, int)
    return low, high


def check_group_config(values: Mapping[str, str], broker: GroupSettings) -> None:
    """Raise `ConfigError` unless a group may have these settings; other names are passed over."""
    found: dict[str, int] = {}
    for name, declared in settings_of(GroupConfig).items():
        value: Value = broker.value(declared.synonyms[0][0])
        if name in values:
            value = declared.parse(values[name])
        assert isinstance(value, int)
        low, high = bounds_of(name, broker)
        if name in values and not low <= value <= high:
            raise ConfigError(name, value, f"Value must be between {low} and {high}")
        found[name] = value
    session, heartbeat = "consumer.session.timeout.ms", "consumer.heartbeat.interval.ms"
    if found[heartbeat] >= found[session]:
        raise ConfigError(heartbeat, found[heartbeat], f"Value must be less than {session}")

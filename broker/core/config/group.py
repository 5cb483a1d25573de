"""The settings that one group may have of its own, with the names of Kafka 4.3 (848-26), and
`consumer.settling.interval.ms`, which Kafka has not.

They have the defaults and the bounds of the broker's settings of like names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .field import SECOND_MS, ConfigError, Settings, Value, setting, settings_of
from .groups import SETTLING_MAX_MS, GroupSettings

SESSION_TIMEOUT: Final = "consumer.session.timeout.ms"
HEARTBEAT_INTERVAL: Final = "consumer.heartbeat.interval.ms"
ASSIGNMENT_INTERVAL: Final = "consumer.assignment.interval.ms"
SETTLING_INTERVAL: Final = "consumer.settling.interval.ms"


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
    consumer_settling_interval_ms: int = setting(
        50,
        unit="ms",
        minimum=0,
        maximum=SETTLING_MAX_MS,
        synonyms=(("group.consumer.settling.interval.ms", 1),),
        doc="While the group settles: shortest time between two heartbeats of a member, and half "
        "of the shortest time between two target assignments; 0: the other two intervals hold all "
        "the time. So they do in a group that has one of its own and none of this.",
    )


def bounds_of(name: str, broker: GroupSettings) -> tuple[int, int]:
    """Least and greatest value that the broker allows for a group's setting."""
    if name == SETTLING_INTERVAL:
        return 0, SETTLING_MAX_MS
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
    heartbeat = found[HEARTBEAT_INTERVAL]
    if heartbeat >= found[SESSION_TIMEOUT]:
        raise ConfigError(
            HEARTBEAT_INTERVAL, heartbeat, f"Value must be less than {SESSION_TIMEOUT}"
        )

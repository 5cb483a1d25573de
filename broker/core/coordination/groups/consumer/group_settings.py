"""What holds for one group: its own settings, within the bounds of the broker's (848-26)."""

from __future__ import annotations

from typing import Final

from ....cluster.image import RESOURCE_GROUP, ClusterImage
from ....config.broker import BrokerConfig

SESSION_TIMEOUT: Final = "consumer.session.timeout.ms"
HEARTBEAT_INTERVAL: Final = "consumer.heartbeat.interval.ms"
ASSIGNMENT_INTERVAL: Final = "consumer.assignment.interval.ms"


def session_timeout_ms(group_id: str, config: BrokerConfig, image: ClusterImage) -> int:
    """Time without a heartbeat after which a member of this group goes."""
    return _within(
        _own(group_id, SESSION_TIMEOUT, config.group_consumer_session_timeout_ms, image),
        config.group_consumer_min_session_timeout_ms,
        config.group_consumer_max_session_timeout_ms,
    )


def heartbeat_interval_ms(group_id: str, config: BrokerConfig, image: ClusterImage) -> int:
    """How often members of this group are told to send heartbeats."""
    return _within(
        _own(group_id, HEARTBEAT_INTERVAL, config.group_consumer_heartbeat_interval_ms, image),
        config.group_consumer_min_heartbeat_interval_ms,
        config.group_consumer_max_heartbeat_interval_ms,
    )


def assignment_interval_ms(group_id: str, config: BrokerConfig, image: ClusterImage) -> int:
    """Shortest time between two target assignments of this group."""
    return _within(
        _own(group_id, ASSIGNMENT_INTERVAL, config.group_consumer_assignment_interval_ms, image),
        config.group_consumer_min_assignment_interval_ms,
        config.group_consumer_max_assignment_interval_ms,
    )


def _own(group_id: str, name: str, default: int, image: ClusterImage) -> int:
    text = image.config_of(RESOURCE_GROUP, group_id).get(name)
    try:
        return default if text is None else int(text)
    except ValueError:
        return default  # a directory that another broker wrote may hold anything


def _within(value: int, low: int, high: int) -> int:
    """Bounds may be narrower than when the group's setting was made."""
    return max(low, min(value, high))

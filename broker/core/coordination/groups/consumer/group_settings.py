"""What holds for one group: its own settings, within the bounds of the broker's (848-26)."""

from __future__ import annotations

from collections.abc import Mapping

from ....cluster.image import RESOURCE_GROUP, ClusterImage
from ....config.broker import BrokerConfig
from ....config.group import (
    ASSIGNMENT_INTERVAL,
    HEARTBEAT_INTERVAL,
    SESSION_TIMEOUT,
    SETTLING_INTERVAL,
)
from ....config.groups import SETTLING_MAX_MS


def session_timeout_ms(group_id: str, config: BrokerConfig, image: ClusterImage) -> int:
    """Time without a heartbeat after which a member of this group goes."""
    return _within(
        _own(group_id, SESSION_TIMEOUT, config.group_consumer_session_timeout_ms, image),
        config.group_consumer_min_session_timeout_ms,
        config.group_consumer_max_session_timeout_ms,
    )


def heartbeat_interval_ms(group_id: str, config: BrokerConfig, image: ClusterImage) -> int:
    """How often members of this group are told to send heartbeats, when it is at rest."""
    return _within(
        _own(group_id, HEARTBEAT_INTERVAL, config.group_consumer_heartbeat_interval_ms, image),
        config.group_consumer_min_heartbeat_interval_ms,
        config.group_consumer_max_heartbeat_interval_ms,
    )


def assignment_interval_ms(group_id: str, config: BrokerConfig, image: ClusterImage) -> int:
    """Shortest time between two target assignments of this group, when one follows the other."""
    return _within(
        _own(group_id, ASSIGNMENT_INTERVAL, config.group_consumer_assignment_interval_ms, image),
        config.group_consumer_min_assignment_interval_ms,
        config.group_consumer_max_assignment_interval_ms,
    )


def settling_interval_ms(group_id: str, config: BrokerConfig, image: ClusterImage) -> int:
    """How often members of this group may be told to send heartbeats while it settles.

    0: no more often than at other times. So it is in a group that was given one of the other two
    intervals and not this one: what was said of it in so many words holds.
    """
    own = image.config_of(RESOURCE_GROUP, group_id)
    if SETTLING_INTERVAL not in own and (HEARTBEAT_INTERVAL in own or ASSIGNMENT_INTERVAL in own):
        return 0
    default = config.group_consumer_settling_interval_ms
    return _within(_number(own, SETTLING_INTERVAL, default), 0, SETTLING_MAX_MS)


def _own(group_id: str, name: str, default: int, image: ClusterImage) -> int:
    return _number(image.config_of(RESOURCE_GROUP, group_id), name, default)


def _number(own: Mapping[str, str], name: str, default: int) -> int:
    text = own.get(name)
    try:
        return default if text is None else int(text)
    except ValueError:
        return default  # a directory that another broker wrote may hold anything


def _within(value: int, low: int, high: int) -> int:
    """Bounds may be narrower than when the group's setting was made."""
    return max(low, min(value, high))

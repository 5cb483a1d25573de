"""Which listeners of a node are for whom."""

from __future__ import annotations

from ..core.config.broker import BrokerConfig


def inter_broker_listener(config: BrokerConfig) -> str:
    """Name of the listener by which brokers reach each other: the first, if none is named."""
    if config.inter_broker_listener_name:
        return config.inter_broker_listener_name
    names = [text.partition("://")[0] for text in config.listeners]
    for name in names:
        if name not in config.controller_listener_names:
            return name
    return names[0]


def listener_of_brokers_alone(config: BrokerConfig) -> str | None:
    """The same if clients have another one; None if they share it."""
    names = {text.partition("://")[0] for text in config.listeners}
    name = inter_broker_listener(config)
    return name if names.difference(config.controller_listener_names, {name}) else None

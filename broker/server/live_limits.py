"""Limits of connections that may change while a broker runs."""

from __future__ import annotations

from ..core.cluster.changes import Changes
from ..core.cluster.effective import are_brokers_changed, broker_config
from ..core.cluster.image import ClusterImage
from ..core.config.broker import BrokerConfig
from .arrivals import Arrivals
from .limits import Limits


class LiveLimits:
    """Obeys what was set on this broker, or on all. Nobody who is connected is closed for it."""

    __slots__ = ("_arrivals", "_config", "_limits", "_node_id")

    def __init__(
        self, config: BrokerConfig, node_id: int, limits: Limits, arrivals: Arrivals
    ) -> None:
        self._config = config
        self._node_id = node_id
        self._limits = limits
        self._arrivals = arrivals

    def on_image(self, image: ClusterImage, changes: Changes | None = None) -> None:
        """A listener of the metadata."""
        if are_brokers_changed(changes):
            config = broker_config(self._config, image, self._node_id)
            self._limits.obey(config)
            self._arrivals.obey(config)

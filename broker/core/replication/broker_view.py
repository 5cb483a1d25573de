"""The `ClusterView` of a broker: what the metadata image that it applied last says of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..cluster.image import ClusterImage


class ImageView:
    """Looks brokers up in an image; `ReplicaStore` hands over each new one."""

    __slots__ = ("image",)

    def __init__(self) -> None:
        self.image: ClusterImage | None = None

    def broker_epoch(self, broker_id: int) -> int:
        """Epoch of its registration; -1 if it is not registered."""
        broker = None if self.image is None else self.image.brokers.get(broker_id)
        return -1 if broker is None else broker.epoch

    def is_active(self, broker_id: int) -> bool:
        """Registered, not fenced, not shutting down: it may be in sync (497-04)."""
        broker = None if self.image is None else self.image.brokers.get(broker_id)
        return broker is not None and broker.is_active

    def is_alone(self, broker_id: int) -> bool:
        """Whether no other broker is registered."""
        return self.image is not None and self.image.brokers.keys() <= {broker_id}

    def rack(self, broker_id: int) -> str | None:
        """Its `broker.rack`; None if it has none or is not registered."""
        broker = None if self.image is None else self.image.brokers.get(broker_id)
        return None if broker is None else broker.rack

    def has_endpoint(self, broker_id: int, listener_name: str) -> bool:
        """Whether it is alive and listens under that name."""
        broker = None if self.image is None else self.image.brokers.get(broker_id)
        return (
            broker is not None and not broker.fenced and broker.endpoint(listener_name) is not None
        )

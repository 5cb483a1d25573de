"""What decisions about brokers and partitions are based on."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..config.broker import BrokerConfig
from .broker_image import BrokerImage
from .heartbeats import BrokerSessions
from .image import ClusterImage
from .leaders import RulesOf
from .relinquishing import Relinquished


class QuorumFeature(Protocol):
    """What decisions ask the metadata quorum about its own feature, `kraft.version` (KIP-853)."""

    @property
    def kraft_version(self) -> int:
        """The level as of now."""
        ...

    def kraft_version_obstacle(self, level: int) -> str | None:
        """Why `kraft.version` cannot be raised to this level now; None if it can."""
        ...


class FixedQuorum:
    """A quorum whose level is fixed."""

    kraft_version = 1

    def kraft_version_obstacle(self, level: int) -> str | None:
        """Every other level is refused."""
        return None if level == self.kraft_version else "The quorum stays as it is."


class Situation(NamedTuple):
    """The cluster at the moment of one decision; `now_ms` is of the monotonic clock."""

    image: ClusterImage
    static: BrokerConfig
    sessions: BrokerSessions
    relinquished: Relinquished
    rules_of: RulesOf
    now_ms: float
    quorum: QuorumFeature

    def asking_broker(self, broker_id: int, epoch: int) -> BrokerImage:
        """The broker that sent the request. Raises KafkaError STALE_BROKER_EPOCH (77) for an old
        epoch."""
        broker = self.image.brokers.get(broker_id)
        if broker is None:
            raise KafkaError(
                ErrorCode.STALE_BROKER_EPOCH,
                f"No broker registration found for broker id {broker_id}",
            )
        if broker.epoch != epoch:
            raise KafkaError(
                ErrorCode.STALE_BROKER_EPOCH,
                f"Expected broker epoch {broker.epoch}, but got broker epoch {epoch}",
            )
        return broker

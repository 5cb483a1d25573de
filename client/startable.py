"""What producer, consumer and admin have in common: `async with` starts and stops them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from .wire.cluster import Cluster
    from .wire.throttle import ThrottleTimes


class Startable(ABC):
    """Started at the begin of an `async with`, stopped at its end, whatever happened in it."""

    _cluster: Cluster

    @property
    def throttle_times(self) -> ThrottleTimes:
        """How often brokers have told this client to wait because of a quota, and how long.

        It waits by itself. Raises ClientClosedError while it is not started.
        """
        return self._cluster.pool.throttle_times

    @abstractmethod
    async def start(self) -> None:
        """Connect and learn the cluster."""

    @abstractmethod
    async def stop(self) -> None:
        """Disconnect."""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

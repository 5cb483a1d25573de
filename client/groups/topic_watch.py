"""Notices topics that appear or change, so that the group is assigned anew."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from ..config import ConsumerConfig
from ..errors import ClientError
from ..wire.cluster import Cluster
from .health import Assignee
from .topics import named_by, partitions_at_hand


class TopicWatch:
    """What a member joined with, compared with what there is now."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        assignee: Assignee,
        rejoin: Callable[[str], None],
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._assignee = assignee
        self._rejoin = rejoin
        self.topics: frozenset[str] = frozenset()
        """The topics that this member named when it last joined."""
        self._counts: dict[str, int] = {}

    def assigned(self, topics: Iterable[str]) -> None:
        """This member has assigned the partitions of these topics, as metadata has them now; with
        none, another member is the one to notice that they change."""
        counts = partitions_at_hand(self._cluster, list(topics)).counts
        self._counts = {topic: counts.get(topic, 0) for topic in topics}

    def look(self) -> None:
        """Metadata changed."""
        counts = partitions_at_hand(self._cluster, self._counts).counts
        if any(counts.get(topic, 0) != count for topic, count in self._counts.items()):
            self._counts = {}
            self._rejoin("partitions of the topics changed")

    async def run(self) -> None:
        """Ask for topics by name that did not exist, and for those that match a pattern."""
        self._cluster.when_changed.append(self.look)
        try:
            while True:
                await self._once()
        finally:
            self._cluster.when_changed.remove(self.look)

    async def _once(self) -> None:
        known = self._cluster.metadata.topics
        is_all_known = all(topic in known for topic in self.topics)
        wait_ms = self._config.metadata_max_age_ms
        if not is_all_known:
            wait_ms = min(wait_ms, self._config.heartbeat_interval_ms)
        await asyncio.sleep(wait_ms / 1000)
        if not is_all_known:
            self._cluster.refresh_soon()
        if self._assignee.wish.pattern is None:
            return
        with contextlib.suppress(ClientError):
            if await named_by(self._cluster, self._assignee.wish) != self.topics:
                self._rejoin("other topics match the pattern")

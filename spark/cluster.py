"""What planning asks a cluster, answered by the client; blocking, since Spark's calls are."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Iterable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

from barnabas.client import Admin
from barnabas.client.config import AdminConfig
from barnabas.client.declared import make_config
from barnabas.client.errors import UnknownTopicOrPartitionError
from barnabas.client.structs import TopicPartition

from .client_settings import only_for
from .errors import PlanError
from .offsets import EARLIEST, LATEST
from .options import Selection
from .planning import Positions

T = TypeVar("T")


class Cluster:
    """A connection with an event loop of its own; use it in one thread."""

    def __init__(self, client_settings: Mapping[str, Any]) -> None:
        """Connect.

        Raises:
            NotABrokerError, BootstrapError: no broker of the list answers.
        """
        self._runner = asyncio.Runner()
        # Where a read ends depends on what it may see: the high watermark, or the last stable
        # offset, after which there may be records of open transactions.
        self._isolation = int(client_settings.get("isolation_level") == "read_committed")
        self._admin = Admin(make_config(AdminConfig, only_for(AdminConfig, client_settings)))
        try:
            self._run(self._admin.start())
        except BaseException:
            self._runner.close()
            raise

    def close(self) -> None:
        """Disconnect."""
        try:
            self._run(self._admin.stop())
        finally:
            self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def partitions(self, selection: Selection) -> list[TopicPartition]:
        """Every partition that is selected, sorted. A pattern may match nothing.

        Raises:
            PlanError: a topic or a partition that is named does not exist.
        """
        if selection.pattern:
            # The whole name has to match; internal topics never do, as with Java's consumer.
            matches = re.compile(selection.pattern).fullmatch
            listed = self._run(self._admin.list_topics())
            return self._all_partitions([name for name in listed if matches(name)])
        if selection.topics:
            return self._all_partitions(selection.topics)
        names = sorted({at.topic for at in selection.assigned})
        known = set(self._all_partitions(names))
        for at in selection.assigned:
            if at not in known:
                raise PlanError(f"option 'assign': there is no partition {at}")
        return list(selection.assigned)

    def earliest(self, partitions: Iterable[TopicPartition]) -> Positions:
        """First offset that can be read."""
        return self._positions(dict.fromkeys(partitions, EARLIEST))

    def latest(self, partitions: Iterable[TopicPartition]) -> Positions:
        """Offset after the last record that can be read at the isolation level of the options."""
        return self._positions(dict.fromkeys(partitions, LATEST))

    def at_times(self, times_ms: Mapping[TopicPartition, int]) -> dict[TopicPartition, int | None]:
        """First offset whose timestamp is at or after the given one; None when there is none."""
        found = self._positions(times_ms)
        return {at: None if offset < 0 else offset for at, offset in found.items()}

    def _positions(self, wanted: Mapping[TopicPartition, int]) -> Positions:
        if not wanted:
            return {}
        found = self._run(self._admin.list_offsets(wanted, isolation=self._isolation))
        return {at: found[at].offset for at in wanted}

    def _all_partitions(self, topics: Iterable[str]) -> list[TopicPartition]:
        names = sorted(topics)
        if not names:
            return []
        try:
            described = self._run(self._admin.describe_topics(names))
        except UnknownTopicOrPartitionError as error:
            missing = sorted(str(name) for name in error.failures) or names
            raise PlanError(f"there is no topic {', '.join(missing)}") from error
        return [
            TopicPartition(name, each.partition)
            for name in names
            for each in sorted(described[name].partitions, key=lambda each: each.partition)
        ]

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

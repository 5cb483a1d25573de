"""Partitions that exist only as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from barnabas.client.structs import TopicPartition
from barnabas.spark.options import Selection

A0, A1, B0 = TopicPartition("a", 0), TopicPartition("a", 1), TopicPartition("b", 0)


class Logs:
    """Partitions that exist only here: first and next offset, and one record a millisecond."""

    def __init__(self, logs: dict[TopicPartition, tuple[int, int]]) -> None:
        self._logs = logs

    def partitions(self, selection: Selection) -> list[TopicPartition]:
        return sorted(at for at in self._logs if at.topic in selection.topics)

    def earliest(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        return {at: self._logs[at][0] for at in partitions}

    def latest(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        return {at: self._logs[at][1] for at in partitions}

    def at_times(self, times_ms: Mapping[TopicPartition, int]) -> dict[TopicPartition, int | None]:
        return {
            at: max(time, self._logs[at][0]) if time < self._logs[at][1] else None
            for at, time in times_ms.items()
        }

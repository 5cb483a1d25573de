"""Which part of an exactly-once write a task is, as Spark's properties say."""

from __future__ import annotations

from collections.abc import Mapping

import pyspark
import pytest

from barnabas.spark.errors import WriteError
from barnabas.spark.part import BATCH_ID, CONTINUOUS, QUERY_ID, Part, part_of_batch, part_of_stream


class Context:
    """A task's context with these properties."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        self._properties = properties

    def partitionId(self) -> int:  # noqa: N802 - Spark's name
        """The third task."""
        return 2

    def getLocalProperty(self, name: str) -> str | None:  # noqa: N802 - Spark's name
        """As the driver gave it."""
        return self._properties.get(name)


def has(monkeypatch: pytest.MonkeyPatch, properties: Mapping[str, str]) -> None:
    """Tasks of this test have these properties."""
    monkeypatch.setattr(pyspark.TaskContext, "get", lambda: Context(properties))


def test_a_task_of_a_micro_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: the names outlive the task, and each task has its own."""
    has(monkeypatch, {QUERY_ID: "q", BATCH_ID: "7", "spark.speculation": "false"})
    assert part_of_stream() == Part("q", 2, 7)
    assert part_of_stream().transactional_id("team-a") == "team-a-q-2"
    assert part_of_batch("write") == Part("write", 2, None)


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({"spark.speculation": "true"}, "spark.speculation=false"),
        ({CONTINUOUS: "true"}, "micro-batches"),
        ({QUERY_ID: ""}, "no property"),
    ],
)
def test_what_cannot_be_exactly_once(
    monkeypatch: pytest.MonkeyPatch, properties: dict[str, str], text: str
) -> None:
    """Goal: refused before anything is written, with what to change."""
    given = {QUERY_ID: "q", BATCH_ID: "7", **properties}
    has(monkeypatch, {name: value for name, value in given.items() if value})
    with pytest.raises(WriteError, match=text):
        part_of_stream()


def test_a_batch_write_refuses_copies_of_tasks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, {"spark.speculation": "true"})
    with pytest.raises(WriteError, match="speculation=false"):
        part_of_batch("write")

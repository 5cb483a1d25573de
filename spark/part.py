"""What one task of an exactly-once write is called; the names outlive tasks, drivers and restarts.

A stream is named by its query id, which Spark keeps in the checkpoint: the same checkpoint goes on
with the same names, and another one has names of its own, whose batches begin at 0 again.
"""

from __future__ import annotations

from dataclasses import dataclass

from .errors import WriteError

BATCH_ID = "streaming.sql.batchId"
QUERY_ID = "sql.streaming.queryId"
CONTINUOUS = "__is_continuous_processing"
"""Properties that Spark gives to the tasks of a micro-batch."""


@dataclass(frozen=True, slots=True)
class Part:
    """One task's share of a write."""

    write: str
    """The id of the query, or a name that a batch write was given."""
    number: int
    """The task's partition: the same rows again when the task, or the micro-batch, runs again."""
    batch_id: int | None
    """The micro-batch; None in a batch write."""

    def name_of_write(self, prefix: str) -> str:
        """What the names of all parts of the write begin with."""
        return f"{prefix}-{self.write}"

    def transactional_id(self, prefix: str) -> str:
        """Of its producer; its group has the same name."""
        return f"{self.name_of_write(prefix)}-{self.number}"


def part_of_stream() -> Part:
    """The part that this task writes.

    Raises:
        WriteError: this is no task of a micro-batch, or may run twice at a time.
    """
    properties = _properties(QUERY_ID, BATCH_ID, CONTINUOUS, "spark.speculation")
    query, batch, continuous, speculation = properties
    if continuous == "true":
        raise WriteError("exactly-once needs micro-batches; this query is continuous")
    _refuse_copies(speculation)
    if query is None or batch is None:
        raise WriteError(f"Spark gives this task no property {QUERY_ID!r} or {BATCH_ID!r}")
    return Part(query, _partition(), int(batch))


def part_of_batch(write: str) -> Part:
    """The part of a batch write that this task writes. Raises WriteError: it may run twice at a
    time."""
    _refuse_copies(*_properties("spark.speculation"))
    return Part(write, _partition(), None)


def _refuse_copies(speculation: str | None) -> None:
    if speculation == "true":
        raise WriteError(
            "exactly-once needs spark.speculation=false: of two copies of a task the second one"
            " makes the first one's transaction void"
        )


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


def _properties(*names: str) -> list[str | None]:
    from pyspark import TaskContext

    context = TaskContext.get()
    return [None if context is None else context.getLocalProperty(name) for name in names]

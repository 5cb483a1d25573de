"""What the data source tells a user who can do something about it."""

from __future__ import annotations


class OptionError(ValueError):
    """An option is unknown, malformed, missing, or contradicts another; the text names it."""


class DataLossError(RuntimeError):
    """Records that the plan asks for are gone from the log: aged out, truncated, or deleted."""

    def __init__(self, topic: str, partition: int, detail: str) -> None:
        self.detail = f"{topic}-{partition}: {detail}"
        super().__init__(
            f"{self.detail}. Set the option failOnDataLoss to false to go on without these records."
        )


class PlanError(RuntimeError):
    """The cluster has not what the options ask for: no such topic, partition or timestamp."""


class WriteError(RuntimeError):
    """Rows cannot be written exactly once; nothing of this task was written."""

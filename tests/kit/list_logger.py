"""A log that a test can read."""

from __future__ import annotations

from barnabas.broker.observe.logging import Logger


class ListLogger(Logger):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[str, str, dict[str, object]]] = []

    def _write(self, level: str, event: str, fields: dict[str, object]) -> None:
        self.lines.append((level, event, fields))

    def events(self, event: str) -> list[dict[str, object]]:
        """Fields of the lines with this event."""
        return [fields for _, found, fields in self.lines if found == event]

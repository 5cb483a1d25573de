"""What is told of a batch that was appended."""

from __future__ import annotations


class AppendResult:
    """Where a batch went; for a repeated one, where it had gone the first time (98-02)."""

    __slots__ = (
        "append_time_ms",
        "base_offset",
        "is_duplicate",
        "last_offset",
        "log_start_offset",
    )

    def __init__(
        self,
        base_offset: int,
        last_offset: int,
        append_time_ms: int,
        log_start_offset: int,
        is_duplicate: bool,
    ) -> None:
        self.base_offset = base_offset
        self.last_offset = last_offset
        self.append_time_ms = append_time_ms
        """The timestamp the broker gave with LogAppendTime, else -1."""
        self.log_start_offset = log_start_offset
        self.is_duplicate = is_duplicate

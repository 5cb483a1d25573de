"""Records as columns: one list of offsets, one of keys, one of values, … for a whole batch.

A row object for each record costs more than decoding it, so rows are made only where a program
asks for them.
"""

from __future__ import annotations

from functools import partial
from itertools import repeat
from typing import Any

from ..structs import ConsumerRecord, Header

make_record: Any = partial(tuple.__new__, ConsumerRecord)
"""`ConsumerRecord(*fields)` for fields that are a tuple already, without its Python frame."""


class RecordColumns:
    """Records of one batch; all lists are of one length, in order of offsets."""

    __slots__ = (
        "headers",
        "keys",
        "leader_epoch",
        "offsets",
        "timestamp_type",
        "timestamps",
        "values",
    )

    def __init__(self, timestamp_type: int = 0, leader_epoch: int = -1) -> None:
        self.offsets: list[int] = []
        self.timestamps: list[int] = []
        self.keys: list[bytes | None] = []
        self.values: list[bytes | None] = []
        self.headers: list[tuple[Header, ...]] = []
        self.timestamp_type = timestamp_type
        self.leader_epoch = leader_epoch

    def __len__(self) -> int:
        return len(self.offsets)

    def part(self, start: int, stop: int) -> RecordColumns:
        """The records from index `start` up to, not including, `stop`."""
        if start == 0 and stop >= len(self.offsets):
            return self
        columns = RecordColumns(self.timestamp_type, self.leader_epoch)
        columns.offsets = self.offsets[start:stop]
        columns.timestamps = self.timestamps[start:stop]
        columns.keys = self.keys[start:stop]
        columns.values = self.values[start:stop]
        columns.headers = self.headers[start:stop]
        return columns

    def rows(self, topic: str, partition: int) -> list[ConsumerRecord]:
        """The same as a list of records."""
        return list(
            map(
                make_record,
                zip(
                    repeat(topic),
                    repeat(partition),
                    self.offsets,
                    self.timestamps,
                    repeat(self.timestamp_type),
                    self.keys,
                    self.values,
                    self.headers,
                    repeat(self.leader_epoch),
                    strict=False,
                ),
            )
        )

"""One record of a batch, of any magic, as an object.

Whatever decodes a format makes these: `records` of magic 2, `legacy_records` of magic 0 and 1.
"""

from __future__ import annotations

from typing import Final

from .record_columns import NO_HEADERS, Header

NO_TIMESTAMP_TYPE: Final = -1
CREATE_TIME: Final = 0
LOG_APPEND_TIME: Final = 1

ELEMENTS_MAX: Final = 1_000_000
"""Records, and headers of records, in one batch: far more than real ones, and bounded memory."""


class Record:
    """One record: where it stands in the log, when it was written, and what it says."""

    __slots__ = (
        "headers",
        "key",
        "leader_epoch",
        "offset",
        "sequence",
        "timestamp",
        "timestamp_type",
        "value",
    )

    def __init__(
        self,
        offset: int,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
        headers: tuple[Header, ...] = NO_HEADERS,
        timestamp_type: int = CREATE_TIME,
        leader_epoch: int = -1,
        sequence: int = -1,
    ) -> None:
        self.offset = offset
        self.timestamp = timestamp
        self.key = key
        self.value = value
        self.headers = headers
        self.timestamp_type = timestamp_type
        self.leader_epoch = leader_epoch
        self.sequence = sequence

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (
            self.offset == other.offset
            and self.timestamp == other.timestamp
            and self.key == other.key
            and self.value == other.value
            and self.headers == other.headers
            and self.timestamp_type == other.timestamp_type
            and self.leader_epoch == other.leader_epoch
            and self.sequence == other.sequence
        )

    def __hash__(self) -> int:
        return hash((self.offset, self.timestamp, self.key, self.value))

    def __repr__(self) -> str:
        return (
            f"Record(offset={self.offset}, timestamp={self.timestamp}, key={self.key!r}, "
            f"value={self.value!r}, headers={self.headers!r}, "
            f"timestamp_type={self.timestamp_type}, leader_epoch={self.leader_epoch}, "
            f"sequence={self.sequence})"
        )

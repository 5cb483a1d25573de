"""One record that `barnabas produce` is about to send."""

from __future__ import annotations

from typing import NamedTuple


class Outgoing(NamedTuple):
    """One record to send."""

    value: bytes | None
    key: bytes | None = None
    partition: int | None = None
    timestamp_ms: int | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()

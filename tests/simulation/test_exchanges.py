"""The check of what the cleaner takes out of a log, on exchanges made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from kit.batches import batch, record

from barnabas.testing.simulation.checks.replica_logs import CompactedLogs, content_of
from barnabas.testing.simulation.hooks import InvariantError


class Exchange:
    """A log of one segment that was exchanged by the cleaner."""

    def __init__(self, before: bytes, after: bytes) -> None:
        disk = SimpleNamespace(content_of=lambda path: before)
        new = _segment(after)
        self.log: Any = SimpleNamespace(
            name="t-0",
            rules=SimpleNamespace(compact=True),
            env=SimpleNamespace(disk=disk),
            segments=[new],
        )
        self.fields = {"log": self.log, "old": [_segment(before)], "new": new}

    def check(self) -> None:
        CompactedLogs().exchanged("node-1", ("00", 0), self.fields)


def _segment(data: bytes) -> Any:
    file = SimpleNamespace(pread=lambda size, offset: data[offset : offset + size])
    return SimpleNamespace(size=len(data), file=file, path=lambda: "/t.log")


def _keyed(offset: int, value: bytes | None) -> bytes:
    return batch(records=record(0, value, b"k"), count=1, base_offset=offset)


def test_a_record_may_go_together_with_the_deletion_of_its_key() -> None:
    """CMP-04: a replica that copied a deletion late has it with the time at which it goes."""
    Exchange(_keyed(3, b"v") + _keyed(7, None), b"").check()


def test_the_last_record_of_a_key_may_not_go() -> None:
    """CMP-04: whatever was before it."""
    with pytest.raises(InvariantError, match="t-0@7 is gone"):
        Exchange(_keyed(3, b"v") + _keyed(7, b"w"), b"").check()


def test_a_failing_disk_is_not_met_by_a_check() -> None:
    """Goal: an error of a check's own read would look like one of the node's."""

    def fails(size: int, offset: int) -> bytes:
        raise OSError(5, "simulated")

    file = SimpleNamespace(pread=fails, content=bytearray(b"batches, and more"))
    assert content_of(SimpleNamespace(size=7, file=file)) == b"batches"

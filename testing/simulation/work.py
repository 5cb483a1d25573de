"""CPU time and waits on virtual time: what an event loop does in one go holds its node up.

Work is charged by what was done, never by a clock: bytes that were hashed and decompressed, records
that were decoded, calls of the disk; so equal runs stay equal. The prices are those of a slow
machine. What runs on another thread costs its loop nothing. A disk that does not answer holds up
who asks it on the loop.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from barnabas.protocol import checksum, compression, records

from .incarnation import CURRENT

HASHED_S = 1e-9
"""A byte under a checksum."""

INFLATED_S = 4e-9
"""A byte that comes out of a codec."""

DECODED_S = 2e-5
"""A record that is taken apart."""

DISK_CALL_S = 1e-5
"""A call that needs no device."""

COPIED_S = 5e-10
"""A byte that is read or written."""

FSYNC_S = 2e-3
"""Besides what a stalled disk takes."""

NOTED_S = 0.002
"""Less than that is added up before its node is held up for it."""

STANDS_STILL_S = 1.0
"""A callback that works for longer than that is a fault of the product: nothing else of its node
runs meanwhile."""


class Work:
    """What the callback that runs now has cost so far."""

    __slots__ = ("_largest", "by_kind", "is_on_thread", "seconds", "waited_s")

    def __init__(self) -> None:
        self.seconds = 0.0
        """Of CPU."""
        self.waited_s = 0.0
        """For a device."""
        self.is_on_thread = False
        """What runs is in an executor: its loop goes on."""
        self.by_kind: dict[str, float] = {}
        """Of the whole run, for reports."""
        self._largest = ("", 0.0)

    def charge(self, kind: str, seconds: float) -> None:
        """Work of the CPU, on behalf of whoever runs."""
        if self.is_on_thread or CURRENT.get() is None:
            return
        self.seconds += seconds
        self.by_kind[kind] = self.by_kind.get(kind, 0.0) + seconds
        if seconds > self._largest[1]:
            self._largest = (kind, seconds)

    def wait(self, seconds: float) -> None:
        """A wait for a device on the event loop."""
        if not self.is_on_thread and CURRENT.get() is not None:
            self.waited_s += seconds

    def take(self) -> tuple[float, float, str]:
        """Work and wait of the callback that has ended, and what most of the work was."""
        found = (self.seconds, self.waited_s, self._largest[0])
        self.seconds = self.waited_s = 0.0
        self._largest = ("", 0.0)
        return found


class _Charged:
    """The functions that are charged, each with its one replacement.

    A module that is first imported while a run lasts keeps the replacement, which charges whatever
    run lasts then.
    """

    def __init__(self) -> None:
        self.work: Work | None = None
        self._crc32c = checksum.crc32c
        self._decompress = compression.decompress
        self._decode_records = records.decode_records
        self.pairs: tuple[tuple[Any, Any], ...] = (
            (self._crc32c, self.crc32c),
            (self._decompress, self.decompress),
            (self._decode_records, self.decode_records),
        )

    def crc32c(self, data: Any, *rest: Any) -> int:
        if self.work is not None:
            self.work.charge("checksum", len(data) * HASHED_S)
        return self._crc32c(data, *rest)

    def decompress(self, *args: Any, **options: Any) -> bytes:
        found = self._decompress(*args, **options)
        if self.work is not None:
            self.work.charge("decompress", len(found) * INFLATED_S)
        return found

    def decode_records(self, data: Any, header: Any) -> Any:
        if self.work is not None:
            count = max(min(header.record_count, len(data)), 0)
            self.work.charge("decode records", count * DECODED_S)
        return self._decode_records(data, header)


_CHARGED = _Charged()


@contextmanager
def charged(work: Work) -> Iterator[None]:
    """While this is open checksums, codecs and the decoding of records are charged."""
    before, _CHARGED.work = _CHARGED.work, work
    try:
        with ExitStack() as stack:
            for original, replacement in _CHARGED.pairs:
                _replace(stack, original, replacement)
            yield
    finally:
        _CHARGED.work = before


def _replace(stack: ExitStack, original: Any, replacement: Any) -> None:
    """Wherever a module has it by its name."""
    for name, module in sys.modules.copy().items():
        if not name.startswith("barnabas.") or ".testing." in name:
            continue
        for attribute, value in list(vars(module).items()):
            if value is original:
                stack.enter_context(patch.object(module, attribute, replacement))

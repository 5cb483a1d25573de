"""Batches that stay in their segment until they are sent: a place in a file, not bytes.

An answer to Fetch may be large and its reader slow. So it holds where the batches are, and whoever
sends them reads as much as leaves. The size that was announced is the size that comes, from the
file as it was: where a truncation came in between nothing more may be sent.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ports import Buffer, Lent


class StoredRecords:
    """Whole batches of one segment; as long as bytes would be."""

    __slots__ = ("_fail", "_lent", "next_offset")

    def __init__(self, lent: Lent, next_offset: int, fail: Callable[[OSError], object]) -> None:
        self._lent = lent
        self.next_offset = next_offset
        """The offset after the last batch."""
        self._fail = fail

    def __len__(self) -> int:
        return len(self._lent)

    def __bytes__(self) -> bytes:
        """All of them at once, for who needs bytes. Raises OSError."""
        return bytes(self._lent.read(len(self._lent), 0))

    @property
    def is_cut(self) -> bool:
        """Whether they are no longer what they were; asked after a read, before its use."""
        return self._lent.is_cut

    def read_now(self, size: int, at: int) -> Buffer | None:
        """Up to `size` bytes from number `at` on; None if the disk would be waited for. Raises
        OSError, which then goes to `fail`."""
        return self._lent.read_now(size, at)

    def read(self, size: int, at: int) -> Buffer:
        """The same on any thread. Raises OSError, which then goes to `fail`."""
        return self._lent.read(size, at)

    def fail(self, error: OSError) -> None:
        """The disk does not give them: their log goes offline."""
        self._fail(error)

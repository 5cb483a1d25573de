"""Answers whose records are still in a file: read bit by bit, no faster than the client takes them.

Between the file and the socket there are never more than a few pieces, so that a client that asks
for much and reads nothing costs no more than one that asks for little. Pieces are small at first,
and grow for a client that takes them as fast as they come: each costs a call of the system for the
file and one for the socket (`python -m bench --only consume`, CPU a GB). Whatever
is answered later waits behind: bytes leave in the order of the requests (ENV-08).

The frame's head has announced how many bytes come. Where they cannot come any more, since the log
was truncated below them or the disk fails, the connection is closed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol

from ..core.log.stored_records import StoredRecords
from ..core.ports import Buffer

PIECE_BYTES = 32_768
"""Bytes that are read and given to the kernel at a time, to a client of which nothing is known."""

PIECE_BYTES_MAX = 262_144
"""The same for a client that has taken whatever came before; pieces double up to this size."""

LOAD_BYTES = 262_144
"""Bytes that are read at a time where a thread must be asked."""

TURN_BYTES = 1_048_576
"""After this many bytes the other connections get their turn."""

ReadLate = Callable[[Callable[[], Buffer], Callable[[Buffer | BaseException], object]], object]
"""Does the first on a thread, then calls the second on the loop with its result or error."""


class Outlet(Protocol):
    """What is needed of a connection here."""

    @property
    def is_writable(self) -> bool:
        """Whether the connection is open and the client takes what is written."""
        ...

    def write_pieces(self, transport: asyncio.Transport, pieces: Sequence[Buffer]) -> None:
        """Give pieces to the transport without joining them."""
        ...

    def on_trickled(self) -> None:
        """Everything has been given to the transport."""
        ...

    def close(self, reason: str) -> None: ...


class Trickle:
    """What one connection still has to send, in order."""

    __slots__ = (
        "_at",
        "_call_soon",
        "_is_loading",
        "_outlet",
        "_pieces",
        "_read_late",
        "_size",
        "_transport",
        "in_memory",
        "left",
    )

    def __init__(
        self,
        outlet: Outlet,
        transport: asyncio.Transport,
        read_late: ReadLate,
        call_soon: Callable[[Callable[[], object]], object],
    ) -> None:
        self._outlet = outlet
        self._transport = transport
        self._read_late = read_late
        self._call_soon = call_soon
        self._pieces: deque[Buffer | StoredRecords] = deque()
        self._at = 0  # how much of the first piece has been sent
        self._is_loading = False
        self._size = PIECE_BYTES
        self.left = 0
        """Bytes that have not been given to the transport yet."""
        self.in_memory = 0
        """Those of them that are in memory, not in a file."""

    def add(self, pieces: Iterable[Buffer | StoredRecords]) -> None:
        """Send these pieces too, after all that were added before."""
        for piece in pieces:
            self._pieces.append(piece)
            self.left += len(piece)
            if type(piece) is not StoredRecords:
                self.in_memory += len(piece)

    def stop(self) -> None:
        """Stop: the connection is closed."""
        self._pieces.clear()
        self.left = self.in_memory = self._at = 0

    def go_on(self) -> None:
        """Give the transport what it takes, and leave the other connections their turn."""
        turn = TURN_BYTES
        while self._pieces and not self._is_loading and self._outlet.is_writable:
            if turn <= 0:
                self._call_soon(self.go_on)
                return
            batch = self._gather()
            if not batch:
                return
            size = sum(map(len, batch))
            turn -= size
            self.left -= size
            self._outlet.write_pieces(self._transport, batch)
            if self._outlet.is_writable:
                self._size = min(2 * self._size, PIECE_BYTES_MAX)
            else:
                self._size = PIECE_BYTES
        if not self._pieces:
            self._outlet.on_trickled()

    def _gather(self) -> list[Buffer]:
        """The next pieces, about `_size` bytes in all; empty if the disk must be waited for."""
        batch: list[Buffer] = []
        size = 0
        data: Buffer
        while self._pieces and size < self._size:
            piece = self._pieces[0]
            if isinstance(piece, StoredRecords):
                wanted = min(self._size, len(piece) - self._at)
                try:
                    found = piece.read_now(wanted, self._at)
                except OSError as error:
                    self._refuse(piece, error)
                    return []
                if found is None or piece.is_cut:
                    if not batch:
                        self._load(piece)
                    return batch
                self._at += wanted
                if self._at == len(piece):
                    self._pieces.popleft()
                    self._at = 0
                data = found
            else:
                data = piece
                self._pieces.popleft()
                self.in_memory -= len(data)
            batch.append(data)
            size += len(data)
        return batch

    def _load(self, piece: StoredRecords) -> None:
        if piece.is_cut:
            self._outlet.close("the log was truncated below what was being sent")
            return
        self._is_loading = True
        wanted = min(LOAD_BYTES, len(piece) - self._at)
        read = partial(piece.read, wanted, self._at)
        self._read_late(read, partial(self._loaded, piece, wanted))

    def _loaded(self, piece: StoredRecords, wanted: int, result: Buffer | BaseException) -> None:
        self._is_loading = False
        if not self._pieces:
            return
        if isinstance(result, OSError):
            self._refuse(piece, result)
        elif isinstance(result, BaseException):
            raise result
        elif piece.is_cut or len(result) != wanted:
            self._outlet.close("the log was truncated below what was being sent")
        else:
            # Back where it came from: in front of the rest of its piece.
            self._at += wanted
            self.left -= wanted
            if self._at == len(piece):
                self._pieces.popleft()
                self._at = 0
            if self._outlet.is_writable:
                self._outlet.write_pieces(self._transport, (result,))
                self.go_on()

    def _refuse(self, piece: StoredRecords, error: OSError) -> None:
        piece.fail(error)
        self._outlet.close("the disk does not give what was being sent")

"""What a command reads: bytes as they come, without holding up Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from typing import IO

READ_BYTES = 1 << 20
"""Of the input at a time; the records in it are on their way together."""
CHUNKS_MAX = 2
"""Pieces of the input that wait to be taken."""


async def chunks_of(stream: IO[bytes]) -> AsyncIterator[bytes]:
    """The bytes of a file, a pipe or a terminal, as they come.

    A thread that nobody waits for reads them: a read from a terminal ends when somebody types, and
    a thread of asyncio's own, or a lock of Python's buffers, would keep the program until then.

    Raises:
        OSError: the input cannot be read.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes | OSError] = asyncio.Queue(CHUNKS_MAX)
    descriptor = stream.fileno()

    def read() -> None:
        while True:
            try:
                piece: bytes | OSError = os.read(descriptor, READ_BYTES)
            except OSError as error:
                piece = error
            coming = queue.put(piece)
            try:
                asyncio.run_coroutine_threadsafe(coming, loop).result()
            except RuntimeError:  # the loop is gone
                coming.close()
                return
            if not isinstance(piece, bytes) or not piece:
                return

    threading.Thread(target=read, name="input", daemon=True).start()
    while piece := await queue.get():
        if isinstance(piece, OSError):
            raise piece
        yield piece


async def lines_of(stream: IO[bytes]) -> AsyncIterator[list[bytes]]:
    """Lines as they come: what is there is sent at once, also from a pipe that stays open."""
    rest: list[bytes] = []
    async for data in chunks_of(stream):
        head, newline, tail = data.rpartition(b"\n")
        if not newline:
            rest.append(data)
            continue
        lines = b"".join([*rest, head]).split(b"\n")
        rest = [tail]
        yield [line.removesuffix(b"\r") for line in lines]
    if last := b"".join(rest):
        yield [last]

"""What holds bytes and may be read without a copy: the type of records on their way."""

from __future__ import annotations

Buffer = bytes | bytearray | memoryview
"""What a disk gives may be any of them, and so may what is written to a disk or a socket. They have
in common what a log needs: a length, `buffer[i]` and slices; `bytes(buffer)` makes a copy of one
that is no `bytes`."""

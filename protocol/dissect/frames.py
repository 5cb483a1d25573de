"""Whole frames: size, header, body, and the batches in it."""

from __future__ import annotations

from ..apis import api
from ..errors import DecodeError, ProtocolError
from .batches import dissect_segment
from .messages import dissect_message
from .rows import Cursor, Row


def dissect_frame(
    cursor: Cursor, *, is_request: bool, api_key: int | None, version: int | None
) -> None:
    """Rows of a request or response frame, with its size in front or without.

    A request says its API and version itself; for a response both must be given. Raises
    DecodeError where the bytes stop making sense.
    """
    if cursor.left >= 4 and int.from_bytes(cursor.data[:4], "big") == cursor.left - 4:
        cursor.integer(4, "frame.size")
    if is_request:
        peeked = cursor.data[cursor.position : cursor.position + 4]
        if len(peeked) < 4:
            raise DecodeError("a request has an API key and a version in its first four bytes")
        api_key = int.from_bytes(peeked[:2], "big", signed=True)
        version = int.from_bytes(peeked[2:], "big", signed=True)
    if api_key is None or version is None:
        raise DecodeError("a response does not say which API and version it is: give both")
    try:
        described = api(api_key)
    except ProtocolError as error:
        raise DecodeError(str(error)) from None
    if is_request:
        dissect_message(cursor, "RequestHeader", described.request_header_version(version))
    else:
        dissect_message(cursor, "ResponseHeader", described.response_header_version(version))
    kind = "Request" if is_request else "Response"
    dissect_message(cursor, described.name + kind, version, note_records=_note_batches)
    if cursor.left:
        cursor.problem("frame", f"{cursor.left} bytes are left over", cursor.left)


def _note_batches(cursor: Cursor, start: int, end: int, path: str, size: int) -> None:
    """Rows of a field of type records: its length, then the batches in it."""
    begin = end - size
    rows = cursor.rows
    rows.append(Row(cursor.where(start), cursor.data[start:begin], f"{path}.length", str(size)))
    inner = Cursor(cursor.data[:end], [], begin, cursor.base)
    try:
        dissect_segment(inner)
    except DecodeError as error:
        # Not a problem in itself: an answer of Fetch may end in the middle of a batch.
        reason = str(error)
        inner.octets(inner.left, "end", lambda _: reason)
    rows += [row._replace(path=f"{path}.{row.path}") for row in inner.rows]

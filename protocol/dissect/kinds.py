"""Which kind of bytes it is, by a file's name, and who explains it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ..errors import DecodeError
from .batches import dissect_segment
from .frames import dissect_frame
from .rows import Cursor, Row
from .small_files import (
    dissect_offset_index,
    dissect_producer_snapshot,
    dissect_text,
    dissect_time_index,
    dissect_transaction_index,
)

KINDS: Final = (
    "request",
    "response",
    "segment",
    "metadata-segment",
    "snapshot",
    "index",
    "timeindex",
    "txnindex",
    "producer-snapshot",
    "leader-epochs",
    "offset-checkpoint",
    "properties",
    "json",
)
"""What `dissect` can explain; `snapshot` is one of the metadata log (`.checkpoint`)."""

_SUFFIXES: Final = {
    ".log": "segment",
    ".checkpoint": "snapshot",
    ".index": "index",
    ".timeindex": "timeindex",
    ".txnindex": "txnindex",
    ".snapshot": "producer-snapshot",
    ".properties": "properties",
}
_NAMES: Final = {
    "leader-epoch-checkpoint": "leader-epochs",
    "recovery-point-offset-checkpoint": "offset-checkpoint",
    "replication-offset-checkpoint": "offset-checkpoint",
    "log-start-offset-checkpoint": "offset-checkpoint",
    "cleaner-offset-checkpoint": "offset-checkpoint",
    "partition.metadata": "properties",
    "quorum-state": "json",
    ".kafka_cleanshutdown": "json",
}
_ENTRIES: Final[dict[str, Callable[[Cursor, int], None]]] = {
    "index": dissect_offset_index,
    "timeindex": dissect_time_index,
    "txnindex": dissect_transaction_index,
    "producer-snapshot": dissect_producer_snapshot,
}
_TEXTS: Final = {
    "leader-epochs": "leader-epochs",
    "offset-checkpoint": "offsets",
    "properties": "properties",
    "json": "json",
}


class Request(NamedTuple):
    """What the bytes are, as far as one knows it."""

    kind: str
    name: str = ""
    """The file's path: its base offset is read from it."""
    api_key: int | None = None
    version: int | None = None


def kind_of(path: str) -> str | None:
    """The kind of a file by its path; None when the name does not say it."""
    parts = path.replace("\\", "/").split("/")
    name = parts[-1].removesuffix(".deleted").removesuffix(".part").removesuffix(".swap")
    if name in _NAMES:
        return _NAMES[name]
    kind = next((kind for suffix, kind in _SUFFIXES.items() if name.endswith(suffix)), None)
    folder = parts[-2] if len(parts) > 1 else ""
    if kind == "segment" and folder.startswith("__cluster_metadata"):
        return "metadata-segment"
    return kind


def base_offset_of(path: str) -> int:
    """The offset in a file's name; 0 when there is none."""
    digits = path.replace("\\", "/").split("/")[-1].split(".")[0].split("-")[0]
    return int(digits) if digits.isdecimal() else 0


def dissect(data: bytes, request: Request) -> list[Row]:
    """All rows of `data`; damage ends them with a row that says what is wrong.

    Raises ValueError for an unknown kind.
    """
    rows: list[Row] = []
    cursor = Cursor(data, rows)
    try:
        _dissect(cursor, request)
    except DecodeError as error:
        cursor.problem("stopped", str(error), cursor.left)
    return rows


def _dissect(cursor: Cursor, request: Request) -> None:
    kind = request.kind
    if kind in ("request", "response"):
        dissect_frame(
            cursor,
            is_request=kind == "request",
            api_key=request.api_key,
            version=request.version,
        )
    elif kind in ("segment", "metadata-segment", "snapshot"):
        dissect_segment(cursor, is_metadata=kind != "segment")
    elif kind in _ENTRIES:
        _ENTRIES[kind](cursor, base_offset_of(request.name))
    elif kind in _TEXTS:
        dissect_text(cursor, _TEXTS[kind])
    else:
        raise ValueError(f"{kind!r} is none of {', '.join(KINDS)}")

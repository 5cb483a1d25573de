"""Message bodies, field by field, through watched construct declarations."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from io import BytesIO
from typing import Any  # Any: construct has no type information

from construct import ConstructError, Subconstruct, stream_tell

from ..apis import message_class
from ..compiler.schema import parse_schema
from ..compiler.tree import Field
from ..compiler.tree import Message as Schema
from ..construct_backend.codec import Declarations
from ..construct_backend.primitives import octets, uvarint
from ..construct_backend.structures import Tagged
from ..errors import DecodeError, ErrorCode
from .rows import Cursor, Row

RECORDS = "records"
"""The role of a field that holds batches."""

NoteRecords = Callable[[Cursor, int, int, str, int], None]
"""Cursor, where the field starts and ends, its path, and the size of what it holds."""


class Watched(Subconstruct):  # type: ignore[misc]  # construct has no type information
    """Notes a row for each value that its construct reads."""

    def __init__(self, subcon: Any, role: str = "") -> None:
        super().__init__(subcon)
        self.role = role

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        start = stream_tell(stream, path)
        value = self.subcon._parsereport(stream, context, path)
        context._params.note(start, stream_tell(stream, path), path, self.role, value)
        return value


class WatchedDeclarations(Declarations):
    """The layout of one version, every leaf of it watched."""

    def leaf(self, subcon: Any, role: str = "") -> Any:
        return Watched(subcon, role)

    def single(self, field: Field, *, compact: bool, nullable: bool) -> Any:
        if field.type.name == "records":
            return Watched(octets(compact=compact, nullable=nullable), RECORDS)
        return super().single(field, compact=compact, nullable=nullable)

    def tagged(self, known: dict[int, tuple[str, Any, Any]]) -> Tagged:
        return Tagged(known, Watched(uvarint), _note_unknown_tag)


def _note_unknown_tag(stream: Any, context: Any, path: str, tag: int, size: int) -> None:
    start = stream_tell(stream, path)
    context._params.note(start, start + size, f"{path} -> tag {tag}", "", f"unknown, {size} bytes")


def schema_of(name: str) -> Schema:
    """The schema tree of a message that barnabas knows."""
    return parse_schema(f"{name}.json", message_class(name).SCHEMA)


def dissect_message(
    cursor: Cursor,
    name: str,
    version: int,
    prefix: str = "",
    note_records: NoteRecords | None = None,
) -> Any:
    """Rows of one body from the cursor on; returns its JSON form.

    `note_records` makes the rows of a field that holds batches; without it such a field is a row.

    Raises DecodeError where the bytes stop being such a message; the rows up to there are noted.
    """
    schema = schema_of(name)
    if version not in schema.valid_versions:
        raise DecodeError(f"{name} has versions {schema.valid_versions}, not {version}")
    root = WatchedDeclarations(schema, version).struct(schema.root)
    stream = BytesIO(cursor.data)
    stream.seek(cursor.position)

    def note(start: int, end: int, path: str, role: str, value: Any) -> None:
        where = cursor.where(start)
        label = field_path(path, prefix or name, "" if role == RECORDS else role)
        if role == RECORDS and value and note_records is not None:
            note_records(cursor, start, end, label, len(b64decode(value)))
            return
        cursor.rows.append(Row(where, cursor.data[start:end], label, value_text(label, value)))

    try:
        value = root.parse_stream(stream, note=note)
    except ConstructError as error:
        cursor.position = min(stream.tell(), len(cursor.data))
        reason = str(error).splitlines()[-1]
        raise DecodeError(f"{name} version {version}: {reason}") from None
    cursor.position = stream.tell()
    return value


def field_path(path: str, prefix: str, role: str) -> str:
    """construct's path as `FetchRequest.topics[0].partition`."""
    parts = [part for part in path.split(" -> ")[1:] if part != "_tagged"]
    head = path.split(" -> ", maxsplit=1)[0].removeprefix("(parsing)")
    return ".".join([prefix + head, *parts, *([role] if role else [])])


def value_text(path: str, value: Any) -> str:
    """A value for a reader; error codes with their names."""
    if isinstance(value, int) and not isinstance(value, bool) and path.endswith("rrorCode"):
        try:
            return f"{value} {ErrorCode(value).name}"
        except ValueError:
            return str(value)
    if value is None:
        return "null"
    return repr(value) if isinstance(value, str) else str(value)

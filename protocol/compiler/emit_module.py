"""One schema to one module: classes, codec functions, the schema itself as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from .emit_decode import decode_name, emit_decode
from .emit_encode import emit_encode, encode_name
from .emit_types import emit_struct
from .layout import LayoutGroup, layout_groups
from .source import Source
from .tree import Message
from .versions import Versions, spans

_FROM_LIBRT: Final = frozenset(
    (
        "BytesWriter",
        "read_i16_be",
        "read_i32_be",
        "read_i64_be",
        "read_f64_be",
        "write_i16_be",
        "write_i32_be",
        "write_i64_be",
        "write_f64_be",
    )
)
_FROM_PRIMITIVES: Final = frozenset(
    (
        "STRING_BYTES_MAX",
        "ZERO_UUID",
        "bad_count",
        "bad_length",
        "bad_presence",
        "bad_tag_size",
        "check_tag_count",
        "check_unknown_tag",
        "decode_failure",
        "no_encoding",
        "no_version",
        "not_carried",
        "null_refused",
        "over_budget",
        "read_tag",
        "skip_tagged_fields",
        "trailing",
        "write_bytes",
        "write_compact_bytes",
        "write_compact_nullable_bytes",
        "write_compact_nullable_records",
        "write_compact_nullable_string",
        "write_compact_records",
        "write_compact_string",
        "write_i8",
        "write_nullable_bytes",
        "write_nullable_records",
        "write_nullable_string",
        "write_records",
        "write_string",
        "write_tag",
        "write_u16",
        "write_u32",
        "write_uuid",
    )
)
_FROM_VARINTS: Final = frozenset(("read_uvarint_rest", "write_uvarint"))
_SCHEMA_PIECE: Final = 90
_FROM_MESSAGE: Final = frozenset(("Message", "Struct", "UNSET", "UNSET_LIST"))
_FROM_ERRORS: Final = frozenset(("DecodeError", "EncodeError"))


def emit_module(message: Message) -> str:
    """The source text of the module of one message."""
    groups = layout_groups(message)
    source = Source()
    for struct in message.structs:
        emit_struct(source, struct)
        source.lines("", "")
    emit_struct(source, message.root, message)
    _emit_methods(source, message, groups)
    for group in groups:
        source.lines("", "")
        emit_decode(source, message, group)
        source.lines("", "")
        emit_encode(source, message, group)
    return _head(message, source.text()) + source.text()


def _head(message: Message, body: str) -> str:
    """Docstring and imports; only what the body uses is imported."""
    words = set(re.findall(r"\b[A-Za-z_]\w*\b", body))

    def chosen(names: frozenset[str]) -> list[str]:
        return sorted(names & words)

    source = Source()
    source.lines(
        f'"""{message.name}, generated from {message.file}: do not edit, run `make generate`."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import TYPE_CHECKING, ClassVar, Final",
        "",
    )
    source.sequence("from librt.strings import (", chosen(_FROM_LIBRT), ")")
    source.line()
    source.sequence("from ..errors import (", chosen(_FROM_ERRORS), ")")
    source.sequence("from ..message import (", chosen(_FROM_MESSAGE), ")")
    source.sequence("from ..primitives import (", chosen(_FROM_PRIMITIVES), ")")
    if varints := chosen(_FROM_VARINTS):
        source.sequence("from ..varints import (", varints, ")")
    source.line()
    with source.block("if TYPE_CHECKING:"):
        if "Any = UNSET" in body:
            source.line("from typing import Any")
            source.line()
        source.line("from mypy_extensions import i64")
        if "Buffer" in words:
            source.lines("", "from ..buffer import Buffer")
    source.lines("", "_SCHEMA: Final = (")
    with source.inside():
        for start in range(0, len(message.json_text), _SCHEMA_PIECE):
            source.line(repr(message.json_text[start : start + _SCHEMA_PIECE]))
    source.lines(")", "", "")
    return source.text()


def _emit_methods(source: Source, message: Message, groups: list[LayoutGroup]) -> None:
    # Methods belong to the class that was written last, hence one level in.
    with source.inside():
        source.line()
        _emit_decode_methods(source, message.name, groups)
        source.line()
        _emit_encode_methods(source, message.name, groups)


def _emit_decode_methods(source: Source, name: str, groups: list[LayoutGroup]) -> None:
    source.line("@staticmethod")
    with source.block(f"def decode(data: bytes, version: int) -> {name}:"):
        source.line(f"message, end = {name}.decode_at(data, 0, version)")
        with source.block("if end != len(data):"):
            source.line(f'raise trailing("{name}", version, len(data) - end)')
        source.line("return message")
    source.lines("", "@staticmethod")
    head = f"def decode_at(data: bytes, offset: int, version: int) -> tuple[{name}, int]:"
    with source.block(head):
        with source.block("try:"):
            _emit_choice(source, groups, lambda group: f"return {decode_name(group)}(data, offset)")
        with source.block("except (IndexError, ValueError, DecodeError) as error:"):
            source.line(f'raise decode_failure("{name}", version, len(data), error) from None')
        source.line(f'raise no_version("{name}", version)')


def _emit_encode_methods(source: Source, name: str, groups: list[LayoutGroup]) -> None:
    with source.block("def encode(self, version: int) -> bytes:"):
        source.lines(
            "writer = BytesWriter()",
            "self.encode_into(writer, version)",
            "return writer.getvalue()",
        )
    source.line()
    with source.block("def encode_into(self, writer: BytesWriter, version: int) -> None:"):
        with source.block("try:"):
            _emit_choice(
                source, groups, lambda group: f"return {encode_name(group)}(self, writer, version)"
            )
        with source.block("except EncodeError:"):
            source.line("raise")
        with source.block(
            "except (ValueError, OverflowError, TypeError, AttributeError) as error:"
        ):
            source.line(f'raise no_encoding("{name}", version, error) from error')
        source.line(f'raise no_encoding("{name}", version)')


def _emit_choice(
    source: Source, groups: list[LayoutGroup], statement: Callable[[LayoutGroup], str]
) -> None:
    """Newest versions first: they are what peers of today send."""
    choices = [(span, group) for group in groups for span in spans(list(group.versions))]
    for span, group in sorted(choices, key=lambda choice: -choice[0].highest):
        with source.block(f"if {_condition(span)}:"):
            source.line(statement(group))


def _condition(span: Versions) -> str:
    if span.lowest == span.highest:
        return f"version == {span.lowest}"
    return f"{span.lowest} <= version <= {span.highest}"

"""Layout to a flat encode function, which refuses what the version cannot carry."""

from __future__ import annotations

from typing import Final

from .emit_types import not_default
from .layout import LayoutGroup, Slot, StructLayout
from .source import Source
from .tree import Field, Message

_WRITES: Final = {
    "bool": "{w}.append(1 if {v} else 0)",
    "int8": "write_i8({w}, {v})",
    "int16": "write_i16_be({w}, {v})",
    "int32": "write_i32_be({w}, {v})",
    "int64": "write_i64_be({w}, {v})",
    "uint16": "write_u16({w}, {v})",
    "uint32": "write_u32({w}, {v})",
    "float64": "write_f64_be({w}, {v})",
    "uuid": "write_uuid({w}, {v})",
}


def encode_name(group: LayoutGroup) -> str:
    """The name of the function of one layout."""
    return f"_encode_{group.versions[0]}"


def emit_encode(source: Source, message: Message, group: LayoutGroup) -> None:
    """The encode function of one layout."""
    source.start_function()
    head = f"def {encode_name(group)}(m: {message.name}, w: BytesWriter, version: int) -> None:"
    with source.block(head):
        position = source.position
        _Encoder(source).struct("m", "w", group.layout, message.name)
        if source.position == position:
            source.line("return")


class _Encoder:
    def __init__(self, source: Source) -> None:
        self.source = source

    def struct(self, name: str, writer: str, layout: StructLayout, path: str) -> None:
        """All fields of a structure in the local variable `name`."""
        for field in layout.absent:
            self._refuse_absent(field, name, path)
        for slot in layout.slots:
            self._value(
                slot, f"{name}.{slot.field.python_name}", writer, f"{path}.{slot.field.name}"
            )
        if layout.flexible:
            self._tags(name, writer, layout, path)

    def _refuse_absent(self, field: Field, name: str, path: str) -> None:
        if field.ignorable:
            return
        with self.source.block(f"if {not_default(field, f'{name}.{field.python_name}')}:"):
            self.source.line(f'raise not_carried("{path}.{field.name}", version)')

    def _value(self, slot: Slot, value: str, writer: str, path: str) -> None:
        field = slot.field
        if not field.type.is_array and field.type.struct is None and field.type.fixed_size:
            self.source.line(_WRITES[field.type.name].format(w=writer, v=value))
            return
        local = value
        if (
            "." in value
        ):  # an attribute that may be null: mypy and mypyc keep what we know of a local
            local = self.source.fresh("v")
            self.source.line(f"{local} = {value}")
        if slot.nullable:
            self._nullable(slot, local, writer, path)
            return
        if field.nullable_versions:
            with self.source.block(f"if {local} is None:"):
                self.source.line(f'raise null_refused("{path}", version)')
        self._present(slot, local, writer, path)

    def _nullable(self, slot: Slot, local: str, writer: str, path: str) -> None:
        field_type = slot.field.type
        if not field_type.is_array and field_type.struct is None:
            compact = "compact_" if slot.compact else ""
            self.source.line(f"write_{compact}nullable_{field_type.name}({writer}, {local})")
            return
        with self.source.block(f"if {local} is None:"):
            if field_type.is_struct:
                self.source.line(f"{writer}.append(0x{slot.null_byte:02X})")
            elif slot.compact:
                self.source.line(f"{writer}.append(0)")
            else:
                self.source.line(f"write_i32_be({writer}, -1)")
        with self.source.block("else:"):
            if field_type.is_struct:
                self.source.line(f"{writer}.append(1)")
            self._present(slot, local, writer, path)

    def _present(self, slot: Slot, local: str, writer: str, path: str) -> None:
        field_type = slot.field.type
        if field_type.is_array:
            self._array(slot, local, writer, path)
        elif slot.body is not None:
            self.struct(local, writer, slot.body, path)
        else:
            self._sized(field_type.name, slot.compact, local, writer)

    def _sized(self, type_name: str, compact: bool, local: str, writer: str) -> None:
        self.source.line(f"write_{'compact_' if compact else ''}{type_name}({writer}, {local})")

    def _array(self, slot: Slot, local: str, writer: str, path: str) -> None:
        source = self.source
        if slot.compact:
            source.line(f"write_uvarint({writer}, len({local}) + 1)")
        else:
            source.line(f"write_i32_be({writer}, len({local}))")
        item = source.fresh("s")
        name = slot.field.type.name
        with source.block(f"for {item} in {local}:"):
            position = source.position
            if slot.body is not None:
                self.struct(item, writer, slot.body, path)
            elif name in _WRITES:
                source.line(_WRITES[name].format(w=writer, v=item))
            else:
                self._sized(name, slot.compact, item, writer)
            if source.position == position:
                source.line("pass")

    def _tags(self, name: str, writer: str, layout: StructLayout, path: str) -> None:
        source = self.source
        if not layout.tagged:
            source.line(f"{writer}.append(0)")
            return
        present = []
        for slot in layout.tagged:
            flag = source.fresh("t")
            present.append(flag)
            value = f"{name}.{slot.field.python_name}"
            source.line(f"{flag} = {not_default(slot.field, value)}")
        with source.block(f"if {' or '.join(present)}:"):
            terms = " + ".join(f"int({flag})" for flag in present)
            source.line(f"write_uvarint({writer}, {terms})")
            for flag, slot in zip(present, layout.tagged, strict=True):
                with source.block(f"if {flag}:"):
                    self._tag(slot, name, writer, path)
        with source.block("else:"):
            source.line(f"{writer}.append(0)")

    def _tag(self, slot: Slot, name: str, writer: str, path: str) -> None:
        source = self.source
        field = slot.field
        value, inner = f"{name}.{field.python_name}", f"{path}.{field.name}"
        size = field.type.fixed_size
        if size is not None:
            source.line(f"write_uvarint({writer}, {field.tag})")
            source.line(f"{writer}.append({size})")
            self._value(slot, value, writer, inner)
            return
        payload = source.fresh("w")
        source.line(f"{payload} = BytesWriter()")
        self._value(slot, value, payload, inner)
        source.line(f"write_tag({writer}, {field.tag}, {payload})")

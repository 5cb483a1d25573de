"""Hypothesis strategies for messages: any value that a version can carry."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from hypothesis import strategies as st

from barnabas.protocol.compiler.layout import Slot, StructLayout
from barnabas.protocol.compiler.tree import INTEGER_RANGES
from barnabas.protocol.json_form import layout_of
from barnabas.protocol.message import Message

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
_BYTES = st.binary(max_size=6)
_PRIMITIVES: dict[str, st.SearchStrategy[Any]] = {
    **{name: st.integers(*limits) for name, limits in INTEGER_RANGES.items()},
    "bool": st.booleans(),
    "float64": st.floats(allow_nan=False),
    "string": _TEXT,
    "bytes": _BYTES,
    "records": _BYTES,
    "uuid": st.binary(min_size=16, max_size=16),
}


def messages(message: type[Message], module: ModuleType, version: int) -> st.SearchStrategy[Any]:
    """Messages of `version`; fields that it lacks stay at their default."""
    return _structs(layout_of(message, version), module)


def _structs(layout: StructLayout, module: ModuleType) -> st.SearchStrategy[Any]:
    struct_class = getattr(module, layout.struct.name)
    fields = {slot.field.python_name: _values(slot, module) for slot in layout.slots}
    tagged = {slot.field.python_name: _values(slot, module) for slot in layout.tagged}
    return st.fixed_dictionaries(fields, optional=tagged).map(lambda values: struct_class(**values))


def _values(slot: Slot, module: ModuleType) -> st.SearchStrategy[Any]:
    element = (
        _PRIMITIVES[slot.field.type.name] if slot.body is None else _structs(slot.body, module)
    )
    values = st.lists(element, max_size=3) if slot.field.type.is_array else element
    return st.none() | values if slot.nullable else values

"""Messages as JSON, the way Kafka's converters write it.

Names begin with a small letter; int64 are plain numbers, uuids 22 letters of url-safe base64,
bytes and records base64. Fields that a version lacks, and tagged ones at their default, are left
out. Both directions follow the schema that each generated class carries.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from sys import modules
from typing import Any  # Any: JSON, and fields of any message

from .compiler.layout import Slot, StructLayout, message_layout
from .compiler.schema import parse_schema
from .compiler.tree import INTEGER_RANGES
from .errors import DecodeError, EncodeError
from .message import Message
from .primitives import uuid_from_text, uuid_to_text

# JSON values are what they are: this module is the one place of the codecs that says Any.
Json = Any

_layouts: dict[tuple[type[Message], int], StructLayout] = {}


def layout_of(message: type[Message], version: int) -> StructLayout:
    """The wire layout of one version; DecodeError when the message has no such version."""
    found = _layouts.get((message, version))
    if found is None:
        if not message.MIN_VERSION <= version <= message.MAX_VERSION:
            raise DecodeError(f"{message.NAME} has no version {version}")
        tree = parse_schema(f"{message.NAME}.json", message.SCHEMA)
        found = _layouts[message, version] = message_layout(tree, version)
    return found


def to_json(message: Message, version: int) -> dict[str, Json]:
    """The JSON of a message in `version`."""
    return _struct_to_json(message, layout_of(type(message), version))


def _struct_to_json(struct: Any, layout: StructLayout) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for slot in layout.slots:
        found[slot.field.json_name] = _to_json(getattr(struct, slot.field.python_name), slot)
    new = type(struct)() if layout.tagged else struct
    for slot in layout.tagged:
        value = getattr(struct, slot.field.python_name)
        if value != getattr(new, slot.field.python_name):
            found[slot.field.json_name] = _to_json(value, slot)
    return found


def _to_json(value: Any, slot: Slot) -> Json:
    if value is None:
        return None
    if slot.field.type.is_array:
        return [_element_to_json(item, slot) for item in value]
    return _element_to_json(value, slot)


def _element_to_json(value: Any, slot: Slot) -> Json:
    if slot.body is not None:
        return _struct_to_json(value, slot.body)
    name = slot.field.type.name
    if name == "uuid":
        return uuid_to_text(value)
    if name in ("bytes", "records"):
        return b64encode(value).decode("ascii")
    return value


def from_json(message: type[Message], value: Json, version: int) -> Message:
    """The message that the JSON describes; EncodeError names the field that is not as it should."""
    found = _struct_from_json(value, layout_of(message, version), message, message.NAME)
    assert isinstance(found, Message)
    return found


def _struct_from_json(value: Json, layout: StructLayout, struct_class: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise EncodeError(f"{path}: a structure is a JSON object")
    known = {slot.field.json_name: slot for slot in layout.slots + layout.tagged}
    for name in value.keys() - known.keys():
        raise EncodeError(f"{path}.{name}: this version has no such field")
    for slot in layout.slots:
        if slot.field.json_name not in value:
            raise EncodeError(f"{path}.{slot.field.json_name}: missing")
    namespace = vars(modules[struct_class.__module__])
    return struct_class(
        **{
            known[name].field.python_name: _from_json(
                part, known[name], namespace, f"{path}.{name}"
            )
            for name, part in value.items()
        }
    )


def _from_json(value: Json, slot: Slot, namespace: dict[str, Any], path: str) -> Any:
    if value is None:
        if not slot.nullable:
            raise EncodeError(f"{path}: null is not allowed")
        return None
    if slot.field.type.is_array:
        if not isinstance(value, list):
            raise EncodeError(f"{path}: an array is a JSON array")
        return [_element_from_json(item, slot, namespace, path) for item in value]
    return _element_from_json(value, slot, namespace, path)


def _element_from_json(value: Json, slot: Slot, namespace: dict[str, Any], path: str) -> Any:
    name = slot.field.type.name
    if slot.body is not None:
        return _struct_from_json(value, slot.body, namespace[name], path)
    if name in INTEGER_RANGES:
        return _checked(value, int, path, name)
    if name == "float64":
        return _float(_checked(value, (int, float), path, name), path)
    if name == "bool":
        if not isinstance(value, bool):
            raise EncodeError(f"{path}: {value!r} is no bool")
        return value
    text: str = _checked(value, str, path, name)
    if name == "string":
        return text
    try:
        return uuid_from_text(text) if name == "uuid" else b64decode(text, validate=True)
    except ValueError as error:
        raise EncodeError(f"{path}: {error}") from None


def _float(value: int | float, path: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise EncodeError(f"{path}: {value} is no float64") from None


def _checked(value: Json, kind: type | tuple[type, ...], path: str, name: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, kind):
        raise EncodeError(f"{path}: {value!r} is no {name}")
    return value

"""The typed tree of one schema: message, structures, fields, and the types of fields."""

from __future__ import annotations

from typing import Final

from .names import json_case, snake_case
from .versions import NONE, Versions

INTEGER_RANGES: Final[dict[str, tuple[int, int]]] = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint16": (0, 2**16 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
}
FIXED_SIZES: Final[dict[str, int]] = {
    "bool": 1,
    "int8": 1,
    "int16": 2,
    "uint16": 2,
    "int32": 4,
    "uint32": 4,
    "int64": 8,
    "float64": 8,
    "uuid": 16,
}
VARIABLE_PRIMITIVES: Final = frozenset({"string", "bytes", "records"})
PRIMITIVES: Final = VARIABLE_PRIMITIVES | frozenset(FIXED_SIZES)
# What a field may say about its meaning, and the type that such a value has.
ENTITY_TYPES: Final[dict[str, str]] = {
    "transactionalId": "string",
    "producerId": "int64",
    "groupId": "string",
    "topicName": "string",
    "brokerId": "int32",
}

# A default as Python has it: number, text, truth, uuid or bytes, nothing, or "empty" for a
# structure or an array (an empty tuple).
Default = int | float | bool | str | bytes | None | tuple[()]


class Type:
    """A field's type: a primitive, a structure by name, or an array of one of them."""

    __slots__ = ("is_array", "name", "struct")

    def __init__(self, name: str, *, is_array: bool, struct: Struct | None = None) -> None:
        self.name = name
        self.is_array = is_array
        self.struct = struct

    @property
    def is_struct(self) -> bool:
        """Whether it is one structure (not an array of them)."""
        return self.struct is not None and not self.is_array

    @property
    def element(self) -> Type:
        """The type of one element of an array."""
        return Type(self.name, is_array=False, struct=self.struct)

    @property
    def fixed_size(self) -> int | None:
        """Bytes on the wire where that never changes."""
        return None if self.is_array else FIXED_SIZES.get(self.name)

    def __str__(self) -> str:
        return f"[]{self.name}" if self.is_array else self.name


class Field:
    """One field of a structure, over all versions."""

    __slots__ = (
        "about",
        "default",
        "entity_type",
        "flexible_versions",
        "ignorable",
        "json_name",
        "map_key",
        "name",
        "nullable_versions",
        "python_name",
        "tag",
        "tagged_versions",
        "type",
        "versions",
        "zero_copy",
    )

    def __init__(self, name: str, field_type: Type, versions: Versions) -> None:
        self.name = name
        self.python_name = snake_case(name)
        self.json_name = json_case(name)
        self.type = field_type
        self.versions = versions
        self.nullable_versions = NONE
        self.tagged_versions = NONE
        self.flexible_versions: Versions | None = None
        self.tag: int | None = None
        self.default: Default = 0
        self.ignorable = False
        self.map_key = False
        self.zero_copy = False
        self.entity_type = ""
        self.about = ""

    def __repr__(self) -> str:
        return f"<Field {self.name} {self.type} {self.versions}>"


class Struct:
    """A structure: its name, the versions that have it, its fields in wire order."""

    __slots__ = ("about", "fields", "name", "versions")

    def __init__(self, name: str, versions: Versions) -> None:
        self.name = name
        self.versions = versions
        self.fields: tuple[Field, ...] = ()
        self.about = ""


class Message:
    """One schema file."""

    __slots__ = (
        "about",
        "api_key",
        "deprecated_versions",
        "file",
        "flexible_versions",
        "json_text",
        "kind",
        "latest_version_unstable",
        "listeners",
        "name",
        "root",
        "structs",
        "valid_versions",
    )

    def __init__(self, file: str, name: str, kind: str) -> None:
        self.file = file
        self.name = name
        self.kind = kind
        self.api_key: int | None = None
        self.valid_versions = NONE
        self.flexible_versions = NONE
        self.deprecated_versions = NONE
        self.latest_version_unstable = False
        self.listeners: tuple[str, ...] = ()
        self.about = ""
        self.root = Struct(name, NONE)
        self.structs: tuple[Struct, ...] = ()  # inner ones, each after those that it holds
        self.json_text = ""

    @property
    def module_name(self) -> str:
        """The name of the generated module: `fetch_request`."""
        return snake_case(self.name)

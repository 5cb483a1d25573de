"""Schema files to a typed tree: every key and rule of Kafka's schema grammar."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from .defaults import parse_default
from .source_json import Node, SchemaError, parse_json, strip_comments
from .tree import ENTITY_TYPES, PRIMITIVES, Field, Message, Struct, Type
from .versions import NONE, Versions

__all__ = ["Message", "SchemaError", "parse_schema", "read_schema", "schema_files"]

KINDS: Final = {
    "request": True,  # whether it has an apiKey
    "response": True,
    "metadata": True,
    "coordinator-key": True,
    "coordinator-value": True,
    "header": False,
    "data": False,
}
LISTENERS: Final = frozenset({"broker", "controller"})
_MESSAGE_KEYS: Final = (
    "apiKey",
    "type",
    "listeners",
    "name",
    "validVersions",
    "deprecatedVersions",
    "flexibleVersions",
    "latestVersionUnstable",
    "about",
    "fields",
    "commonStructs",
)
_FIELD_KEYS: Final = (
    "name",
    "type",
    "versions",
    "nullableVersions",
    "taggedVersions",
    "tag",
    "flexibleVersions",
    "default",
    "ignorable",
    "mapKey",
    "entityType",
    "zeroCopy",
    "about",
    "fields",
)
_STRUCT_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_FIELD_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def schema_files(directory: Path) -> list[Path]:
    """Every schema below `directory`, sorted; `errors.json` is none."""
    return sorted(path for path in directory.rglob("*.json") if path.name != "errors.json")


def read_schema(path: Path) -> Message:
    """The tree of a schema file; SchemaError names the file, the field and the broken rule."""
    return parse_schema(path.name, path.read_text(encoding="utf-8"))


def parse_schema(file: str, text: str) -> Message:
    """The tree of a schema given as text; `file` is what errors call it."""
    node = parse_json(file, text)
    message = _message(node)
    message.json_text = _compact_json(text)
    return message


def _compact_json(text: str) -> str:
    value = json.loads(strip_comments(text))

    def without_about(item: object) -> object:
        if isinstance(item, dict):
            return {key: without_about(part) for key, part in item.items() if key != "about"}
        if isinstance(item, list):
            return [without_about(part) for part in item]
        return item

    return json.dumps(without_about(value), separators=(",", ":"))


def _message(node: Node) -> Message:
    node.allow(*_MESSAGE_KEYS)
    name = _struct_name(node)
    kind = node.text("type")
    if kind not in KINDS:
        raise node.error(f"type {kind!r} is none of {', '.join(sorted(KINDS))}")
    message = Message(node.file, name, kind)
    message.about = node.text("about", "")
    message.api_key = node.integer("apiKey")
    if message.api_key is not None and not KINDS[kind]:
        raise node.error(f"a {kind} has no apiKey")
    if message.api_key is None and KINDS[kind]:
        raise node.error(f"a {kind} needs an apiKey")
    message.listeners = node.texts("listeners")
    if message.listeners and kind != "request":
        raise node.error(f"only a request has listeners, not a {kind}")
    for listener in message.listeners:
        if listener not in LISTENERS:
            raise node.error(f"listener {listener!r} is none of {', '.join(sorted(LISTENERS))}")
    _message_versions(node, message)
    _Structures(node, message).build()
    return message


def _message_versions(node: Node, message: Message) -> None:
    message.valid_versions = node.versions("validVersions")
    if not message.valid_versions:
        if node.has("fields") or node.has("commonStructs"):
            raise node.error('a message with validVersions "none" has no fields')
        return
    if message.valid_versions.is_open:
        raise node.error("validVersions must end: a message has a newest version")
    message.flexible_versions = node.versions("flexibleVersions")
    if message.flexible_versions and not message.flexible_versions.is_open:
        raise node.error('flexibleVersions must be "none" or go on for ever, as "3+"')
    message.deprecated_versions = node.versions("deprecatedVersions", NONE)
    if not message.valid_versions.covers(message.deprecated_versions):
        raise node.error("deprecatedVersions must be among validVersions")
    message.latest_version_unstable = node.flag("latestVersionUnstable")
    if message.latest_version_unstable and message.kind != "request":
        raise node.error(f"only a request has latestVersionUnstable, not a {message.kind}")
    if not node.has("fields"):
        raise node.error("'fields' is missing")


def _struct_name(node: Node) -> str:
    name = node.text("name")
    if not _STRUCT_NAME.fullmatch(name):
        raise node.error(f"name {name!r} must be letters and digits, a capital first")
    return name


def _field_name(node: Node) -> str:
    name = node.text("name")
    if not _FIELD_NAME.fullmatch(name):
        raise node.error(f"name {name!r} must be letters and digits, a letter first")
    return name


class _Structures:
    """Builds the structures of one message; names are resolved over the whole file."""

    def __init__(self, node: Node, message: Message) -> None:
        self.node = node
        self.message = message
        self.found: dict[str, tuple[Node, Struct]] = {}
        self.open: list[str] = []  # structures that are being filled, outermost first
        self.ordered: list[Struct] = []

    def build(self) -> None:
        root = self.message.root
        root.versions = self.message.valid_versions
        root.about = self.message.about
        for node in self.node.nodes("commonStructs"):
            node.allow("name", "versions", "fields", "about")
            self._declare(node, _struct_name(node), node.versions("versions"))
        for node in self.node.nodes("fields"):
            self._declare_inner(node)
        self._fill(self.node, root)
        for node, struct in list(self.found.values()):
            self._fill_once(node, struct)
        for field in root.fields:
            if field.map_key:
                rule = "the message itself is no map: no mapKey at the top"
                raise SchemaError(self.node.file, field.name, rule)
        self.message.structs = tuple(self.ordered)

    def _declare(self, node: Node, name: str, versions: Versions) -> None:
        if name in self.found or name == self.message.name:
            raise node.error(f"structure {name!r} is there twice")
        struct = Struct(name, versions)
        struct.about = node.text("about", "")
        self.found[name] = (node, struct)
        for inner in node.nodes("fields"):
            self._declare_inner(inner)

    def _declare_inner(self, node: Node) -> None:
        """Note a structure that is written out in the field that uses it."""
        name = node.text("type").removeprefix("[]")
        if node.has("fields") and _STRUCT_NAME.fullmatch(name):
            self._declare(node, name, _field_versions(node))

    def _fill_once(self, node: Node, struct: Struct) -> None:
        if struct not in self.ordered:
            self._fill(node, struct)
            self.ordered.append(struct)

    def _fill(self, node: Node, struct: Struct) -> None:
        self.open.append(struct.name)
        struct.fields = tuple(self._field(inner, struct) for inner in node.nodes("fields"))
        self.open.pop()
        _check_names_and_tags(node, struct)

    def _resolve(self, node: Node, name: str) -> Struct:
        if name not in self.found:
            raise node.error(f"type {name!r} is neither a primitive nor a structure of this file")
        if name in self.open:
            raise node.error(f"structure {name!r} holds itself")
        home, struct = self.found[name]
        self._fill_once(home, struct)
        return struct

    def _field(self, node: Node, parent: Struct) -> Field:
        node.allow(*_FIELD_KEYS)
        field = Field(_field_name(node), self._type(node), _field_versions(node))
        field.tagged_versions = node.versions("taggedVersions", NONE)
        field.tag = node.integer("tag")
        field.about = node.text("about", "")
        field.ignorable = node.flag("ignorable")
        field.map_key = node.flag("mapKey")
        field.zero_copy = node.flag("zeroCopy")
        field.nullable_versions = node.versions("nullableVersions", NONE)
        if node.has("flexibleVersions"):
            field.flexible_versions = node.versions("flexibleVersions")
        field.entity_type = node.text("entityType", "")
        _check_versions(node, field, parent)
        self._check_tagging(node, field)
        _check_type_rules(node, field)
        field.default = parse_default(node, field)
        return field

    def _type(self, node: Node) -> Type:
        text = node.text("type")
        name = text.removeprefix("[]")
        if name.startswith("[]"):
            raise node.error("an array of arrays is not in the grammar")
        if name in PRIMITIVES:
            if node.has("fields"):
                raise node.error(f"a {text} has no fields of its own")
            if name == "records" and name != text:
                raise node.error("an array of records is not in the grammar")
            return Type(name, is_array=name != text)
        if not _STRUCT_NAME.fullmatch(name):
            known = ", ".join(sorted(PRIMITIVES))
            raise node.error(f"type {text!r} is none of {known}, nor the name of a structure")
        return Type(name, is_array=name != text, struct=self._resolve(node, name))

    def _check_tagging(self, node: Node, field: Field) -> None:
        if bool(field.tagged_versions) != (field.tag is not None):
            raise node.error("'tag' and 'taggedVersions' go together")
        if not field.tagged_versions:
            return
        if not field.tagged_versions.is_open:
            raise node.error('taggedVersions must go on for ever, as "3+"')
        if not field.versions.covers(field.tagged_versions):
            raise node.error(
                f"taggedVersions {field.tagged_versions} must be among versions {field.versions}"
            )
        served = field.tagged_versions & self.message.valid_versions
        if not self.message.flexible_versions.covers(served):
            raise node.error(
                f"taggedVersions {field.tagged_versions} need flexible versions, "
                f"which are {self.message.flexible_versions}"
            )
        nullable = field.tagged_versions & field.nullable_versions
        if nullable and nullable != field.tagged_versions:
            raise node.error("a tagged field is nullable in all tagged versions or in none")


def _field_versions(node: Node) -> Versions:
    """A tagged field may leave out `versions`: then they are the tagged ones."""
    return node.versions("versions", node.versions("taggedVersions", NONE) or None)


def _check_versions(node: Node, field: Field, parent: Struct) -> None:
    if not field.versions:
        raise node.error("a field must be in some version")
    if field.nullable_versions and not (field.nullable_versions & field.versions):
        raise node.error(
            f"nullableVersions {field.nullable_versions} has nothing in common "
            f"with versions {field.versions}"
        )
    if parent.versions and not (parent.versions & field.versions):
        raise node.error(
            f"versions {field.versions} have nothing in common with "
            f"those of {parent.name}, {parent.versions}"
        )


def _check_type_rules(node: Node, field: Field) -> None:
    kind = field.type
    simple = not kind.is_array and kind.struct is None
    if field.nullable_versions and simple and kind.fixed_size is not None:
        raise node.error(f"a {kind} is never null: no nullableVersions")
    if field.flexible_versions is not None and not (
        simple and kind.name in ("string", "bytes", "records")
    ):
        raise node.error("only string, bytes and records take flexibleVersions of their own")
    if field.zero_copy and not (simple and kind.name == "bytes"):
        raise node.error("only bytes can be zeroCopy")
    if field.entity_type:
        wanted = ENTITY_TYPES.get(field.entity_type)
        if wanted is None:
            known = ", ".join(sorted(ENTITY_TYPES))
            raise node.error(f"entityType {field.entity_type!r} is none of {known}")
        if kind.name != wanted:
            raise node.error(f"entityType {field.entity_type!r} is for {wanted}, not {kind}")


def _check_names_and_tags(node: Node, struct: Struct) -> None:
    _check_unique(node, (field.name.lower() for field in struct.fields), "field")
    tags = [field.tag for field in struct.fields if field.tag is not None]
    _check_unique(node, (str(tag) for tag in tags), "tag")
    for expected, tag in enumerate(sorted(tags)):
        if tag != expected:
            raise node.error(f"tag {tag} is used before tag {expected}: tags have no gaps")


def _check_unique(node: Node, values: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise node.error(f"{what} {value!r} is there twice")
        seen.add(value)

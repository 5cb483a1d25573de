"""From a schema's tree to a construct for one version, and JSON through it."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from typing import Any  # Any: construct has no type information

from construct import ConstructError, Int8sb, Int32sb

from ..compiler.tree import Field, Message, Struct
from ..errors import DecodeError, EncodeError
from .primitives import FIXED, compact_length, octets, text, uvarint
from .structures import Fields, Presence, Sequence, Tagged


def construct_codec(schema: Message) -> ConstructCodec:
    """The codec of one message, all versions; constructs are made when first asked for."""
    return ConstructCodec(schema)


class ConstructCodec:
    """One message, from and to JSON, by construct declarations."""

    def __init__(self, schema: Message) -> None:
        self.schema = schema
        self._constructs: dict[int, Any] = {}

    def construct(self, version: int) -> Any:
        """The layout of one version; DecodeError when the message has no such version."""
        if version not in self.schema.valid_versions:
            raise DecodeError(f"{self.schema.name} has no version {version}")
        found = self._constructs.get(version)
        if found is None:
            declared = Declarations(self.schema, version)
            found = self._constructs[version] = declared.struct(self.schema.root)
        return found

    def decode_to_json(self, data: bytes, version: int) -> Any:
        """The JSON form of a whole body; DecodeError when it is none."""
        stream = BytesIO(data)
        try:
            value = self.construct(version).parse_stream(stream)
        except ConstructError as error:
            raise DecodeError(f"{self.schema.name} version {version}: {error}") from None
        if stream.tell() != len(data):
            left = len(data) - stream.tell()
            raise DecodeError(f"{self.schema.name} version {version}: {left} bytes are left over")
        return value

    def encode_json(self, value: Any, version: int) -> bytes:
        """The body that the JSON describes; EncodeError when it cannot be."""
        try:
            data: bytes = self.construct(version).build(value)
        except ConstructError as error:
            raise EncodeError(f"{self.schema.name} version {version}: {error}") from None
        return data


class Declarations:
    """Makes the constructs of one version of one message."""

    def __init__(self, schema: Message, version: int) -> None:
        self.schema = schema
        self.version = version
        self.flexible = version in schema.flexible_versions

    def struct(self, struct: Struct) -> Fields:
        """A structure as it is in this version, its tagged section at the end."""
        present = [field for field in struct.fields if self.version in field.versions]
        subcons = [
            field.json_name / self.value(field) for field in present if not self.is_tagged(field)
        ]
        known: dict[int, tuple[str, Any, Any]] = {}
        for field in present:
            if self.is_tagged(field):
                assert field.tag is not None
                known[field.tag] = (field.json_name, self.value(field), self.default(field))
        return Fields(subcons, self.tagged(known) if self.flexible else None)

    def tagged(self, known: dict[int, tuple[str, Any, Any]]) -> Tagged:
        """The section of tagged fields that ends a structure of a flexible version."""
        return Tagged(known, uvarint)

    def is_tagged(self, field: Field) -> bool:
        return self.version in field.tagged_versions

    def is_nullable(self, field: Field) -> bool:
        return self.version in field.nullable_versions

    def value(self, field: Field) -> Any:
        """The construct of one field's value."""
        nullable = self.is_nullable(field)
        compact = self.flexible
        if field.flexible_versions is not None:
            compact = self.version in field.flexible_versions
        if field.type.is_array:
            element = self.single(field, compact=compact, nullable=False)
            count = compact_length if compact else Int32sb
            return Sequence(element, self.leaf(count, "count"), nullable=nullable)
        return self.single(field, compact=compact, nullable=nullable)

    def single(self, field: Field, *, compact: bool, nullable: bool) -> Any:
        """The construct of a value that is no array, or of one element of an array."""
        if field.type.struct is not None:
            inner = self.struct(field.type.struct)
            if not nullable:
                return inner
            null = 0 if self.is_tagged(field) else -1
            return Presence(inner, self.leaf(Int8sb, "presence"), null)
        if field.type.name == "string":
            return self.leaf(text(compact=compact, nullable=nullable))
        if field.type.name in ("bytes", "records"):
            return self.leaf(octets(compact=compact, nullable=nullable))
        return self.leaf(FIXED[field.type.name])

    def leaf(self, subcon: Any, role: str = "") -> Any:
        """Where a subclass may watch the reading of one value, count or presence byte."""
        del role
        return subcon

    def default(self, field: Field) -> Any:
        """The default of a field in JSON form: what a tagged field is left out at."""
        default = field.default
        if default is None:
            return None
        if field.type.is_array:
            return []
        if field.type.struct is not None:
            return {
                inner.json_name: self.default(inner)
                for inner in field.type.struct.fields
                if self.version in inner.versions and not self.is_tagged(inner)
            }
        if isinstance(default, bytes):
            if field.type.name == "uuid":
                return b64encode(default, altchars=b"-_").decode("ascii")[:22]
            return b64encode(default).decode("ascii")
        return default

"""Checks codecs against vectors: files with one JSON object a line, as Kafka's classes made them.

Files named `record-*` hold record batches; all others hold messages. Nothing of the broker or the
client imports this.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol  # Any: JSON

from librt.strings import BytesWriter

from .apis import message_class
from .batch_vectors import check_batch_file
from .compiler.load import SchemaDirectory
from .compiler.schema import SchemaError, parse_schema
from .compiler.tree import Message as Schema
from .construct_backend import construct_codec
from .errors import DecodeError, EncodeError
from .json_form import from_json, to_json
from .message import Message
from .varints import write_uvarint
from .vector_files import FileResult, VectorError, read_lines

BACKENDS = ("python", "construct")
_FAILURES_SHOWN = 5  # differing fields named in one line


class Codec(Protocol):
    """One message in one backend, from and to JSON."""

    def decode_to_json(self, data: bytes, version: int) -> Any:
        """The JSON form of a whole body; DecodeError when it is none."""
        ...

    def encode_json(self, value: Any, version: int) -> bytes:
        """The body that the JSON describes; EncodeError when it cannot be."""
        ...


class PythonCodec:
    """The generated codec of one message."""

    def __init__(self, message: type[Message]) -> None:
        self.message = message

    def decode_to_json(self, data: bytes, version: int) -> Any:
        """See `Codec`."""
        return to_json(self.message.decode(data, version), version)

    def encode_json(self, value: Any, version: int) -> bytes:
        """See `Codec`."""
        return from_json(self.message, value, version).encode(version)


class Codecs:
    """Finds the codec of a message by name, in one backend, in one set of schemas."""

    def __init__(self, backend: str = "python", schemas_dir: str | Path | None = None) -> None:
        if backend not in BACKENDS:
            raise ValueError(f"backend {backend!r} is none of {', '.join(BACKENDS)}")
        self.backend = backend
        self.directory = SchemaDirectory(Path(schemas_dir)) if schemas_dir is not None else None
        self._schemas: dict[str, Schema] = {}
        self._codecs: dict[str, Codec] = {}

    def schema(self, name: str) -> Schema:
        """The schema of a message; VectorError when there is none, or it breaks a rule."""
        found = self._schemas.get(name)
        if found is None:
            found = self._schemas[name] = self._find(name)
        return found

    def _find(self, name: str) -> Schema:
        try:
            if self.directory is not None:
                return self.directory.schema(name)
            return parse_schema(f"{name}.json", message_class(name).SCHEMA)
        except KeyError:
            raise VectorError(f"there is no schema of the message {name!r}") from None
        except SchemaError as error:
            raise VectorError(str(error)) from None

    def codec(self, name: str) -> Codec:
        """The codec of a message; VectorError as of `schema`."""
        found = self._codecs.get(name)
        if found is None:
            found = self._codecs[name] = self._make(self.schema(name), name)
        return found

    def _make(self, schema: Schema, name: str) -> Codec:
        if not schema.valid_versions:
            raise VectorError(f"{name} has no version")
        if self.backend == "construct":
            codec: Codec = construct_codec(schema)
            return codec
        if self.directory is not None:
            return PythonCodec(self.directory.message(name))
        return PythonCodec(message_class(name))


def message_codec(
    name: str, backend: str = "python", schemas_dir: str | Path | None = None
) -> Codec:
    """The codec of one message, by its schema's name; VectorError when there is none."""
    return Codecs(backend, schemas_dir).codec(name)


def check_files(
    paths: Iterable[str | Path],
    backend: str = "python",
    schemas_dir: str | Path | None = None,
    on_progress: Callable[[FileResult], None] | None = None,
) -> tuple[int, list[str]]:
    """How many vectors of all files held, and the failures; `on_progress` sees each file's."""
    codecs = Codecs(backend, schemas_dir)
    passed = 0
    failures: list[str] = []
    for path in paths:
        result = _check(Path(path), codecs)
        passed += result.passed
        failures += result.failures
        if on_progress is not None:
            on_progress(result)
    return passed, failures


def check_file(
    path: Path, backend: str = "python", schemas_dir: str | Path | None = None
) -> FileResult:
    """Check one file of vectors; see `check_files`."""
    return _check(path, Codecs(backend, schemas_dir))


def _check(path: Path, codecs: Codecs) -> FileResult:
    if path.name.startswith("record-"):
        result: FileResult = check_batch_file(path, codecs.backend)
        return result
    result = FileResult(path)
    number = 0
    try:
        for number, line in enumerate(read_lines(path), 1):
            try:
                check_message_vector(line, codecs)
                result.passed += 1
            except (VectorError, DecodeError, EncodeError) as error:
                result.fail(number, str(error))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        result.fail(number + 1, f"cannot be read: {error}")
    return result


class _Vector:
    """One line, its parts checked for what they must be."""

    def __init__(self, line: str) -> None:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise VectorError(f"not JSON: {error}") from None
        if not isinstance(found, dict):
            raise VectorError("a vector is a JSON object")
        self._parts: dict[str, Any] = found
        self.message: str = self._part("message", str)
        self.version: int = self._part("version", int)
        self.body = self._bytes("hex")
        self.json: dict[str, Any] = self._part("json", dict)
        self.unknown_tags: int = self._part("unknown_tags", int) if "unknown_tags" in found else 0
        self.case = found.get("case", "")

    def _part(self, name: str, kind: type) -> Any:
        value = self._parts.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise VectorError(f"{name!r} must be of type {kind.__name__}, not {value!r}")
        return value

    def _bytes(self, name: str) -> bytes:
        try:
            return bytes.fromhex(self._part(name, str))
        except ValueError as error:
            raise VectorError(f"{name!r} is not hex: {error}") from None

    def has(self, name: str) -> bool:
        return name in self._parts

    def integer(self, name: str) -> int:
        value: int = self._part(name, int)
        return value

    def bytes(self, name: str) -> bytes:
        return self._bytes(name)


def check_message_vector(line: str, codecs: Codecs) -> None:
    """One vector: its bytes decode to its JSON, and its JSON encodes to its bytes.

    Bytes with unknown tagged fields are only decoded. VectorError, DecodeError or EncodeError
    when it does not hold.
    """
    vector = _Vector(line)
    schema = codecs.schema(vector.message)
    codec = codecs.codec(vector.message)
    where = f"{vector.message} version {vector.version} {vector.case}".rstrip()
    if vector.version not in schema.valid_versions:
        raise VectorError(f"{where}: the schema has versions {schema.valid_versions}")
    found = codec.decode_to_json(vector.body, vector.version)
    if _canonical(found) != _canonical(vector.json):
        raise VectorError(f"{where}: decodes to other JSON: {_difference(found, vector.json)}")
    if vector.unknown_tags == 0:
        encoded = codec.encode_json(vector.json, vector.version)
        if encoded != vector.body:
            raise VectorError(f"{where}: encodes to {_byte_difference(encoded, vector.body)}")
    _check_facts(vector, schema, where)


def _check_facts(vector: _Vector, schema: Schema, where: str) -> None:
    """What a line says about its message beside the body: key, header version, stored frame."""
    if vector.has("api_key") and vector.integer("api_key") != schema.api_key:
        raise VectorError(f"{where}: api key {schema.api_key}, not {vector.integer('api_key')}")
    if vector.has("header_version"):
        header_version = _header_version(schema, vector.version)
        if vector.integer("header_version") != header_version:
            given = vector.integer("header_version")
            raise VectorError(f"{where}: header version {header_version}, not {given}")
    if vector.has("framed_hex"):
        framed = _stored_prefix(schema, vector.version) + vector.body
        if framed != vector.bytes("framed_hex"):
            raise VectorError(f"{where}: framed as {framed.hex()}")


def _header_version(schema: Schema, version: int) -> int:
    """ENV-02."""
    flexible = version in schema.flexible_versions
    if schema.kind == "request":
        return 2 if flexible else 1
    return 1 if flexible and schema.name != "ApiVersionsResponse" else 0


def _stored_prefix(schema: Schema, version: int) -> bytes:
    """What stands before the body of a stored record: its type, its version, or both."""
    if schema.kind == "coordinator-key":
        return (schema.api_key or 0).to_bytes(2, "big", signed=True)
    if schema.kind == "coordinator-value":
        return version.to_bytes(2, "big", signed=True)
    if schema.kind != "metadata":
        raise VectorError(f"a {schema.kind} has no stored frame")
    writer = BytesWriter()
    for number in (1, schema.api_key or 0, version):
        write_uvarint(writer, number)
    return writer.getvalue()


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _difference(found: Any, wanted: Any) -> str:
    return "; ".join(list(_differences(found, wanted, ""))[:_FAILURES_SHOWN])


def _differences(found: Any, wanted: Any, path: str) -> Iterator[str]:
    """Where two JSON values differ, by path."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for name in sorted(found.keys() | wanted.keys()):
            inner = f"{path}.{name}" if path else name
            if name not in wanted:
                yield f"{inner} is not expected"
            elif name not in found:
                yield f"{inner} is missing"
            else:
                yield from _differences(found[name], wanted[name], inner)
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for index, (one, other) in enumerate(zip(found, wanted, strict=True)):
            yield from _differences(one, other, f"{path}[{index}]")
    elif _canonical(found) != _canonical(wanted):
        yield f"{path}: {_canonical(found)[:80]}, expected {_canonical(wanted)[:80]}"


def _byte_difference(found: bytes, wanted: bytes) -> str:
    at = next(
        (i for i, (one, other) in enumerate(zip(found, wanted, strict=False)) if one != other),
        min(len(found), len(wanted)),
    )
    return (
        f"other bytes from offset {at}: {found[at : at + 16].hex() or 'end'}, "
        f"expected {wanted[at : at + 16].hex() or 'end'} ({len(found)} of {len(wanted)} bytes)"
    )

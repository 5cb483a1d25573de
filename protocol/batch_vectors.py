"""Checks record batches against vectors: `record-batches`, `record-sets`, `record-batches-bad`.

`vectors.check_file` comes here for files of those names; a line's own keys say what it is.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any  # Any: JSON

from .batch_errors import BatchError
from .batch_json import BatchBackend, ParsedBatch, PythonBatches, batch_json, message_set_json
from .construct_backend.batches import ConstructBatches
from .errors import ErrorCode
from .vector_files import FileResult, VectorError, read_lines

ERRORS = {
    "CorruptRecordException": ErrorCode.CORRUPT_MESSAGE,
    "InvalidRecordException": ErrorCode.INVALID_RECORD,
}
"""Kafka's exceptions and the codes that they become in an answer."""

_TEXT_SHOWN = 80


def batch_backend(name: str) -> BatchBackend:
    """The reader and writer of batches of one backend."""
    if name == "construct":
        return ConstructBatches()
    return PythonBatches()


def check_batch_file(path: Path, backend: str = "python") -> FileResult:
    """Check every line of a file of batches."""
    result = FileResult(path)
    batches = batch_backend(backend)
    number = 0
    try:
        for number, line in enumerate(read_lines(path), 1):
            try:
                check_batch_vector(line, batches)
                result.passed += 1
            except (VectorError, BatchError) as error:
                result.fail(number, str(error))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        result.fail(number + 1, f"cannot be read: {error}")
    return result


def check_batch_vector(line: str, backend: BatchBackend) -> None:
    """One line; VectorError or BatchError when it does not hold."""
    try:
        vector = json.loads(line)
        data = bytes.fromhex(vector["hex"])
    except (ValueError, KeyError, TypeError) as error:
        raise VectorError(f"a line is a JSON object with 'hex': {error!r}") from None
    if "error" in vector:
        _check_refused(data, vector["error"], backend)
    elif "valid_bytes" in vector:
        _check_set(data, vector, backend)
    else:
        _check_one(data, vector, backend)


def _check_refused(data: bytes, exception: str, backend: BatchBackend) -> None:
    wanted = ERRORS.get(exception)
    if wanted is None:
        raise VectorError(f"exception {exception!r} is not known here")
    try:
        backend.parse(data)
    except BatchError as error:
        if error.code != wanted:
            raise VectorError(f"refused with {error}, not with {wanted.name}") from None
        return
    raise VectorError(f"taken, and Kafka has {exception}")


def _check_set(data: bytes, vector: dict[str, Any], backend: BatchBackend) -> None:
    parts = backend.split(data)
    valid = sum(map(len, parts))
    if valid != vector["valid_bytes"]:
        raise VectorError(f"{valid} bytes of whole batches, not {vector['valid_bytes']}")
    parsed = [backend.parse(part) for part in parts]
    _compare([batch_json(batch) for batch in parsed], vector["batches"])
    for part, batch in zip(parts, parsed, strict=True):
        _check_encoding(part, batch, backend)


def _check_one(data: bytes, vector: dict[str, Any], backend: BatchBackend) -> None:
    wanted = {name: value for name, value in vector.items() if name not in ("case", "hex")}
    if vector["magic"] < 2:
        entries = [backend.parse(part) for part in backend.split(data)]
        _compare(message_set_json(entries), wanted)
        return
    batch = backend.parse(data)
    _compare(batch_json(batch), wanted)
    _check_encoding(data, batch, backend)


def _check_encoding(data: bytes, batch: ParsedBatch, backend: BatchBackend) -> None:
    """Uncompressed, the same bytes come out; compressed, bytes that mean the same."""
    encoded = backend.build(batch)
    if batch.header.codec == 0:
        if encoded != data:
            raise VectorError(f"encodes to {encoded.hex()}")
        return
    again = batch_json(backend.parse(encoded))
    _compare(again | {"size": batch.header.size, "crc": batch.header.crc}, batch_json(batch))


def _compare(found: Any, wanted: Any) -> None:
    if isinstance(found, dict) and isinstance(wanted, dict):
        for name in sorted(found.keys() | wanted.keys()):
            if name not in found or name not in wanted or found[name] != wanted[name]:
                raise VectorError(
                    f"{name} is {_shown(found.get(name))}, not {_shown(wanted.get(name))}"
                )
    elif found != wanted:
        raise VectorError(f"{_shown(found)}, not {_shown(wanted)}")


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _TEXT_SHOWN else text[:_TEXT_SHOWN] + "…"

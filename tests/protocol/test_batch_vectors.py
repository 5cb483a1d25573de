"""Record batches that Apache Kafka's own classes wrote, in both backends."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from barnabas.protocol.batch_errors import BatchError
from barnabas.protocol.batch_vectors import batch_backend, check_batch_vector
from barnabas.protocol.vector_files import VectorError
from barnabas.protocol.vectors import BACKENDS, check_file

GOLDEN = Path(__file__).parent / "golden"
FILES = {
    "record-batches.jsonl.gz": 264,
    "record-sets.jsonl.gz": 12,
    "record-batches-bad.jsonl.gz": 40,
}


def lines(name: str) -> list[dict[str, Any]]:
    with gzip.open(GOLDEN / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", FILES)
def test_vectors_hold(name: str, backend: str) -> None:
    """Goal: all codecs, magics, control batches and fields are read as Kafka wrote them."""
    result = check_file(GOLDEN / name, backend)
    assert result.failures == []
    assert result.passed == FILES[name]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "change",
    [
        {"crc": 1},
        {"base_timestamp": 1},
        {"records": []},
        {"last_sequence": 5},
        {"compression": "zstd"},
        {"hex": "00"},
        {"hex": None},
        {"hex": "0g"},
        {"error": "CorruptRecordException"},
        {"error": "NoSuchException"},
        {"valid_bytes": 3, "batches": []},
    ],
)
def test_a_wrong_vector_fails(backend: str, change: dict[str, Any]) -> None:
    """Goal: the checker is a checker: whatever a line says wrongly is found."""
    line = json.dumps(lines("record-batches.jsonl.gz")[0] | change)
    with pytest.raises((VectorError, BatchError)):
        check_batch_vector(line, batch_backend(backend))


def test_a_line_that_is_no_json_fails(tmp_path: Path) -> None:
    """Goal: a damaged file of vectors is a failure with its line, never an exception."""
    path = tmp_path / "record-broken.jsonl"
    path.write_text("{}\nnonsense\n", encoding="utf-8")
    result = check_file(path)
    assert result.passed == 0
    assert [failure.split(":")[1] for failure in result.failures] == ["1", "2"]

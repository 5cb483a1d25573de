"""The vector checker fails what is wrong, names it by file and line, and goes on."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from barnabas.protocol.compiler.__main__ import ROOT
from barnabas.protocol.vector_files import FileResult, VectorError
from barnabas.protocol.vectors import check_file, check_files, message_codec

from .golden_files import golden_file, vectors
from .small_schemas import field, schema_text

GOOD = vectors("TopicRecord")[0]
BAD: list[tuple[dict[str, Any], str]] = [
    ({"message": "NoSuch"}, "there is no schema of the message 'NoSuch'"),
    ({"message": None}, "'message' must be of type str, not None"),
    ({"version": 77}, "TopicRecord version 77 defaults: the schema has versions 0"),
    ({"version": True}, "'version' must be of type int, not True"),
    ({"hex": "0"}, "'hex' is not hex"),
    ({"hex": "0100"}, "TopicRecord.TopicId: 16 bytes, 1 are left"),
    ({"hex": GOOD["hex"] + "00"}, "1 bytes too many"),
    ({"json": []}, "'json' must be of type dict"),
    ({"json": GOOD["json"] | {"name": "x"}}, 'decodes to other JSON: name: "", expected "x"'),
    ({"json": {}}, "name is not expected; topicId is not expected"),
    ({"json": GOOD["json"] | {"more": 1}}, "more is missing"),
    ({"api_key": 99}, "api key 2, not 99"),
    ({"framed_hex": "00"}, "framed as 010200"),
]


def _lines(path: Path, *lines: Any) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    return path


@pytest.mark.parametrize(("change", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_bad_vectors(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    """Goal: `file:line: reason`, and the lines around it still count."""
    path = _lines(tmp_path / "x.jsonl", GOOD, GOOD | change, GOOD)
    result = check_file(path)
    assert result.passed == 2
    [failure] = result.failures
    assert failure.startswith(f"{path}:2: ")
    assert reason in failure


@pytest.mark.parametrize("line", ["", "{", "[]", "null", "[" * 100_000])
def test_lines_that_are_no_vector(tmp_path: Path, line: str) -> None:
    """Goal: a line of rubbish is one failure."""
    result = check_file(_lines(tmp_path / "x.jsonl", line, GOOD))
    assert (result.passed, len(result.failures)) == (1, 1)


def test_bytes_that_json_does_not_give(tmp_path: Path) -> None:
    """Goal: decoding well is not enough where no unknown tag explains other bytes."""
    unknown = next(vector for vector in vectors("TopicRecord") if vector["unknown_tags"])
    path = _lines(tmp_path / "x.jsonl", unknown, unknown | {"unknown_tags": 0})
    [failure] = check_file(path).failures
    assert f"{path}:2: " in failure
    assert "encodes to other bytes from offset" in failure


def test_header_versions_are_checked(tmp_path: Path) -> None:
    """ENV-02: what a vector says about its header must be what the schema gives."""
    good = [*vectors("FetchRequest"), *vectors("ApiVersionsResponse")]
    bad = [vector | {"header_version": vector["header_version"] + 1} for vector in good]
    result = check_file(_lines(tmp_path / "x.jsonl", *good, *bad))
    assert (result.passed, len(result.failures)) == (len(good), len(bad))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Goal: a broken archive or a missing file is a failure, not the end."""
    broken, cut = tmp_path / "broken.jsonl.gz", tmp_path / "cut.jsonl.gz"
    broken.write_text("not gzip")
    cut.write_bytes(gzip.compress((json.dumps(GOOD) + "\n").encode() * 50)[:-30])
    seen: list[FileResult] = []
    passed, failures = check_files(
        [broken, cut, tmp_path / "none.jsonl", golden_file("TopicRecord")], on_progress=seen.append
    )
    assert passed >= len(vectors("TopicRecord"))
    assert len(failures) == 3
    assert all("cannot be read" in failure for failure in failures)
    assert [len(result.failures) for result in seen] == [1, 1, 1, 0]


def test_schemas_of_a_directory(tmp_path: Path) -> None:
    """Goal: schemas are found in depth, by file name and by the name inside."""
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "Small.json").write_text("// mine\n" + schema_text(field("A", "int8")))
    (deep / "File.json").write_text(schema_text(field("A", "int8"), name="Inside"))
    (deep / "Broken.json").write_text(schema_text(field("A", "int9"), name="Broken"))
    vector = {"version": 2, "hex": "0500", "json": {"a": 5}, "unknown_tags": 0}
    names = ["Small", "Inside", "File", "Broken", "FetchRequest"]
    path = _lines(tmp_path / "x.jsonl", *[vector | {"message": name} for name in names])
    result = check_file(path, schemas_dir=tmp_path)
    assert [failure.removeprefix(f"{path}:")[:40] for failure in result.failures] == [
        "4: Broken.json: A: type 'int9' is none o",
        "5: there is no schema of the message 'Fe",
    ]
    assert result.passed == 3


def test_our_schemas_compiled_in_memory() -> None:
    """Goal: committed code and code compiled in memory are the same codec."""
    path = golden_file("MetadataResponse")
    result = check_file(path, schemas_dir=ROOT / "schemas")
    assert (result.passed, result.failures) == (len(vectors("MetadataResponse")), [])


def test_one_codec() -> None:
    """Goal: what `barnabas codec decode` uses."""
    codec = message_codec("TopicRecord")
    assert codec.decode_to_json(bytes.fromhex(GOOD["hex"]), 0) == GOOD["json"]
    with pytest.raises(VectorError, match="no schema of the message 'Nothing'"):
        message_codec("Nothing")
    with pytest.raises(ValueError, match="backend 'x' is none of python, construct"):
        message_codec("TopicRecord", backend="x")

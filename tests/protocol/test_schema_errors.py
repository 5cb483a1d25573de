"""Schemas that break a rule: the error names the file, the field and the rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from barnabas.protocol.compiler.__main__ import main
from barnabas.protocol.compiler.schema import SchemaError, parse_schema

from .small_schemas import field, schema_text

POINT = [field("X", "int8")]
TAGGED: dict[str, Any] = {"taggedVersions": "2+", "tag": 0}

BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    (field("A", "int9"), "A: type 'int9' is none of"),
    (field("A", "Thing"), "A: type 'Thing' is neither a primitive nor a structure"),
    (field("A", "[][]int8"), "A: an array of arrays is not in the grammar"),
    (field("A", "[]records"), "A: an array of records is not in the grammar"),
    (field("A", "int8", fields=POINT), "A: a int8 has no fields of its own"),
    (field("A-B", "int8"), "A-B: name 'A-B' must be letters and digits"),
    (field("A", "int8", "x"), "A: 'versions': 'x' is not a version range"),
    (field("A", "int8", "3-1"), "A: 'versions': '3-1' ends before it begins"),
    (field("A", "int8", "0-99999"), "A: 'versions': '0-99999' goes beyond"),
    (field("A", "int8", "none"), "A: a field must be in some version"),
    (field("A", "int8", "7+"), "A: versions 7+ have nothing in common with those of Small, 0-3"),
    (field("A", "int8", versionz="0+"), "A: unknown key 'versionz'; known here:"),
    ({"name": "A", "type": "int8"}, "A: 'versions' is missing"),
    ({"name": "A", "versions": "0+"}, "A: 'type' is missing"),
    ({"type": "int8", "versions": "0+"}, "fields[0]: 'name' is missing"),
    (field("A", "int8", nullableVersions="0+"), "A: a int8 is never null"),
    (field("A", "string", "0-1", nullableVersions="2+"), "A: nullableVersions 2+ has nothing"),
    (field("A", "string", default="null"), "A: null cannot be the default"),
    (field("A", "string", default="null", nullableVersions="1+"), "A: null cannot be the default"),
    (field("A", "int8", default="128"), "A: the default 128 is outside int8: -128 to 127"),
    (field("A", "uint16", default=-1), "A: the default -1 is outside uint16"),
    (field("A", "int32", default="many"), "A: the default 'many' is not an int32"),
    (field("A", "int32", default=True), "A: the default True is not an int32"),
    (field("A", "bool", default="yes"), "A: the default 'yes' is neither true nor false"),
    (field("A", "float64", default="x"), "A: the default 'x' is not a float64"),
    (field("A", "float64", default="inf"), "A: the default of a float64 must be finite"),
    (field("A", "uuid", default="xx"), "A: the default 'xx' is not a uuid"),
    (field("A", "string", default=1), "A: the default of a string must be a string"),
    (field("A", "bytes", default="x"), "A: the default of a bytes can only be empty or null"),
    (field("A", "[]int8", default="[]"), "A: the default of a []int8 can only be empty or null"),
    (field("A", "int8", "2+", tag=0), "A: 'tag' and 'taggedVersions' go together"),
    (field("A", "int8", "2+", taggedVersions="2+"), "A: 'tag' and 'taggedVersions' go together"),
    (field("A", "int8", "2+", taggedVersions="2-3", tag=0), "A: taggedVersions must go on"),
    (field("A", "int8", "3+", **TAGGED), "A: taggedVersions 2+ must be among versions 3+"),
    (
        field("A", "int8", "0+", taggedVersions="0+", tag=0),
        "A: taggedVersions 0+ need flexible versions, which are 2+",
    ),
    (
        field("A", "string", "2+", nullableVersions="3+", **TAGGED),
        "A: a tagged field is nullable in all tagged versions or in none",
    ),
    (field("A", "int8", "2+", taggedVersions="2+", tag=-1), "A: 'tag' must be a whole number"),
    (field("A", "int8", "2+", taggedVersions="2+", tag=1), "tag 1 is used before tag 0"),
    (field("A", "int8", flexibleVersions="2+"), "A: only string, bytes and records take flexible"),
    (field("A", "string", zeroCopy=True), "A: only bytes can be zeroCopy"),
    (field("A", "int8", ignorable="true"), "A: 'ignorable' must be true or false"),
    (field("A", "int8", mapKey=True), "A: the message itself is no map"),
    (field("A", "int32", entityType="planet"), "A: entityType 'planet' is none of brokerId"),
    (field("A", "int32", entityType="topicName"), "A: entityType 'topicName' is for string"),
    (field("A", "Small", fields=POINT), "A: structure 'Small' is there twice"),
    (field("A", "[]P", fields=[field("B", "[]P")]), "A.B: structure 'P' holds itself"),
    (field("A", "P", fields=[field("B", "int9")]), "A.B: type 'int9' is none of"),
    (
        field("A", "P", fields=[field("X", "int8"), field("x", "int8")]),
        "A: field 'x' is there twice",
    ),
    (field("A", "P", fields="X"), "A: 'fields' must be a list"),
    (field("A", "P", fields=["X"]), "A: fields[0] must be an object"),
]
BAD_MESSAGES: list[tuple[dict[str, Any], str]] = [
    ({"name": "small"}, "name 'small' must be letters and digits, a capital first"),
    ({"name": 1}, "'name' must be a string, not 1"),
    ({"type": "letter"}, "type 'letter' is none of coordinator-key"),
    ({"apiKey": 1}, "a data has no apiKey"),
    ({"type": "request"}, "a request needs an apiKey"),
    ({"apiKey": "1"}, "'apiKey' must be a whole number from 0, not \"1\""),
    ({"validVersions": "0+"}, "validVersions must end"),
    ({"validVersions": "none"}, 'a message with validVersions "none" has no fields'),
    ({"flexibleVersions": "1-2"}, "flexibleVersions must be"),
    ({"deprecatedVersions": "3-4"}, "deprecatedVersions must be among validVersions"),
    ({"listeners": ["broker"]}, "only a request has listeners, not a data"),
    ({"type": "request", "apiKey": 1, "listeners": ["zoo"]}, "listener 'zoo' is none of"),
    ({"type": "request", "apiKey": 1, "listeners": "broker"}, "'listeners' must be a list of"),
    ({"latestVersionUnstable": True}, "only a request has latestVersionUnstable"),
    ({"colour": "red"}, "unknown key 'colour'"),
    ({"commonStructs": [{"name": "P", "versions": "0+", "tag": 1}]}, "P: unknown key 'tag'"),
    ({"commonStructs": [{"name": "p", "versions": "0+"}]}, "p: name 'p' must be letters"),
]


@pytest.mark.parametrize(("bad", "rule"), BAD_FIELDS, ids=[rule for _, rule in BAD_FIELDS])
def test_bad_fields(bad: dict[str, Any], rule: str) -> None:
    """Goal: `Small.json: A: ...`, for every rule about fields."""
    with pytest.raises(SchemaError) as caught:
        parse_schema("Small.json", schema_text(bad))
    assert str(caught.value).startswith(f"Small.json: {rule}"), str(caught.value)


@pytest.mark.parametrize(("bad", "rule"), BAD_MESSAGES, ids=[rule for _, rule in BAD_MESSAGES])
def test_bad_messages(bad: dict[str, Any], rule: str) -> None:
    """Goal: `Small.json: ...`, for every rule about messages."""
    with pytest.raises(SchemaError) as caught:
        parse_schema("Small.json", schema_text(field("A", "int8"), **bad))
    assert str(caught.value).startswith(f"Small.json: {rule}"), str(caught.value)


def test_what_is_twice() -> None:
    """Goal: no field, tag or structure has a namesake."""
    twice = schema_text(field("A", "int8"), field("a", "int8"))
    with pytest.raises(SchemaError, match=r"^Small\.json: field 'a' is there twice"):
        parse_schema("Small.json", twice)
    tags = schema_text(field("A", "int8", "2+", **TAGGED), field("B", "int8", "2+", **TAGGED))
    with pytest.raises(SchemaError, match=r"^Small\.json: tag '0' is there twice"):
        parse_schema("Small.json", tags)
    key = schema_text(field("A", "int8")).replace('"type"', '"name": "Small", "type"', 1)
    with pytest.raises(SchemaError, match=r"^Small\.json: the key 'name' is there twice"):
        parse_schema("Small.json", key)


def test_what_is_not_json() -> None:
    """Goal: line and column, as they are in the file with its comments."""
    with pytest.raises(SchemaError, match=r"^Bad\.json: line 2 column 3: not JSON"):
        parse_schema("Bad.json", "// one\n{ oops }")
    with pytest.raises(SchemaError, match=r"^Bad\.json: a schema is one JSON object"):
        parse_schema("Bad.json", "[]")
    missing = schema_text().replace(', "fields": []', "")
    with pytest.raises(SchemaError, match=r"^Small\.json: 'fields' is missing"):
        parse_schema("Small.json", missing)


def _write_schemas(directory: Path, **messages: dict[str, Any]) -> None:
    for name, more in messages.items():
        text = schema_text(field("A", "int8"), name=name, **more)
        (directory / f"{name}.json").write_text(text)
    errors = {"errors": [{"code": 0, "name": "NONE", "about": "Well."}]}
    (directory / "errors.json").write_text(json.dumps(errors))


def test_the_command_writes_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Goal: `--check` passes after a run, and names what is missing, stale, or left over."""
    schemas, out = tmp_path / "schemas", tmp_path / "out"
    schemas.mkdir()
    _write_schemas(schemas, One={}, Two={})
    arguments = ["--schemas", str(schemas), "--out", str(out)]
    assert main(arguments) == 0
    assert main([*arguments, "--check"]) == 0
    (out / "one.py").write_text("changed")
    (out / "two.py").rename(out / "three.py")
    assert main([*arguments, "--check"]) == 1
    told = capsys.readouterr().err
    for line in ("one.py is stale", "two.py is missing", "three.py has no schema"):
        assert line in told
    assert main(arguments) == 0
    assert main([*arguments, "--check"]) == 0


def test_the_command_names_the_broken_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Goal: exit 1 and one line, no traceback; also where two files do not go together."""
    _write_schemas(tmp_path, One={"validVersions": "x"})
    assert main(["--schemas", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.startswith("One.json: 'validVersions': 'x' is not")
    request = {"type": "request", "apiKey": 9}
    _write_schemas(tmp_path, One=request)
    assert main(["--schemas", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "One.json: the request has no response" in capsys.readouterr().err
    _write_schemas(tmp_path, Two={"type": "response", "apiKey": 9, "validVersions": "0-1"})
    assert main(["--schemas", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "One.json: its response has validVersions 0-1" in capsys.readouterr().err

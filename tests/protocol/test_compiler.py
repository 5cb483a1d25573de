"""Small schemas, compiled: each key of the grammar does on the wire what it says."""

from __future__ import annotations

import pytest

from barnabas.protocol.compiler.layout import layout_groups
from barnabas.protocol.compiler.schema import parse_schema
from barnabas.protocol.compiler.source_json import strip_comments
from barnabas.protocol.compiler.versions import NONE, Versions, spans
from barnabas.protocol.errors import DecodeError, EncodeError
from barnabas.protocol.primitives import ZERO_UUID

from .small_schemas import compiled, field, inner, schema_text

FIXED = [
    ("bool", True, "01"),
    ("int8", -2, "fe"),
    ("int16", -2, "fffe"),
    ("uint16", 65534, "fffe"),
    ("int32", -2, "fffffffe"),
    ("uint32", 4294967294, "fffffffe"),
    ("int64", -2, "fffffffffffffffe"),
    ("float64", 1.5, "3ff8000000000000"),
    ("uuid", bytes(range(16)), "000102030405060708090a0b0c0d0e0f"),
]
SIZED = [
    ("string", "hé", "0003" + "68c3a9", "04" + "68c3a9"),
    ("bytes", b"abc", "00000003" + "616263", "04" + "616263"),
    ("records", b"abc", "00000003" + "616263", "04" + "616263"),
]


@pytest.mark.parametrize(("kind", "value", "hexed"), FIXED, ids=[row[0] for row in FIXED])
def test_types_of_fixed_width(kind: str, value: object, hexed: str) -> None:
    """Goal: each fixed type has its bytes, alone and in arrays."""
    message = compiled(field("Value", kind), field("Values", f"[]{kind}"))
    encoded = message(value=value, values=[value, value]).encode(0)
    assert encoded.hex() == hexed + "00000002" + hexed * 2
    assert message.decode(encoded, 0) == message(value=value, values=[value, value])
    assert message(value=value, values=[value]).encode(2).hex() == hexed + "02" + hexed + "00"


@pytest.mark.parametrize(
    ("kind", "value", "plain", "compact"), SIZED, ids=[row[0] for row in SIZED]
)
def test_types_with_a_length(kind: str, value: object, plain: str, compact: str) -> None:
    """Goal: lengths are fixed or, in flexible versions, compact; null is -1 or 0."""
    message = compiled(field("Value", kind), field("OrNull", kind, nullableVersions="0+"))
    assert message(value=value, or_null=value).encode(0).hex() == plain * 2
    assert message(value=value, or_null=value).encode(2).hex() == compact * 2 + "00"
    null = "ffff" if kind == "string" else "ffffffff"
    assert message(value=value, or_null=None).encode(1).hex() == plain + null
    assert message(value=value, or_null=None).encode(3).hex() == compact + "00" + "00"
    for version in range(4):
        encoded = message(value=value, or_null=None).encode(version)
        assert message.decode(encoded, version) == message(value=value, or_null=None)


def test_flexible_versions_of_one_field() -> None:
    """Goal: a string can stay as it was in a flexible version, as the client id does."""
    message = compiled(field("Value", "string", flexibleVersions="none"))
    assert message(value="a").encode(2).hex() == "0001" + "61" + "00"


def test_structures_arrays_and_null() -> None:
    """Goal: structures nest; one that is null is a single byte, an array that is null is -1."""
    message = compiled(
        field("One", "Point", fields=[field("X", "int8"), field("Y", "int8", "1+")]),
        field("Other", "Pair", nullableVersions="0+", fields=[field("A", "int8")]),
        field("Points", "[]Point", nullableVersions="0+"),
    )
    point, pair = inner(message, "Point"), inner(message, "Pair")
    value = message(one=point(x=1), other=pair(a=2), points=[point(x=3), point(x=4)])
    assert value.encode(0).hex() == "01" + "01" + "02" + "00000002" + "03" + "04"
    assert message.decode(value.encode(0), 0) == value
    empty = message(other=None, points=None)
    assert empty.encode(1).hex() == "0000" + "ff" + "ffffffff"
    assert message.decode(empty.encode(1), 1) == empty
    with pytest.raises(DecodeError, match=r"Small\.Other: 2 says neither"):
        message.decode(bytes.fromhex("0002" + "00000000"), 0)


def test_common_structures_may_be_used_before_and_after() -> None:
    """Goal: a structure may be written out once, anywhere, and be used in several places."""
    message = compiled(
        field("First", "[]Late"),
        field("Second", "Late", fields=[field("Inner", "Shared")]),
        commonStructs=[{"name": "Shared", "versions": "0+", "fields": [field("X", "int8")]}],
    )
    late, shared = inner(message, "Late"), inner(message, "Shared")
    value = message(first=[late(inner=shared(x=1))], second=late(inner=shared(x=2)))
    assert value.encode(0).hex() == "00000001" + "01" + "02"


def test_defaults() -> None:
    """Goal: what is not given is the default, in whatever way the schema writes it."""
    message = compiled(
        field("Number", "int32", default="0x7fffffff"),
        field("Plain", "int64", default=-1),
        field("Flag", "bool", default="true"),
        field("Text", "string", default="x"),
        field("None1", "string", default="null", nullableVersions="0+"),
        field("None2", "[]int32", default="null", nullableVersions="0+"),
        field("NotNull", "[]int32", default=None, nullableVersions="0+"),
        field("Id", "uuid"),
        field("Ratio", "float64", default="0.5"),
        field("Struct", "Point", fields=[field("X", "int8", default="7")]),
        field("None3", "Point2", default="null", nullableVersions="0+", fields=[]),
    )
    value = message()
    assert (value.number, value.plain, value.flag, value.text) == (2**31 - 1, -1, True, "x")
    assert (value.none1, value.none2, value.none3, value.not_null) == (None, None, None, [])
    assert (value.id, value.ratio, value.struct.x) == (ZERO_UUID, 0.5, 7)
    assert message().not_null is not value.not_null


def test_versions_without_a_field() -> None:
    """Goal: a value that a version cannot carry is an error, unless the field is ignorable."""
    message = compiled(
        field("Strict", "int32", "1+"),
        field("Loose", "int32", "1+", ignorable=True, default="5"),
        field("Tagged", "string", "2+", taggedVersions="2+", tag=0),
        field("Deep", "Point", "1+", fields=[field("X", "int8")]),
        field("List", "[]int8", "1+"),
    )
    assert message(loose=7).encode(0) == b""
    assert message.decode(b"", 0).loose == 5
    point = inner(message, "Point")
    for name, value in (("Strict", 1), ("Tagged", "x"), ("Deep", point(x=1)), ("List", [1])):
        with pytest.raises(EncodeError, match=rf"^Small\.{name}: version 0 cannot carry"):
            message(**{name.lower(): value}).encode(0)
    with pytest.raises(EncodeError, match=r"^Small has no version 4"):
        message().encode(4)
    with pytest.raises(DecodeError, match=r"^Small has no version 4"):
        message.decode(b"", 4)


def test_null_where_it_is_not_allowed() -> None:
    """Goal: null is refused in each version whose schema does not allow it."""
    message = compiled(
        field("Text", "string", nullableVersions="1+"),
        field("Items", "[]int8", nullableVersions="2+"),
    )
    with pytest.raises(EncodeError, match=r"^Small\.Text: null is not allowed in version 0"):
        message(text=None).encode(0)
    with pytest.raises(EncodeError, match=r"^Small\.Items: null is not allowed in version 1"):
        message(items=None).encode(1)
    with pytest.raises(DecodeError, match=r"^Small\.Text: length -1"):
        message.decode(bytes.fromhex("ffff00000000"), 0)
    with pytest.raises(DecodeError, match=r"^Small\.Items: -1 elements"):
        message.decode(bytes.fromhex("0000ffffffff"), 1)


def test_tagged_fields() -> None:
    """Goal: a tag holds its value behind its size; at the default it is not written at all."""
    message = compiled(
        field("Second", "int32", "2+", taggedVersions="2+", tag=1, default="-1"),
        field("First", "string", "2+", taggedVersions="2+", tag=0),
        field("OrNull", "string", "3+", taggedVersions="3+", tag=2, nullableVersions="3+"),
        field("Point", "Point", "3+", taggedVersions="3+", tag=3, fields=[field("X", "int8")]),
        {"name": "Short", "type": "[]int8", "taggedVersions": "3+", "tag": 4},
    )
    point = inner(message, "Point")
    assert message().encode(2).hex() == "00"
    assert message(second=7, first="a").encode(2).hex() == (
        "02" + "0002" + "0261" + "0104" + "00000007"
    )
    value = message(second=7, first="a", or_null=None, point=point(x=9), short=[1])
    encoded = value.encode(3)
    assert encoded.hex() == (
        "05"
        + "0002"
        + "0261"
        + "0104"
        + "00000007"
        + "0201"
        + "00"
        + "0302"
        + "0900"
        + "0402"
        + "0201"
    )
    assert message.decode(encoded, 3) == value


def test_versions_of_equal_layout_share_their_functions() -> None:
    """Goal: one function for each distinct layout, however the ranges were cut."""
    text = schema_text(
        field("A", "int8"),
        field("B", "int8", "3+"),
        versions="0-6",
        flexible="5+",
    )
    groups = layout_groups(parse_schema("Small.json", text))
    assert [group.versions for group in groups] == [(0, 1, 2), (3, 4), (5, 6)]


def test_names() -> None:
    """Goal: `ISR` is isr, `IsrNodes` is isr_nodes, and keywords of Python do no harm."""
    message = compiled(
        field("ISR", "int8"), field("IsrNodes", "int8"), field("From", "int8"), field("x2Y", "int8")
    )
    assert message.FIELDS == ("isr", "isr_nodes", "from_", "x2_y")


def test_facts_of_a_message() -> None:
    """Goal: a class knows its name, key and versions."""
    message = compiled(field("A", "int8"), type="metadata", apiKey=7)
    assert (message.NAME, message.KIND, message.API_KEY) == ("Small", "metadata", 7)
    assert (message.MIN_VERSION, message.MAX_VERSION, message.FLEXIBLE_SINCE) == (0, 3, 2)
    assert compiled(field("A", "int8"), flexible="none").FLEXIBLE_SINCE is None


def test_messages_compare_print_and_do_not_hash() -> None:
    """Goal: equality is by fields and class; a message that can change has no hash."""
    message, other = compiled(field("A", "int8")), compiled(field("A", "int8"))
    assert message(a=1) == message(a=1) != message(a=2)
    assert message(a=1) != other(a=1)
    assert repr(message(a=1)) == "Small(a=1)"
    with pytest.raises(TypeError):
        hash(message())
    with pytest.raises(AttributeError):
        message().b = 1


def test_comments() -> None:
    """Goal: comments go anywhere between values, and nothing inside a string is one."""
    text = '// head\n{"type": "data", /* "x":\n */ "name": "Small", // tail "quoted\n'
    text += '"validVersions": "0", "flexibleVersions": "none", "about": "see http://x /* y */",\n'
    text += '"fields": [ { "name": "A", "type": "int8", "versions": "0+" } // last\n ] }'
    schema = parse_schema("Small.json", text)
    assert schema.about == "see http://x /* y */"
    assert strip_comments(text).count("\n") == text.count("\n")


def test_a_message_that_is_no_more() -> None:
    """Goal: a removed API keeps its key and name, and nothing else."""
    text = '{"apiKey": 4, "type": "request", "name": "Old", "validVersions": "none"}'
    assert not parse_schema("Old.json", text).valid_versions


def test_versions() -> None:
    """Goal: ranges parse, print and intersect as the grammar has them."""
    for text in ("3", "0-4", "2+", "none", "7-7"):
        assert str(Versions.parse(text)) == text.replace("7-7", "7")
    assert str(Versions.parse("0-4") & Versions.parse("2+")) == "2-4"
    assert (Versions.parse("0-1") & Versions.parse("2+")) == NONE
    assert Versions.parse("1+").covers(Versions.parse("1-3"))
    assert not Versions.parse("1-3").covers(Versions.parse("1+"))
    assert [str(span) for span in spans([0, 1, 2, 5, 7, 8])] == ["0-2", "5", "7-8"]

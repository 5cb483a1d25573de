"""The table of what is authorised, how each row is asked, and what is compared of the answers.

`tests/data/authorization.json` was walked on Apache Kafka 4.3.1; it says in its first lines what
its fields mean.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from barnabas.broker.core.security.acl import Acl
from barnabas.broker.core.security.resources import (
    Operation,
    PatternType,
    Permission,
    ResourceType,
)
from barnabas.protocol.apis import message_class
from barnabas.protocol.buffer import Buffer
from barnabas.protocol.compiler.names import snake_case
from barnabas.protocol.message import Message

TABLE: Final = Path(__file__).parent.parent / "data" / "authorization.json"

REFUSALS: Final = frozenset((29, 30, 31, 53, 65))
"""The codes that say that a right is missing."""


class Probe(NamedTuple):
    """How a row is asked."""

    version: int
    body: Mapping[str, Any]
    given: tuple[str, ...]
    grant: tuple[str, ...]
    watch: tuple[str, ...] = ()
    oneway: bool = False


class Row(NamedTuple):
    """One check of one API."""

    id: str
    api: str
    key: int
    is_controller: bool
    first: int
    last: int
    kind: str
    probe: Probe | None
    denied: Mapping[str, Any] | None
    allowed: Mapping[str, Any] | None


@cache
def rows() -> tuple[Row, ...]:
    """All rows of the table."""
    return tuple(map(_row, json.loads(TABLE.read_text())["rows"]))


def _row(one: Any) -> Row:
    first, _, last = one["versions"].partition("-")
    probe = one["probe"]
    return Row(
        id=one["id"],
        api=one["api"],
        key=one["key"],
        is_controller=one["listener"] == "controller",
        first=int(first),
        last=int(last or first),
        kind=one["kind"],
        probe=None
        if probe is None
        else Probe(
            probe["version"],
            probe["body"],
            tuple(probe["given"]),
            tuple(probe["grant"]),
            tuple(probe.get("watch") or ()),
            bool(probe.get("oneway")),
        ),
        denied=one.get("denied"),
        allowed=one.get("allowed"),
    )


def acl_for(grant: str, principal: str) -> Acl:
    """The entry that a word such as `TOPIC:walk.t:WRITE` or `TOPIC:walk.d*:DELETE` stands for."""
    kind, rest = grant.split(":", 1)
    name, operation = rest.rsplit(":", 1)
    pattern = PatternType.LITERAL
    if name.endswith("*") and name != "*":
        pattern, name = PatternType.PREFIXED, name[:-1]
    return Acl(
        ResourceType[kind],
        name,
        pattern,
        principal,
        "*",
        Operation[operation],
        Permission.ALLOW,
    )


def request_of(name: str, body: Mapping[str, Any], values: Mapping[str, Any]) -> Message:
    """The request of this name; `values` stand for the words of the body that begin with $."""
    made: Message = _filled(message_class(name), body, values)
    return made


def _filled(kind: Any, body: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    hints = get_type_hints(kind, localns={"Buffer": Buffer})
    made = kind()
    for key, value in body.items():
        field = snake_case(key)
        assert field in kind.FIELDS, f"{kind.__name__} has no {field}"
        setattr(made, field, _value(hints[field], value, values))
    return made


def _value(hint: Any, value: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("$"):
        return values[value]
    if isinstance(hint, UnionType) or get_origin(hint) is UnionType:
        hint = next(one for one in get_args(hint) if one is not type(None))
    if isinstance(value, list):
        (inner,) = get_args(hint)
        return [_value(inner, one, values) for one in value]
    return _filled(hint, value, values) if isinstance(value, dict) else value


# --- answers ------------------------------------------------------------------------------------


def shape_of(answer: Any, watch: tuple[str, ...] = ()) -> dict[str, Any]:
    """Codes by their path, and what is watched, in the words of the table."""
    found: dict[str, set[int]] = {}
    for path, code in _codes(answer, ""):
        found.setdefault(path, set()).add(code)
    shape: dict[str, Any] = {path: sorted(codes) for path, codes in found.items()}
    for path in watch:
        shape["#" + path] = watched(answer, path)
    return shape


def _codes(value: Any, path: str) -> Iterator[tuple[str, int]]:
    for field in value.FIELDS:
        name = _titled(field)
        inner = getattr(value, field)
        where = f"{path}.{name}" if path else name
        if field.endswith("error_code"):
            yield where, inner
        elif isinstance(inner, list):
            for one in inner:
                if hasattr(one, "FIELDS"):
                    yield from _codes(one, where)


def watched(answer: Any, path: str) -> list[Any]:
    """What stands at a path: counts of things and uuids as some or none, else the values."""
    found = [answer]
    *steps, last = [snake_case(one) for one in path.split(".")]
    for step in steps:
        found = [inner for one in found for inner in getattr(one, step)]
    values = [getattr(one, last) for one in found]
    return sorted({_word(one) for one in values}, key=repr)


def _word(value: Any) -> Any:
    if isinstance(value, list | bytes):
        return "some" if (any(value) if isinstance(value, bytes) else value) else "none"
    return value


def _titled(field: str) -> str:
    """`error_code` -> `ErrorCode`, as the grammar writes it."""
    return "".join(part.title() for part in field.split("_"))


def refusals_in(shape: Mapping[str, Any]) -> dict[str, Any]:
    """What of the answer to somebody with the right is compared: refusals, and what is watched."""
    return {
        path: value if path.startswith("#") else sorted(REFUSALS.intersection(value))
        for path, value in shape.items()
        if path.startswith("#") or (isinstance(value, list) and REFUSALS.intersection(value))
    }

"""Schemas written for one test, compiled in memory."""

from __future__ import annotations

import json
import sys
from typing import Any

from barnabas.protocol.compiler.load import compile_message
from barnabas.protocol.compiler.schema import parse_schema
from barnabas.protocol.message import Message


def schema_text(
    *fields: dict[str, Any], versions: str = "0-3", flexible: str = "2+", **more: Any
) -> str:
    """The text of a data schema `Small` with these fields."""
    whole = {
        "type": "data",
        "name": "Small",
        "validVersions": versions,
        "flexibleVersions": flexible,
        "fields": list(fields),
    }
    return json.dumps(whole | more)


def compiled(*fields: dict[str, Any], **more: Any) -> Any:
    """The class of such a schema; `Any`, since its fields are known at run time only."""
    return compile_message(parse_schema("Small.json", schema_text(*fields, **more)), "test")


def inner(message: type[Message], name: str) -> Any:
    """A structure's class of a compiled message."""
    return getattr(sys.modules[message.__module__], name)


def field(name: str, kind: str, versions: str = "0+", **more: Any) -> dict[str, Any]:
    """One field of a schema."""
    return {"name": name, "type": kind, "versions": versions} | more

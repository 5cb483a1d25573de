"""All schemas together: `index.py` (which APIs and messages there are) and `error_codes.py`."""

from __future__ import annotations

import re
from typing import Final

from .source import Source
from .source_json import Node, SchemaError, parse_json
from .tree import Message

_CODE_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_HEADER: Final = "generated from the schemas: do not edit, run `make generate`."


def emit_index(messages: list[Message]) -> str:
    """The module that says where each message is, without importing any."""
    source = Source()
    source.lines(
        f'"""Which APIs and messages there are; {_HEADER}"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "# Message name -> module in this package.",
    )
    _emit_mapping(source, "MODULES: Final[dict[str, str]]", _modules(messages))
    source.lines(
        "",
        "# Key, name, lowest and highest version, first flexible version (or None), whether the",
        "# highest version is still unstable, and the listeners that serve it.",
        "APIS: Final[tuple[tuple[int, str, int, int, int | None, bool, tuple[str, ...]], ...]] = (",
    )
    for request in _requests(messages):
        source.line(f"    {_api_row(request)},")
    source.lines(")", "", "# Type of a record of the metadata log -> message name.")
    records = {m.api_key: m.name for m in messages if m.kind == "metadata"}
    _emit_mapping(
        source, "METADATA_RECORDS: Final[dict[int, str]]", dict(sorted(records.items(), key=_first))
    )
    return source.text()


def _first(item: tuple[int | None, str]) -> int:
    return -1 if item[0] is None else item[0]


def _modules(messages: list[Message]) -> dict[str, str]:
    return {message.name: message.module_name for message in messages}


def _emit_mapping(
    source: Source, name: str, mapping: dict[str, str] | dict[int | None, str]
) -> None:
    with source.block(f"{name} = {{"):
        for key, value in mapping.items():
            label = f'"{key}"' if isinstance(key, str) else str(key)
            source.line(f'{label}: "{value}",')
    source.line("}")


def _requests(messages: list[Message]) -> list[Message]:
    """Requests in order of their keys; each must have its response, with the same versions."""
    responses = {m.api_key: m for m in messages if m.kind == "response"}
    requests = [m for m in messages if m.kind == "request"]
    for request in requests:
        response = responses.get(request.api_key)
        if response is None:
            raise SchemaError(request.file, "", "the request has no response of the same apiKey")
        if response.valid_versions != request.valid_versions:
            rule = f"its response has validVersions {response.valid_versions}"
            raise SchemaError(request.file, "", rule)
    keys = [request.api_key or 0 for request in requests]
    for key in keys:
        if keys.count(key) > 1:
            raise SchemaError("schemas", "", f"two requests have the apiKey {key}")
    return sorted(requests, key=lambda request: request.api_key or 0)


def _api_row(request: Message) -> str:
    versions, flexible = request.valid_versions, request.flexible_versions
    since = flexible.lowest if flexible & versions else None
    listeners = "(" + "".join(f'"{name}", ' for name in request.listeners).rstrip() + ")"
    name = request.name.removesuffix("Request")
    return (
        f'({request.api_key}, "{name}", {versions.lowest}, {versions.highest}, {since}, '
        f"{request.latest_version_unstable}, {listeners})"
    )


def emit_error_codes(file: str, text: str) -> str:
    """The module of the error codes, from `errors.json`."""
    root = parse_json(file, text)
    root.allow("about", "errors")
    source = Source()
    source.lines(
        f'"""Error codes of the protocol; {_HEADER}"""',
        "",
        "from __future__ import annotations",
        "",
        "from enum import IntEnum",
        "from typing import Final",
        "",
        "",
        "class ErrorCode(IntEnum):",
    )
    retriable = []
    names: set[str] = set()
    with source.inside():
        source.lines('"""What an answer says about how it went."""', "")
        previous = -2
        for node in root.nodes("errors"):
            code, name, is_retriable = _error(node, previous)
            if name in names:
                raise node.error(f"the name {name!r} is there twice")
            names.add(name)
            previous = code
            source.line(f"{name} = {code}  # {node.text('about')}")
            if is_retriable:
                retriable.append(name)
    source.lines("", "", "# Codes after which a client tries again.")
    source.line("RETRIABLE: Final[frozenset[ErrorCode]] = frozenset(")
    with source.inside():
        with source.block("("):
            for name in retriable:
                source.line(f"ErrorCode.{name},")
        source.line(")")
    source.line(")")
    return source.text()


def _error(node: Node, previous: int) -> tuple[int, str, bool]:
    node.allow("code", "name", "retriable", "about")
    code = node.value.get("code")
    if not isinstance(code, int) or isinstance(code, bool):
        raise node.error("'code' must be a whole number")
    if code <= previous:
        raise node.error(f"code {code} after {previous}: codes ascend")
    name = node.text("name")
    if not _CODE_NAME.fullmatch(name):
        raise node.error(f"name {name!r} must be capitals, digits and underscores")
    return code, name, node.flag("retriable")

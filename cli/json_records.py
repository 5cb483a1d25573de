"""Records of `produce --records`: JSON objects as `consume --json` prints them, fields checked.

A field that is misspelt or of another kind is an error that names the line and the field: a record
without the value that was meant would be worse.
"""

from __future__ import annotations

import base64
import binascii
import difflib
import json
from typing import Any

import click

from .outgoing import Outgoing

SENT = ("value", "key", "partition", "timestamp", "headers")
IGNORED = ("topic", "offset")
"""What `consume --json` prints beside these: where a record came from, not where it goes."""
TIMESTAMP_MAX = 2**63 - 1
NO_TIMESTAMP = -1
PARTITION_MAX = 2**31 - 1


def record_of(line: bytes, number: int, common: Outgoing) -> Outgoing:
    """The record of one line; `common` says what the line may leave out.

    Raises:
        click.ClickException: what is wrong, in which line and which field.
    """
    try:
        record = json.loads(line)
    except ValueError as error:
        raise click.ClickException(f"line {number}: not JSON: {error}") from None
    try:
        return _record(record, common)
    except ValueError as error:
        raise click.ClickException(f"line {number}: {error}") from None


def _record(record: Any, common: Outgoing) -> Outgoing:
    if not isinstance(record, dict):
        raise ValueError(f"not an object, but {shown(record)}")
    for name in record:
        if name not in SENT + IGNORED:
            near = difflib.get_close_matches(name, SENT, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(SENT)}"
            raise ValueError(f"no field is called {name!r}; {hint}")
    if "value" not in record:
        raise ValueError("value: missing (null makes a record without one)")
    headers = headers_of(record.get("headers") or [])
    return Outgoing(
        bytes_of("value", record["value"]),
        bytes_of("key", record["key"]) if "key" in record else common.key,
        _number(record, "partition", PARTITION_MAX, common.partition),
        _timestamp(record),
        headers or common.headers,
    )


def _timestamp(record: dict[str, Any]) -> int | None:
    if record.get("timestamp") == NO_TIMESTAMP:
        return None
    return _number(record, "timestamp", TIMESTAMP_MAX, None, "milliseconds since 1970")


def _number(
    record: dict[str, Any], name: str, most: int, otherwise: int | None, unit: str = ""
) -> int | None:
    given = record.get(name)
    if given is None:
        return otherwise
    if type(given) is not int or not 0 <= given <= most:
        of = f" of {unit}" if unit else ""
        raise ValueError(f"{name}: {shown(given)} is not a whole number{of} from 0 to {most}")
    return given


def headers_of(given: Any) -> tuple[tuple[str, bytes | None], ...]:
    """Headers as an object, or as the list of pairs that `consume --json` prints.

    Raises:
        ValueError: neither; the text shows what.
    """
    pairs = list(given.items()) if isinstance(given, dict) else given
    if not isinstance(pairs, list):
        raise ValueError(f"headers: {shown(given)} is neither an object nor a list of pairs")
    found = []
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            raise ValueError(f"headers: {shown(pair)} is not a pair [name, value]")
        found.append((pair[0], bytes_of(f"headers: {pair[0]}", pair[1])))
    return tuple(found)


def bytes_of(name: str, given: Any) -> bytes | None:
    """Text, `{"base64": ...}`, null, or any other JSON, which is kept as JSON.

    Raises:
        ValueError: base64 that is none, or text that UTF-8 cannot write.
    """
    if given is None:
        return None
    try:
        if isinstance(given, str):
            return given.encode()
        if isinstance(given, dict) and set(given) == {"base64"}:
            return base64.b64decode(given["base64"], validate=True)
        return json.dumps(given, ensure_ascii=False).encode()
    except (UnicodeEncodeError, binascii.Error, TypeError, ValueError) as error:
        raise ValueError(f"{name}: {shown(given)}: {error}") from None


def shown(value: Any) -> str:
    """A JSON value, shortened for an error message."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."

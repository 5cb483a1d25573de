"""The `default` of a field: what its text stands for in the field's type."""

from __future__ import annotations

import base64
import binascii
import math
from typing import Final

from .source_json import Node
from .tree import INTEGER_RANGES, Default, Field

_EMPTY_UUID: Final = bytes(16)


def parse_default(node: Node, field: Field) -> Default:
    """The default of `field`; without one it is zero, false, empty."""
    raw = node.value.get("default")
    if raw is None:  # JSON's null says nothing, as upstream: only the text "null" stands for null
        raw = ""
    if raw == "null":
        return _null(node, field)
    if field.type.is_array or field.type.struct is not None:
        _refuse_content(node, field, raw)
        return ()
    name = field.type.name
    if name in INTEGER_RANGES:
        return _integer(node, name, raw)
    if name == "bool":
        return _boolean(node, raw)
    if name == "float64":
        return _float(node, raw)
    if name in ("string", "uuid"):
        return _text(node, name, raw)
    _refuse_content(node, field, raw)
    return b""


def _refuse_content(node: Node, field: Field, raw: object) -> None:
    if raw != "":
        raise node.error(f"the default of a {field.type} can only be empty or null")


def _text(node: Node, name: str, raw: object) -> str | bytes:
    if not isinstance(raw, str):
        raise node.error(f"the default of a {name} must be a string")
    return raw if name == "string" else _uuid(node, raw)


def _null(node: Node, field: Field) -> Default:
    if not field.nullable_versions.covers(field.versions):
        raise node.error(
            f"null cannot be the default: versions {field.versions} have the field, "
            f"only {field.nullable_versions} may be null"
        )
    return None


def _integer(node: Node, name: str, raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int | str):
        raise node.error(f"the default {raw!r} is not an {name}")
    try:
        value = int(raw or "0", 0) if isinstance(raw, str) else raw
    except ValueError:
        raise node.error(f"the default {raw!r} is not an {name}") from None
    lowest, highest = INTEGER_RANGES[name]
    if not lowest <= value <= highest:
        raise node.error(f"the default {value} is outside {name}: {lowest} to {highest}")
    return value


def _boolean(node: Node, raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    if raw not in ("", "true", "false"):
        raise node.error(f"the default {raw!r} is neither true nor false")
    return raw == "true"


def _float(node: Node, raw: object) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise node.error(f"the default {raw!r} is not a float64")
    try:
        value = float(raw or "0")
    except ValueError:
        raise node.error(f"the default {raw!r} is not a float64") from None
    if not math.isfinite(value):
        raise node.error("the default of a float64 must be finite")
    return value


def _uuid(node: Node, raw: str) -> bytes:
    if not raw:
        return _EMPTY_UUID
    try:
        value = base64.b64decode(raw + "==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        value = b""
    if len(value) != 16:
        raise node.error(f"the default {raw!r} is not a uuid: 22 letters of url-safe base64")
    return value

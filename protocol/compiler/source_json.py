"""Schema text to checked JSON nodes, whose errors name the file, the field and the rule."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from .versions import Versions

_STRING_OR_COMMENT: Final = re.compile(
    r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL
)  # a string is matched first, so that "http://x" stays whole


class SchemaError(ValueError):
    """A schema breaks a rule of the grammar: `file: field: rule`."""

    def __init__(self, file: str, path: str, rule: str) -> None:
        super().__init__(f"{file}: {path}: {rule}" if path else f"{file}: {rule}")
        self.file = file
        self.path = path
        self.rule = rule


def strip_comments(text: str) -> str:
    """The text with `//` and `/* */` comments blanked; lines and columns stay where they were."""
    return _STRING_OR_COMMENT.sub(
        lambda match: match[0] if match[0].startswith('"') else re.sub(r"[^\n]", " ", match[0]),
        text,
    )


def parse_json(file: str, text: str) -> Node:
    """The JSON object of a schema file; SchemaError with line and column when it is not one."""
    try:
        value = json.loads(strip_comments(text), object_pairs_hook=_reject_twice)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise SchemaError(file, where, f"not JSON: {error.msg}") from None
    except RecursionError:
        raise SchemaError(file, "", "nested too deep to be a schema") from None
    except KeyError as error:
        raise SchemaError(file, "", f"the key {error.args[0]!r} is there twice") from None
    if not isinstance(value, dict):
        raise SchemaError(file, "", "a schema is one JSON object")
    return Node(file, "", value)


def _reject_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise KeyError(key)
            seen.add(key)
    return keys


class Node:
    """One JSON object of a schema, and where it stands in its file."""

    def __init__(self, file: str, path: str, value: dict[str, object]) -> None:
        self.file = file
        self.path = path
        self.value = value

    def error(self, rule: str) -> SchemaError:
        """An error that names this place."""
        return SchemaError(self.file, self.path, rule)

    def allow(self, *keys: str) -> None:
        """Refuse every key that is not of the grammar: a misspelt one would be lost in silence."""
        for key in self.value:
            if key not in keys:
                raise self.error(f"unknown key {key!r}; known here: {', '.join(sorted(keys))}")

    def has(self, key: str) -> bool:
        """Whether the key is there, with whatever value."""
        return key in self.value

    def text(self, key: str, default: str | None = None) -> str:
        """A string; an error when it is missing and there is no default."""
        value = self.value.get(key, default)
        if value is None and key not in self.value:
            raise self.error(f"{key!r} is missing")
        if not isinstance(value, str):
            raise self.error(f"{key!r} must be a string, not {json.dumps(value)}")
        return value

    def flag(self, key: str) -> bool:
        """A boolean, false when it is missing."""
        value = self.value.get(key, False)
        if not isinstance(value, bool):
            raise self.error(f"{key!r} must be true or false, not {json.dumps(value)}")
        return value

    def integer(self, key: str) -> int | None:
        """A number that is not negative, or nothing when it is missing."""
        value = self.value.get(key)
        if key not in self.value:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.error(f"{key!r} must be a whole number from 0, not {json.dumps(value)}")
        return value

    def versions(self, key: str, default: Versions | None = None) -> Versions:
        """A version range; an error when it is missing and there is no default."""
        if not self.has(key) and default is not None:
            return default
        try:
            return Versions.parse(self.text(key))
        except SchemaError:
            raise
        except ValueError as error:
            raise self.error(f"{key!r}: {error}") from None

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings, empty when it is missing."""
        value = self.value.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(f"{key!r} must be a list of strings")
        return tuple(str(item) for item in value)

    def nodes(self, key: str) -> Iterator[Node]:
        """The objects of a list, each with the path `outer.Name`."""
        value = self.value.get(key, [])
        if not isinstance(value, list):
            raise self.error(f"{key!r} must be a list")
        for index, item in enumerate(value):
            if not isinstance(item, dict):
                raise self.error(f"{key}[{index}] must be an object")
            name = item.get("name")
            label = name if isinstance(name, str) and name else f"{key}[{index}]"
            yield Node(self.file, f"{self.path}.{label}" if self.path else label, item)

"""Schemas of any directory, found by name and compiled in memory."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from .emit_module import emit_module
from .schema import SchemaError, read_schema, schema_files
from .tree import Message as Schema

if TYPE_CHECKING:
    from ..message import Message

_PACKAGE = f"{__name__.rsplit('.', 2)[0]}.messages"


class SchemaDirectory:
    """The schemas below one directory, searched in depth; each is read once, when asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._files = {path.stem: path for path in schema_files(directory)}
        self._schemas: dict[str, Schema] = {}
        self._classes: dict[str, type[Message]] = {}
        self._inner: dict[str, Path] | None = None

    def schema(self, name: str) -> Schema:
        """The schema of this name: first by file name, then by the `name` inside.

        Raises KeyError when there is none, SchemaError when it breaks a rule.
        """
        found = self._schemas.get(name)
        if found is None:
            found = self._schemas[name] = read_schema(self._path(name))
        return found

    def message(self, name: str) -> type[Message]:
        """The class compiled from the schema of this name; errors as of `schema`."""
        found = self._classes.get(name)
        if found is None:
            schema = self.schema(name)
            found = self._classes[name] = compile_message(schema, str(self.directory))
        return found

    def _path(self, name: str) -> Path:
        path = self._files.get(name)
        if path is not None:
            return path
        if self._inner is None:
            self._inner = dict(self._inner_names())
        return self._inner[name]

    def _inner_names(self) -> list[tuple[str, Path]]:
        names = []
        for path in self._files.values():
            try:
                names.append((read_schema(path).name, path))
            except SchemaError:
                continue  # told when that file itself is asked for
        return names


def compile_message(schema: Schema, origin: str) -> type[Message]:
    """The class that the Python backend makes of a schema, without writing a file.

    SchemaError when the schema has no version. `origin` tells modules of one name apart.
    """
    if not schema.valid_versions:
        raise SchemaError(schema.file, "", 'validVersions is "none": there is nothing to compile')
    name = f"{origin}:{schema.name}"
    module = ModuleType(name)
    module.__package__ = _PACKAGE  # for the relative imports of generated code
    sys.modules[name] = module  # where a class's `__module__` leads
    code = compile(emit_module(schema), f"<{schema.file}>", "exec")
    exec(code, module.__dict__)  # our own generated text
    found: type[Message] = getattr(module, schema.name)
    return found

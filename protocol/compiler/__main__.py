"""`python -m barnabas.protocol.compiler`: schemas to modules; `--check` only compares."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .emit_index import emit_error_codes, emit_index
from .emit_module import emit_module
from .schema import SchemaError, read_schema, schema_files

ROOT = Path(__file__).resolve().parents[2]  # of the repository: the folder above `protocol`
_PACKAGE = '"""Generated codecs, one module a message: do not edit, run `make generate`."""\n'


def generate(schemas: Path) -> dict[str, str]:
    """File name -> source text of every generated module; SchemaError names what is wrong."""
    messages = [read_schema(path) for path in schema_files(schemas)]
    messages = sorted((m for m in messages if m.valid_versions), key=lambda m: m.name)
    files = {"__init__.py": _PACKAGE, "index.py": emit_index(messages)}
    for message in messages:
        name = f"{message.module_name}.py"
        if name in files:
            raise SchemaError(message.file, "", f"two schemas make the module {name}")
        files[name] = emit_module(message)
    errors = schemas / "errors.json"
    files["error_codes.py"] = emit_error_codes(errors.name, errors.read_text(encoding="utf-8"))
    return files


def differences(files: dict[str, str], directory: Path) -> list[str]:
    """What is stale in `directory`: one line a file."""
    found = {path.name: path.read_text(encoding="utf-8") for path in directory.glob("*.py")}
    lines = [f"{name} is missing" for name in files.keys() - found.keys()]
    lines += [f"{name} has no schema" for name in found.keys() - files.keys()]
    lines += [
        f"{name} is stale" for name in files.keys() & found.keys() if files[name] != found[name]
    ]
    return sorted(lines)


def write(files: dict[str, str], directory: Path) -> None:
    """Make `directory` hold exactly these modules; what is the same is not touched."""
    directory.mkdir(parents=True, exist_ok=True)
    for path in directory.glob("*.py"):
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        path = directory / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """0 when all is well; 1 with the reason on standard error when not."""
    parser = argparse.ArgumentParser(prog="python -m barnabas.protocol.compiler")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--schemas", type=Path, default=ROOT / "schemas")
    parser.add_argument("--out", type=Path, default=ROOT / "protocol" / "messages")
    options = parser.parse_args(arguments)
    try:
        files = generate(options.schemas)
    except SchemaError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not options.check:
        write(files, options.out)
        return 0
    stale = differences(files, options.out)
    for line in stale:
        sys.stderr.write(f"protocol/messages: {line}: run `make generate`\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())

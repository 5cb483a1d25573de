"""The committed codecs are what the schemas give, and every schema is described."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from barnabas.protocol.compiler.__main__ import ROOT, differences, generate
from barnabas.protocol.compiler.schema import read_schema, schema_files
from barnabas.protocol.errors import RETRIABLE, ErrorCode

SCHEMAS = ROOT / "schemas"
FORBIDDEN = {"asyncio", "socket", "threading", "json", "base64", "dataclasses"}


def test_generated_code_is_fresh() -> None:
    """Goal: nobody edits `protocol/messages` by hand, nor a schema without `make generate`."""
    assert differences(generate(SCHEMAS), ROOT / "protocol" / "messages") == []


def test_every_message_and_field_has_a_description() -> None:
    """Goal: the schemas explain themselves: an `about` of one sentence everywhere."""
    without = []
    for path in schema_files(SCHEMAS):
        schema = read_schema(path)
        described = [(schema.name, schema.about)]
        for struct in (*schema.structs, schema.root):
            described += [(f"{struct.name}.{field.name}", field.about) for field in struct.fields]
        without += [f"{path.name}: {name}" for name, about in described if not about.endswith(".")]
    errors = json.loads((SCHEMAS / "errors.json").read_text())["errors"]
    without += [row["name"] for row in errors if not row["about"].endswith(".")]
    assert without == []


def test_a_schema_is_named_as_its_file() -> None:
    """Goal: one name; upstream's one exception is ours too."""
    other = {p.stem for p in schema_files(SCHEMAS) if read_schema(p).name != p.stem}
    assert other == {"ZkMigrationRecord"}


def test_error_codes() -> None:
    """Goal: all codes of Kafka 4.3, without a gap, and which of them are worth another try."""
    assert [int(code) for code in ErrorCode] == list(range(-1, 134))
    assert ErrorCode(133) is ErrorCode.SHARE_SESSION_LIMIT_REACHED
    assert ErrorCode.NOT_LEADER_OR_FOLLOWER in RETRIABLE
    assert ErrorCode.OFFSET_OUT_OF_RANGE not in RETRIABLE
    assert len(RETRIABLE) == 32


def test_codecs_import_little() -> None:
    """Goal: a codec costs no start-up time beyond itself."""
    program = (
        "import sys\nbefore = set(sys.modules)\n"
        "import barnabas.protocol.header, barnabas.protocol.messages.fetch_request\n"
        f"print(sorted((set(sys.modules) - before) & {FORBIDDEN!r}))"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        cwd=Path(__file__).parent,
    )
    assert ran.stdout.strip() == "[]", ran.stderr

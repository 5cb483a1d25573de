"""Goal: what the README and docs/spark.md show works when it is pasted into `.venv/bin/python`."""

from __future__ import annotations

import asyncio
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from barnabas.client import Producer
from barnabas.spark.session import JavaMissingError, require_java

pytestmark = [pytest.mark.slow, pytest.mark.spark]

ROOT = Path(__file__).resolve().parents[2]


def sample(file: str, word: str) -> str:
    """The Python block of a page that has `word` in it."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / file).read_text(), re.DOTALL)
    (found,) = [block for block in blocks if word in block]
    return str(found)


async def greet(bootstrap: str) -> None:
    async with Producer(bootstrap_servers=bootstrap) as producer:
        await producer.send_and_wait("greetings", b"hello from a test")


@pytest.mark.parametrize(
    ("file", "word"), [("README.md", "start_session"), ("docs/spark.md", "PYSPARK_PYTHON")]
)
def test_as_pasted(bootstrap: str, tmp_path: Path, file: str, word: str) -> None:
    """Goal: the first python3 on PATH is another one, without barnabas; nothing else is set."""
    try:
        require_java()
    except JavaMissingError as error:
        pytest.skip(str(error))
    other = tmp_path / "bin" / "python3"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho 'the wrong Python was started' >&2\nexit 1\n")
    other.chmod(other.stat().st_mode | stat.S_IXUSR)
    asyncio.run(greet(bootstrap))
    code = sample(file, word).replace("localhost:9092", bootstrap)
    if "load()" not in code:
        read = sample("README.md", "start_session").replace("localhost:9092", bootstrap)
        code += read[read.index("frame = (") :]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYSPARK")
    }
    environment["PATH"] = f"{other.parent}:{environment['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
        cwd=tmp_path,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "hello from a test" in done.stdout

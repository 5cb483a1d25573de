"""Goal: a streaming query writes each row once, though its tasks fail and its driver is killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from barnabas.spark.session import JavaMissingError, require_java

from .exactly_once import committed_offsets, committed_values, open_transactions
from .topics import fill, numbered, wait_for

pytestmark = [pytest.mark.spark, pytest.mark.slow]

PROGRAM = Path(__file__).with_name("exactly_once_program.py")
TIMEOUT_S = 240
COUNT = 320
"""In batches of 100."""


def copy(directory: Path, bootstrap: str, source: str, sink: str, fault: str) -> int:
    """Run the program in a process group of its own; its exit status."""
    output = directory / f"{fault}.log"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, PROGRAM, bootstrap, source, sink, directory / "checkpoint", fault],
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
        status = process.wait(TIMEOUT_S)
    assert status in (0, -signal.SIGKILL), output.read_text()
    return status


def test_killed_and_started_again(
    bootstrap: str, new_topic: Callable[[], str], tmp_path: Path
) -> None:
    """KIP-98: the driver is killed between two commits; then tasks fail, and run again."""
    try:
        require_java()
    except JavaMissingError as error:
        pytest.skip(str(error))
    source, sink = new_topic(), new_topic()
    records = numbered(COUNT)
    fill(bootstrap, source, [records[0::2], records[1::2]])
    fill(bootstrap, sink, [[], [], []])
    expected = sorted(each.value or b"" for each in records)
    assert copy(tmp_path, bootstrap, source, sink, "driver") == -signal.SIGKILL
    before = wait_for(committed_values(bootstrap, sink))
    assert 100 <= len(before) < 200, "batch 0, and no more than one of the tasks of batch 1"
    assert len(set(before)) == len(before)
    query = json.loads((tmp_path / "checkpoint" / "metadata").read_text())["id"]
    groups = [f"barnabas-spark-{query}-{number}" for number in range(4)]
    offsets = wait_for(committed_offsets(bootstrap, groups[:1], sink))
    assert offsets == [2], "task 0 has written batch 1"
    assert wait_for(open_transactions(bootstrap, "barnabas-spark-"))
    assert copy(tmp_path, bootstrap, source, sink, "task") == 0
    assert wait_for(committed_values(bootstrap, sink)) == expected
    assert wait_for(committed_offsets(bootstrap, groups, sink)) == [4, 4, 4, 4]
    assert wait_for(open_transactions(bootstrap, "barnabas-spark-")) == []
    log = (tmp_path / "task.log").read_text()
    assert "a task fails when all is written" in log
    assert "a task fails while it writes" in log

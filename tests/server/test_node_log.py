"""The node's log: what a line has, as JSON and on a console."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap


def run(program: str) -> subprocess.CompletedProcess[str]:
    """In an interpreter of its own, whose standard error is read."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)


def test_lines_are_json_in_order_with_their_time() -> None:
    """Goal: a line has its event, level, fields and time; what is below the level is left out."""
    done = run(
        """
        from barnabas.broker.observe.logging import Logger
        log = Logger("json")
        for number in range(2000):
            log.info("line", number=number)
        other = Logger("json", level="error")
        other.warning("not wanted")
        other.error("with a reason", exc_info=ValueError("why"))
        """
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    numbers = [line["number"] for line in lines if line["event"] == "line"]
    assert numbers == list(range(2000))
    times = [line["timestamp"] for line in lines if line["event"] == "line"]
    assert times == sorted(times)
    assert not [line for line in lines if line["event"] == "not wanted"]
    (told,) = [line for line in lines if line["event"] == "with a reason"]
    assert "why" in json.dumps(told["exception"])


def test_a_line_on_a_console() -> None:
    """Goal: time, level, event, and the fields in order; those of the node too."""
    done = run(
        """
        from barnabas.broker.observe.logging import Logger
        log = Logger(node=1)
        log.info("topics created", count=2)
        """
    )
    expected = "[info     ] topics created                 count=2 node=1"
    assert done.stderr.rstrip().endswith(expected)

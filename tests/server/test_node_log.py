"""The node's log: nobody waits for structlog, and no line is lost, late or out of order."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap


def run(program: str) -> subprocess.CompletedProcess[str]:
    """In an interpreter that has imported nothing yet."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)


def test_the_first_line_imports_nothing_where_it_is_written() -> None:
    """Goal: a hand-over of leaders that logs does not stand still for an import."""
    done = run(
        """
        import sys, threading
        from barnabas.broker.observe.logging import Logger
        importing = threading.Event()
        may_import = threading.Event()
        class Slow:
            def find_spec(self, name, path=None, target=None):
                if name == "structlog":
                    importing.set()
                    may_import.wait(30)
        sys.meta_path.insert(0, Slow())
        log = Logger("json", node=1)
        log.info("first", number=1)
        log.warning("second", number=2)
        assert importing.wait(30)
        assert "structlog" not in sys.modules
        may_import.set()
        """
    )
    first, second = map(json.loads, done.stderr.splitlines())
    assert (first["event"], first["level"], first["number"], first["node"]) == (
        "first",
        "info",
        1,
        1,
    )
    assert (second["event"], second["level"]) == ("second", "warning")
    assert first["timestamp"] <= second["timestamp"]


def test_lines_keep_their_order_and_their_own_time() -> None:
    """Goal: those that wait for structlog are written first, with the time at which they came."""
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


def test_lines_are_written_although_nothing_can_be_imported() -> None:
    """P-17: a node without a free descriptor says so at once; later lines are as always."""
    done = run(
        """
        import sys, threading
        from barnabas.broker.observe.logging import Logger
        class Full:
            is_full = True
            def find_spec(self, name, path=None, target=None):
                if name == "structlog" and self.is_full:
                    raise OSError(24, "Too many open files")
        full = Full()
        sys.meta_path.insert(0, full)
        log = Logger("json", node=1)
        log.warning("first", number=1)
        [thread.join() for thread in threading.enumerate() if thread.name == "log"]
        console = Logger("console", node=1)
        console.warm_up()
        console.error("second", error="none left")
        [thread.join() for thread in threading.enumerate() if thread.name == "log"]
        full.is_full = False
        log.warning("third")
        """
    )
    first, second, third = done.stderr.splitlines()
    found = json.loads(first)
    assert (found["event"], found["level"], found["number"], found["node"]) == (
        "first",
        "warning",
        1,
        1,
    )
    assert "[error    ] second                         error='none left' node=1" in second
    assert json.loads(third)["event"] == "third"


def test_loading_ahead_is_put_off_without_descriptors() -> None:
    """P-17: what a hand-over needs is loaded as soon as that can be."""
    done = run(
        """
        import sys
        from barnabas.broker.core.config.broker import BrokerConfig
        from barnabas.broker.observe.logging import Logger
        from barnabas.broker.server.warm_up import warm_up
        class Full:
            def find_spec(self, name, path=None, target=None):
                raise OSError(24, "Too many open files")
        full = Full()
        sys.meta_path.insert(0, full)
        config = BrokerConfig(
            process_roles=("broker",), controller_quorum_voters=("1@localhost:1", "2@localhost:2")
        )
        log = Logger("json")
        assert not warm_up(config, log)
        sys.meta_path.remove(full)
        assert warm_up(config, log)
        """
    )
    assert "Too many open files" in done.stderr


def test_information_alone_imports_nothing() -> None:
    """Goal: a start that went well does not pay for structlog; lines look as they do with it."""
    done = run(
        """
        import sys
        from barnabas.broker.observe.logging import Logger
        log = Logger(node=1)
        log.info("topics created", count=2)
        assert "structlog" not in sys.modules
        """
    )
    expected = "[info     ] topics created                 count=2 node=1"
    assert done.stderr.rstrip().endswith(expected)

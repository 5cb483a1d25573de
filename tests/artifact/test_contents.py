"""What the wheel is, and what it needs."""

from __future__ import annotations

import json
import subprocess

import pytest
from build_script import leaf_modules

from .installed import Installed

pytestmark = [pytest.mark.slow, pytest.mark.artifact]

FOREIGN = ("pytest", "aiokafka", "confluent_kafka", "kafka", "psutil", "pyspark", "mypy", "numpy")


def test_the_command_runs_from_the_wheel(installed: Installed) -> None:
    """Goal: not a line of the checkout; `version` names each compiled module, or says pure."""
    told = installed.json("version")
    assert told["package"] == str(installed.site_packages / "barnabas")
    leaves = leaf_modules() if installed.could_compile else []
    assert told["compiled_modules"] == leaves
    assert told["compiled"] is bool(leaves)
    line = installed.barnabas("version").stdout
    assert (f"{len(leaves)} compiled modules" if leaves else "pure Python") in line


def test_the_environment_is_empty(installed: Installed) -> None:
    """Goal: what runs needs the dependencies alone, none of what our tests and extras bring."""
    ask = (
        "import importlib.util, json, sys;"
        "print(json.dumps([one for one in sys.argv[1:] if importlib.util.find_spec(one)]))"
    )
    said = subprocess.run(
        [str(installed.python), "-I", "-c", ask, *FOREIGN],
        cwd=installed.home,
        env=installed.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(said.stdout) == []


def test_every_module_can_be_imported_where_its_extras_are_not_needed(installed: Installed) -> None:
    """Goal: no import of the broker, the client, the codecs or the simulator is missing."""
    program = (
        "import importlib, pkgutil, barnabas\n"
        "left_out = ('barnabas.spark', 'barnabas.cli.flights', 'barnabas.testing.pytest_plugin')\n"
        "for one in pkgutil.walk_packages(barnabas.__path__, 'barnabas.'):\n"
        "    if not one.name.startswith(left_out) and not one.name.endswith('__main__'):\n"
        "        importlib.import_module(one.name)\n"
    )
    done = subprocess.run(
        [str(installed.python), "-I", "-c", program],
        cwd=installed.home,
        env=installed.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

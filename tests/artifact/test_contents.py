"""What the wheel is, and what it needs."""

from __future__ import annotations

import json
import subprocess
from pathlib import PurePath

import pytest
from build_script import leaf_modules

from .installed import Installed

pytestmark = [pytest.mark.slow, pytest.mark.artifact]

OF_THE_CHECKOUT = {"bench", "chaos", "containers", "examples", "flights", "lab", "mutants", "tests"}
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
        "left_out = ('barnabas.spark', 'barnabas.testing.pytest_plugin')\n"
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


def test_what_is_for_the_checkout_alone_is_not_in_it(installed: Installed) -> None:
    """Goal: no laboratory, example, benchmark or test; all of it is importable as `barnabas`."""
    (record,) = installed.site_packages.glob("barnabas-*.dist-info/RECORD")
    paths = [PurePath(line.partition(",")[0]) for line in record.read_text().splitlines()]
    modules = [path for path in paths if path.suffix == ".py"]
    assert len(modules) > 300
    assert {path.parts[0] for path in modules} == {"barnabas"}
    found = [path for path in modules if OF_THE_CHECKOUT & {*path.parts, path.stem}]
    assert not found


def test_testing_needs_nothing_of_the_checkout(installed: Installed) -> None:
    """Goal: users have clusters and both simulators from the wheel alone."""
    program = (
        "import importlib.util, sys\n"
        "from barnabas.testing import BackgroundCluster, Cluster\n"
        "from barnabas.testing.process_cluster import ProcessCluster\n"
        "from barnabas.testing.simulation.raft.__main__ import main\n"
        "from barnabas.testing.simulation.run import run\n"
        "assert not any(map(importlib.util.find_spec, ('bench', 'examples', 'lab')))\n"
        "main(['--seeds', '1..1', '--events', '2000'])\n"
    )
    done = subprocess.run(
        [str(installed.python), "-I", "-c", program],
        cwd=installed.home,
        env=installed.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failures" in done.stdout

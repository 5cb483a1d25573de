"""The compiled leaves under the same fast tests as their sources, which `make check` runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from .installed import ROOT, Installed

pytestmark = [pytest.mark.slow, pytest.mark.artifact, pytest.mark.timeout(900)]

TESTS = ROOT / "tests"
FAST = "not slow and not kafka and not spark"
FOLDERS = ("protocol", "client", "core/log/compaction", "core/log/test_validation.py")
"""What builds, decodes and checks records: codecs, client, compaction, the gate of the log."""

OF_THE_CHECKOUT = (
    "protocol/test_generated_code.py",
    "protocol/test_vectors.py::test_our_schemas_compiled_in_memory",
)
"""They look at schemas, which a wheel has not."""

FEWEST = 1_500


def test_fast_tests_pass_on_compiled_leaves(installed: Installed) -> None:
    """Goal: golden bytes, properties and the client, with the wheel in place of the checkout."""
    if not installed.could_compile:
        pytest.skip("no C compiler, so the wheel is pure Python, as the checkout is")
    options = ["-p", "artifact.only_installed", "-o", f"pythonpath={TESTS}", "-m", FAST]
    options += ["-q", "-n", "2", "-p", "no:cacheprovider"]
    options += [f"--deselect=tests/{each}" for each in OF_THE_CHECKOUT]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *(str(TESTS / each) for each in FOLDERS)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{installed.site_packages}{os.pathsep}{TESTS}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=840,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) >= FEWEST, done.stdout

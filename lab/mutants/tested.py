"""`python -m lab.mutants.tested [NAME …]`: planted bugs that tests must find.

Each is hunted in a process of its own, since a bug is planted before the product is imported. Exits
with 1 if one survives its tests.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

from ..programs import ROOT, environment
from .fine.clean_stops import CLEAN_STOPS
from .fine.first_offsets import FIRST_OFFSETS
from .fine.log_starts import LOG_STARTS
from .fine.made_again import MADE_AGAIN
from .fine.member_weights import WEIGHED
from .fine.transactions import TESTED as TRANSACTIONS
from .fine.transactions import BugAndTests
from .fine.waits import WAITS
from .planting import plant

TESTED: tuple[BugAndTests, ...] = (
    *TRANSACTIONS,
    *WEIGHED,
    *FIRST_OFFSETS,
    *WAITS,
    *LOG_STARTS,
    *CLEAN_STOPS,
    *MADE_AGAIN,
)

PATIENCE_S = 60
"""A test that takes longer than this has found the bug: it waits for something that never
happens."""


def main() -> None:
    """Hunt all of them, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m lab.mutants.tested")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--planted", metavar="NAME", help="run the tests of this bug, here")
    options = parser.parse_args()
    if options.planted is not None:
        (mutant,) = (one for one in TESTED if one.bug.name == options.planted)
        raise SystemExit(run_tests(mutant))
    survivors = 0
    for one in TESTED:
        if not options.names or one.bug.name in options.names:
            found = finding(one)
            survivors += not found
            print(f"{one.bug.name:38} {one.bug.rule} {found or 'SURVIVES'}", flush=True)
    raise SystemExit(1 if survivors else 0)


def run_tests(mutant: BugAndTests) -> int:
    """Run the tests in this process, with the bug; returns pytest's exit status."""
    plant([mutant.bug])
    # With rewritten assertions the modules would be imported as they are in their files.
    options = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain", f"--timeout={PATIENCE_S}"]
    return int(pytest.main([*options, *mutant.tests]))


def finding(mutant: BugAndTests) -> str:
    """The first test that fails with the bug; empty if none does."""
    command = [sys.executable, "-m", "lab.mutants.tested", "--planted", mutant.bug.name]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:  # its end was swallowed by what it had interrupted
        return f"{', '.join(mutant.tests)}: not within {2 * PATIENCE_S} s"
    if done.returncode == pytest.ExitCode.OK:
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    if not failed:  # the tests did not run, so nothing was caught
        raise RuntimeError(done.stdout + done.stderr)
    return failed[0].removeprefix("FAILED ").partition(" - ")[0]


if __name__ == "__main__":
    main()

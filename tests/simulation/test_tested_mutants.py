"""Planted bugs that tests must find: each fits the code, and is found."""

from __future__ import annotations

import pytest

from lab.mutants.fine import FINE
from lab.mutants.fine.transactions import BugAndTests
from lab.mutants.planting import source_of
from lab.mutants.tested import TESTED, finding
from lab.programs import ROOT


@pytest.mark.parametrize("mutant", TESTED, ids=lambda mutant: mutant.bug.name)
def test_a_bug_fits_the_code(mutant: BugAndTests) -> None:
    """Goal: what a bug replaces is in its file once, and what comes of it is Python."""
    bug = mutant.bug
    compile(bug.changed(source_of(bug)), bug.file, "exec")
    assert all((ROOT / path).is_file() for path in mutant.tests)


def test_names_are_unique() -> None:
    """Goal: a name is one bug, among those that drawn runs hunt too."""
    names = [bug.name for bug in FINE] + [one.bug.name for one in TESTED]
    assert len(set(names)) == len(names)


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("mutant", TESTED, ids=lambda mutant: mutant.bug.name)
def test_a_bug_is_found(mutant: BugAndTests) -> None:
    """Goal: no bug survives the tests that are to find it (98-06, 98-07)."""
    assert finding(mutant)

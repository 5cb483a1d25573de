"""A group under everything at once: whatever happens, no partition has two owners (848-18)."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from kit.examples import examples

from .eventful import Groups

TestGroups = Groups.TestCase
TestGroups.settings = settings(max_examples=examples(20), stateful_step_count=30, deadline=None)


@pytest.mark.slow
def test_groups_at_length() -> None:
    """The same with many more turns of events (848-18)."""
    run_state_machine_as_test(
        Groups, settings=settings(max_examples=examples(200), stateful_step_count=50, deadline=None)
    )

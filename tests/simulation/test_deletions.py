"""Simulated clusters whose records are deleted, and the bugs that this finds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from unittest.mock import patch

import pytest

from barnabas.broker.core.replication.low_watermark import LowWatermark
from barnabas.testing.simulation.faults import Schedule
from barnabas.testing.simulation.profile import QUIET
from barnabas.testing.simulation.run import Outcome, Plan, run

PURGED = QUIET.replaced(
    duration_s=4.0, partitions=2, sends_per_s=30.0, timeouts_divisor=10.0, purges=True
)


def purged(planted: Callable[[], AbstractContextManager[object]] = nullcontext) -> Outcome:
    plan = Plan(5, PURGED, Schedule(()))
    plan.planted = planted
    return run(plan)


@pytest.mark.slow
def test_records_are_deleted_everywhere() -> None:
    """I-38, L-10, 107-02: many deletions, none of them too late, and readers get on."""
    outcome = purged()
    assert not outcome.rule, outcome.text
    assert outcome.figures["deletions"] >= 5


@pytest.mark.slow
def test_an_answer_that_comes_too_early_is_found() -> None:
    """I-38: the leader alone has deleted them."""
    own = property(lambda low: low._replica.log.log_start_offset)
    outcome = purged(partial(patch.object, LowWatermark, "offset", own))
    assert outcome.rule == "I-38", outcome.text


@pytest.mark.slow
def test_an_answer_that_never_comes_is_found() -> None:
    """L-10: the leader never knows where the others begin."""
    unknown = property(lambda low: -1)
    outcome = purged(partial(patch.object, LowWatermark, "offset", unknown))
    assert outcome.rule == "L-10", outcome.text

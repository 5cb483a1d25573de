"""Families: skeletons of trouble that a seed draws before anything else."""

from __future__ import annotations

from random import Random

import pytest

from barnabas.client import ConsumerConfig
from barnabas.testing.simulation.families.drawing import FAMILIES, draw_faults, draw_run
from barnabas.testing.simulation.faults import CUTS, CUTS_OF_ROUNDS, KINDS
from barnabas.testing.simulation.run import plan_for


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_plays_its_faults(name: str) -> None:
    """Goal: every family has faults of kinds that exist, none of which outlasts its run."""
    for seed in range(1, 9):
        profile = draw_run(seed, family=name).replaced(duration_s=8.0)
        faults = tuple(FAMILIES[name].faults(Random(seed), profile))
        assert len(faults) >= 2
        for fault in faults:
            assert fault.kind in KINDS
            assert fault.kind != "cut" or fault.detail in CUTS + CUTS_OF_ROUNDS
            assert fault.at_s + fault.seconds <= 8.001
        assert draw_faults(profile, seed) == draw_faults(profile, seed)
        assert len(draw_faults(profile, seed).faults) >= 2


def test_seeds_draw_all_families() -> None:
    """Goal: a hundred seeds draw every family, and runs of none; a seed always the same."""
    drawn = [draw_run(seed) for seed in range(1, 101)]
    assert {profile.family for profile in drawn} == {*FAMILIES, ""}
    assert drawn == [draw_run(seed) for seed in range(1, 101)]
    assert plan_for(7).profile == drawn[6]


def test_whatever_is_drawn_clients_can_be_made_of_it() -> None:
    """Goal: no seed fails because a knob is beyond what the bundled client allows."""
    for seed in range(1, 401):
        for profile in (draw_run(seed), draw_run(seed, family="unaware-leader")):
            config = ConsumerConfig(
                metadata_max_age_ms=profile.metadata_age_ms,
                request_timeout_ms=profile.request_timeout_ms,
            )
            assert config.metadata_max_age_ms == profile.metadata_age_ms


def test_an_unknown_family_is_refused() -> None:
    """Goal: a misspelt name says which there are."""
    with pytest.raises(ValueError, match="leaders-move"):
        draw_run(1, family="leaders")

"""What the checks of committed records make of replicas that were compacted apart."""

from __future__ import annotations

import pytest

from barnabas.testing.simulation.checks.replica_logs import key_of

from .stage import Stage, batch


@pytest.mark.parametrize(("held", "rule"), [((1, 2), ""), ((1, 2, 3), "I-4")])
def test_i4_truncation_of_what_compaction_took_elsewhere(
    monkeypatch: pytest.MonkeyPatch, held: tuple[int, ...], rule: str
) -> None:
    """I-4: where the others have nothing of an epoch any more, they part before it. A batch that
    the others still have is not cut off (seed 496406)."""
    stage = Stage()
    for node in (1, 2):
        stage.append(node, batch(0))
    compacted = stage.logs._compacted
    monkeypatch.setattr(compacted, "look", lambda *_: None)  # these batches have no records
    compacted.keys.add(key_of(stage.log(2)))
    for number in held:
        stage.append(2, batch(number))
    for number in (1, 3):
        stage.append(1, batch(number))
    stage.commit(2, held[-1] + 1)
    assert stage.rule == ""
    stage.truncate(2, 2)
    assert stage.rule == rule

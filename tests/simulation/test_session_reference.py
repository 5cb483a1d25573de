"""227-01, 227-03 as the reference says it: when a session that is continued may end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.protocol.errors import ErrorCode
from barnabas.testing.simulation.checks.reference.logs import go_on


@pytest.mark.parametrize(
    ("added", "cached", "is_refused"),
    [(1, 10, False), (3, 10, True), (1, 40, True), (0, 40, False)],
)
def test_a_session_ends_only_for_want_of_room(added: int, cached: int, is_refused: bool) -> None:
    """Goal: 70 is right where further partitions do not fit, and nowhere else (seed 503384)."""
    session = SimpleNamespace(epoch=4, uses_topic_ids=True, targets=[0] * 8, is_follower=False)
    cache: Any = SimpleNamespace(
        _sessions={7: session}, _share=lambda _: 10, _partitions_max=40, partitions_cached=cached
    )
    topics = [SimpleNamespace(partitions=[0] * added)]
    request: Any = SimpleNamespace(session_id=7, session_epoch=4, topics=topics)
    asked = go_on(cache, request, 13, 0.0, None)
    next(asked)
    del cache._sessions[7]
    with pytest.raises(StopIteration if is_refused else AssertionError):
        asked.send(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)

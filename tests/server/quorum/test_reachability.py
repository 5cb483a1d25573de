"""Goal: a node without its quorum says soon, and not too often, whom it cannot reach and why."""

from __future__ import annotations

from barnabas.broker.server.quorum.reachability import PATIENCE_MS, REPEAT_MS, Reachability


class StillClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now_ms = 1_000.0

    def monotonic_ms(self) -> float:
        return self.now_ms

    def wall_ms(self) -> int:
        return int(self.now_ms)


class Told:
    """Three peers, one of them known by its address alone, and what was said of them."""

    def __init__(self) -> None:
        self.clock = StillClock()
        where = {2: ("b", 9093), -2: ("seed", 9093)}
        self.lost: list[str] = []
        self.found: list[str] = []
        self.reach = Reachability(
            self.clock, where.get, on_lost=self.lost.append, on_found=self.found.append
        )

    def fail(self, *nodes: int, after_ms: float = 0.0) -> None:
        self.clock.now_ms += after_ms
        for each in nodes:
            self.reach.failed(each, f"reason {each}")


def test_said_after_some_seconds_with_every_peer_and_its_reason() -> None:
    """Goal: nodes that start one after the other say nothing; then each peer is named once."""
    told = Told()
    told.fail(2, 3, -2)
    told.fail(2, 3, -2, after_ms=PATIENCE_MS - 1)
    assert told.lost == []
    told.fail(2, after_ms=1)
    assert told.lost == [
        "seed:9093: reason -2; node 2 at b:9093: reason 2;"
        " node 3 at an address that is not known: reason 3"
    ]
    told.fail(2, 3, -2, after_ms=100)
    assert len(told.lost) == 1


def test_repeated_at_a_slow_rate() -> None:
    """Goal: whoever looks later finds it, and the log is not filled."""
    told = Told()
    for _ in range(100):
        told.fail(2, after_ms=REPEAT_MS / 10)
    assert len(told.lost) == 10


def test_one_that_answers_again_is_told_if_it_was_missed() -> None:
    """Goal: the end of the trouble is in the log as well; what was never told is not."""
    told = Told()
    told.reach.answered(2)
    told.fail(2)
    told.reach.answered(2)
    assert told.found == []
    told.fail(2)
    told.fail(2, after_ms=PATIENCE_MS)
    told.reach.answered(2)
    assert told.found == ["node 2 at b:9093"]
    assert told.reach.describe() == ""
    told.fail(2)
    assert len(told.lost) == 1, "its patience begins anew"


def test_one_that_is_not_tried_any_more_is_not_named_beside_others() -> None:
    """Goal: a leader stops calling a voter that fetches again; when another voter is lost much
    later, only that one is named."""
    told = Told()
    told.fail(2)
    told.fail(2, after_ms=PATIENCE_MS)
    assert len(told.lost) == 1
    told.fail(3, after_ms=REPEAT_MS + 1)
    told.fail(3, after_ms=PATIENCE_MS)
    assert told.lost[1:] == ["node 3 at an address that is not known: reason 3"]
    assert told.found == []

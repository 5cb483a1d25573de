"""The checks of a chaos run see what they are for: each is shown a history that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.batches import around, record

from lab.chaos.availability import DURING, Window, served
from lab.chaos.history import History, Latest, Read, Send, number_of, value_of
from lab.chaos.segments import ReplicaLog, divergences, read_replica
from lab.chaos.verdict import judge, latest_that_went_back, steps_that_skip


def batch(base_offset: int, *numbers: int, epoch: int = 0) -> bytes:
    records = b"".join(record(delta, value_of(number)) for delta, number in enumerate(numbers))
    return around(
        records, count=len(numbers), timestamp=1000, base_offset=base_offset, leader_epoch=epoch
    )


def replica(directory: Path, node_id: int, *batches: bytes) -> ReplicaLog:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "00000000000000000000.log").write_bytes(b"".join(batches))
    return read_replica(directory, node_id, 0)


def history(*sends: Send) -> History:
    found = History(sends=list(sends))
    found.reads = [Read(9.0, 0, one.offset, value_of(one.number)) for one in found.acked]
    return found


def acked(number: int, offset: int) -> Send:
    return Send(number, 0, 1.0, acked_s=2.0, offset=offset)


def test_values_say_their_number() -> None:
    """Goal: every value is different, and a changed one is nobody's."""
    assert number_of(value_of(77)) == 77
    assert number_of(value_of(77)[:-1]) is None
    assert number_of(None) is None


def test_a_right_history_passes(tmp_path: Path) -> None:
    """I-5, I-21: what is in all files where it was acked, and read once, is as it must be."""
    logs = [replica(tmp_path / str(node), node, batch(0, 0, 1), batch(2, 2)) for node in (1, 2)]
    verdict = judge(history(acked(0, 0), acked(1, 1), acked(2, 2)), {0: logs})
    assert verdict.violations == []
    assert (verdict.acked, verdict.lost) == (3, 0)


def test_lost_and_invisible_are_told_apart(tmp_path: Path) -> None:
    """I-5 and I-19: in no file, or in the files but never read."""
    found = history(acked(0, 0), acked(1, 1))
    found.reads.clear()
    verdict = judge(found, {0: [replica(tmp_path, 1, batch(0, 0))]})
    assert (verdict.lost, verdict.invisible) == (1, 1)


def test_duplicates_and_strangers_are_found(tmp_path: Path) -> None:
    """I-21: one record at two offsets; and a value that nobody sent, or a record elsewhere."""
    log = replica(tmp_path, 1, batch(0, 0, 0, 1, 9))
    verdict = judge(history(acked(0, 0), acked(1, 3)), {0: [log]})
    assert (verdict.duplicates, verdict.foreign, verdict.misplaced) == (1, 1, 1)


def test_read_twice_or_skipped(tmp_path: Path) -> None:
    """I-19: the consumer goes on by one, always."""
    found = history(acked(0, 0), acked(1, 1))
    found.reads.append(found.reads[0])
    verdict = judge(found, {0: [replica(tmp_path, 1, batch(0, 0, 1))]})
    assert (verdict.duplicates, verdict.skipped) == (1, 1)
    assert steps_that_skip([Read(1, 0, 4, b""), Read(1, 1, 0, b""), Read(1, 0, 6, b"")]) == [
        "partition 0: 6 after 4"
    ]


def test_latest_may_not_go_back() -> None:
    """I-18: only answers that were there before the question count."""
    first, overlapping = Latest(0.0, 1.0, 0, 10, 1), Latest(0.5, 2.0, 0, 9, 2)
    assert latest_that_went_back([first, overlapping]) == []
    assert latest_that_went_back([first, Latest(1.5, 2.0, 0, 9, 2)]) == ["partition 0: 9 after 10"]
    assert latest_that_went_back([first, Latest(1.5, 2.0, 1, 9, 2)]) == []


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (batch(0, 0, 2), "I-2"),
        (batch(0, 0, 1, epoch=1), "I-2"),
        (b"", "ends at 0"),
        (batch(0, 0, 1)[:-1] + b"?", "damaged"),
    ],
)
def test_replicas_that_differ(tmp_path: Path, other: bytes, text: str) -> None:
    """I-2 over files: other bytes, another epoch, less, or no whole batch."""
    one = replica(tmp_path / "1", 1, batch(0, 0, 1))
    assert divergences([one, one]) == []
    assert text in " ".join(divergences([one, replica(tmp_path / "2", 2, other)]))


def test_the_gap_is_that_of_the_worst_partition() -> None:
    """Goal: one partition that stands still is seen though the others go on."""
    sends = [Send(n, n % 2, n / 10, acked_s=n / 10 + 0.01) for n in range(40)]
    stuck = [one for one in sends if not (one.partition == 1 and 1.0 < one.sent_s < 3.0)]
    found = served(stuck, [Window(1.5, 2.5)])
    assert found[DURING].longest_gap_ms == pytest.approx(2200, abs=1)
    assert found[DURING].rate_per_s == pytest.approx(5, abs=1)
    assert found["before"].longest_gap_ms == pytest.approx(200, abs=1)

"""When `leader-epoch-checkpoint` is written, and that a crash never finds too much in it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from kit.examples import examples
from kit.log_batches import batch
from kit.logs import SMALL, append, config_of, offsets_of, open_log, read_all, split

from barnabas.broker.core.log.leader_epochs import LeaderEpochs
from barnabas.broker.storage.files import RealDisk


def entries_of(path: Path) -> list[tuple[int, int]]:
    """What stands in the file."""
    if not path.exists():
        return []
    lines = path.read_text().splitlines()[2:]
    return [(int(epoch), int(start)) for epoch, start in map(str.split, lines)]


@pytest.mark.parametrize("seed", range(examples(30)))
def test_the_file_has_the_oldest_and_nothing_else(tmp_path: Path, seed: int) -> None:
    """101-01: at any moment it holds some of the first epochs of the log, never one it has not."""
    random = Random(seed)
    path = tmp_path / "leader-epoch-checkpoint"
    epochs = LeaderEpochs(RealDisk(), str(path))
    end = start = writes = 0
    for _ in range(200):
        match random.randrange(6):
            case 0 | 1:
                end += random.randrange(3)
                epochs.assign(max(epochs.latest, 0) + random.randrange(1, 3), end)
            case 2:
                end = max(start, end - random.randrange(4))
                epochs.truncate_from_end(end)
            case 3:
                start = min(end, start + random.randrange(3))
                epochs.truncate_from_start(start)
            case 4 if random.random() < 0.1:
                epochs.clear()
                start = end
            case _ if random.random() < 0.3:
                epochs.write()
                writes += 1
        found = entries_of(path)
        assert found == epochs.entries()[: len(found)]
        assert epochs.unsaved == (len(found) < len(epochs.epochs))
        again = LeaderEpochs(RealDisk(), str(path))
        if path.exists():
            again.load()
            assert again.entries() == found
    assert writes


@pytest.mark.parametrize("seed", range(examples(30)))
def test_the_epoch_before_the_start(tmp_path: Path, seed: int) -> None:
    """I-2: it is that of the record before, unless the log never held that record, or was cut
    where it began."""
    random = Random(seed)
    epochs = LeaderEpochs(RealDisk(), str(tmp_path / "leader-epoch-checkpoint"))
    written: list[int] = []  # the epoch of each offset
    start = begun = 0
    for _ in range(300):
        match random.randrange(12):
            case 0:
                epochs.clear()
                start = begun = len(written)
            case 1 | 2:
                end = random.randrange(start and start - 1, len(written) + 1)
                epochs.truncate_from_end(end)
                del written[end:]
                if end < start:
                    start = begun = end
            case 3 | 4 | 5:
                start = random.randrange(start, len(written) + 1)
                epochs.truncate_from_start(start)
            case _:
                epoch = max(epochs.latest, *written[-1:], 0) + random.randrange(2)
                epochs.assign(epoch, len(written))
                written += [epoch] * random.randrange(3)
        expected = written[start - 1] if start > begun else -1
        assert epochs.epoch_before(start) == expected
        assert epochs.epoch_before(start + 1) == -1


def test_the_epoch_before_a_log_that_begins_anew(tmp_path: Path) -> None:
    """I-2: nothing is known of a record that this log never held, or holds no more."""
    log = open_log(tmp_path)
    for epoch in (1, 1, 4, 4):
        append(log, batch(b"x"), leader_epoch=epoch)
    log.high_watermark = 4
    log.advance_log_start(2)
    assert log.leader_epochs.epoch_before(2) == 1
    log.advance_log_start(3)
    assert log.leader_epochs.epoch_before(3) == 4
    log.truncate_to(3)
    assert log.leader_epochs.epoch_before(3) == 4
    log.truncate_fully_and_start_at(3)
    assert log.leader_epochs.epoch_before(3) == -1


def test_a_new_leader_writes_no_file(tmp_path: Path) -> None:
    """101-01: the epoch is in the file after the next flush; a clean stop is one."""
    log = open_log(tmp_path)
    path = tmp_path / "leader-epoch-checkpoint"
    before = path.read_bytes()
    log.assign_epoch(4)
    log.assign_epoch(7)
    assert path.read_bytes() == before
    assert log.end_offset_for_epoch(7) == (7, 0)
    log.close()
    assert entries_of(path) == [(7, 0)]


@pytest.mark.parametrize("has_index", [True, False])
@pytest.mark.parametrize("found", ["1\n9 1", "1\n9 7", "1\n9 1000000", "0"])
def test_the_file_of_a_later_start(tmp_path: Path, found: str, *, has_index: bool) -> None:
    """279-01: the log's start moved up and took the first epochs along; a power failure brought
    the segments back, not the file. A follower would drop what it has no epoch of."""
    log = open_log(tmp_path)
    for offset in range(30):
        append(log, batch(b"x" * 200), leader_epoch=offset // 7)
    assert len(log.segments) > 2
    log.flush()
    path = tmp_path / "leader-epoch-checkpoint"
    path.write_text(f"0\n{found}\n")
    if not has_index:  # the segment is read through for it, which makes the file no better
        (tmp_path / "00000000000000000000.index").unlink()
    again = open_log(tmp_path, recovery_point=log.log_end_offset)
    assert again.leader_epochs.entries() == log.leader_epochs.entries()
    assert f"{path} begins too late" in str(again.report)
    again.close()
    assert open_log(tmp_path, SMALL, clean=True).report.is_empty


def test_batches_without_epochs_before_the_first(tmp_path: Path) -> None:
    """279-01: nothing is rebuilt where the oldest batches never had an epoch."""
    log = open_log(tmp_path)
    for offset in range(4):
        append(log, batch(b"x"), leader_epoch=-1 if offset < 2 else 3)
    log.flush()
    again = open_log(tmp_path, recovery_point=4)
    assert again.leader_epochs.entries() == [(3, 2)]
    assert not again.report.notes


def test_no_epoch_is_left_in_the_file_of_an_empty_log(tmp_path: Path) -> None:
    """101-01: a broker led an empty log and was killed; what its file says then is no epoch of the
    log, and the next life takes it out (seed 503038)."""
    open_log(tmp_path).close()
    path = tmp_path / "leader-epoch-checkpoint"
    path.write_text("0\n1\n3 0\n")
    log = open_log(tmp_path)
    assert log.leader_epochs.entries() == entries_of(path) == []
    assert log.leader_epochs.dirty, "it is not durable yet"
    log.close()


@pytest.mark.parametrize("gone", [(3,), (3, 4), (3, 4, 5), (2, 3), (6, 7)])
@pytest.mark.parametrize("rolls", [False, True], ids=["one segment", "a segment an epoch"])
def test_epochs_that_began_where_compaction_left_a_hole(
    tmp_path: Path, gone: tuple[int, ...], *, rolls: bool
) -> None:
    """CMP-23, 101-02: they begin where they did, also if that is read through after a crash. Who
    parted from this log there would be told that it did so behind the hole, and keep its records.
    """
    compacted = config_of(cleanup_policy=("compact",))
    log = open_log(tmp_path, compacted)
    for epoch in (1, 2, 4):
        if rolls:
            log.roll()
        for _ in range(3):
            append(log, batch(b"v"), leader_epoch=epoch)
    log.flush()
    known = log.leader_epochs.entries()
    assert known == [(1, 0), (2, 3), (4, 6)]
    for segment in log.segments:
        path = Path(segment.path())
        left = [raw for raw in split(path.read_bytes()) if offsets_of(raw)[0] not in gone]
        path.write_bytes(b"".join(left))
    again = open_log(tmp_path, compacted)
    assert [offsets_of(raw)[0] for raw in read_all(again)] == [
        offset for offset in range(9) if offset not in gone
    ]
    assert again.leader_epochs.entries() == known
    assert again.end_offset_for_epoch(1) == (1, 3)

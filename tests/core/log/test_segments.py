"""The segments of a log: their order, their files, and which of them are open."""

from __future__ import annotations

import pytest
from kit.log_batches import BASE_TIME

from barnabas.broker.core.log.segment_copy import SegmentCopy
from barnabas.broker.core.log.segments import OPEN_SEGMENTS_MAX

from .parts import Parts, names, write


def test_which_segment_holds_an_offset() -> None:
    """Goal: an offset is looked for in the segment that begins at or below it, and behind."""
    segments = Parts(5, 10, 20).segments
    for offset, bases in ((0, [5, 10, 20]), (9, [5, 10, 20]), (10, [10, 20]), (99, [20])):
        assert [one.base_offset for one in segments.since(offset)] == bases
    for offset, bases in ((0, [5]), (5, [5]), (10, [5]), (11, [5, 10]), (99, [5, 10, 20])):
        assert [one.base_offset for one in segments.before(offset)] == bases
    assert [segments.end_of(one) for one in segments if one is not segments.active] == [10, 20]
    assert (segments.first_offset, segments.bases, len(segments)) == (5, (5, 10, 20), 3)


def test_a_new_segment_is_the_active_one() -> None:
    """Goal: it has its files at once, and tells of its indexes when they are made again."""
    parts = Parts(0, 4)
    segment = parts.segments.begin(9, BASE_TIME + 7)
    assert parts.segments.active is segment is parts.segments[-1]
    assert (segment.size, segment.created_ms) == (0, BASE_TIME + 7)
    assert names(parts.disk, ".log") == names(parts.disk, ".index") == [0, 4, 9]
    segment.rebuild_indexes("planted")
    assert len(parts.rebuilt) == 1


def test_what_lies_behind_a_cut_goes() -> None:
    """279-01: the segment of the cut becomes the last one, as it was foreseen to be."""
    parts = Parts(0, 4, 9, 12)
    segments = parts.segments
    shorter = SegmentCopy(segments[1])
    shorter.copy_indexes()
    shorter.shorten(4, 0)
    segments.cut_back(shorter)
    assert (segments.bases, segments.active, segments.active.size) == ((0, 4), segments[1], 0)
    assert names(parts.disk, ".log") == [0, 4]
    write(segments.active)
    assert segments.size_bytes == segments[0].size + segments[1].size > segments[0].size


def test_all_go() -> None:
    """279-04: a log that begins anew has no file of before, and for a moment no segment."""
    parts = Parts(0, 4, 9)
    parts.segments.remove_all()
    assert not len(parts.segments)
    assert names(parts.disk, ".log") == []
    assert parts.segments.begin(100, BASE_TIME) is parts.segments.active
    assert parts.segments.first_offset == 100


def test_a_segment_that_is_parted_with_leaves_its_files() -> None:
    """Goal: readers lose it at once; its files are named, the records first, and still there."""
    parts = Parts(0, 4, 9)
    paths = parts.segments.part_with(parts.segments[0])
    assert parts.segments.bases == (4, 9)
    assert paths[0].endswith(".log")
    assert all(parts.disk.exists(path) for path in paths)


def test_files_are_not_closed_under_a_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: a file that an fsync may be using is closed when the last flush has ended."""
    parts = Parts(0, 4)
    segments = parts.segments
    file = segments[0].file
    closed: list[bool] = []
    monkeypatch.setattr(file, "close", lambda: closed.append(True))
    segments.hold()
    segments.hold()
    assert segments.rest_files() == 0
    segments.part_with(segments[0])
    segments.release()
    assert segments.is_held
    assert not closed
    segments.release()
    assert closed == [True]
    assert not segments.is_held
    assert segments.rest_files() == 1


def test_few_closed_segments_stay_open() -> None:
    """Goal: those that were read last, whatever their number."""
    parts = Parts(*range(0, 40, 4))
    segments = parts.segments
    segments.close()
    for segment in segments:
        segments.touch(segment)
        assert segment.file.size() == segment.size
    opened = [one.base_offset for one in segments if one.is_ready]
    last = OPEN_SEGMENTS_MAX + 1
    assert opened == list(range(0, 40, 4))[-last:]


def test_a_folder_that_moved() -> None:
    """Goal: files are looked for, and made, under the new name."""
    parts = Parts(0, 4)
    parts.segments.close()
    parts.disk.rename("/d/t-0", "/d/t-0.gone-delete")
    parts.segments.moved_to("/d/t-0.gone-delete")
    assert parts.segments[0].file.path.startswith("/d/t-0.gone-delete/")
    assert parts.segments.begin(7, BASE_TIME).path().startswith("/d/t-0.gone-delete/")

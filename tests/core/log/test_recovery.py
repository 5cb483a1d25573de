"""After a crash, and with damaged files: what is kept, what is cut, what is said about it."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from kit import logs
from kit.examples import examples
from kit.log_batches import BASE_TIME, Batch, batch
from kit.logs import SMALL, append, config_of, files_in, offsets_of, open_log, read_all

from barnabas.broker.core.log.partition_log import PartitionLog

PRODUCER = 7
TINY = config_of(internal_segment_bytes=1000, index_interval_bytes=200)


def filled(directory: Path, count: int = 40, *, producer: bool = False) -> PartitionLog:
    """A log of several segments, left open."""
    log = open_log(directory, TINY)
    sequence = 0
    for number in range(count):
        values = [b"%d" % number + b"x" * (number % 50)] * (number % 3 + 1)
        fields = {"producer_id": PRODUCER, "epoch": 0, "sequence": sequence} if producer else {}
        written = batch(*values, timestamp=BASE_TIME + number * 10, **fields)
        append(log, written, leader_epoch=number // 9)
        sequence += len(values)
    return log


def copy(source: Path, target: Path) -> Path:
    """The folder as a killed process leaves it."""
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target)
    return target


def test_kill_loses_nothing_that_was_written(tmp_path: Path) -> None:
    """Goal: page cache survives a kill; indexes that were only in memory are made again."""
    log = filled(tmp_path / "a")
    again = open_log(copy(tmp_path / "a", tmp_path / "b"))
    assert read_all(again) == read_all(log)
    assert again.log_end_offset == log.log_end_offset
    assert again.leader_epochs.entries() == log.leader_epochs.entries()
    assert not again.report.cuts
    assert len(again.report.recovered) == len(log.segments)
    log.close()
    again.close()
    for suffix in (".index", ".timeindex"):
        for one, other in zip(
            files_in(tmp_path / "a", suffix), files_in(tmp_path / "b", suffix), strict=True
        ):
            assert one.read_bytes() == other.read_bytes()


def test_only_what_may_be_unflushed_is_read_through(tmp_path: Path) -> None:
    """Goal: recovery begins with the segment that holds the recovery point."""
    log = filled(tmp_path / "a")
    bases = [segment.base_offset for segment in log.segments]
    again = open_log(copy(tmp_path / "a", tmp_path / "b"), recovery_point=bases[2] + 1)
    assert len(again.report.recovered) == len(bases) - 2
    assert read_all(again) == read_all(log)


@pytest.mark.slow
@pytest.mark.parametrize("clean", [False, True])
def test_a_tail_cut_at_any_byte(tmp_path: Path, clean: bool) -> None:
    """Goal: P-16; every whole batch stays, the torn one goes and is named, marker or not."""
    log = filled(tmp_path / "a", 14)
    whole = read_all(log)
    log.close()
    last = files_in(tmp_path / "a", ".log")[-1]
    data = last.read_bytes()
    base = int(last.stem)
    tail = [raw for raw in whole if offsets_of(raw)[0] >= base]
    before = len(whole) - len(tail)
    for cut in range(len(data)):
        folder = copy(tmp_path / "a", tmp_path / "b")
        (folder / last.name).write_bytes(data[:cut])
        again = open_log(folder, clean=clean)
        kept = before + sum(
            1 for number in range(len(tail)) if sum(map(len, tail[: number + 1])) <= cut
        )
        assert read_all(again) == whole[:kept]
        expected_end = offsets_of(whole[kept - 1])[1] + 1 if kept > before else base
        assert again.log_end_offset == expected_end
        torn = cut - sum(len(raw) for raw in tail[: kept - before])
        assert [found.bytes for found in again.report.cuts] == ([torn] if torn else [])
        if torn:
            assert str(again.report.cuts[0]).startswith(f"{folder / last.name}: cut {torn} bytes")
        append(again, batch(b"next"))
        assert offsets_of(read_all(again)[-1])[0] == expected_end
        again.close(clean=False)


def test_zeros_after_the_last_batch(tmp_path: Path) -> None:
    """Goal: a file that grew before its data arrived is cut to the data."""
    log = filled(tmp_path)
    whole = read_all(log)
    log.close(clean=False)
    with files_in(tmp_path, ".log")[-1].open("ab") as file:
        file.write(bytes(5000))
    again = open_log(tmp_path)
    assert read_all(again) == whole
    assert again.report.cuts[0].bytes == 5000
    assert "cut 5000 bytes at position" in str(again.report)
    assert "segments read through: " in str(again.report)


@pytest.mark.parametrize("seed", range(examples(60)))
def test_a_flipped_byte_in_an_unflushed_segment(tmp_path: Path, seed: int) -> None:
    """Goal: P-15; the batch it hit and all after it go, later segments too, and are named."""
    random = Random(seed)
    log = filled(tmp_path)
    whole = read_all(log)
    log.close(clean=False)
    victim = random.choice(files_in(tmp_path, ".log"))
    data = bytearray(victim.read_bytes())
    at = random.randrange(len(data))
    if whole[-1] in data and at >= len(data) - len(whole[-1]):
        at = len(data) - 1  # nothing can tell the last batch's offset from another one
    data[at] ^= 1 << random.randrange(8)
    victim.write_bytes(data)
    again = open_log(tmp_path)
    kept = read_all(again)
    if kept != whole[: len(kept)]:
        assert _only_epoch_differs(kept, whole[: len(kept)])
        # One that is newer than those behind it looks like what came in their place.
        assert len(kept) == len(whole) or "comes after epoch" in str(again.report)
    else:
        assert again.report.cuts
        position = again.report.cuts[0].position
        assert position <= at
        assert again.report.cuts[0].path == str(victim)
        later = [segment for segment in log.segments if segment.path() > str(victim)]
        assert [cut.path for cut in again.report.cuts[1:]] == [part.path() for part in later]
        assert all(Path(part.path() + ".cut").stat().st_size == part.size for part in later)
    append(again, batch(b"next"), leader_epoch=9)
    assert offsets_of(read_all(again)[-1])[0] == again.log_end_offset - 1


def _only_epoch_differs(kept: list[bytes], whole: list[bytes]) -> bool:
    # The leader epoch is outside of the checksum: Kafka cannot see that either.
    return [raw[:12] + raw[16:] for raw in kept] == [raw[:12] + raw[16:] for raw in whole]


DAMAGES = ["missing", "empty", "zeros", "garbage", "odd", "shifted", "flip"]


def damage(path: Path, kind: str, random: Random) -> None:
    data = bytearray(path.read_bytes())
    if kind == "missing":
        path.unlink()
        return
    if kind == "empty":
        data = bytearray()
    elif kind == "zeros":
        data += bytes(96)
    elif kind == "garbage":
        data = bytearray(random.randbytes(len(data)))
    elif kind == "odd":
        data += b"\x01"
    elif kind == "shifted":
        data = data[4:] + data[:4]
    elif data:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    path.write_bytes(data)


@pytest.mark.parametrize("suffix", [".index", ".timeindex"])
@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_index_never_gives_wrong_records(tmp_path: Path, suffix: str, kind: str) -> None:
    """Goal: P-15; by offset and by time, the answers are those of the undamaged log."""
    log = filled(tmp_path / "a", 60)
    whole = read_all(log)
    end = log.log_end_offset
    places = {offset: log.read(offset, 1, end) for offset in range(end)}
    times = {at: logs.offset_for_timestamp(log, BASE_TIME + at) for at in range(-5, 620, 3)}
    largest = logs.max_timestamp(log)
    log.close()
    for number in range(len(files_in(tmp_path / "a", suffix))):
        for seed in range(8 if kind in {"flip", "garbage"} else 1):
            folder = copy(tmp_path / "a", tmp_path / "b")
            damage(files_in(folder, suffix)[number], kind, Random(seed))
            again = open_log(folder, clean=True)
            assert read_all(again) == whole
            for offset, expected in list(places.items())[seed % 3 :: 3]:
                assert bytes(again.read(offset, 1, end)) == bytes(expected)
            for at, found in list(times.items())[seed % 4 :: 4]:
                assert logs.offset_for_timestamp(again, BASE_TIME + at) == found
            assert logs.max_timestamp(again) == largest
            again.close(clean=False)


def test_indexes_that_kafka_left_at_full_length(tmp_path: Path) -> None:
    """Goal: Kafka makes the active segment's indexes 10 MiB long; those zeros are no damage."""
    log = filled(tmp_path)
    whole = read_all(log)
    log.close()
    for suffix, size in ((".index", 8), (".timeindex", 12)):
        path = files_in(tmp_path, suffix)[-1]
        path.write_bytes(path.read_bytes() + bytes(size * 1000))
    again = open_log(tmp_path, clean=True)
    assert read_all(again) == whole
    assert again.report.is_empty
    for _ in range(10):
        append(again, batch(b"x" * 60))
    count = len(again.segments[-1].index)
    again.close()
    assert files_in(tmp_path, ".index")[-1].stat().st_size == count * 8


def test_damaged_leader_epochs_are_read_from_the_batches(tmp_path: Path) -> None:
    """Goal: the checkpoint is a cache of what the batches say."""
    log = filled(tmp_path / "a")
    epochs = log.leader_epochs.entries()
    log.close()
    for content in (b"", b"0\n7\n1 2\n", b"\xff\xfe", b"0\n1\n-1 x\n", b"1\n0\n", None):
        folder = copy(tmp_path / "a", tmp_path / "b")
        path = folder / "leader-epoch-checkpoint"
        if content is None:
            path.unlink()
        else:
            path.write_bytes(content)
        again = open_log(folder, clean=True)
        assert again.leader_epochs.entries() == epochs
        again.close()
        assert path.read_bytes() == (tmp_path / "a" / path.name).read_bytes()


def test_leader_epochs_beyond_the_end_are_dropped(tmp_path: Path) -> None:
    """Goal: F-16, epochs from the future: no answer ever names an offset that is not there."""
    log = filled(tmp_path)
    end, known = log.log_end_offset, log.leader_epochs.entries()
    log.close()
    lines = [f"{epoch} {start}" for epoch, start in [*known, (99, end + 1000)]]
    text = "\n".join(["0", str(len(lines)), *lines, ""])
    (tmp_path / "leader-epoch-checkpoint").write_text(text)
    assert open_log(tmp_path, clean=True).leader_epochs.entries() == known


def test_damaged_producer_snapshots(tmp_path: Path) -> None:
    """Goal: 98-04; an older snapshot and the batches since give the same state."""
    log = filled(tmp_path / "a", producer=True)
    entry = log.producers.by_id[PRODUCER]
    log.close()
    snapshots = files_in(tmp_path / "a", ".snapshot")
    assert len(snapshots) > 3
    for bad in range(len(snapshots) + 1):
        folder = copy(tmp_path / "a", tmp_path / "b")
        for path in files_in(folder, ".snapshot")[-bad:] if bad else []:
            path.write_bytes(path.read_bytes()[:-1] + b"\x55")
        again = open_log(folder, clean=True).producers.by_id[PRODUCER]
        assert again.next_sequence == entry.next_sequence
        assert again.batches[-1] == entry.batches[-1]


def test_leftovers_of_deletion_and_compaction(tmp_path: Path) -> None:
    """Goal: .deleted and .cleaned go, .swap is finished, an index without a segment goes."""
    log = filled(tmp_path)
    whole = read_all(log)
    bases = [segment.base_offset for segment in log.segments]
    log.close()
    first = f"{bases[0]:020d}"
    # Compaction of the first two segments into one had been finished, but for the renames.
    merged = b"".join(raw for raw in whole if offsets_of(raw)[0] < bases[2])
    (tmp_path / f"{first}.log.swap").write_bytes(merged)
    (tmp_path / f"{first}.index.swap").write_bytes(b"")
    (tmp_path / f"{first}.timeindex.swap").write_bytes(b"")
    (tmp_path / f"{bases[3]:020d}.log.cleaned").write_bytes(b"half")
    (tmp_path / f"{999:020d}.log.deleted").write_bytes(b"old")
    (tmp_path / f"{998:020d}.index").write_bytes(b"")
    again = open_log(tmp_path, clean=True)
    assert read_all(again) == whole
    assert [segment.base_offset for segment in again.segments] == [bases[0], *bases[2:]]
    assert not [
        path for path in tmp_path.iterdir() if path.suffix in {".swap", ".cleaned", ".deleted"}
    ]
    assert not (tmp_path / f"{998:020d}.index").exists()


def test_a_swap_of_an_interrupted_split_is_dropped(tmp_path: Path) -> None:
    """Goal: .swap files at or above a .cleaned one are part of an unfinished split."""
    log = filled(tmp_path)
    whole = read_all(log)
    log.close()
    (tmp_path / f"{0:020d}.log.cleaned").write_bytes(b"")
    (tmp_path / f"{0:020d}.log.swap").write_bytes(b"")
    again = open_log(tmp_path, clean=True)
    assert read_all(again) == whole


def test_a_log_that_ends_before_its_start_begins_anew(tmp_path: Path) -> None:
    """Goal: segments were taken away by hand; the checkpointed start is kept, and said."""
    log = filled(tmp_path)
    end = log.log_end_offset
    log.close()
    again = open_log(tmp_path, clean=True, log_start_offset=end + 10)
    assert (again.log_start_offset, again.log_end_offset) == (end + 10, end + 10)
    assert "begun anew" in again.report.notes[0]
    append(again, batch())
    assert offsets_of(read_all(again)[0])[0] == end + 10


def test_missing_segment_files_and_odd_names(tmp_path: Path) -> None:
    """Goal: F-16; files that are not ours are left alone, empty ones are no harm."""
    log = filled(tmp_path)
    whole = read_all(log)
    log.close()
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "12.log").write_text("mine")
    (tmp_path / f"{10**19:020d}.index").write_bytes(b"")
    again = open_log(tmp_path, clean=True)
    assert read_all(again) == whole
    assert (tmp_path / "notes.txt").exists()
    assert (tmp_path / "12.log").exists()


def test_a_huge_index_is_not_read(tmp_path: Path) -> None:
    """Goal: F-16; a file that cannot be an index costs no memory."""
    log = filled(tmp_path)
    whole = read_all(log)
    log.close()
    for suffix in (".index", ".timeindex"):
        with files_in(tmp_path, suffix)[0].open("r+b") as file:
            file.truncate(1 << 40)
    again = open_log(tmp_path, clean=True)
    assert read_all(again) == whole
    assert "more than any index" in again.report.notes[0]


def test_a_folder_in_the_place_of_a_segment(tmp_path: Path) -> None:
    """Goal: F-16; refused, and the message names it."""
    (tmp_path / f"{0:020d}.log").mkdir()
    with pytest.raises(OSError, match=r"0\.log"):
        open_log(tmp_path)


def test_old_message_formats_are_kept(tmp_path: Path) -> None:
    """Goal: a log of magic 0 and 1, as an old cluster left it, is walked, checked and cut."""
    import struct
    from zlib import crc32

    def message(offset: int, magic: int, value: bytes) -> bytes:
        body = bytes([magic, 0]) + (struct.pack(">q", BASE_TIME + offset) if magic else b"")
        body += struct.pack(">i", -1) + struct.pack(">i", len(value)) + value
        return struct.pack(">qiI", offset, len(body) + 4, crc32(body)) + body

    parts = [message(offset, offset % 2, b"v" * (offset % 7)) for offset in range(30)]
    parts.append(message(30, 0, b""))
    path = tmp_path / f"{0:020d}.log"
    path.write_bytes(b"".join(parts))
    log = open_log(tmp_path)
    assert log.log_end_offset == 31
    assert read_all_old(log) == b"".join(parts)
    for offset in range(31):
        assert bytes(log.read(offset, 1, 31)) == parts[offset]
    log.close(clean=False)
    path.write_bytes(b"".join(parts)[:-3])
    assert open_log(tmp_path, SMALL).log_end_offset == 30


def read_all_old(log: PartitionLog) -> bytes:
    return bytes(log.read(0, 1 << 20, log.log_end_offset))


def test_future_index_interval_does_not_matter(tmp_path: Path) -> None:
    """Goal: an index of any density works."""
    log = filled(tmp_path)
    whole = read_all(log)
    log.close()
    for interval in (0, 1 << 20):
        again = open_log(tmp_path, config_of(index_interval_bytes=interval))
        assert read_all(again) == whole
        again.close()


def test_batches_out_of_order_are_cut(tmp_path: Path) -> None:
    """Goal: offsets that go back are damage, even with a good checksum."""
    log = open_log(tmp_path)
    append(log, batch(b"a", b"b"))
    log.close(clean=False)
    with files_in(tmp_path, ".log")[0].open("ab") as file:
        file.write(Batch(base_offset=1).encoded)
    again = open_log(tmp_path)
    assert again.log_end_offset == 2
    assert "comes after" in again.report.cuts[0].reason

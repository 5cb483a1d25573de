"""Base offsets that cannot be, in a log's file: neither a start nor an index takes them for true.

No checksum covers them, so a bit of them turns over without anybody's knowing.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.log_batches import BASE_TIME, batch
from kit.logs import append, config_of, files_in, offsets_of, open_log, read_all
from kit.rotten import positions_in, turn_bit

from barnabas.broker.core.log.partition_log import PartitionLog

COUNT = 30
CONFIG = config_of(index_interval_bytes=1000)

SIGN, HIGH = pytest.param(0x80, id="negative"), pytest.param(0x40, id="out of reach")


def stopped(directory: Path, size: int) -> Path:
    """The file of a log of thirty batches of this size, stopped in good order."""
    log = open_log(directory, CONFIG)
    for number in range(COUNT):
        append(log, batch(b"x" * size, timestamp=BASE_TIME + number))
    log.close()
    (path,) = files_in(directory, ".log")
    return path


def begins_of(log: PartitionLog) -> list[int]:
    return [offsets_of(raw)[0] for raw in read_all(log)]


@pytest.mark.parametrize("bit", [SIGN, HIGH])
@pytest.mark.parametrize("size", [30, 300, 2000])
def test_the_last_batch_only_is_cut(tmp_path: Path, bit: int, size: int) -> None:
    """I-5: after a stop in good order, all batches before it are there, indexed or not."""
    path = stopped(tmp_path, size)
    turn_bit(path, -1, 0, bit)
    log = open_log(tmp_path, CONFIG, clean=True)
    assert (log.log_start_offset, log.log_end_offset) == (0, COUNT - 1)
    assert begins_of(log) == list(range(COUNT - 1))
    (cut,) = log.report.cuts
    assert cut.path == str(path)
    append(log, batch(b"more"))
    log.close()
    again = open_log(tmp_path, CONFIG, clean=True)
    assert begins_of(again) == list(range(COUNT))


@pytest.mark.parametrize("bit", [SIGN, HIGH])
@pytest.mark.parametrize(("size", "number"), [(300, COUNT - 1), (2000, COUNT - 1), (2000, 14)])
def test_an_index_that_is_made_anew(tmp_path: Path, bit: int, size: int, number: int) -> None:
    """Goal: it names batches whose offsets go up, each where it is; the others are left out."""
    path = stopped(tmp_path, size)
    log = open_log(tmp_path, CONFIG, clean=True)
    turn_bit(path, number, 0, bit)
    made = log.segments[0].with_new_indexes()
    places = positions_in(path.read_bytes())
    entries = [
        (made.base_offset + offset, position)
        for offset, position in zip(made.index.offsets, made.index.positions, strict=True)
    ]
    assert len(entries) >= COUNT * size // 3000
    assert all(places[offset] == position for offset, position in entries)
    assert number not in [offset for offset, _ in entries]
    assert list(made.index.offsets) == sorted(set(made.index.offsets))

"""The parts of a log, each by itself, on a simulated disk."""

from __future__ import annotations

from random import Random

from kit.log_batches import BASE_TIME, Batch
from kit.logs import ManualClock, env_of

from barnabas.broker.core.log.opening import Opening
from barnabas.broker.core.log.segment import Segment
from barnabas.broker.core.log.segments import Segments
from barnabas.broker.core.ports import Env
from barnabas.testing.simulation.disk import SimulatedDisk

FOLDER = "/d/t-0"


class Parts:
    """What a log is made of: an opened folder, and a segment for each of `bases`."""

    def __init__(self, *bases: int, clean: bool = True, recovery_point: int = 0) -> None:
        """Every segment but the last holds one batch, of its base offset."""
        self.disk = SimulatedDisk(Random(3))
        self.disk.make_directory(FOLDER)
        self.clock = ManualClock()
        self.env: Env = env_of(self.disk, self.clock)
        self.opening = Opening(
            self.disk,
            FOLDER,
            name="t-0",
            now_ms=BASE_TIME,
            index_interval=100,
            producer_expiration_ms=1 << 40,
            recovery_point=recovery_point,
            log_start_offset=bases[0] if bases else 0,
            clean=clean,
        )
        self.opening.run()
        self.rebuilt: list[str] = []
        self.segments = Segments(
            self.disk,
            FOLDER,
            self.opening.segments,
            index_interval=100,
            on_rebuild=lambda path, _: self.rebuilt.append(path),
        )
        for base in bases[1:]:
            write(self.segments.active)
            self.segments.begin(base, BASE_TIME)


def write(segment: Segment, timestamp: int = BASE_TIME) -> None:
    """Append one record at the segment's base offset."""
    raw = Batch(base_offset=segment.base_offset, timestamp=timestamp, leader_epoch=0).encoded
    segment.append((raw,), len(raw), segment.base_offset, timestamp)


def names(disk: SimulatedDisk, suffix: str) -> list[int]:
    """Offsets of the segments that have a file with this suffix."""
    found = disk.list_directory(FOLDER)
    return [int(name[: -len(suffix)]) for name in found if name.endswith(suffix)]

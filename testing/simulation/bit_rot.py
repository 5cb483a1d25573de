"""Which bit of a disk rots: one that a checksum guards, so that whoever reads it can notice.

Other bits (the base offset in front of a batch, a number in a checkpoint) lie in no checksum of
Kafka's formats, and nobody who uses these formats can tell that they have changed.
"""

from __future__ import annotations

from random import Random

from barnabas.broker.core.log.producer_snapshots import CHECKED_FROM
from barnabas.protocol.batch_walk import walk_buffer
from barnabas.protocol.record_batch import ATTRIBUTES_AT

from .disk import SimulatedDisk

OF_BATCHES = (".log", ".checkpoint")
OF_PRODUCERS = ".snapshot"


def draw_bit(disk: SimulatedDisk, random: Random) -> tuple[str, int] | None:
    """The path and number of a bit; None if there is nothing that could rot."""
    guarded: list[tuple[str, int, int]] = []
    for path, content in disk.copy().items():
        if path.endswith(OF_BATCHES):
            guarded += (
                (path, batch.position + ATTRIBUTES_AT, batch.position + batch.size)
                for batch in walk_buffer(content)
            )
        elif path.endswith(OF_PRODUCERS) and len(content) > CHECKED_FROM:
            guarded.append((path, CHECKED_FROM, len(content)))
    if not guarded:
        return None
    # Each file is as likely as any other, however many batches it has.
    chosen = random.choice(sorted({path for path, _, _ in guarded}))
    path, start, end = random.choice([one for one in guarded if one[0] == chosen])
    return path, 8 * random.randrange(start, end) + random.randrange(8)

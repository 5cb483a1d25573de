"""Which bit of a disk rots: one that a checksum guards, so that whoever reads it can notice.

Other bits (the base offset in front of a batch, a number in a checkpoint) lie in no checksum of
Kafka's formats, and nobody who uses these formats can tell that they have changed.
"""

from __future__ import annotations

from random import Random

from barnabas.protocol.batch_walk import walk_buffer

from .disk import SimulatedDisk

GUARDED_FROM = 21
"""Of a record batch: what its CRC covers begins here."""

PRODUCERS_GUARDED_FROM = 6
"""Of a snapshot of producers: version and CRC come first."""

OF_BATCHES = (".log", ".checkpoint")
OF_PRODUCERS = ".snapshot"


def draw_bit(disk: SimulatedDisk, random: Random) -> tuple[str, int] | None:
    """Path and number of a bit; None if there is nothing that could rot."""
    guarded: list[tuple[str, int, int]] = []
    for path, content in disk.copy().items():
        if path.endswith(OF_BATCHES):
            guarded += (
                (path, batch.position + GUARDED_FROM, batch.position + batch.size)
                for batch in walk_buffer(content)
                if batch.size > GUARDED_FROM
            )
        elif path.endswith(OF_PRODUCERS) and len(content) > PRODUCERS_GUARDED_FROM:
            guarded.append((path, PRODUCERS_GUARDED_FROM, len(content)))
    if not guarded:
        return None
    # Each file is as likely as another, however many batches it has.
    chosen = random.choice(sorted({path for path, _, _ in guarded}))
    path, start, end = random.choice([one for one in guarded if one[0] == chosen])
    return path, 8 * random.randrange(start, end) + random.randrange(8)

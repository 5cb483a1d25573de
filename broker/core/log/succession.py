"""A log that takes the place of another which holds the same records (KIP-113)."""

from __future__ import annotations

from .partition_log import PartitionLog


def succeed(log: PartitionLog, former: PartitionLog) -> None:
    """Have `log` know what `former` knows beyond its records. Changes no file.

    Producers of which nothing is left in the log, transactions that are being verified, how far it
    was compacted, the watermark; searches that were begun in either log may not go on.
    """
    assert log.log_end_offset == former.log_end_offset
    log.reader.follow_on(former.reader)
    log.producers.take_over(former.producers)
    log.producers.verifications = former.producers.verifications
    if former.compaction.clean_end is not None:  # else there may be holes that only a copy notices
        log.compaction.clean_end = former.compaction.clean_end
    log.high_watermark = former.high_watermark

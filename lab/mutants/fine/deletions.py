"""Records that are deleted from the beginning of the logs: KIP-107."""

from __future__ import annotations

from ..planting import FineMutant

MUTANTS = (
    FineMutant(
        "deleted-by-the-leader-alone",
        "107-02",
        "a deletion is answered before followers have it",
        "broker/core/replication/low_watermark.py",
        "if progress.log_start_offset < low and self._around",
        "if progress.log_start_offset < 0 and self._around",
    ),
    FineMutant(
        "start-is-not-told",
        "107-03",
        "a follower's log begins where it always did",
        "broker/core/replication/follower.py",
        "        if log_start_offset > log.log_start_offset:",
        "        if log_start_offset > log.log_start_offset + 1000:",
    ),
    FineMutant(
        "begins-between-batches-only",
        "107-04",
        "a log never begins with the batch that its leader's starts within",
        "broker/server/replication/copying.py",
        "        if anew is not None:",
        "        if anew is not None and anew.offset < 0:",
    ),
)

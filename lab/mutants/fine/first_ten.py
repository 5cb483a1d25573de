"""Ten bugs that were chosen without a look at any list: of thirty drawn seeds two found one."""

from __future__ import annotations

from ..planting import FineMutant

MUTANTS = (
    FineMutant(
        "no-window-after-election",
        "207-01",
        "a new leader answers LATEST before its watermark has come to its epoch's start",
        "broker/handlers/list_offsets/handler.py",
        "        is_client\n        and partition.high_watermark < leader.epoch_start_offset",
        "        is_client\n        and partition.high_watermark < 0",
    ),
    FineMutant(
        "shrink-counted-early",
        "497-03",
        "who is about to leave the in-sync set does not count any more",
        "broker/core/replication/isr.py",
        "        self.maximal = self.committed + added",
        "        self.maximal = tuple(member for member, _ in change.isr)",
    ),
    FineMutant(
        "names-never-flushed",
        "I-5",
        "names of new segments are never made durable",
        "broker/core/log/flushing.py",
        "            self._disk.fsync_directory(self._path)",
        "            pass",
    ),
    FineMutant(
        "follower-acknowledges-before-flush",
        "I-5",
        "a follower fetches on before what it got is flushed",
        "broker/server/replication/fetcher.py",
        "elif outcome is Outcome.NEXT and _must_flush(one.followed):",
        "elif outcome is Outcome.NEXT and one.followed.is_ended:",
    ),
    FineMutant(
        "own-log-counted-unflushed",
        "I-5",
        "the leader's own log counts before it is flushed",
        "broker/core/replication/leader.py",
        "            end = log.recovery_point\n",
        "            end = log.log_end_offset\n",
    ),
    FineMutant(
        "fsync-error-ignored",
        "I-5",
        "an fsync that failed counts as one that did not",
        "broker/core/log/flushing.py",
        "                self.failures[number] = error",
        "                del error",
    ),
    FineMutant(
        "cut-keeps-epochs",
        "101-01",
        "a cut leaves the epochs of what it took away",
        "broker/core/log/leader_epochs.py",
        "        keep = bisect_left(self.starts, end_offset)\n        if keep < len(self.starts):",
        "        keep = bisect_left(self.starts, end_offset)\n        if keep > len(self.starts):",
    ),
    FineMutant(
        "old-broker-epoch-accepted",
        "903-01",
        "a fetch counts in an epoch of its broker that nobody knows",
        "broker/core/replication/leader.py",
        "        return 0 <= broker_epoch == self._around.cluster.broker_epoch(replica_id)",
        "        return broker_epoch >= 0",
    ),
    FineMutant(
        "followers-forget-producers",
        "98-04",
        "a follower does not note who wrote what it copies",
        "broker/core/log/writer.py",
        "            if batch.magic >= 2:\n                behind = batch.position + batch.size\n",
        "            if batch.magic > 2:\n                behind = batch.position + batch.size\n",
    ),
    FineMutant(
        "duplicate-acknowledged-early",
        "98-02",
        "a batch that comes again is acknowledged before it is committed",
        "broker/server/fast_produce.py",
        "high_watermark <= last and not partition.is_acknowledged(last + 1, acks):",
        "high_watermark <= last and not result.is_duplicate:",
    ),
)

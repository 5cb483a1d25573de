"""Opening one partition's log, or making it."""

from __future__ import annotations

from collections.abc import Callable

from ..config.topic import TopicConfig
from ..ports import Env
from .deletion import DeletionSchedule
from .failures import LogDirectoryFailure
from .identity import ZERO_UUID
from .opening import Opening
from .partition_log import PartitionLog
from .recovery_watch import RecoveryWatch

PRODUCER_EXPIRATION_MS = 86_400_000


def open_log(  # noqa: PLR0913 - each one a fact of the partition, all but three optional
    directory: str,
    env: Env,
    config: TopicConfig,
    *,
    topic: str,
    partition: int,
    topic_id: bytes = ZERO_UUID,
    recovery_point: int = 0,
    log_start_offset: int = 0,
    high_watermark: int = 0,
    clean_end: int | None = None,
    clean: bool = False,
    deletions: DeletionSchedule | None = None,
    on_failure: Callable[[LogDirectoryFailure], None] | None = None,
    producer_expiration_ms: int = PRODUCER_EXPIRATION_MS,
    watch: RecoveryWatch | None = None,
) -> PartitionLog:
    """Open a partition's folder, or make it.

    `high_watermark`: as it was checkpointed; 0 if it was not.
    `clean_end`: up to where it was compacted; None if it never was.
    `clean`: the node stopped in good order, so nothing needs to be checked. Otherwise the
    segments from `recovery_point` on (-1: not known) are read through; the log's `report` says
    what was put right; `watch` says how far that is.
    Raises OSError, RecoveryStoppedError.
    """
    env.disk.make_directory(directory)
    opening = Opening(
        env.disk,
        directory,
        name=f"{topic}-{partition}",
        now_ms=env.clock.wall_ms(),
        index_interval=config.index_interval_bytes,
        producer_expiration_ms=producer_expiration_ms,
        recovery_point=recovery_point,
        log_start_offset=log_start_offset,
        high_watermark=high_watermark,
        clean=clean,
        contiguous="compact" not in config.cleanup_policy,
        clean_end=clean_end,
        watch=watch,
    )
    opening.run()
    log = PartitionLog(
        opening,
        env,
        config,
        topic=topic,
        partition=partition,
        topic_id=topic_id,
        deletions=DeletionSchedule(env.disk) if deletions is None else deletions,
        on_failure=on_failure,
    )
    log.high_watermark = high_watermark
    return log

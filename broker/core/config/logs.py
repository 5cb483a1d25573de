"""Settings of logs: the broker's defaults for topics, and the work that keeps logs in shape."""

from __future__ import annotations

from dataclasses import dataclass

from .field import (
    DAY_MS,
    GIB,
    HOUR_MS,
    KIB,
    LONG_MAX,
    MIB,
    MINUTE_MS,
    SECOND_MS,
    Long,
    Names,
    Settings,
    setting,
)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class LogSettings(Settings):
    """Where logs are, what a topic's settings are when the topic does not say."""

    log_dirs: Names = setting(
        ("barnabas-data",), aliases=("log.dir",), doc="Directories of the logs."
    )
    metadata_log_dir: str | None = setting(
        None, doc="Directory of the metadata log; the first of `log.dirs` if not set."
    )
    num_partitions: int = setting(
        1, minimum=1, maximum=10_000, doc="Partitions of a topic that is created without a number."
    )
    default_replication_factor: int = setting(
        1, minimum=1, maximum=32767, doc="Replicas of a topic that is created without a number."
    )
    auto_create_topics_enable: bool = setting(
        True, doc="Whether a topic is created when a client asks for its metadata."
    )
    delete_topic_enable: bool = setting(True, doc="Whether topics can be deleted.")
    max_partitions_per_request: int = setting(
        10_000, minimum=1, doc="Most new partitions in one request that creates topics."
    )
    log_segment_bytes: int = setting(
        GIB, unit="bytes", minimum=MIB, dynamic=True, doc="Default of `segment.bytes`."
    )
    log_roll_ms: Long | None = setting(
        None, unit="ms", minimum=1, dynamic=True, doc="Default of `segment.ms`."
    )
    log_roll_hours: int = setting(
        168, unit="h", minimum=1, doc="Default of `segment.ms`, if `log.roll.ms` is not set."
    )
    log_roll_jitter_ms: Long | None = setting(
        None, unit="ms", minimum=0, dynamic=True, doc="Default of `segment.jitter.ms`."
    )
    log_roll_jitter_hours: int = setting(
        0, unit="h", minimum=0, doc="The same in hours, if `log.roll.jitter.ms` is not set."
    )
    log_retention_ms: Long | None = setting(
        None, unit="ms", minimum=-1, dynamic=True, doc="Default of `retention.ms`."
    )
    log_retention_minutes: int | None = setting(
        None, unit="min", minimum=-1, doc="The same in minutes, if `log.retention.ms` is not set."
    )
    log_retention_hours: int = setting(
        168, unit="h", minimum=-1, doc="The same in hours, if neither ms nor minutes are set."
    )
    log_retention_bytes: Long = setting(
        -1, unit="bytes", minimum=-1, dynamic=True, doc="Default of `retention.bytes`."
    )
    log_retention_check_interval_ms: Long = setting(
        5 * MINUTE_MS, unit="ms", minimum=1, doc="How often logs are shortened."
    )
    log_cleanup_policy: Names = setting(
        ("delete",),
        choices=("compact", "delete"),
        dynamic=True,
        doc="Default of `cleanup.policy`.",
    )
    log_index_size_max_bytes: int = setting(
        10 * MIB,
        unit="bytes",
        minimum=4,
        dynamic=True,
        doc="Default of `segment.index.bytes`.",
    )
    log_index_interval_bytes: int = setting(
        4096,
        unit="bytes",
        minimum=0,
        dynamic=True,
        doc="Default of `index.interval.bytes`.",
    )
    log_segment_delete_delay_ms: Long = setting(
        MINUTE_MS, unit="ms", minimum=0, dynamic=True, doc="Default of `file.delete.delay.ms`."
    )
    log_flush_interval_messages: Long = setting(
        LONG_MAX,
        unit="records",
        minimum=1,
        dynamic=True,
        doc="Default of `flush.messages`.",
    )
    log_flush_interval_ms: Long | None = setting(
        None, unit="ms", minimum=0, dynamic=True, doc="Default of `flush.ms`."
    )
    log_flush_scheduler_interval_ms: Long = setting(
        LONG_MAX, unit="ms", minimum=1, doc="How often logs are looked at for `flush.ms`."
    )
    log_flush_offset_checkpoint_interval_ms: int = setting(
        MINUTE_MS,
        unit="ms",
        minimum=1,
        doc="How often recovery points are written down.",
        has_effect=False,
    )
    log_flush_start_offset_checkpoint_interval_ms: int = setting(
        MINUTE_MS,
        unit="ms",
        minimum=1,
        doc="How often log start offsets are written down.",
        has_effect=False,
    )
    log_preallocate: bool = setting(
        False,
        dynamic=True,
        doc="Default of `preallocate`.",
        has_effect=False,
    )
    log_message_timestamp_type: str = setting(
        "CreateTime",
        choices=("CreateTime", "LogAppendTime"),
        dynamic=True,
        doc="Default of `message.timestamp.type`.",
    )
    log_message_timestamp_before_max_ms: Long = setting(
        LONG_MAX,
        unit="ms",
        minimum=0,
        dynamic=True,
        doc="Default of `message.timestamp.before.max.ms`.",
    )
    log_message_timestamp_after_max_ms: Long = setting(
        HOUR_MS,
        unit="ms",
        minimum=0,
        dynamic=True,
        doc="Default of `message.timestamp.after.max.ms`.",
    )
    log_cleaner_enable: bool = setting(
        True, doc="Whether logs are compacted. Without it compacted topics keep all their records."
    )
    log_cleaner_threads: int = setting(
        1, minimum=1, maximum=64, doc="Logs that are compacted at one time, each on a thread."
    )
    log_cleaner_dedupe_buffer_size: Long = setting(
        128 * MIB,
        unit="bytes",
        minimum=MIB,
        dynamic=True,
        doc="Memory of all threads for the keys of the rounds that run; a key takes 200 bytes. A "
        "log with more keys in its dirty part is compacted in several rounds.",
    )
    log_cleaner_io_buffer_size: int = setting(
        512 * KIB,
        unit="bytes",
        minimum=4 * KIB,
        dynamic=True,
        doc="Memory of all threads for reading and for writing.",
    )
    log_cleaner_io_buffer_load_factor: float = setting(
        0.9,
        minimum=0.01,
        maximum=1,
        dynamic=True,
        doc="Share of `log.cleaner.dedupe.buffer.size` that is used.",
    )
    log_cleaner_io_max_bytes_per_second: float = setting(
        1.7976931348623157e308,
        unit="bytes/s",
        minimum=1,
        dynamic=True,
        doc="Most that all threads together read and write in a second.",
    )
    log_cleaner_backoff_ms: Long = setting(
        15 * SECOND_MS,
        unit="ms",
        minimum=0,
        dynamic=True,
        doc="Pause of the cleaner threads when no log needs compaction.",
    )
    log_cleaner_min_cleanable_ratio: float = setting(
        0.5,
        minimum=0,
        maximum=1,
        dynamic=True,
        doc="Default of `min.cleanable.dirty.ratio`.",
    )
    log_cleaner_delete_retention_ms: Long = setting(
        DAY_MS,
        unit="ms",
        minimum=0,
        dynamic=True,
        doc="Default of `delete.retention.ms`.",
    )
    log_cleaner_min_compaction_lag_ms: Long = setting(
        0,
        unit="ms",
        minimum=0,
        dynamic=True,
        doc="Default of `min.compaction.lag.ms`.",
    )
    log_cleaner_max_compaction_lag_ms: Long = setting(
        LONG_MAX,
        unit="ms",
        minimum=1,
        dynamic=True,
        doc="Default of `max.compaction.lag.ms`.",
    )
    message_max_bytes: int = setting(
        MIB + 12, unit="bytes", minimum=0, dynamic=True, doc="Default of `max.message.bytes`."
    )
    max_decompressed_message_bytes: int = setting(
        64 * MIB,
        unit="bytes",
        minimum=1,
        dynamic=True,
        doc="Default of the topic setting of the same name.",
    )
    compression_type: str = setting(
        "producer",
        choices=("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        dynamic=True,
        doc="Default of the topic setting of the same name.",
    )
    compression_gzip_level: int = setting(
        -1, minimum=1, maximum=9, dynamic=True, doc="Default of the topic's setting."
    )
    compression_lz4_level: int = setting(
        9, minimum=1, maximum=17, dynamic=True, doc="Default of the topic's setting."
    )
    compression_zstd_level: int = setting(
        3, minimum=-131072, maximum=22, dynamic=True, doc="Default of the topic's setting."
    )
    num_recovery_threads_per_data_dir: int = setting(
        2,
        minimum=1,
        doc="Threads for each directory that open logs at the start, and check them after a crash.",
    )
    log_open_files_max: int = setting(
        0,
        minimum=0,
        doc="Files of logs that are open at one time, about; those of idle logs are closed first. "
        "0: what connections leave of the process's limit of descriptors.",
    )
    log_read_threads: int = setting(
        8, minimum=1, doc="Threads that read what is not in the page cache (KIP-501)."
    )
    log_dir_failure_timeout_ms: Long = setting(
        30 * SECOND_MS,
        unit="ms",
        minimum=1,
        doc="Time to tell the controller of a failed directory before the node stops itself.",
    )
    producer_id_expiration_ms: int = setting(
        DAY_MS,
        unit="ms",
        minimum=1,
        doc="Silence after which a producer's sequence numbers are forgotten.",
    )
    max_producer_ids: int = setting(
        500_000,
        minimum=1000,
        doc="Most producers whose sequence numbers all partitions of a node remember together; "
        "beyond it the partitions that have most forget those that were silent for longest.",
    )
    producer_id_expiration_check_interval_ms: int = setting(
        10 * MINUTE_MS,
        unit="ms",
        minimum=1,
        internal=True,
        doc="How often they are looked through.",
    )

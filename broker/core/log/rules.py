"""The settings of a topic that a log obeys, in the form that the hot path wants them."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..config.topic import TopicConfig

_FOREVER_MS = 1 << 62


class LogRules:
    """One topic's settings, worked out once per change of configuration."""

    __slots__ = (
        "after_max_ms",
        "before_max_ms",
        "codec_level",
        "codec_name",
        "compact",
        "delete",
        "delete_retention_ms",
        "file_delete_delay_ms",
        "flush_messages",
        "flush_ms",
        "index_entries_max",
        "index_interval_bytes",
        "log_append_time",
        "max_compaction_lag_ms",
        "max_decompressed_bytes",
        "max_message_bytes",
        "min_compaction_lag_ms",
        "min_dirty_ratio",
        "plain",
        "retention_bytes",
        "retention_ms",
        "segment_bytes",
        "segment_jitter_ms",
        "segment_ms",
        "time_entries_max",
    )

    def __init__(self, config: TopicConfig) -> None:
        self.segment_bytes = config.internal_segment_bytes or config.segment_bytes
        self.compact = "compact" in config.cleanup_policy
        self.delete = "delete" in config.cleanup_policy
        self.min_dirty_ratio = config.min_cleanable_dirty_ratio
        self.min_compaction_lag_ms = config.min_compaction_lag_ms
        self.max_compaction_lag_ms = config.max_compaction_lag_ms
        self.delete_retention_ms = config.delete_retention_ms
        self.segment_ms = config.segment_ms
        if self.compact:
            # What is in the segment that is written to is out of reach (CMP-02).
            self.segment_ms = min(self.segment_ms, config.max_compaction_lag_ms)
        self.segment_jitter_ms = min(config.segment_jitter_ms, self.segment_ms)
        self.index_interval_bytes = config.index_interval_bytes
        self.index_entries_max = max(config.segment_index_bytes // 8, 1)
        # One entry is kept free for the one that is made when the segment is closed.
        self.time_entries_max = max(config.segment_index_bytes // 12 - 1, 1)
        self.max_message_bytes = config.max_message_bytes
        self.log_append_time = config.message_timestamp_type == "LogAppendTime"
        self.before_max_ms = min(config.message_timestamp_before_max_ms, _FOREVER_MS)
        self.after_max_ms = min(config.message_timestamp_after_max_ms, _FOREVER_MS)
        self.codec_name = config.compression_type
        self.codec_level = _codec_level(config)
        self.max_decompressed_bytes = config.max_decompressed_message_bytes
        self.retention_ms = config.retention_ms
        self.retention_bytes = config.retention_bytes
        self.flush_messages = config.flush_messages
        self.flush_ms = config.flush_ms
        self.file_delete_delay_ms = config.file_delete_delay_ms
        self.plain = (
            not self.log_append_time
            and not self.compact
            and self.codec_name == "producer"
            and self.before_max_ms == _FOREVER_MS
        )
        """A batch can be appended on the strength of its header alone."""


def _codec_level(config: TopicConfig) -> int | None:
    """Level for the topic's own codec; None for the codec's default."""
    level = {
        "gzip": config.compression_gzip_level,
        "lz4": config.compression_lz4_level,
        "zstd": config.compression_zstd_level,
    }.get(config.compression_type)
    return None if config.compression_type == "gzip" and level == -1 else level


def check_size(rules: LogRules, size: int, name: str) -> None:
    """Raises KafkaError MESSAGE_TOO_LARGE, or RECORD_LIST_TOO_LARGE for more than a segment."""
    if size > rules.max_message_bytes:
        raise KafkaError(
            ErrorCode.MESSAGE_TOO_LARGE,
            f"batch of {size} bytes for {name}, max.message.bytes is {rules.max_message_bytes}",
        )
    if size > rules.segment_bytes:
        raise KafkaError(
            ErrorCode.RECORD_LIST_TOO_LARGE,
            f"batch of {size} bytes for {name}, a segment has {rules.segment_bytes}",
        )

"""The settings of a topic, with the names and defaults of Kafka 4.3."""

from __future__ import annotations

from dataclasses import dataclass

from .field import (
    DAY_MS,
    GIB,
    HOUR_MS,
    INT_MAX,
    LONG_MAX,
    MIB,
    MINUTE_MS,
    ConfigError,
    Long,
    Names,
    Settings,
    setting,
)

DELETE = "delete"
COMPACT = "compact"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TopicConfig(Settings):
    """What one topic's logs are kept by."""

    cleanup_policy: Names = setting(
        (DELETE,),
        choices=(COMPACT, DELETE),
        synonyms=(("log.cleanup.policy", 1),),
        doc="What happens to old segments: `delete` removes them by age and size, `compact` keeps "
        "the last record of each key, and both may be given; empty keeps all.",
    )
    compression_type: str = setting(
        "producer",
        choices=("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        synonyms=(("compression.type", 1),),
        doc="Codec in which batches are kept; `producer` keeps them as they came.",
    )
    compression_gzip_level: int = setting(
        -1,
        minimum=1,
        maximum=9,
        synonyms=(("compression.gzip.level", 1),),
        doc="Level when the broker itself compresses with gzip; -1 is the codec's default.",
    )
    compression_lz4_level: int = setting(
        9,
        minimum=1,
        maximum=17,
        synonyms=(("compression.lz4.level", 1),),
        doc="Level when the broker itself compresses with lz4.",
    )
    compression_zstd_level: int = setting(
        3,
        minimum=-131072,
        maximum=22,
        synonyms=(("compression.zstd.level", 1),),
        doc="Level when the broker itself compresses with zstd.",
    )
    delete_retention_ms: Long = setting(
        DAY_MS,
        unit="ms",
        minimum=0,
        synonyms=(("log.cleaner.delete.retention.ms", 1),),
        doc="How long a compacted log keeps delete markers after the round that met them first.",
    )
    file_delete_delay_ms: Long = setting(
        MINUTE_MS,
        unit="ms",
        minimum=0,
        synonyms=(("log.segment.delete.delay.ms", 1),),
        doc="Time between taking a file out of the log and removing it from the disk.",
    )
    flush_messages: Long = setting(
        LONG_MAX,
        unit="records",
        minimum=1,
        synonyms=(("log.flush.interval.messages", 1),),
        doc="Records after which the log is fsynced before they are acknowledged; 1 is each one.",
    )
    flush_ms: Long = setting(
        LONG_MAX,
        unit="ms",
        minimum=0,
        synonyms=(("log.flush.interval.ms", 1), ("log.flush.scheduler.interval.ms", 1)),
        doc="Age at which records are fsynced.",
    )
    follower_replication_throttled_replicas: Names = setting(
        (),
        doc="Followers whose replication is throttled: partition:broker, …, or `*`.",
    )
    leader_replication_throttled_replicas: Names = setting(
        (),
        doc="Leaders whose replication is throttled: partition:broker, …, or `*`.",
    )
    index_interval_bytes: int = setting(
        4096,
        unit="bytes",
        minimum=0,
        synonyms=(("log.index.interval.bytes", 1),),
        doc="Bytes of log between two entries of the sparse offset index.",
    )
    max_compaction_lag_ms: Long = setting(
        LONG_MAX,
        unit="ms",
        minimum=1,
        synonyms=(("log.cleaner.max.compaction.lag.ms", 1),),
        doc="Longest time for which a record may stay out of reach of compaction.",
    )
    max_message_bytes: int = setting(
        MIB + 12,
        unit="bytes",
        minimum=0,
        synonyms=(("message.max.bytes", 1),),
        doc="Largest record batch that is accepted, as it comes (compressed).",
    )
    max_decompressed_message_bytes: int = setting(
        64 * MIB,
        unit="bytes",
        minimum=1,
        synonyms=(("max.decompressed.message.bytes", 1),),
        doc="Largest record batch that is accepted, decompressed.",
    )
    message_timestamp_after_max_ms: Long = setting(
        HOUR_MS,
        unit="ms",
        minimum=0,
        synonyms=(("log.message.timestamp.after.max.ms", 1),),
        doc="How far in the future a record's timestamp may be.",
    )
    message_timestamp_before_max_ms: Long = setting(
        LONG_MAX,
        unit="ms",
        minimum=0,
        synonyms=(("log.message.timestamp.before.max.ms", 1),),
        doc="How far in the past a record's timestamp may be.",
    )
    message_timestamp_type: str = setting(
        "CreateTime",
        choices=("CreateTime", "LogAppendTime"),
        synonyms=(("log.message.timestamp.type", 1),),
        doc="Whose time records carry: the producer's or the broker's.",
    )
    min_cleanable_dirty_ratio: float = setting(
        0.5,
        minimum=0,
        maximum=1,
        synonyms=(("log.cleaner.min.cleanable.ratio", 1),),
        doc="Share of not yet compacted bytes from which a log is compacted.",
    )
    min_compaction_lag_ms: Long = setting(
        0,
        unit="ms",
        minimum=0,
        synonyms=(("log.cleaner.min.compaction.lag.ms", 1),),
        doc="Shortest time for which a record stays out of reach of compaction.",
    )
    min_insync_replicas: int = setting(
        1,
        minimum=1,
        synonyms=(("min.insync.replicas", 1),),
        doc="In-sync replicas without which a produce with acks=all is refused.",
    )
    preallocate: bool = setting(
        False,
        synonyms=(("log.preallocate", 1),),
        doc="Kept for tools that set it; files are never allocated ahead.",
        has_effect=False,
    )
    retention_bytes: Long = setting(
        -1,
        unit="bytes",
        minimum=-1,
        synonyms=(("log.retention.bytes", 1),),
        doc="Size to which a partition's log is shortened; -1 is without bound.",
    )
    retention_ms: Long = setting(
        7 * DAY_MS,
        unit="ms",
        minimum=-1,
        synonyms=(
            ("log.retention.ms", 1),
            ("log.retention.minutes", MINUTE_MS),
            ("log.retention.hours", HOUR_MS),
        ),
        doc="Age at which a segment is removed; -1 is never.",
    )
    segment_bytes: int = setting(
        GIB,
        unit="bytes",
        minimum=MIB,
        synonyms=(("log.segment.bytes", 1),),
        doc="Size at which a new segment is begun.",
    )
    segment_index_bytes: int = setting(
        10 * MIB,
        unit="bytes",
        minimum=4,
        synonyms=(("log.index.size.max.bytes", 1),),
        doc="Largest index of one segment; a full index begins a new segment.",
    )
    segment_jitter_ms: Long = setting(
        0,
        unit="ms",
        minimum=0,
        synonyms=(("log.roll.jitter.ms", 1), ("log.roll.jitter.hours", HOUR_MS)),
        doc="Random part of `segment.ms`, so that logs do not all roll at one time.",
    )
    segment_ms: Long = setting(
        7 * DAY_MS,
        unit="ms",
        minimum=1,
        synonyms=(("log.roll.ms", 1), ("log.roll.hours", HOUR_MS)),
        doc="Age at which a new segment is begun even if the last is not full.",
    )
    unclean_leader_election_enable: bool = setting(
        False,
        synonyms=(("unclean.leader.election.enable", 1),),
        doc="Whether a replica that is not in sync may lead when no other is left; loses records.",
    )
    internal_segment_bytes: int | None = setting(
        None,
        unit="bytes",
        minimum=1,
        maximum=INT_MAX,
        internal=True,
        doc="As `segment.bytes` and before it, without its lower bound; Kafka's tests set it.",
    )

    @property
    def is_compacted(self) -> bool:
        return COMPACT in self.cleanup_policy

    @property
    def is_deleted_by_age_or_size(self) -> bool:
        return DELETE in self.cleanup_policy

    def check_relations(self) -> None:
        """`min.compaction.lag.ms` must not be above `max.compaction.lag.ms`."""
        if self.min_compaction_lag_ms > self.max_compaction_lag_ms:
            allowed = (
                f"Value must be no more than max.compaction.lag.ms ({self.max_compaction_lag_ms})"
            )
            raise ConfigError(
                "min.compaction.lag.ms",
                self.min_compaction_lag_ms,
                allowed,
                message="conflict topic config setting min.compaction.lag.ms "
                f"({self.min_compaction_lag_ms}) > max.compaction.lag.ms "
                f"({self.max_compaction_lag_ms})",
            )
        _check_throttled("leader.replication.throttled.replicas", self)
        _check_throttled("follower.replication.throttled.replicas", self)


def _check_throttled(name: str, config: TopicConfig) -> None:
    replicas = config.value(name)
    assert isinstance(replicas, tuple)
    if replicas == ("*",):
        return
    for one in replicas:
        partition, _, broker = one.partition(":")
        if not (partition.isdecimal() and broker.isdecimal()):
            allowed = (
                f"{name} must be the literal '*' or a list of replicas in the following format: "
                "[partitionId]:[brokerId],[partitionId]:[brokerId],..."
            )
            raise ConfigError(name, f"[{', '.join(replicas)}]", allowed)

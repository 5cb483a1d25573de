"""Settings of replication: follower fetches, the in-sync set, and who may lead."""

from __future__ import annotations

from dataclasses import dataclass

from .field import KIB, LONG_MAX, MIB, SECOND_MS, Long, Settings, setting


@dataclass(frozen=True, init=False, repr=False, eq=False)
class ReplicationSettings(Settings):
    """How replicas keep up, and what happens when they do not."""

    broker_rack: str | None = setting(
        None, doc="Where this broker is; replicas of a partition are spread over racks."
    )
    min_insync_replicas: int = setting(
        1, minimum=1, dynamic=True, doc="Default of the topic setting of the same name."
    )
    unclean_leader_election_enable: bool = setting(
        False, dynamic=True, doc="Default of the topic setting of the same name."
    )
    unclean_leader_election_interval_ms: Long = setting(
        300 * SECOND_MS,
        unit="ms",
        minimum=1,
        internal=True,
        doc="How often partitions without a leader are looked at for an unclean election.",
    )
    auto_leader_rebalance_enable: bool = setting(
        True, doc="Whether leadership goes back to the first replica in the course of time."
    )
    leader_imbalance_check_interval_seconds: Long = setting(
        300, unit="s", minimum=1, doc="How often that is looked at."
    )
    leader_imbalance_per_broker_percentage: int = setting(
        10, unit="%", minimum=0, doc="Share of partitions that may be led by another broker."
    )
    replica_lag_time_max_ms: Long = setting(
        30 * SECOND_MS,
        unit="ms",
        minimum=1,
        doc="Time for which a follower may be behind before it leaves the in-sync set.",
    )
    replica_fetch_wait_max_ms: int = setting(
        500, unit="ms", minimum=0, doc="Longest wait of a follower's fetch at its leader."
    )
    replica_fetch_min_bytes: int = setting(
        1, unit="bytes", minimum=0, doc="Bytes for which a follower's fetch waits."
    )
    replica_fetch_max_bytes: int = setting(
        MIB, unit="bytes", minimum=0, doc="Most bytes of one partition in a follower's fetch."
    )
    replica_fetch_response_max_bytes: int = setting(
        10 * MIB, unit="bytes", minimum=0, doc="Most bytes in one answer to a follower."
    )
    replica_fetch_backoff_ms: int = setting(
        SECOND_MS, unit="ms", minimum=0, doc="Pause of a follower after an error."
    )
    replica_fetch_hw_propagation_min_ms: int = setting(
        10, unit="ms", minimum=0, doc="Time with one answer at most that only moves the HW."
    )
    replica_socket_timeout_ms: int = setting(
        30 * SECOND_MS, unit="ms", minimum=1, doc="Time in which a leader must have answered."
    )
    replica_socket_receive_buffer_bytes: int = setting(
        64 * KIB,
        unit="bytes",
        minimum=-1,
        doc="SO_RCVBUF of connections to leaders.",
        has_effect=False,
    )
    num_replica_fetchers: int = setting(1, minimum=1, doc="Connections to one leader.")
    replica_high_watermark_checkpoint_interval_ms: Long = setting(
        5 * SECOND_MS, unit="ms", minimum=1, doc="How often high watermarks are written down."
    )
    replica_selector_class: str | None = setting(
        None, doc="Which replica consumers read: leader, rack-aware, or a dotted path (KIP-392)."
    )
    follower_fetch_pending_reads_insync_enable: bool = setting(
        False, doc="Whether a follower stays in sync while its read waits for a disk (KIP-501)."
    )
    follower_fetch_process_time_max_ms: Long = setting(
        500, unit="ms", minimum=1, doc="Work on a fetch after which a leader hands over (KIP-501)."
    )
    follower_fetch_relinquish_cooldown_ms: Long = setting(
        30 * SECOND_MS,
        unit="ms",
        minimum=0,
        doc="Rest between two such hand-overs (KIP-501); a new active controller goes on with it.",
    )
    leader_metadata_staleness_max_ms: Long = setting(
        SECOND_MS,
        unit="ms",
        minimum=20,
        doc="Age of metadata up to which a leader answers LATEST; a new leader lets a "
        "little more pass before it does. The same on all brokers.",
    )
    controlled_shutdown_enable: bool = setting(
        True, doc="Whether a broker that stops gives its leaderships away first."
    )
    leader_replication_throttled_rate: Long = setting(
        LONG_MAX,
        unit="bytes/s",
        minimum=0,
        dynamic=True,
        doc="Most that this broker sends of partitions that "
        "`leader.replication.throttled.replicas` of their topic names, to followers that are not "
        "in sync.",
    )
    follower_replication_throttled_rate: Long = setting(
        LONG_MAX,
        unit="bytes/s",
        minimum=0,
        dynamic=True,
        doc="Most that this broker fetches of partitions that "
        "`follower.replication.throttled.replicas` of their topic names, while it is not in sync "
        "there.",
    )
    replica_alter_log_dirs_io_max_bytes_per_second: Long = setting(
        LONG_MAX,
        unit="bytes/s",
        minimum=0,
        dynamic=True,
        doc="Most that is copied of replicas on their way to another log directory of the broker.",
    )

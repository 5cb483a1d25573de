"""The settings of a simulated node: Kafka's, with the times and limits that the profile drew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from barnabas.broker.core.config.broker import BrokerConfig

if TYPE_CHECKING:
    from .profile import Profile

CLIENT_PORT = 9092
CONTROLLER_PORT = 9093
CLUSTER_ID = "c2ltdWxhdGVkLWNsdXN0ZQ"
RACKS = ("rack-a", "rack-b", "rack-c")
HOARDED_FRAME_BYTES = 4_000_000
"""The largest request where clients hoard."""

UNREAD_MS = 300
"""Then also: after so long a client that reads nothing is closed if others wait for memory."""

LATE_MS = 50.0
"""Time of its own that a node may need after a fetch's wait is over."""

SLOW_FSYNCS = 20.0
"""The same for its disk: so many times the mean of its delays."""
ABORT_LOOK_MS = 500
"""Between two looks at transactions that take too long."""

SCALED_MS = {
    "controller_quorum_election_timeout_ms": 1000,
    "controller_quorum_fetch_timeout_ms": 2000,
    "controller_quorum_election_backoff_max_ms": 1000,
    "controller_quorum_request_timeout_ms": 2000,
    "metadata_max_idle_interval_ms": 500,
    "broker_heartbeat_interval_ms": 2000,
    "broker_session_timeout_ms": 9000,
    "replica_lag_time_max_ms": 30_000,
    "replica_fetch_wait_max_ms": 500,
    "replica_fetch_backoff_ms": 1000,
    "replica_socket_timeout_ms": 30_000,
    "replica_high_watermark_checkpoint_interval_ms": 5000,
    "leader_metadata_staleness_max_ms": 1000,
    "log_segment_delete_delay_ms": 60_000,
    "request_timeout_ms": 30_000,
    "follower_fetch_process_time_max_ms": 500,
    "follower_fetch_relinquish_cooldown_ms": 30_000,
    "offsets_commit_timeout_ms": 5000,
    "group_initial_rebalance_delay_ms": 1000,
    "group_consumer_assignment_interval_ms": 1000,
}
"""Kafka's defaults of the times that race with each other."""


def bootstrap_of(profile: Profile) -> str:
    """Where clients begin."""
    return ",".join(f"node-{n}:{CLIENT_PORT}" for n in range(1, profile.brokers + 1))


def settings_of_node(profile: Profile, node_id: int) -> BrokerConfig:
    """What node `node_id` is told."""
    voters = profile.voters
    is_broker = node_id <= profile.brokers
    is_controller = node_id in voters
    name = f"node-{node_id}"
    listeners = []
    if is_broker:
        listeners.append(f"PLAINTEXT://{name}:{CLIENT_PORT}")
    if is_controller:
        listeners.append(f"CONTROLLER://{name}:{CONTROLLER_PORT}")
    divisor = profile.timeouts_divisor
    settings: dict[str, Any] = {
        field: max(int(value / divisor), 5) for field, value in SCALED_MS.items()
    }
    lag_ms = max(int(settings["replica_lag_time_max_ms"] / profile.lag_divisor), 100)
    settings["replica_lag_time_max_ms"] = lag_ms
    for field in ("replica_fetch_wait_max_ms", "follower_fetch_process_time_max_ms"):
        settings[field] = min(settings[field], lag_ms // 3)
    settings |= {
        "node_id": node_id,
        "cluster_id": CLUSTER_ID,
        "process_roles": ("broker",) * is_broker + ("controller",) * is_controller,
        "controller_quorum_voters": tuple(f"{n}@node-{n}:{CONTROLLER_PORT}" for n in voters),
        "controller_listener_names": ("CONTROLLER",),
        "listeners": tuple(listeners),
        "log_dirs": (f"/{name}/data",),
        "log_cleaner_backoff_ms": 1000,
        "broker_rack": RACKS[node_id % len(RACKS)] if is_broker else None,
        "default_replication_factor": profile.replication_factor,
        "min_insync_replicas": profile.min_insync_replicas,
        "auto_create_topics_enable": False,
        "log_index_interval_bytes": profile.index_interval_bytes,
        "log_retention_bytes": profile.retention_bytes,
        "log_retention_ms": profile.retention_ms,
        "log_retention_check_interval_ms": int(profile.retention_check_s * 1000),
        "replica_fetch_max_bytes": profile.fetch_bytes,
        "replica_fetch_response_max_bytes": 2 * profile.fetch_bytes,
        "controller_quorum_fetch_snapshot_max_bytes": profile.snapshot_chunk_bytes,
        "controller_snapshot_minimum_records": profile.snapshot_records,
        "replica_selector_class": "RackAwareReplicaSelector" if profile.has_selector else None,
        "follower_fetch_pending_reads_insync_enable": profile.keeps_pending_in_sync,
        "max_incremental_fetch_session_cache_slots": profile.fetch_session_slots,
        **_of_groups(profile),
        **_of_transactions(profile),
        **_of_memory(profile),
    }
    if profile.cuts_metadata:
        settings["metadata_max_retention_bytes"] = 0
    if profile.flush_messages:
        settings["log_flush_interval_messages"] = profile.flush_messages
    return BrokerConfig(**settings)


def _of_groups(profile: Profile) -> dict[str, Any]:
    """One shard with both groups, so that what happens to its leader happens to all members."""
    limit_ms = session_ms(profile)
    return {
        "offsets_topic_num_partitions": 1,
        "offsets_topic_replication_factor": profile.replication_factor,
        "group_min_session_timeout_ms": limit_ms,
        "group_consumer_session_timeout_ms": limit_ms,
        "group_consumer_min_session_timeout_ms": limit_ms,
        "group_consumer_heartbeat_interval_ms": limit_ms // 3,
        "group_consumer_min_heartbeat_interval_ms": limit_ms // 3,
        "group_consumer_min_assignment_interval_ms": 0,
        "offsets_retention_check_interval_ms": 3000,
        "offsets_load_buffer_size": min(5 << 20, profile.segment_bytes // 4),
    }


def _of_transactions(profile: Profile) -> dict[str, Any]:
    """One shard, and a look at what takes too long twice a second."""
    return {
        "transaction_state_log_num_partitions": 1,
        "transaction_state_log_replication_factor": profile.replication_factor,
        "transaction_state_log_min_isr": profile.min_insync_replicas,
        "transaction_state_log_load_buffer_size": min(5 << 20, profile.segment_bytes // 4),
        "transaction_abort_timed_out_transaction_cleanup_interval_ms": ABORT_LOOK_MS,
    }


def _of_memory(profile: Profile) -> dict[str, Any]:
    """Small limits where clients hoard, so that a run meets them."""
    if not profile.hoarders:
        return {}
    return {
        "socket_request_max_bytes": HOARDED_FRAME_BYTES,
        "queued_max_request_bytes": 400_000,
        "queued_max_response_bytes": 400_000,
        "connections_max_unread_ms": UNREAD_MS,
        "max_incremental_fetch_session_cache_slots": 1000,
        "max_incremental_fetch_session_cache_partitions": 2000,
    }


def late_ms(profile: Profile) -> float:
    """The time of its own that a node may need for an answer that is due."""
    # Where clients hoard, the answer before it in its connection may wait for memory, until those
    # who read nothing are closed: some part of their time later, when they are looked at.
    waits_for_memory_ms = 1.5 * UNREAD_MS if profile.hoarders else 0.0
    return LATE_MS + SLOW_FSYNCS * profile.disk_delay_ms + waits_for_memory_ms


def session_ms(profile: Profile) -> int:
    """Time without a heartbeat after which a member of a group goes; at most a quarter of Kafka's
    shortest, for runs are short."""
    return int(6000 / max(profile.timeouts_divisor, 4.0))


def settings_of_topic(profile: Profile) -> dict[str, str]:
    """Topic settings below what an operator may choose: segments of a few batches."""
    return {"internal.segment.bytes": str(profile.segment_bytes)}

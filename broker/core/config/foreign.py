"""Settings that Kafka 4.3 has for features that barnabas has not; they are kept, and nothing obeys
them.

They are declared so that whoever set one is told its value and type, as by Kafka: what is of
unknown type is told without its value.
"""

from __future__ import annotations

from dataclasses import dataclass

from .field import Long, Settings, setting

_TIERED = "Of tiered storage, which barnabas does not have; only the default is allowed."
_SHARE = "Of share groups, which barnabas does not have."
_STREAMS = "Of streams groups, which barnabas does not have."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ForeignTopicConfig(Settings):
    """A topic's settings: accepted with their defaults only."""

    remote_storage_enable: bool = setting(False, doc=_TIERED, has_effect=False)
    remote_log_copy_disable: bool = setting(False, doc=_TIERED, has_effect=False)
    remote_log_delete_on_disable: bool = setting(False, doc=_TIERED, has_effect=False)
    local_retention_ms: Long = setting(-2, unit="ms", doc=_TIERED, has_effect=False)
    local_retention_bytes: Long = setting(-2, unit="bytes", doc=_TIERED, has_effect=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ForeignGroupConfig(Settings):
    """A group's settings: kept as they come."""

    share_assignment_interval_ms: int = setting(1000, doc=_SHARE, has_effect=False)
    share_auto_offset_reset: str = setting("latest", doc=_SHARE, has_effect=False)
    share_delivery_count_limit: int = setting(5, doc=_SHARE, has_effect=False)
    share_heartbeat_interval_ms: int = setting(5000, doc=_SHARE, has_effect=False)
    share_isolation_level: str = setting("read_uncommitted", doc=_SHARE, has_effect=False)
    share_partition_max_record_locks: int = setting(2000, doc=_SHARE, has_effect=False)
    share_record_lock_duration_ms: int = setting(30_000, doc=_SHARE, has_effect=False)
    share_renew_acknowledge_enable: bool = setting(True, doc=_SHARE, has_effect=False)
    share_session_timeout_ms: int = setting(45_000, doc=_SHARE, has_effect=False)
    streams_assignment_interval_ms: int = setting(1000, doc=_STREAMS, has_effect=False)
    streams_heartbeat_interval_ms: int = setting(5000, doc=_STREAMS, has_effect=False)
    streams_initial_rebalance_delay_ms: int = setting(3000, doc=_STREAMS, has_effect=False)
    streams_num_standby_replicas: int = setting(0, doc=_STREAMS, has_effect=False)
    streams_session_timeout_ms: int = setting(45_000, doc=_STREAMS, has_effect=False)

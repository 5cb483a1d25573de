"""Settings of the group coordinator: committed offsets, groups of both protocols, its topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .field import INT_MAX, MIB, MINUTE_MS, SECOND_MS, ConfigError, Long, Names, Settings, setting

SETTLING_MAX_MS: Final = 5 * SECOND_MS
"""Longest that `group.consumer.settling.interval.ms` may be, for a group or for all."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class GroupSettings(Settings):
    """How groups agree, how long their offsets stay, and where both are written."""

    # --- the topic ------------------------------------------------------------------------------

    offsets_topic_num_partitions: int = setting(
        50, minimum=1, doc="Partitions of `__consumer_offsets`, when it is created."
    )
    offsets_topic_replication_factor: int = setting(
        3,
        minimum=1,
        maximum=32767,
        doc="Replicas of each of them; with fewer brokers the topic cannot be created, and groups "
        "must wait. `barnabas cluster` and a node that is alone take the number of brokers.",
    )
    offsets_topic_segment_bytes: int = setting(
        100 * MIB, unit="bytes", minimum=MIB, doc="Size of its segments, when it is created."
    )
    offsets_topic_compression_codec: int = setting(
        0,
        minimum=0,
        maximum=4,
        doc="Codec of what the coordinator writes: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd.",
    )
    offsets_load_buffer_size: int = setting(
        5 * MIB, unit="bytes", minimum=1, doc="Bytes that are read at a time while a shard loads."
    )
    group_coordinator_append_linger_ms: int = setting(
        -1,
        unit="ms",
        minimum=-1,
        doc="How long changes wait for others to be written with; -1 joins those that are there.",
    )

    # --- offsets --------------------------------------------------------------------------------

    offset_metadata_max_bytes: int = setting(
        4096, minimum=0, doc="Longest text with a committed offset, in UTF-16 units."
    )
    offsets_commit_timeout_ms: int = setting(
        5 * SECOND_MS, unit="ms", minimum=1, doc="Longest wait for a change to be replicated."
    )
    offsets_retention_minutes: int = setting(
        7 * 24 * 60, unit="min", minimum=1, doc="How long offsets stay that nobody uses."
    )
    offsets_retention_check_interval_ms: Long = setting(
        10 * MINUTE_MS, unit="ms", minimum=1, doc="How often such offsets are looked for."
    )

    # --- groups of both protocols ---------------------------------------------------------------

    group_coordinator_rebalance_protocols: Names = setting(
        ("classic", "consumer"),
        choices=("classic", "consumer"),
        doc="By which protocols the members of groups may agree.",
    )

    # --- classic --------------------------------------------------------------------------------

    group_min_session_timeout_ms: int = setting(
        6 * SECOND_MS, unit="ms", minimum=0, doc="Shortest session timeout of a classic member."
    )
    group_max_session_timeout_ms: int = setting(
        30 * MINUTE_MS, unit="ms", minimum=0, doc="Longest session timeout of a classic member."
    )
    group_initial_rebalance_delay_ms: int = setting(
        3 * SECOND_MS,
        unit="ms",
        minimum=0,
        doc="How long an empty classic group waits for more members when the first one joins.",
    )
    group_max_size: int = setting(INT_MAX, minimum=1, doc="Most members of a classic group.")

    # --- consumer (KIP-848) ---------------------------------------------------------------------

    group_consumer_session_timeout_ms: int = setting(
        45 * SECOND_MS, unit="ms", minimum=1, doc="Time without a heartbeat after which one goes."
    )
    group_consumer_min_session_timeout_ms: int = setting(
        45 * SECOND_MS, unit="ms", minimum=1, doc="Shortest that a group may be given."
    )
    group_consumer_max_session_timeout_ms: int = setting(
        60 * SECOND_MS, unit="ms", minimum=1, doc="Longest that a group may be given."
    )
    group_consumer_heartbeat_interval_ms: int = setting(
        5 * SECOND_MS, unit="ms", minimum=1, doc="How often members are told to send heartbeats."
    )
    group_consumer_min_heartbeat_interval_ms: int = setting(
        5 * SECOND_MS, unit="ms", minimum=1, doc="Shortest that a group may be given."
    )
    group_consumer_max_heartbeat_interval_ms: int = setting(
        15 * SECOND_MS, unit="ms", minimum=1, doc="Longest that a group may be given."
    )
    group_consumer_assignment_interval_ms: int = setting(
        SECOND_MS, unit="ms", minimum=0, doc="Shortest time between two target assignments."
    )
    group_consumer_min_assignment_interval_ms: int = setting(
        0, unit="ms", minimum=0, doc="Shortest that a group may be given."
    )
    group_consumer_max_assignment_interval_ms: int = setting(
        15 * SECOND_MS, unit="ms", minimum=0, doc="Longest that a group may be given."
    )
    group_consumer_settling_interval_ms: int = setting(
        50,
        unit="ms",
        minimum=0,
        maximum=SETTLING_MAX_MS,
        doc="While a group settles: shortest time between two heartbeats of a member, and half of "
        "the shortest time between two target assignments. Both grow from there up to what "
        "`group.consumer.heartbeat.interval.ms` and `group.consumer.assignment.interval.ms` say, "
        "which hold for groups at rest. 0: they hold all the time, as in Apache Kafka.",
    )
    group_consumer_max_size: int = setting(
        INT_MAX, minimum=1, doc="Most members of a consumer group."
    )
    group_consumer_assignors: Names = setting(
        ("uniform", "range"),
        choices=("uniform", "range"),
        doc="Who may assign partitions; the first does where members ask for none.",
    )
    group_consumer_migration_policy: str = setting(
        "bidirectional",
        choices=("bidirectional", "upgrade", "downgrade", "disabled"),
        doc="Whether a group with members may change from the classic to the consumer protocol "
        "(upgrade) and back (downgrade). An empty group may always change.",
    )
    group_consumer_regex_refresh_interval_ms: int = setting(
        10 * MINUTE_MS,
        unit="ms",
        minimum=10 * SECOND_MS,
        doc="How often patterns of topics are looked up anew.",
    )


def check_groups(config: GroupSettings) -> None:
    """Raise `ConfigError` for bounds the wrong way round, or a default outside of them."""
    _in_order(config, "group.min.session.timeout.ms", "group.max.session.timeout.ms")
    for what in ("session.timeout", "heartbeat.interval", "assignment.interval"):
        low, high = f"group.consumer.min.{what}.ms", f"group.consumer.max.{what}.ms"
        _in_order(config, low, f"group.consumer.{what}.ms")
        _in_order(config, f"group.consumer.{what}.ms", high)
    _in_order(config, "group.consumer.heartbeat.interval.ms", "group.consumer.session.timeout.ms")
    for name in ("group.coordinator.rebalance.protocols", "group.consumer.assignors"):
        if not config.value(name):
            raise ConfigError(name, None, "must name at least one")


def _in_order(config: GroupSettings, low: str, high: str) -> None:
    smaller, larger = config.value(low), config.value(high)
    assert isinstance(smaller, int)
    assert isinstance(larger, int)
    if smaller > larger:
        raise ConfigError(low, smaller, f"must be no more than {high} ({larger})")

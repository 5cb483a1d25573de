"""Settings of the transaction coordinator: timeouts, expiration, and its topic."""

from __future__ import annotations

from dataclasses import dataclass

from .field import DAY_MS, HOUR_MS, MIB, MINUTE_MS, SECOND_MS, Settings, setting


@dataclass(frozen=True, init=False, repr=False, eq=False)
class TransactionSettings(Settings):
    """How long transactions may take, and where what is known of them is written."""

    # --- the topic ------------------------------------------------------------------------------

    transaction_state_log_num_partitions: int = setting(
        50, minimum=1, doc="Partitions of `__transaction_state`, when it is created."
    )
    transaction_state_log_replication_factor: int = setting(
        3,
        minimum=1,
        maximum=32767,
        doc="Replicas of each of them; with fewer brokers the topic cannot be created, and "
        "transactional producers must wait. `barnabas cluster` and a node that is alone take the "
        "number of brokers.",
    )
    transaction_state_log_min_isr: int = setting(
        2,
        minimum=1,
        doc="Replicas that must have a change before it counts, when the topic is created. "
        "`barnabas cluster` and a node that is alone take no more than there are brokers.",
    )
    transaction_state_log_segment_bytes: int = setting(
        100 * MIB, unit="bytes", minimum=MIB, doc="Size of its segments, when it is created."
    )
    transaction_state_log_load_buffer_size: int = setting(
        5 * MIB, unit="bytes", minimum=1, doc="Bytes that are read at a time while a shard loads."
    )

    # --- transactions ---------------------------------------------------------------------------

    transaction_max_timeout_ms: int = setting(
        15 * MINUTE_MS,
        unit="ms",
        minimum=1,
        doc="Longest time that a producer may ask for its transactions.",
    )
    transaction_abort_timed_out_transaction_cleanup_interval_ms: int = setting(
        10 * SECOND_MS,
        unit="ms",
        minimum=1,
        doc="How often open transactions are looked for whose time is up; they are aborted.",
    )
    transaction_partition_verification_enable: bool = setting(
        True,
        dynamic=True,
        doc="Whether leaders ask the coordinator before a transaction's first batch in a partition "
        "is stored. Without it a late batch may open a transaction that nobody ends. Producers "
        "whose partitions are added by their leaders (Produce from 12 on) are asked about anyway.",
    )
    add_partitions_to_txn_retry_backoff_ms: int = setting(
        20,
        unit="ms",
        minimum=1,
        doc="Pause before a leader again asks to have a partition added to a transaction, while "
        "the one before it is being ended.",
    )
    add_partitions_to_txn_retry_backoff_max_ms: int = setting(
        100,
        unit="ms",
        minimum=0,
        doc="For so long it asks again; then the producer is told to wait.",
    )
    transactional_id_expiration_ms: int = setting(
        7 * DAY_MS,
        unit="ms",
        minimum=1,
        doc="After so long without a transaction a transactional id is forgotten.",
    )
    transaction_remove_expired_transaction_cleanup_interval_ms: int = setting(
        HOUR_MS, unit="ms", minimum=1, doc="How often such ids are looked for."
    )

"""Settings of sockets, connections and requests: what one peer may ask of a node at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .field import INT_MAX, KIB, MIB, MINUTE_MS, SECOND_MS, Long, Names, Settings, setting

DEFAULT_PROTOCOLS: Final = (
    "PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL"
)
"""Every protocol is the name of a listener that speaks it."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class NetworkSettings(Settings):
    """Listeners, and the limits of decision 11 on everything that a peer can make grow."""

    listeners: Names = setting(
        ("PLAINTEXT://127.0.0.1:9092",),
        doc="Addresses to listen on: NAME://host:port, …; port 0 picks a free one. Without a host: "
        "all of this machine, for everybody who passes the listener's protocol.",
    )
    advertised_listeners: Names = setting(
        (),
        doc="Addresses told to clients; empty answers with the address that the client dialled.",
    )
    listener_security_protocol_map: str = setting(
        DEFAULT_PROTOCOLS,
        doc="Security protocol of each listener name: NAME:PROTOCOL, …; protocols are PLAINTEXT, "
        "SSL, SASL_PLAINTEXT and SASL_SSL. While it is not set, listeners of controllers are "
        "PLAINTEXT.",
    )
    inter_broker_listener_name: str | None = setting(
        None, doc="Listener that other brokers use; the first listener if not set."
    )
    controller_listener_names: Names = setting(
        (), doc="Listeners that serve the metadata quorum; not for clients."
    )
    socket_send_buffer_bytes: int = setting(
        -1, unit="bytes", minimum=-1, doc="SO_SNDBUF of connections; -1 leaves it to the system."
    )
    socket_receive_buffer_bytes: int = setting(
        -1, unit="bytes", minimum=-1, doc="SO_RCVBUF of connections; -1 leaves it to the system."
    )
    socket_listen_backlog_size: int = setting(
        512, minimum=1, doc="Connections that wait to be accepted."
    )
    socket_request_max_bytes: int = setting(
        100 * MIB, unit="bytes", minimum=1, doc="Largest Produce request."
    )
    socket_request_max_bytes_other: int = setting(
        8 * MIB, unit="bytes", minimum=KIB, doc="Largest request of any other kind."
    )
    sasl_server_max_receive_size: int = setting(
        512 * KIB,
        unit="bytes",
        minimum=KIB,
        doc="Largest request before authentication, and of ApiVersions and SASL at any time.",
    )
    request_decode_offload_min_bytes: int = setting(
        256 * KIB,
        unit="bytes",
        minimum=KIB,
        doc="Requests of the general kind from this size on are decoded off the event loop.",
    )
    request_max_elements: int = setting(
        100_000,
        minimum=1000,
        doc="Most array elements in one request that is no Produce or Fetch; the codecs have "
        "bounds of their own.",
        has_effect=False,
    )
    request_max_elements_bulk: int = setting(
        1_000_000,
        minimum=1000,
        doc="Most array elements in one Produce or Fetch request; the codecs have bounds of "
        "their own.",
        has_effect=False,
    )
    max_request_partition_size_limit: int = setting(
        2000, minimum=1, doc="Most partitions in one answer to DescribeTopicPartitions."
    )
    max_connections: int = setting(
        10_000,
        minimum=0,
        dynamic=True,
        doc="Most connections at one time; others are closed. With the prefix of a listener, the "
        "most of that listener; others wait there, as many as socket.listen.backlog.size.",
    )
    max_connections_per_ip: int = setting(
        2000, minimum=0, dynamic=True, doc="Most connections from one address."
    )
    max_connections_per_ip_overrides: Names = setting(
        (),
        dynamic=True,
        doc="Other numbers for single addresses: address:number, …; names are not resolved.",
    )
    max_connection_creation_rate: int = setting(
        INT_MAX,
        unit="1/s",
        minimum=1,
        dynamic=True,
        doc="Most new connections a second, over `quota.window.num` samples; those beyond them "
        "are served later. Brokers with a listener of their own are exempt, also from "
        "max.connections. A listener may have a rate of its own, by its prefix, beside this one.",
    )
    connections_max_idle_ms: Long = setting(
        10 * MINUTE_MS, unit="ms", minimum=-1, doc="Silence after which a connection is closed."
    )
    connections_half_frame_timeout_ms: Long = setting(
        30 * SECOND_MS,
        unit="ms",
        minimum=1,
        doc="Time in which a request that was begun must have come whole.",
    )
    connections_max_inflight_requests: int = setting(
        100, minimum=1, doc="Most unanswered requests of one connection; then reading stops."
    )
    connections_max_output_bytes: int = setting(
        64 * MIB,
        unit="bytes",
        minimum=MIB,
        doc="Most unsent answer bytes of one connection (and one answer more); then it is closed.",
    )
    connection_failed_authentication_delay_ms: int = setting(
        100,
        unit="ms",
        minimum=0,
        doc="Delay before a failed authentication is answered, and the connection closed.",
    )
    queued_max_requests: int = setting(
        500, minimum=1, doc="Most requests in work in the whole node, parked ones aside."
    )
    queued_max_request_bytes: Long = setting(
        256 * MIB, unit="bytes", minimum=-1, doc="Most bytes of requests in work; -1 has no bound."
    )
    queued_max_response_bytes: Long = setting(
        64 * MIB,
        unit="bytes",
        minimum=-1,
        doc="Most bytes of answers in memory that nobody has read yet; then answers that may be "
        "large wait, and who does not read is closed. Records of Fetch stay in their files. -1 "
        "has no bound.",
    )
    connections_max_unread_ms: int = setting(
        10 * SECOND_MS,
        unit="ms",
        minimum=1,
        doc="While more than queued.max.response.bytes are unsent: time after which a connection "
        "is closed that holds much of it, unless it reads 64 bytes a millisecond.",
    )
    request_timeout_ms: int = setting(
        30 * SECOND_MS, unit="ms", minimum=1, doc="Time in which another node must have answered."
    )
    fetch_max_bytes: int = setting(
        55 * MIB, unit="bytes", minimum=1024, doc="Most bytes in one answer to Fetch."
    )
    max_incremental_fetch_session_cache_slots: int = setting(
        1000, minimum=0, doc="Most fetch sessions."
    )
    max_incremental_fetch_session_cache_partitions: int = setting(
        250_000,
        minimum=0,
        doc="Most partitions in all fetch sessions together, known or not; a consumer's session "
        "has a quarter of them at most. Without room a fetch is served without a session.",
    )

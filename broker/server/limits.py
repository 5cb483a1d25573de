"""The limits that every connection obeys, worked out from the configuration."""

from __future__ import annotations

from ..core.config.broker import BrokerConfig
from ..core.config.field import INT_MAX
from ..core.config.listeners import own_values

REQUESTS_PER_TURN = 128
"""Requests of one connection after which the others get their turn: some milliseconds."""

PROGRESS_BYTES_PER_MS = 64
"""A frame on its way may take this much longer per byte received: a slow line is no attack."""


WRITE_HIGH = 1_048_576
"""Unsent bytes from which a connection waits for its client; less where the limit is low."""

WRITE_PAUSE = 32_768
"""The same as the transport sees it: what no socket takes at once is soon told, and counted."""


class Limits:
    """See `core.config.network` for what each means."""

    __slots__ = (
        "answer_grace_ms",
        "answers_max",
        "connections_max",
        "connections_of_listeners",
        "connections_per_ip_max",
        "connections_per_ip_overrides",
        "connections_possible",
        "frame_max",
        "frame_max_handshake",
        "frame_max_other",
        "half_frame_timeout_ms",
        "idle_ms",
        "in_flight_max",
        "output_max",
        "received_max",
        "requests_in_work_max",
        "requests_per_turn",
        "waiting_max",
        "write_high",
        "write_pause",
    )

    def __init__(self, config: BrokerConfig) -> None:
        self.frame_max = config.socket_request_max_bytes
        self.frame_max_other = min(config.socket_request_max_bytes_other, self.frame_max)
        self.frame_max_handshake = min(config.sasl_server_max_receive_size, self.frame_max)
        self.connections_possible = INT_MAX
        """More are not for settings to allow: descriptors, say, are limited."""
        self.set_connections(config)
        self.waiting_max = config.socket_listen_backlog_size
        self.idle_ms = config.connections_max_idle_ms
        self.half_frame_timeout_ms = config.connections_half_frame_timeout_ms
        self.in_flight_max = config.connections_max_inflight_requests
        self.output_max = config.connections_max_output_bytes
        self.received_max = (
            config.queued_max_request_bytes if config.queued_max_request_bytes >= 0 else 1 << 62
        )
        self.answers_max = (
            config.queued_max_response_bytes if config.queued_max_response_bytes >= 0 else 1 << 62
        )
        self.answer_grace_ms = config.connections_max_unread_ms
        self.requests_in_work_max = config.queued_max_requests
        # Unsent bytes from which no further request is begun. One turn may add as much again and an
        # answer more; the client is closed only at several times that.
        self.write_high = min(WRITE_HIGH, self.output_max // 4)
        self.write_pause = min(WRITE_PAUSE, self.write_high)
        self.requests_per_turn = REQUESTS_PER_TURN

    def set_connections(self, config: BrokerConfig) -> None:
        """How many connections there may be, which changes while a node runs."""
        self.connections_max = min(config.max_connections, self.connections_possible)
        self.connections_of_listeners = own_values(config, "max_connections")
        self.connections_per_ip_max = config.max_connections_per_ip
        self.connections_per_ip_overrides = config.per_ip_overrides()

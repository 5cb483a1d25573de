"""The keyword options of producer, consumer and admin, for type checkers and editors.

Meaning, default and unit of each are in `config`; a test keeps the two alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ssl import SSLContext
from typing import TypedDict

from .config import Partitioner
from .serializing import Deserialize, Serialize
from .structs import PositionEvent, PositionReset
from .tokens import TokenProvider


class ClientOptions(TypedDict, total=False):
    """What all three take."""

    bootstrap_servers: str | Sequence[str]
    client_id: str
    request_timeout_ms: int
    default_api_timeout_ms: int
    topic_wait_ms: int
    socket_connection_setup_timeout_ms: int
    metadata_max_age_ms: int
    connections_max_idle_ms: int
    retry_backoff_ms: int
    retry_backoff_max_ms: int
    reconnect_backoff_ms: int
    reconnect_backoff_max_ms: int
    leader_hints: bool
    receive_message_max_bytes: int
    security_protocol: str
    ssl_context: SSLContext | None
    ssl_cafile: str | None
    ssl_certfile: str | None
    ssl_keyfile: str | None
    ssl_password: str | None
    ssl_check_hostname: bool
    sasl_mechanism: str | None
    sasl_plain_username: str | None
    sasl_plain_password: str | None
    sasl_oauth_token_provider: TokenProvider | None
    sasl_oauthbearer_token_endpoint_url: str | None
    sasl_oauthbearer_client_credentials_client_id: str | None
    sasl_oauthbearer_client_credentials_client_secret: str | None
    sasl_oauthbearer_scope: str | None
    sasl_oauthbearer_extensions: str | None
    https_ca_location: str | None


class AdminOptions(ClientOptions, total=False):
    """What `Admin` takes."""


class ProducerOptions(ClientOptions, total=False):
    """What `Producer` takes."""

    acks: int | str
    enable_idempotence: bool | None
    compression_type: str | None
    compression_level: int | None
    linger_ms: int
    batch_size: int
    max_request_size: int
    buffer_memory: int
    max_block_ms: int
    delivery_timeout_ms: int
    max_in_flight_requests_per_connection: int
    partitioner: Partitioner | None
    transactional_id: str | None
    transaction_timeout_ms: int
    key_serializer: Serialize | None
    value_serializer: Serialize | None


class ConsumerOptions(ClientOptions, total=False):
    """What `Consumer` takes."""

    isolation_level: str
    auto_offset_reset: str
    fetch_min_bytes: int
    fetch_max_wait_ms: int
    fetch_max_bytes: int
    max_partition_fetch_bytes: int
    prefetch_max_bytes: int
    max_poll_records: int | None
    check_crcs: bool
    decompressed_batch_max_bytes: int
    client_rack: str
    on_reset: Callable[[PositionReset], None] | None
    on_position_event: Callable[[PositionEvent], None] | None
    group_id: str | None
    group_instance_id: str | None
    group_protocol: str
    group_remote_assignor: str | None
    partition_assignment_strategy: Sequence[str]
    enable_auto_commit: bool
    auto_commit_interval_ms: int
    session_timeout_ms: int
    heartbeat_interval_ms: int
    max_poll_interval_ms: int
    close_timeout_ms: int
    key_deserializer: Deserialize | None
    value_deserializer: Deserialize | None

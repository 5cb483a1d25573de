"""Every option of the client: name, default, unit, what is allowed, and one line about it.

Names are those of aiokafka and of Kafka's own documentation with `.` written `_`; a mapping with
dotted names, as confluent-kafka takes it, goes through `from_properties`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence, Set
from ssl import SSLContext
from typing import Any, Self

from barnabas.protocol.compression import Codec, compress
from barnabas.protocol.sasl.client import MECHANISMS

from .declared import check_option, make_config, milliseconds, option
from .errors import ConfigurationError
from .group_checks import check_group
from .security_checks import check_security
from .serializing import Deserialize, Serialize, check_callable, check_function
from .structs import PositionEvent, PositionReset
from .tokens import TokenProvider

MIB = 1024 * 1024

Partitioner = Callable[[bytes | None, Sequence[int], Sequence[int]], int]
"""(key, all partitions, partitions that have a leader) -> the partition of this record."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class ClientConfig:
    """What producer, consumer and admin have in common."""

    bootstrap_servers: str | Sequence[str] = option(
        "localhost:9092", "addresses to learn the cluster from: `host:port`, by comma or as a list"
    )
    client_id: str = option("barnabas", "name that brokers see in their logs and quotas")
    request_timeout_ms: int = milliseconds(
        30_000, "how long a broker may take to answer one request", at_least=1
    )
    default_api_timeout_ms: int = milliseconds(
        60_000, "how long a call may take, with all its retries", at_least=1
    )
    topic_wait_ms: int = milliseconds(
        5_000, "a topic or partition that brokers do not know is asked for again for this long"
    )
    socket_connection_setup_timeout_ms: int = milliseconds(
        10_000, "how long connecting and the first exchange of versions may take", at_least=1
    )
    metadata_max_age_ms: int = milliseconds(
        300_000, "metadata older than this is asked for again", at_least=100
    )
    connections_max_idle_ms: int = milliseconds(
        540_000, "connections without use are closed after this; 0 keeps them"
    )
    retry_backoff_ms: int = milliseconds(100, "wait before the first retry; later ones double it")
    retry_backoff_max_ms: int = milliseconds(1_000, "longest wait between two retries")
    reconnect_backoff_ms: int = milliseconds(50, "wait before connecting again to one address")
    reconnect_backoff_max_ms: int = milliseconds(1_000, "longest wait before connecting again")
    leader_hints: bool = option(
        True, "go to a new leader that a Produce or Fetch answer names; off: ask for metadata first"
    )
    receive_message_max_bytes: int = option(
        100 * MIB,
        "a response frame larger than this closes the connection",
        unit="bytes",
        at_least=1024,
        at_most=2**31 - 1,
    )

    security_protocol: str = option(
        "PLAINTEXT",
        "whether connections have TLS (SSL) and a login (SASL)",
        one_of=("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
    )
    ssl_context: SSLContext | None = option(
        None, "TLS as the program made it; then the other `ssl_` options must not be set"
    )
    ssl_cafile: str | None = option(
        None, "PEM file with the authorities that are trusted; none: those of the system"
    )
    ssl_certfile: str | None = option(None, "PEM file with this client's certificates")
    ssl_keyfile: str | None = option(
        None, "PEM file with this client's private key; none: it is in `ssl_certfile`"
    )
    ssl_password: str | None = option(None, "password of an encrypted key", is_secret=True)
    ssl_check_hostname: bool = option(
        True, "whether a broker's certificate must be for the host that is connected to"
    )
    sasl_mechanism: str | None = option(
        None,
        "how to log in: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER",
        one_of=(None, *MECHANISMS),
    )
    sasl_plain_username: str | None = option(None, "the user, but with OAUTHBEARER")
    sasl_plain_password: str | None = option(None, "the user's password", is_secret=True)
    sasl_oauth_token_provider: TokenProvider | None = option(
        None,
        "gives the token of OAUTHBEARER, for each connection: a function, async or not, or an"
        " object with a method `token`; what is not async runs in a thread",
        is_secret=True,
    )
    sasl_oauthbearer_token_endpoint_url: str | None = option(
        None, "or where to ask for the token, by client credentials (OIDC): an https:// URL"
    )
    sasl_oauthbearer_client_credentials_client_id: str | None = option(
        None, "who asks at the token endpoint"
    )
    sasl_oauthbearer_client_credentials_client_secret: str | None = option(
        None, "by which the token endpoint knows who asks", is_secret=True
    )
    sasl_oauthbearer_scope: str | None = option(None, "scope to ask the token endpoint for")
    sasl_oauthbearer_extensions: str | None = option(
        None, "extensions to send with the token: `name=value`, by comma"
    )
    https_ca_location: str | None = option(
        None, "PEM file with the authorities of the token endpoint; none: those of the system"
    )

    @property
    def park_ms(self) -> int:
        """How long a broker may hold a request on purpose, without being silent."""
        return 0

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            check_option(each, getattr(self, each.name))
        check_security({each.name: getattr(self, each.name) for each in dataclasses.fields(self)})
        self.check_relations()

    def check_relations(self) -> None:
        """Raise ConfigurationError where two options contradict each other."""
        self.addresses()

    def addresses(self) -> list[tuple[str, int]]:
        """The bootstrap list as (host, port)."""
        given = self.bootstrap_servers
        texts = given.split(",") if isinstance(given, str) else given
        if not isinstance(texts, Sequence | Set) or not all(isinstance(one, str) for one in texts):
            raise ConfigurationError(f"bootstrap_servers={given!r}: give host:port, or a list")
        found = [parse_address(text.strip()) for text in texts if text.strip()]
        if not found:
            raise ConfigurationError("bootstrap_servers is empty: give at least one host:port")
        return found

    @classmethod
    def from_properties(cls, properties: Mapping[str, Any]) -> Self:
        """Make a configuration from dotted names, as in `{"bootstrap.servers": "…"}`.

        Raises:
            ConfigurationError: a name is unknown, or a value is not allowed.
        """
        return make_config(cls, {name.replace(".", "_"): v for name, v in properties.items()})


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class AdminConfig(ClientConfig):
    """Options of `Admin`."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class ProducerConfig(ClientConfig):
    """Options of `Producer`."""

    acks: int | str = option(
        "all", "who must have a record before it counts as sent", one_of=(0, 1, -1, "all")
    )
    enable_idempotence: bool | None = option(
        None, "store each record once whatever is retried; on unless acks is not `all`"
    )
    compression_type: str | None = option(
        None, "codec of batches", one_of=(None, "none", "gzip", "snappy", "lz4", "zstd")
    )
    compression_level: int | None = option(None, "level of the codec, None for its default")
    linger_ms: int = milliseconds(0, "how long a batch that is not full waits for more records")
    batch_size: int = option(
        128 * 1024,
        "a batch takes records up to this size, before compression",
        unit="bytes",
        at_least=1,
        at_most=64 * MIB,
    )
    max_request_size: int = option(
        MIB, "largest record, and largest request", unit="bytes", at_least=1, at_most=100 * MIB
    )
    buffer_memory: int = option(
        32 * MIB,
        "records that wait may fill this; beyond it send() waits and send_nowait() raises",
        unit="bytes",
        at_least=1,
    )
    max_block_ms: int = milliseconds(
        60_000, "how long send() may wait for metadata or for room in the buffer"
    )
    delivery_timeout_ms: int = milliseconds(
        120_000, "a record not acknowledged after this fails", at_least=1
    )
    max_in_flight_requests_per_connection: int = option(
        5, "requests sent to one broker before the first is answered", at_least=1, at_most=100
    )
    partitioner: Partitioner | None = option(
        None, "chooses the partition; None: murmur2 of the key, sticky without a key"
    )
    transactional_id: str | None = option(
        None,
        "name of this producer that outlives restarts, for transactions: who starts with it fences"
        " whoever had it before; None: no transactions",
    )
    transaction_timeout_ms: int = milliseconds(
        60_000,
        "the coordinator aborts a transaction that is open for longer; at most what the brokers"
        " allow (`transaction.max.timeout.ms`)",
        at_least=1,
    )
    key_serializer: Serialize | None = option(
        None, "makes bytes of keys: a function, or a `Serializer`; not asked for None"
    )
    value_serializer: Serialize | None = option(
        None, "makes bytes of values; not asked for None, which is a tombstone"
    )

    def check_relations(self) -> None:
        self.addresses()
        check_callable("key_serializer", self.key_serializer, "serialize")
        check_callable("value_serializer", self.value_serializer, "serialize")
        check_function("partitioner", self.partitioner)
        self.check_compression()
        self.check_transactions()
        if self.enable_idempotence and self.required_acks != -1:
            raise ConfigurationError("enable_idempotence=True needs acks='all'")
        if self.enable_idempotence and self.max_in_flight_requests_per_connection > 5:
            raise ConfigurationError(
                "enable_idempotence=True needs max_in_flight_requests_per_connection of at most 5:"
                " brokers remember five batches"
            )

    def check_transactions(self) -> None:
        """Raise ConfigurationError where options do not go with a transactional id."""
        given = self.transactional_id
        if given is None:
            return
        if not isinstance(given, str) or not given:
            raise ConfigurationError(f"transactional_id={given!r} is neither None nor a name")
        if self.required_acks != -1:
            raise ConfigurationError("transactional_id needs acks='all'")
        if self.enable_idempotence is False:
            raise ConfigurationError("transactional_id needs enable_idempotence")
        if self.max_in_flight_requests_per_connection > 5:
            raise ConfigurationError(
                "transactional_id needs max_in_flight_requests_per_connection of at most 5:"
                " brokers remember five batches"
            )

    def check_compression(self) -> None:
        """Raise ConfigurationError where the codec has no such level."""
        if self.compression_level is None:
            return
        try:
            compress(self.codec, b"", self.compression_level)
        except Exception as error:  # each library of a codec has exceptions of its own
            raise ConfigurationError(
                f"compression_level={self.compression_level!r} is none of"
                f" {self.compression_type}: {error}"
            ) from None

    @property
    def codec(self) -> Codec:
        """The codec of `compression_type`."""
        return Codec[(self.compression_type or "none").upper()]

    @property
    def required_acks(self) -> int:
        """-1 for all in-sync replicas, 1 for the leader, 0 for no answer at all."""
        return -1 if self.acks == "all" else int(self.acks)

    @property
    def is_idempotent(self) -> bool:
        if self.enable_idempotence is not None:
            return self.enable_idempotence
        return self.required_acks == -1 and self.max_in_flight_requests_per_connection <= 5


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class ConsumerConfig(ClientConfig):
    """Options of `Consumer`."""

    isolation_level: str = option(
        "read_uncommitted",
        "whether records of open and aborted transactions are seen",
        one_of=("read_uncommitted", "read_committed"),
    )
    auto_offset_reset: str = option(
        "latest",
        "where to go on when there is no position, or it is out of range; none raises",
        one_of=("earliest", "latest", "none"),
    )
    fetch_min_bytes: int = option(
        1, "a broker answers a fetch when it has this much", unit="bytes", at_least=0
    )
    fetch_max_wait_ms: int = milliseconds(500, "or after this time")
    fetch_max_bytes: int = option(
        50 * MIB, "most that one fetch answers", unit="bytes", at_least=1, at_most=2**31 - 1
    )
    max_partition_fetch_bytes: int = option(
        MIB, "most that one fetch answers of a partition", unit="bytes", at_least=1
    )
    prefetch_max_bytes: int = option(
        64 * MIB, "fetching stops while this much waits to be read", unit="bytes", at_least=1
    )
    max_poll_records: int | None = option(None, "most records of one getmany(), None: no bound")
    check_crcs: bool = option(True, "check the CRC-32C of each batch")
    decompressed_batch_max_bytes: int = option(
        64 * MIB, "a batch larger than this when decompressed is refused", unit="bytes", at_least=1
    )
    client_rack: str = option(
        "", "rack of this program: brokers that know racks let it read from a replica there"
    )
    on_reset: Callable[[PositionReset], None] | None = option(
        None, "called when the consumer moves a position by itself"
    )
    on_position_event: Callable[[PositionEvent], None] | None = option(
        None, "called then too, and when a position that a replica refused turned out to be good"
    )
    group_id: str | None = option(
        None, "the consumer group whose members share the topics and commit offsets; None: no group"
    )
    group_instance_id: str | None = option(
        None, "name of this member that outlives restarts (a static member); unique in the group"
    )
    group_protocol: str = option(
        "classic",
        "classic: a member assigns the partitions; consumer: the broker does (KIP-848)",
        one_of=("classic", "consumer"),
    )
    group_remote_assignor: str | None = option(
        None, "assignor of the broker, with group_protocol=consumer; None: the broker's default"
    )
    partition_assignment_strategy: Sequence[str] = option(
        ("range", "cooperative-sticky"),
        "assignors of the classic protocol, the best first: range, roundrobin, sticky,"
        " cooperative-sticky; if all are cooperative, partitions that stay are never stopped",
    )
    enable_auto_commit: bool = option(
        True, "commit what the program has dealt with by itself, if there is a group"
    )
    auto_commit_interval_ms: int = milliseconds(5_000, "how often", at_least=1)
    session_timeout_ms: int = milliseconds(
        45_000, "classic: a member that is not heard of for this long is taken for dead", at_least=1
    )
    heartbeat_interval_ms: int = milliseconds(
        3_000, "classic: how often a member is heard of", at_least=1
    )
    max_poll_interval_ms: int = milliseconds(
        300_000, "a program that asks for no record for this long leaves the group", at_least=1
    )
    close_timeout_ms: int = milliseconds(
        10_000, "how long stop() may commit, call back and leave the group"
    )

    key_deserializer: Deserialize | None = option(
        None, "makes keys of bytes: a function, or a `Deserializer`; not asked where there is none"
    )
    value_deserializer: Deserialize | None = option(
        None, "makes values of bytes; not asked for a tombstone"
    )

    def check_relations(self) -> None:
        self.addresses()
        check_callable("key_deserializer", self.key_deserializer, "deserialize")
        check_callable("value_deserializer", self.value_deserializer, "deserialize")
        check_function("on_reset", self.on_reset)
        check_function("on_position_event", self.on_position_event)
        most = self.max_poll_records
        if most is not None and (type(most) is not int or most < 1):
            raise ConfigurationError(f"max_poll_records={most!r} is neither None nor 1 or more")
        check_group(self)

    @property
    def park_ms(self) -> int:
        return self.fetch_max_wait_ms

    @property
    def isolation(self) -> int:
        """0 for read_uncommitted, 1 for read_committed, as on the wire."""
        return int(self.isolation_level == "read_committed")


def parse_address(text: str) -> tuple[str, int]:
    """`host:port` or `[v6]:port`; a scheme in front (`PLAINTEXT://`) is accepted."""
    bare = text.split("://", 1)[-1]
    host, colon, port = bare.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise ConfigurationError(f"bootstrap_servers: {text!r} is not of the form host:port")
    return host.strip("[]") or "localhost", int(port)

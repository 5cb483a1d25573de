"""Every option of the client: name, default, unit, what is allowed, and one line about it.

Names are those of aiokafka and of Kafka's own documentation with `.` written `_`; a mapping with
dotted names, as confluent-kafka takes it, goes through `from_properties`.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeVar

from barnabas.protocol.compression import Codec, compress

from .errors import ConfigurationError, GroupsNotSupportedError
from .structs import PositionEvent, PositionReset

MIB = 1024 * 1024

Partitioner = Callable[[bytes | None, Sequence[int], Sequence[int]], int]
"""(key, all partitions, partitions that have a leader) -> the partition of this record."""

T = TypeVar("T")


def option(
    default: T,
    doc: str,
    *,
    unit: str = "",
    at_least: int | None = None,
    at_most: int | None = None,
    one_of: tuple[object, ...] = (),
) -> T:
    """Declare one option; the bounds are checked when a configuration is made."""
    metadata = {
        "doc": doc,
        "unit": unit,
        "at_least": at_least,
        "at_most": at_most,
        "one_of": one_of,
    }
    made: T = dataclasses.field(default=default, metadata=metadata)
    return made


def milliseconds(default: int, doc: str, *, at_least: int = 0) -> int:
    """Declare a time of at most an hour and a day, in milliseconds."""
    return option(default, doc, unit="ms", at_least=at_least, at_most=25 * 3600 * 1000)


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

    @property
    def park_ms(self) -> int:
        """How long a broker may hold a request on purpose, without being silent."""
        return 0

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            check_option(each, getattr(self, each.name))
        self.check_relations()

    def check_relations(self) -> None:
        """Raise ConfigurationError where two options contradict each other."""
        self.addresses()

    def addresses(self) -> list[tuple[str, int]]:
        """The bootstrap list as (host, port)."""
        given = self.bootstrap_servers
        texts = given.split(",") if isinstance(given, str) else list(given)
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
    partitioner: Partitioner | None = option(  # noqa: RUF009  # it makes a dataclass field
        None, "chooses the partition; None: murmur2 of the key, sticky without a key"
    )

    def check_relations(self) -> None:
        self.addresses()
        self.check_compression()
        if self.enable_idempotence and self.required_acks != -1:
            raise ConfigurationError("enable_idempotence=True needs acks='all'")
        if self.enable_idempotence and self.max_in_flight_requests_per_connection > 5:
            raise ConfigurationError(
                "enable_idempotence=True needs max_in_flight_requests_per_connection of at most 5:"
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
    on_reset: Callable[[PositionReset], None] | None = option(  # noqa: RUF009  # as above
        None, "called when the consumer moves a position by itself"
    )
    on_position_event: Callable[[PositionEvent], None] | None = option(  # noqa: RUF009
        None, "called then too, and when a position that a replica refused turned out to be good"
    )

    @property
    def park_ms(self) -> int:
        return self.fetch_max_wait_ms

    @property
    def isolation(self) -> int:
        """0 for read_uncommitted, 1 for read_committed, as on the wire."""
        return int(self.isolation_level == "read_committed")


C = TypeVar("C", bound=ClientConfig)

GROUP_OPTIONS = frozenset(
    {
        "group_id",
        "group_instance_id",
        "group_protocol",
        "enable_auto_commit",
        "auto_commit_interval_ms",
        "session_timeout_ms",
        "heartbeat_interval_ms",
        "max_poll_interval_ms",
        "partition_assignment_strategy",
    }
)
"""What other clients call the options of consumer groups."""


def make_config(cls: type[C], options: Mapping[str, Any]) -> C:
    """Make a configuration from keyword options; an unknown name is an error that says so."""
    names = [each.name for each in dataclasses.fields(cls)]
    unknown = [name for name in options if name not in names]
    if unknown and unknown[0] in GROUP_OPTIONS:
        raise GroupsNotSupportedError(
            f"{unknown[0]!r}: consumer groups are not offered; Consumer('topic') reads all"
            " partitions of a topic, assign() those that you choose"
        )
    if unknown:
        near = difflib.get_close_matches(unknown[0], names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ConfigurationError(f"{cls.__name__} has no option {unknown[0]!r}{hint}")
    return cls(**options)


def chosen_config(cls: type[C], config: object, options: Mapping[str, Any]) -> C:
    """The configuration that was given, or one made of keyword options; not both.

    Raises:
        TypeError: `config` is no configuration of this class, or options came beside it.
        ConfigurationError: as `make_config`.
    """
    if config is None:
        return make_config(cls, options)
    if not isinstance(config, cls):
        raise TypeError(
            f"config must be a {cls.__name__}, not {config!r}: options go by name,"
            " for instance bootstrap_servers='localhost:9092'"
        )
    if options:
        raise TypeError(f"{sorted(options)[0]} beside a {cls.__name__}, which has all options")
    return config


def check_option(each: dataclasses.Field[Any], value: object) -> None:
    """Raise ConfigurationError unless `value` is what this option allows."""
    declared = each.metadata
    allowed = declared["one_of"]
    if allowed:
        # By identity of type too: True == 1 must not pass for acks=1.
        if not any(value == one and type(value) is type(one) for one in allowed):
            listed = ", ".join(repr(one) for one in allowed)
            raise ConfigurationError(f"{each.name}={value!r} is not one of {listed}")
        return
    expected = type(each.default)
    if expected in (int, bool, str) and each.name != "bootstrap_servers":
        if type(value) is not expected:
            raise ConfigurationError(f"{each.name}={value!r} is not of type {expected.__name__}")
        if isinstance(value, int):
            check_bounds(each, value)


def check_bounds(each: dataclasses.Field[Any], value: int) -> None:
    """Raise ConfigurationError unless the number lies within what the option declares."""
    low, high, unit = (each.metadata[name] for name in ("at_least", "at_most", "unit"))
    if low is not None and value < low:
        raise ConfigurationError(f"{each.name}={value} is less than {low} {unit}".rstrip())
    if high is not None and value > high:
        raise ConfigurationError(f"{each.name}={value} is more than {high} {unit}".rstrip())


def parse_address(text: str) -> tuple[str, int]:
    """`host:port` or `[v6]:port`; a scheme in front (`PLAINTEXT://`) is accepted."""
    bare = text.split("://", 1)[-1]
    host, colon, port = bare.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise ConfigurationError(f"bootstrap_servers: {text!r} is not of the form host:port")
    return host.strip("[]") or "localhost", int(port)

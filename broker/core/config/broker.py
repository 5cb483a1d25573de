"""The settings of a node: all groups in one frozen value, and how they must fit together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..quotas.entities import canonical_address
from .authorization import AuthorizationSettings, check_authorization
from .field import INT_MAX, ConfigError, Settings, Value, integer_of, settings_of
from .groups import GroupSettings, check_groups
from .logs import LogSettings
from .network import NetworkSettings
from .observing import ObservingSettings
from .providers import ProviderSettings
from .quorum import QuorumSettings
from .quotas import QuotaSettings
from .replication import ReplicationSettings
from .security import SecuritySettings
from .topic import TopicConfig
from .transactions import TransactionSettings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BrokerConfig(
    QuorumSettings,
    NetworkSettings,
    SecuritySettings,
    AuthorizationSettings,
    LogSettings,
    ReplicationSettings,
    GroupSettings,
    TransactionSettings,
    QuotaSettings,
    ObservingSettings,
    ProviderSettings,
    Settings,
):
    """Everything that `barnabas serve` can be told."""

    @property
    def is_broker(self) -> bool:
        return "broker" in self.process_roles

    @property
    def is_controller(self) -> bool:
        return "controller" in self.process_roles

    @property
    def metadata_directory(self) -> str:
        """The log directory that holds `__cluster_metadata-0`."""
        return self.metadata_log_dir or self.log_dirs[0]

    def default_topic_config(self) -> TopicConfig:
        """The settings of a topic that has none of its own."""
        return TopicConfig(**self.topic_defaults())

    def topic_defaults(self) -> dict[str, Any]:
        """Topic field name -> default that this broker's settings give."""
        defaults = {}
        for declared in settings_of(TopicConfig).values():
            if declared.synonyms:
                defaults[declared.field_name] = self._default_of(declared.synonyms)
        return defaults

    def _default_of(self, synonyms: tuple[tuple[str, int], ...]) -> Value:
        for name, factor in synonyms:
            value = self.value(name)
            if value is not None:
                return scaled(value, factor)
        raise AssertionError(f"one of {synonyms} has a default")

    def check_relations(self) -> None:
        """Raise `ConfigError` for settings that are fine alone but not together."""
        _below(self, "replica.fetch.wait.max.ms", "replica.lag.time.max.ms")
        _below(self, "broker.heartbeat.interval.ms", "broker.session.timeout.ms")
        if self.log_cleaner_min_compaction_lag_ms > self.log_cleaner_max_compaction_lag_ms:
            raise ConfigError(
                "log.cleaner.min.compaction.lag.ms",
                self.log_cleaner_min_compaction_lag_ms,
                "must be no more than log.cleaner.max.compaction.lag.ms "
                f"({self.log_cleaner_max_compaction_lag_ms})",
            )
        for name in ("log.retention.ms", "log.retention.minutes", "log.retention.hours"):
            if self.value(name) == 0:
                raise ConfigError(name, 0, "must be -1 (never) or at least 1")
        for name in ("process.roles", "listeners", "log.dirs"):
            if not self.value(name):
                raise ConfigError(name, None, "must name at least one")
        if not self.per_ip_overrides() and not self.max_connections_per_ip:
            raise ConfigError(
                "max.connections.per.ip",
                0,
                "can be 0 only with max.connections.per.ip.overrides, or nobody could connect",
            )
        check_groups(self)
        check_authorization(self)
        if self.follower_fetch_process_time_max_ms >= self.replica_lag_time_max_ms:
            raise ConfigError(
                "follower.fetch.process.time.max.ms",
                self.follower_fetch_process_time_max_ms,
                f"must be less than replica.lag.time.max.ms ({self.replica_lag_time_max_ms})",
            )

    def per_ip_overrides(self) -> dict[str, int]:
        """Most connections of single addresses. Raises `ConfigError`."""
        found: dict[str, int] = {}
        for text in self.max_connections_per_ip_overrides:
            host, _, number = text.rpartition(":")
            address = canonical_address(host.strip("[]"))
            limit = integer_of(number) if number.isdigit() else None  # no sign
            if address is None or limit is None or limit > INT_MAX:
                raise ConfigError(
                    "max.connections.per.ip.overrides", text, "must be address:number"
                )
            found[address] = limit
        return found


def _below(config: BrokerConfig, low: str, high: str) -> None:
    smaller, larger = config.value(low), config.value(high)
    assert isinstance(smaller, int)
    assert isinstance(larger, int)
    if smaller >= larger:
        raise ConfigError(low, smaller, f"must be less than {high} ({larger})")


def scaled(value: Value, factor: int) -> Value:
    """A broker setting's value in the unit of the topic setting that it is the default of.

    Negative values mean "without bound" in every unit.
    """
    if factor == 1 or not isinstance(value, int) or value < 0:
        return value
    return value * factor


def topic_config(defaults: TopicConfig, overrides: Mapping[str, str]) -> TopicConfig:
    """`defaults` with a topic's own settings, given by Kafka's names and as text.

    Names that barnabas does not know (`remote.storage.enable`) are left out: a directory that Kafka
    wrote may hold any. Raises `ConfigError` for a value that is not allowed.
    """
    known = settings_of(TopicConfig)
    changes: dict[str, Any] = {}
    for name, text in overrides.items():
        if name in known:
            changes[known[name].field_name] = known[name].parse(text)
    return replace(defaults, **changes)

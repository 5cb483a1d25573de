"""Changes of settings, as the controller decides them: SET, DELETE, APPEND, SUBTRACT.

The changes of one resource are accepted together or refused together; resources are independent of
each other. With eligible leader replicas on, a change of `min.insync.replicas` clears the ELR of
the partitions it concerns, since membership was judged by the old value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.clear_elr_record import ClearElrRecord
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from ..config.broker import BrokerConfig, topic_config
from ..config.field import ConfigError, settings_of
from ..config.foreign import ForeignGroupConfig, ForeignTopicConfig
from ..config.group import GroupConfig, check_group_config
from ..config.live_overrides import certificate_of
from ..config.topic import TopicConfig
from .client_metrics import check_client_metrics
from .commands import (
    APPEND,
    DELETE,
    SET,
    AlterConfigs,
    ConfigChange,
    Decision,
    Outcome,
    ResourceChange,
)
from .image import (
    RESOURCE_BROKER,
    RESOURCE_CLIENT_METRICS,
    RESOURCE_GROUP,
    RESOURCE_TOPIC,
    ClusterImage,
)
from .topic_image import NO_LEADER
from .topic_names import name_fault

MIN_INSYNC_REPLICAS: Final = "min.insync.replicas"
UNCLEAN_ELECTIONS: Final = "unclean.leader.election.enable"
VALUE_BYTES_MAX: Final = 32767
_OPERATIONS: Final = ("SET", "DELETE", "APPEND", "SUBTRACT")


def decide_alter_configs(
    command: AlterConfigs, image: ClusterImage, static: BrokerConfig
) -> Decision[list[Outcome]]:
    """Records for each resource whose changes are allowed, and an `Outcome` for each resource."""
    records: list[Message] = []
    outcomes: list[Outcome] = []
    for resource in command.resources:
        try:
            made = _decide(resource, image, static)
        except KafkaError as error:
            outcomes.append(Outcome(error.code, error.message))
        else:
            records += made
            outcomes.append(Outcome())
    return Decision([] if command.validate_only else records, outcomes)


def _decide(resource: ResourceChange, image: ClusterImage, static: BrokerConfig) -> list[Message]:
    check_exists(resource.resource_type, resource.name, image)
    before = image.config_of(resource.resource_type, resource.name)
    after = dict(before)
    changed: dict[str, str | None] = {}
    for change in (*resource.changes, *_removals(resource, before)):
        value = _changed(resource.resource_type, after.get(change.name), change, static)
        # As in Kafka, setting a broker's value again writes a record: brokers reload by it.
        if value != before.get(change.name) or resource.resource_type == RESOURCE_BROKER:
            changed[change.name] = value
        if value is None:
            after.pop(change.name, None)
        else:
            after[change.name] = value
    _check_min_insync(resource, changed, image)
    if resource.resource_type == RESOURCE_TOPIC:
        check_topic_configs(after, static)
    elif resource.resource_type == RESOURCE_BROKER:
        _check_listeners(resource.name, changed)
        _check_broker_configs(after, changed, static)
    else:
        _check_others(resource, after, changed, static)
    return config_records(resource.resource_type, resource.name, changed.items(), image)


def _removals(resource: ResourceChange, before: Mapping[str, str]) -> list[ConfigChange]:
    """Settings that are removed since the complete new set does not name them."""
    named = {change.name for change in resource.changes}
    return [
        ConfigChange(name, DELETE, None)
        for name in before
        if resource.is_whole and name not in named
    ]


def config_records(
    resource_type: int,
    resource: str,
    values: Iterable[tuple[str, str | None]],
    image: ClusterImage,
) -> list[Message]:
    """The records that set (or, with None, remove) `values` on a resource."""
    records: list[Message] = []
    clears = False
    for name, value in values:
        records.append(
            ConfigRecord(
                resource_type=resource_type, resource_name=resource, name=name, value=value
            )
        )
        clears |= name == MIN_INSYNC_REPLICAS
    if clears and image.is_elr_enabled:
        topic = resource if resource_type == RESOURCE_TOPIC else ""
        records.append(ClearElrRecord(topic_name=topic))
        records += _still_eligible(topic, image)
    return records


def _still_eligible(topic: str, image: ClusterImage) -> Iterator[Message]:
    """What a `ClearElrRecord` takes from partitions without leader and ISR is given back.

    Nothing was committed since they lost their leader, whatever the setting is now, and nobody
    else could ever be elected.
    """
    found = image.topics_by_name.get(topic)
    for each in image.topics_by_id.values() if not topic else (found,) if found else ():
        for number, partition in each.partitions.items():
            has_candidates = partition.elr or partition.last_known_elr
            if partition.leader == NO_LEADER and not partition.isr and has_candidates:
                yield PartitionChangeRecord(
                    topic_id=each.topic_id,
                    partition_id=number,
                    eligible_leader_replicas=list(partition.elr),
                    last_known_elr=list(partition.last_known_elr),
                )


def allows_unclean_elections(records: Iterable[Message]) -> bool:
    """Whether one of the records allows unclean elections."""
    return any(
        isinstance(record, ConfigRecord)
        and record.name == UNCLEAN_ELECTIONS
        and record.value == "true"
        for record in records
    )


def check_exists(resource_type: int, name: str, image: ClusterImage) -> None:
    """Raise KafkaError unless the resource exists and may be configured."""
    if resource_type == RESOURCE_TOPIC:
        if not name:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "Default topic resources are not allowed.")
        fault = name_fault(name)
        if fault is not None:
            raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, fault)
        if name not in image.topics_by_name:
            raise KafkaError(
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"The topic '{name}' does not exist."
            )
    elif resource_type == RESOURCE_BROKER:
        _check_broker_exists(name, image)
    elif resource_type not in (RESOURCE_CLIENT_METRICS, RESOURCE_GROUP):
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unknown resource type {resource_type}")


def _check_broker_exists(name: str, image: ClusterImage) -> None:
    if not name:
        return
    if not name.isdecimal():
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, "Unable to parse broker name as a base 10 number."
        )
    if name not in map(str, (*image.brokers, *image.controllers)):
        raise KafkaError(ErrorCode.BROKER_ID_NOT_REGISTERED, f"No node with id {name} found.")


def _changed(
    resource_type: int, current: str | None, change: ConfigChange, static: BrokerConfig
) -> str | None:
    """The value after one change; None removes the setting."""
    if change.operation == SET:
        value = change.value
    elif change.operation == DELETE:
        return None
    else:
        value = _with_part(resource_type, current, change, static)
    if value is not None and len(value.encode()) > VALUE_BYTES_MAX:
        raise KafkaError(
            ErrorCode.INVALID_CONFIG,
            "The configuration value cannot be added because it exceeds the maximum value size "
            f"of {VALUE_BYTES_MAX} bytes.",
        )
    return value


def _with_part(
    resource_type: int, current: str | None, change: ConfigChange, static: BrokerConfig
) -> str:
    known = settings_of(TopicConfig if resource_type == RESOURCE_TOPIC else BrokerConfig)
    declared = known.get(change.name)
    if declared is None or declared.kind != "LIST":
        raise KafkaError(
            ErrorCode.INVALID_CONFIG,
            f"Can't {_OPERATIONS[change.operation]} to key {change.name} "
            "because its type is not LIST.",
        )
    if current is None:
        config = static.default_topic_config() if resource_type == RESOURCE_TOPIC else static
        current = config.text(change.name) or ""
    parts = [part for part in current.split(",") if part]
    for part in (change.value or "").split(","):
        if change.operation == APPEND and part and part not in parts:
            parts.append(part)
        elif change.operation != APPEND and part in parts:
            parts.remove(part)
    return ",".join(parts)


def _check_min_insync(
    resource: ResourceChange, changed: dict[str, str | None], image: ClusterImage
) -> None:
    if (
        resource.resource_type != RESOURCE_BROKER
        or MIN_INSYNC_REPLICAS not in changed
        or not image.is_elr_enabled
    ):
        return
    if resource.name:
        raise KafkaError(
            ErrorCode.INVALID_CONFIG,
            "Broker-level min.insync.replicas cannot be altered while ELR is enabled.",
        )
    if changed[MIN_INSYNC_REPLICAS] is None:
        raise KafkaError(
            ErrorCode.INVALID_CONFIG,
            "Cluster-level min.insync.replicas cannot be removed while ELR is enabled.",
        )


def check_topic_configs(values: dict[str, str], static: BrokerConfig) -> None:
    """Raise KafkaError INVALID_CONFIG (40) unless a topic may have these settings."""
    known = settings_of(TopicConfig)
    for name, value in values.items():
        if name in known:
            continue
        if name not in FOREIGN_TOPIC_CONFIGS:
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"Unknown topic config name: {name}")
        if value != FOREIGN_TOPIC_CONFIGS[name]:
            raise KafkaError(
                ErrorCode.INVALID_CONFIG,
                f"Invalid value {value} for configuration {name}: barnabas has no tiered "
                f"storage; only {FOREIGN_TOPIC_CONFIGS[name]} is allowed",
            )
    try:
        topic_config(static.default_topic_config(), values)
    except ConfigError as error:
        raise KafkaError(ErrorCode.INVALID_CONFIG, str(error)) from None


FOREIGN_TOPIC_CONFIGS: Final = {
    name: one.text(one.default) for name, one in settings_of(ForeignTopicConfig).items()
}
"""Settings of tiered storage, which barnabas does not have: accepted with their default only."""


GROUP_CONFIGS: Final = frozenset({*settings_of(GroupConfig), *settings_of(ForeignGroupConfig)})


def _check_others(
    resource: ResourceChange,
    after: dict[str, str],
    changed: dict[str, str | None],
    static: BrokerConfig,
) -> None:
    """Raise KafkaError for a setting that groups or client metrics may not have; any may be
    removed."""
    values = {name: value for name, value in changed.items() if value is not None}
    if resource.resource_type == RESOURCE_CLIENT_METRICS:
        check_client_metrics(resource.name, values)
        return
    if not resource.name:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "Default group resources are not allowed.")
    for name in values:
        if name not in GROUP_CONFIGS:
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"Unknown group config name: {name}")
    if values:
        try:
            check_group_config(after, static)
        except ConfigError as error:
            raise KafkaError(ErrorCode.INVALID_CONFIG, str(error)) from None


def _check_listeners(broker: str, changed: Mapping[str, str | None]) -> None:
    """The settings of a listener that may change: certificates, for a single broker, and limits of
    connections (TLS-18)."""
    for name, value in changed.items():
        try:
            is_certificate = value is not None and certificate_of(name, value) is not None
        except ConfigError as error:
            raise KafkaError(ErrorCode.INVALID_REQUEST, str(error)) from None
        if is_certificate and not broker:
            text = f"{name} is for one broker alone: a broker id must be specified"
            raise KafkaError(ErrorCode.INVALID_REQUEST, text)


def _check_broker_configs(
    after: dict[str, str], changed: dict[str, str | None], static: BrokerConfig
) -> None:
    # Kafka answers INVALID_REQUEST, although INVALID_CONFIG would fit better (KAFKA-13609).
    known = settings_of(BrokerConfig)
    fixed = [
        name
        for name, value in changed.items()
        # As in Kafka any name may come, for what others read, and any may go: Kafka's tools remove
        # throttles that nobody has set.
        if value is not None and name in known and not known[name].dynamic
    ]
    if fixed:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"Cannot update these configs dynamically: [{', '.join(fixed)}]",
        )
    values: dict[str, Any] = {}
    try:
        for name, text in after.items():
            if name in known:
                values[known[name].field_name] = known[name].parse(text)
        replace(static, **values)
    except ConfigError as error:
        raise KafkaError(ErrorCode.INVALID_REQUEST, str(error)) from None

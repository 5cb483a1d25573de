"""All that the nodes of a cluster agree on: changed by `apply(record, offset)` and nothing else.

The same code runs on the controller, on brokers and at start, over records that we wrote or that
Kafka wrote. Rules:

- Records are applied in offset order (631-04). Between a `BeginTransactionRecord` and its end they
  are kept back, so that no reader sees half of a change; an abort drops them.
- Values inside (a broker, a partition) are immutable and replaced; who needs one state of things
  over an `await` keeps the value, not the image.
- Every record type of Kafka 4.3 has a row in `_APPLY`: applied, kept, or ignored by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from barnabas.protocol.message import Message
from barnabas.protocol.messages.access_control_entry_record import AccessControlEntryRecord
from barnabas.protocol.messages.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from barnabas.protocol.messages.clear_elr_record import ClearElrRecord
from barnabas.protocol.messages.client_quota_record import ClientQuotaRecord
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.delegation_token_record import DelegationTokenRecord
from barnabas.protocol.messages.feature_level_record import FeatureLevelRecord
from barnabas.protocol.messages.fence_broker_record import FenceBrokerRecord
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.producer_ids_record import ProducerIdsRecord
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord
from barnabas.protocol.messages.register_controller_record import RegisterControllerRecord
from barnabas.protocol.messages.remove_access_control_entry_record import (
    RemoveAccessControlEntryRecord,
)
from barnabas.protocol.messages.remove_delegation_token_record import RemoveDelegationTokenRecord
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord
from barnabas.protocol.messages.remove_user_scram_credential_record import (
    RemoveUserScramCredentialRecord,
)
from barnabas.protocol.messages.topic_record import TopicRecord
from barnabas.protocol.messages.unfence_broker_record import UnfenceBrokerRecord
from barnabas.protocol.messages.unregister_broker_record import UnregisterBrokerRecord
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord

from .broker_image import BrokerImage, ControllerImage
from .changes import Changes
from .relinquishing import is_hand_over
from .security_image import SecurityImage, acl_of
from .topic_image import PartitionImage, TopicImage

RESOURCE_TOPIC: Final = 2
RESOURCE_BROKER: Final = 4
RESOURCE_BROKER_LOGGER: Final = 8
RESOURCE_CLIENT_METRICS: Final = 16
RESOURCE_GROUP: Final = 32

METADATA_VERSION: Final = "metadata.version"
ELIGIBLE_LEADER_REPLICAS: Final = "eligible.leader.replicas.version"
KRAFT_VERSION: Final = "kraft.version"  # the quorum's own: it is in no record of the image

NO_CONFIGS: Final[dict[str, str]] = {}


class ClusterImage:
    """The cluster's metadata up to and including `last_offset`."""

    def __init__(self, cluster_id: str = "") -> None:
        self.cluster_id = cluster_id
        self.brokers: dict[int, BrokerImage] = {}
        self.controllers: dict[int, ControllerImage] = {}
        self.topics_by_name: dict[str, TopicImage] = {}
        self.topics_by_id: dict[bytes, TopicImage] = {}
        self.configs: dict[tuple[int, str], dict[str, str]] = {}
        self.features: dict[str, int] = {}
        self.security = SecurityImage()
        self.next_producer_id = 0
        self.last_offset = -1
        self.last_epoch = -1
        self.derived: dict[object, Any] = {}
        """Values that others derive from `configs`; cleared when any of those changes."""
        self._kept_back: list[Message] | None = None
        self._changes = Changes()

    # --- reading ---

    @property
    def metadata_version(self) -> int:
        """The finalised level of `metadata.version`, which limits the record versions that are
        written."""
        return self.features.get(METADATA_VERSION, 0)

    @property
    def is_in_transaction(self) -> bool:
        """Whether records are held back until a metadata transaction ends."""
        return self._kept_back is not None

    @property
    def is_elr_enabled(self) -> bool:
        """Whether partitions keep eligible leader replicas (966-02)."""
        return self.features.get(ELIGIBLE_LEADER_REPLICAS, 0) > 0

    def partition(self, topic: str, partition: int) -> PartitionImage | None:
        """The partition; None if the topic or the partition does not exist."""
        found = self.topics_by_name.get(topic)
        return None if found is None else found.partitions.get(partition)

    def config_of(self, resource_type: int, name: str) -> dict[str, str]:
        """The settings made on a resource; the broker resource "" holds the defaults of all
        brokers."""
        return self.configs.get((resource_type, name), NO_CONFIGS)

    def active_brokers(self) -> list[BrokerImage]:
        """Brokers that are neither fenced nor shutting down, by id."""
        return [self.brokers[key] for key in sorted(self.brokers) if self.brokers[key].is_active]

    def partition_count(self) -> int:
        """Partitions of all topics."""
        return sum(len(topic.partitions) for topic in self.topics_by_id.values())

    # --- changing ---

    def apply(self, record: Message, offset: int) -> None:
        """Apply one record of the metadata log; `offset` is the offset of that record.

        Raises `DamagedMetadataError` for a record that cannot follow what was applied before.
        """
        self.last_offset = offset
        if self._kept_back is None:
            _APPLY[record.NAME](self, record)
        elif record.NAME == "EndTransactionRecord":
            kept, self._kept_back = self._kept_back, None
            for one in kept:
                _APPLY[one.NAME](self, one)
        elif record.NAME == "AbortTransactionRecord":
            self._kept_back = None
        elif record.NAME == "BeginTransactionRecord":
            raise DamagedMetadataError(f"offset {offset}: a transaction within a transaction")
        else:
            self._kept_back.append(record)

    def pass_over(self, offset: int, epoch: int) -> None:
        """Note a record of the quorum itself, which changes nothing in the image."""
        self.last_offset = offset
        self.last_epoch = epoch

    def copy(self) -> ClusterImage:
        """A separate image that shares the immutable values; it has no changes noted."""
        other = ClusterImage(self.cluster_id)
        other.brokers = dict(self.brokers)
        other.controllers = dict(self.controllers)
        for topic in self.topics_by_id.values():
            own = TopicImage(topic.name, topic.topic_id)
            own.partitions = dict(topic.partitions)
            other.topics_by_id[topic.topic_id] = other.topics_by_name[topic.name] = own
        other.configs = dict(self.configs)
        other.features = dict(self.features)
        other.security = self.security.copy()
        other.next_producer_id = self.next_producer_id
        other.pass_over(self.last_offset, self.last_epoch)
        if self._kept_back is not None:
            other._kept_back = list(self._kept_back)
        return other

    def take_changes(self) -> Changes:
        """What has changed since the last call, for those who act on changes."""
        changes, self._changes = self._changes, Changes()
        return changes

    def records(self) -> Iterator[Message]:
        """The records that build this image from an empty one, in the order of Kafka's snapshots.

        Each is in the newest version; the writer chooses the version by `metadata.version`.
        """
        for name in sorted(self.features, key=lambda name: (name != METADATA_VERSION, name)):
            yield FeatureLevelRecord(name=name, feature_level=self.features[name])
        for broker in self.brokers.values():
            yield broker.record()
        for controller in self.controllers.values():
            yield controller.record()
        for topic in self.topics_by_id.values():
            yield TopicRecord(name=topic.name, topic_id=topic.topic_id)
            for number, partition in topic.partitions.items():
                yield partition.record(topic.topic_id, number)
        for (kind, name), values in self.configs.items():
            for key, value in values.items():
                yield ConfigRecord(resource_type=kind, resource_name=name, name=key, value=value)
        if self.next_producer_id:
            yield ProducerIdsRecord(
                broker_id=-1, broker_epoch=-1, next_producer_id=self.next_producer_id
            )
        yield from self.security.records()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ClusterImage):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _COMPARED)

    __hash__ = None  # type: ignore[assignment]  # it changes

    # --- one method a record type ---

    def _register_broker(self, record: RegisterBrokerRecord) -> None:
        self._set_broker(BrokerImage.from_record(record))

    def _set_broker(self, broker: BrokerImage) -> None:
        self.brokers[broker.broker_id] = broker
        self._changes.brokers[broker.broker_id] = None

    def _unregister_broker(self, record: UnregisterBrokerRecord) -> None:
        self._broker(record.broker_id, record.broker_epoch)
        del self.brokers[record.broker_id]
        self._changes.brokers[record.broker_id] = None

    def _change_broker(self, record: BrokerRegistrationChangeRecord) -> None:
        broker = self._broker(record.broker_id, record.broker_epoch)
        self._set_broker(broker.changed_by(record))

    def _fence_broker(self, record: FenceBrokerRecord) -> None:
        self._set_broker(self._broker(record.id, record.epoch)._replace(fenced=True))

    def _unfence_broker(self, record: UnfenceBrokerRecord) -> None:
        self._set_broker(self._broker(record.id, record.epoch)._replace(fenced=False))

    def _register_controller(self, record: RegisterControllerRecord) -> None:
        self.controllers[record.controller_id] = ControllerImage.from_record(record)

    def _topic(self, record: TopicRecord) -> None:
        topic = TopicImage(record.name, record.topic_id)
        self.topics_by_name[record.name] = topic
        self.topics_by_id[record.topic_id] = topic
        self._changes.topics[record.topic_id] = None

    def _remove_topic(self, record: RemoveTopicRecord) -> None:
        topic = self._topic_of(record.topic_id)
        del self.topics_by_id[record.topic_id]
        del self.topics_by_name[topic.name]
        if self.configs.pop((RESOURCE_TOPIC, topic.name), None) is not None:
            self.derived.clear()
        self._changes.remove_topic(topic)

    def _partition(self, record: PartitionRecord) -> None:
        topic = self._topic_of(record.topic_id)
        topic.partitions[record.partition_id] = PartitionImage.from_record(record)
        self._changes.partition(record.topic_id, record.partition_id)

    def _change_partition(self, record: PartitionChangeRecord) -> None:
        topic = self._topic_of(record.topic_id)
        before = topic.partitions.get(record.partition_id)
        if before is None:
            raise DamagedMetadataError(
                f"offset {self.last_offset}: {topic.name} has no partition {record.partition_id}"
            )
        topic.partitions[record.partition_id] = before.changed_by(record)
        self._changes.partition(record.topic_id, record.partition_id)
        if record.isr is not None and is_hand_over(before, record):
            self._changes.handed_over[record.topic_id, record.partition_id] = None

    def _clear_elr(self, record: ClearElrRecord) -> None:
        if not record.topic_name:
            topics = list(self.topics_by_id.values())
        elif record.topic_name in self.topics_by_name:
            topics = [self.topics_by_name[record.topic_name]]
        else:
            raise DamagedMetadataError(f"offset {self.last_offset}: no topic {record.topic_name}")
        for topic in topics:
            for number, partition in topic.partitions.items():
                if partition.elr or partition.last_known_elr:
                    self._change_partition(
                        PartitionChangeRecord(
                            partition_id=number,
                            topic_id=topic.topic_id,
                            eligible_leader_replicas=[],
                            last_known_elr=[],
                        )
                    )

    def _config(self, record: ConfigRecord) -> None:
        self.derived.clear()
        key = (record.resource_type, record.resource_name)
        values = dict(self.configs.get(key, NO_CONFIGS))
        if record.value is None:
            values.pop(record.name, None)
        else:
            values[record.name] = record.value
        if values:
            self.configs[key] = values
        else:
            self.configs.pop(key, None)
        self._changes.configs[key] = None

    def _feature(self, record: FeatureLevelRecord) -> None:
        if record.feature_level == 0:
            self.features.pop(record.name, None)
        else:
            self.features[record.name] = record.feature_level

    def _producer_ids(self, record: ProducerIdsRecord) -> None:
        self.next_producer_id = record.next_producer_id

    def _access_control(self, record: AccessControlEntryRecord) -> None:
        self.security.acls.add(record.id, acl_of(record))

    def _remove_access_control(self, record: RemoveAccessControlEntryRecord) -> None:
        self.security.acls.remove(record.id)

    def _credential(self, record: UserScramCredentialRecord) -> None:
        self.security.credentials[record.name, record.mechanism] = record

    def _remove_credential(self, record: RemoveUserScramCredentialRecord) -> None:
        self.security.credentials.pop((record.name, record.mechanism), None)

    def _token(self, record: DelegationTokenRecord) -> None:
        self.security.tokens[record.token_id] = record

    def _remove_token(self, record: RemoveDelegationTokenRecord) -> None:
        self.security.tokens.pop(record.token_id, None)

    def _quota(self, record: ClientQuotaRecord) -> None:
        self.security.apply_quota(record)
        self._changes.has_quotas = True

    def _begin(self, record: Message) -> None:
        del record
        self._kept_back = []

    def _stray_end(self, record: Message) -> None:
        raise DamagedMetadataError(f"offset {self.last_offset}: {record.NAME} without a beginning")

    def _ignore(self, record: Message) -> None:
        """Ignore no-op records, and the state of migrations from ZooKeeper, which Kafka 4 ignores
        too."""

    def _broker(self, broker_id: int, epoch: int) -> BrokerImage:
        broker = self.brokers.get(broker_id)
        if broker is None or broker.epoch != epoch:
            raise DamagedMetadataError(
                f"offset {self.last_offset}: no broker {broker_id} with epoch {epoch}"
            )
        return broker

    def _topic_of(self, topic_id: bytes) -> TopicImage:
        topic = self.topics_by_id.get(topic_id)
        if topic is None:
            raise DamagedMetadataError(f"offset {self.last_offset}: no topic {topic_id.hex()}")
        return topic


class DamagedMetadataError(Exception):
    """The metadata log has a record that cannot follow the ones before it."""


_COMPARED: Final = (
    "cluster_id",
    "brokers",
    "controllers",
    "topics_by_name",
    "topics_by_id",
    "configs",
    "features",
    "security",
    "next_producer_id",
)

_APPLY: Final[dict[str, Callable[[ClusterImage, Any], None]]] = {
    "RegisterBrokerRecord": ClusterImage._register_broker,
    "UnregisterBrokerRecord": ClusterImage._unregister_broker,
    "BrokerRegistrationChangeRecord": ClusterImage._change_broker,
    "FenceBrokerRecord": ClusterImage._fence_broker,
    "UnfenceBrokerRecord": ClusterImage._unfence_broker,
    "RegisterControllerRecord": ClusterImage._register_controller,
    "TopicRecord": ClusterImage._topic,
    "RemoveTopicRecord": ClusterImage._remove_topic,
    "PartitionRecord": ClusterImage._partition,
    "PartitionChangeRecord": ClusterImage._change_partition,
    "ClearElrRecord": ClusterImage._clear_elr,
    "ConfigRecord": ClusterImage._config,
    "FeatureLevelRecord": ClusterImage._feature,
    "ProducerIdsRecord": ClusterImage._producer_ids,
    "ClientQuotaRecord": ClusterImage._quota,
    "UserScramCredentialRecord": ClusterImage._credential,
    "RemoveUserScramCredentialRecord": ClusterImage._remove_credential,
    "AccessControlEntryRecord": ClusterImage._access_control,
    "RemoveAccessControlEntryRecord": ClusterImage._remove_access_control,
    "DelegationTokenRecord": ClusterImage._token,
    "RemoveDelegationTokenRecord": ClusterImage._remove_token,
    "BeginTransactionRecord": ClusterImage._begin,
    "EndTransactionRecord": ClusterImage._stray_end,
    "AbortTransactionRecord": ClusterImage._stray_end,
    "NoOpRecord": ClusterImage._ignore,
    "ZkMigrationStateRecord": ClusterImage._ignore,
}

"""Brokers and controllers in the cluster's metadata: immutable values, replaced as a whole.

Addresses and feature ranges look alike in the requests and in the records of brokers and of
controllers: `endpoints_from` and `features_from` read all of them, `endpoint_structs` and
`feature_structs` write all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeVar

from barnabas.protocol.messages.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from barnabas.protocol.messages.register_broker_record import (
    BrokerEndpoint,
    BrokerFeature,
    RegisterBrokerRecord,
)
from barnabas.protocol.messages.register_controller_record import (
    ControllerEndpoint,
    ControllerFeature,
    RegisterControllerRecord,
)

from .topic_image import DIRECTORY_LOST, DIRECTORY_UNASSIGNED

PLAINTEXT: Final = 0  # Kafka's numbers of the security protocols, first
SASL_SSL: Final = 3  # and last

FENCE: Final = 1
UNFENCE: Final = -1


class Endpoint(NamedTuple):
    """An address that a node told the cluster."""

    name: str
    host: str
    port: int
    security_protocol: int = PLAINTEXT


class FeatureRange(NamedTuple):
    """The levels of one feature at which a node can work."""

    name: str
    minimum: int
    maximum: int


_Struct = TypeVar("_Struct")


def endpoints_from(structs: Iterable[Any]) -> tuple[Endpoint, ...]:
    """The addresses in the `listeners` of a request or the `end_points` of a record."""
    return tuple(Endpoint(one.name, one.host, one.port, one.security_protocol) for one in structs)


def features_from(structs: Iterable[Any]) -> tuple[FeatureRange, ...]:
    """The ranges in the `features` of a request or of a record."""
    return tuple(
        FeatureRange(one.name, one.min_supported_version, one.max_supported_version)
        for one in structs
    )


def endpoint_structs(make: Callable[..., _Struct], endpoints: Iterable[Endpoint]) -> list[_Struct]:
    """The addresses as a message has them; `make` is that message's class for one of them."""
    return [
        make(name=one.name, host=one.host, port=one.port, security_protocol=one.security_protocol)
        for one in endpoints
    ]


def feature_structs(
    make: Callable[..., _Struct], features: Iterable[FeatureRange]
) -> list[_Struct]:
    """The ranges as a message has them; `make` is that message's class for one of them."""
    return [
        make(
            name=one.name,
            min_supported_version=one.minimum,
            max_supported_version=one.maximum,
        )
        for one in features
    ]


class BrokerImage(NamedTuple):
    """One registered broker."""

    broker_id: int
    epoch: int  # offset of the registration in the metadata log (631-01)
    incarnation_id: bytes
    endpoints: tuple[Endpoint, ...]
    features: tuple[FeatureRange, ...] = ()
    rack: str | None = None
    fenced: bool = True
    in_controlled_shutdown: bool = False
    log_dirs: tuple[bytes, ...] = ()
    cordoned_log_dirs: tuple[bytes, ...] | None = None

    @property
    def is_active(self) -> bool:
        """Whether it may lead partitions and be in sync."""
        return not self.fenced and not self.in_controlled_shutdown

    @property
    def is_cordoned(self) -> bool:
        """Whether none of its log directories accepts new replicas."""
        cordoned = self.cordoned_log_dirs or ()
        return bool(cordoned) and all(one in cordoned for one in self.log_dirs)

    def is_online(self, directory: bytes) -> bool:
        """Whether a replica in this log directory can be served, as far as the cluster knows.

        It can if its directory is not known yet; it cannot if its directory was lost.
        """
        if directory[:-1] == DIRECTORY_LOST[:-1]:
            return directory != DIRECTORY_LOST
        return not self.log_dirs or directory in self.log_dirs

    def new_directory(self) -> bytes:
        """The directory of a new replica: the only one, or unassigned until the broker names one
        (858)."""
        return self.log_dirs[0] if len(self.log_dirs) == 1 else DIRECTORY_UNASSIGNED

    def endpoint(self, listener_name: str) -> Endpoint | None:
        """Its address on the listener with this name."""
        for one in self.endpoints:
            if one.name == listener_name:
                return one
        return None

    @classmethod
    def from_record(cls, record: RegisterBrokerRecord) -> BrokerImage:
        """The broker as it registered."""
        cordoned = record.cordoned_log_dirs
        return cls(
            broker_id=record.broker_id,
            epoch=record.broker_epoch,
            incarnation_id=record.incarnation_id,
            endpoints=endpoints_from(record.end_points),
            features=features_from(record.features),
            rack=record.rack,
            fenced=record.fenced,
            in_controlled_shutdown=record.in_controlled_shutdown,
            log_dirs=tuple(record.log_dirs),
            cordoned_log_dirs=None if cordoned is None else tuple(cordoned),
        )

    def changed_by(self, record: BrokerRegistrationChangeRecord) -> BrokerImage:
        """The broker after a change by `record`; what the record leaves out stays as it is."""
        cordoned = record.cordoned_log_dirs
        return self._replace(
            fenced=self.fenced if record.fenced == 0 else record.fenced == FENCE,
            in_controlled_shutdown=self.in_controlled_shutdown
            or record.in_controlled_shutdown == 1,
            log_dirs=tuple(record.log_dirs) or self.log_dirs,
            cordoned_log_dirs=self.cordoned_log_dirs if cordoned is None else tuple(cordoned),
        )

    def record(self) -> RegisterBrokerRecord:
        """The record that describes this broker completely."""
        cordoned = self.cordoned_log_dirs
        return RegisterBrokerRecord(
            broker_id=self.broker_id,
            incarnation_id=self.incarnation_id,
            broker_epoch=self.epoch,
            end_points=endpoint_structs(BrokerEndpoint, self.endpoints),
            features=feature_structs(BrokerFeature, self.features),
            rack=self.rack,
            fenced=self.fenced,
            in_controlled_shutdown=self.in_controlled_shutdown,
            log_dirs=list(self.log_dirs),
            cordoned_log_dirs=None if cordoned is None else list(cordoned),
        )


class ControllerImage(NamedTuple):
    """One registered controller."""

    controller_id: int
    incarnation_id: bytes
    endpoints: tuple[Endpoint, ...]
    features: tuple[FeatureRange, ...] = ()
    zk_migration_ready: bool = False

    @classmethod
    def from_record(cls, record: RegisterControllerRecord) -> ControllerImage:
        """The controller as it registered."""
        return cls(
            controller_id=record.controller_id,
            incarnation_id=record.incarnation_id,
            endpoints=endpoints_from(record.end_points),
            features=features_from(record.features),
            zk_migration_ready=record.zk_migration_ready,
        )

    def record(self) -> RegisterControllerRecord:
        """The record that describes this controller completely."""
        return RegisterControllerRecord(
            controller_id=self.controller_id,
            incarnation_id=self.incarnation_id,
            zk_migration_ready=self.zk_migration_ready,
            end_points=endpoint_structs(ControllerEndpoint, self.endpoints),
            features=feature_structs(ControllerFeature, self.features),
        )

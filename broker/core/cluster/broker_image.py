"""Brokers and controllers as the cluster's metadata has them; values that are replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from barnabas.protocol.messages.broker_registration_change_record import (
        BrokerRegistrationChangeRecord,
    )
    from barnabas.protocol.messages.register_broker_record import (
        RegisterBrokerRecord,
    )
    from barnabas.protocol.messages.register_controller_record import (
        RegisterControllerRecord,
    )


PLAINTEXT: Final = 0  # Kafka's number of the security protocol

FENCE: Final = 1
UNFENCE: Final = -1


class Endpoint(NamedTuple):
    """An address that a node told the cluster."""

    name: str
    host: str
    port: int
    security_protocol: int = PLAINTEXT


class FeatureRange(NamedTuple):
    """The levels of one feature that a node can work at."""

    name: str
    minimum: int
    maximum: int


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
        """Whether it may lead and be in sync."""
        return not self.fenced and not self.in_controlled_shutdown

    def endpoint(self, listener_name: str) -> Endpoint | None:
        """Its address on the listener of that name."""
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
            endpoints=tuple(
                Endpoint(one.name, one.host, one.port, one.security_protocol)
                for one in record.end_points
            ),
            features=tuple(
                FeatureRange(one.name, one.min_supported_version, one.max_supported_version)
                for one in record.features
            ),
            rack=record.rack,
            fenced=record.fenced,
            in_controlled_shutdown=record.in_controlled_shutdown,
            log_dirs=tuple(record.log_dirs),
            cordoned_log_dirs=None if cordoned is None else tuple(cordoned),
        )

    def changed_by(self, record: BrokerRegistrationChangeRecord) -> BrokerImage:
        """The broker after `record`; what the record leaves out stays."""
        cordoned = record.cordoned_log_dirs
        return self._replace(
            fenced=self.fenced if record.fenced == 0 else record.fenced == FENCE,
            in_controlled_shutdown=self.in_controlled_shutdown
            or record.in_controlled_shutdown == 1,
            log_dirs=tuple(record.log_dirs) or self.log_dirs,
            cordoned_log_dirs=self.cordoned_log_dirs if cordoned is None else tuple(cordoned),
        )

    def record(self) -> RegisterBrokerRecord:
        """The record that says all of this."""
        from barnabas.protocol.messages.register_broker_record import (
            BrokerEndpoint,
            BrokerFeature,
            RegisterBrokerRecord,
        )

        cordoned = self.cordoned_log_dirs
        return RegisterBrokerRecord(
            broker_id=self.broker_id,
            incarnation_id=self.incarnation_id,
            broker_epoch=self.epoch,
            end_points=[
                BrokerEndpoint(
                    name=one.name,
                    host=one.host,
                    port=one.port,
                    security_protocol=one.security_protocol,
                )
                for one in self.endpoints
            ],
            features=[
                BrokerFeature(
                    name=one.name,
                    min_supported_version=one.minimum,
                    max_supported_version=one.maximum,
                )
                for one in self.features
            ],
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
            endpoints=tuple(
                Endpoint(one.name, one.host, one.port, one.security_protocol)
                for one in record.end_points
            ),
            features=tuple(
                FeatureRange(one.name, one.min_supported_version, one.max_supported_version)
                for one in record.features
            ),
            zk_migration_ready=record.zk_migration_ready,
        )

    def record(self) -> RegisterControllerRecord:
        """The record that says all of this."""
        from barnabas.protocol.messages.register_controller_record import (
            ControllerEndpoint,
            ControllerFeature,
            RegisterControllerRecord,
        )

        return RegisterControllerRecord(
            controller_id=self.controller_id,
            incarnation_id=self.incarnation_id,
            zk_migration_ready=self.zk_migration_ready,
            end_points=[
                ControllerEndpoint(
                    name=one.name,
                    host=one.host,
                    port=one.port,
                    security_protocol=one.security_protocol,
                )
                for one in self.endpoints
            ],
            features=[
                ControllerFeature(
                    name=one.name,
                    min_supported_version=one.minimum,
                    max_supported_version=one.maximum,
                )
                for one in self.features
            ],
        )

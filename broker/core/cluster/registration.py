"""Brokers and controllers that come, go, and stop: 631-01 to 631-03.

| command | needs | records |
|---|---|---|
| register | no live session of another incarnation | leaders elsewhere, registration (fenced) |
| unfence | its epoch | change of the registration, leaders where there were none |
| fence | its epoch | leaders elsewhere, change of the registration |
| stop | its epoch | change of the registration, leaders elsewhere |
| unregister | nothing | leaders elsewhere, registration removed |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode, KafkaError

from .broker_image import FENCE, UNFENCE, BrokerImage, ControllerImage
from .commands import (
    Decision,
    FenceBroker,
    RegisterBroker,
    RegisterController,
    Registered,
    StopBroker,
    UnfenceBroker,
    UnregisterBroker,
)
from .image import ClusterImage
from .leaders import RulesOf, changes_with, changes_without
from .topic_image import DIRECTORY_LOST

if TYPE_CHECKING:
    from barnabas.protocol.message import Message


def decide_register_broker(
    command: RegisterBroker, image: ClusterImage, active_since: int, rules_of: RulesOf
) -> Decision:
    """Register a broker, fenced; its epoch is the offset of the registration.

    `active_since` is the offset from which this controller decides: a broker that registered
    before has no session here, whatever its registration says.

    Raises:
        KafkaError: INCONSISTENT_CLUSTER_ID (104) for another cluster's id,
            DUPLICATE_BROKER_REGISTRATION (101) while another incarnation is alive,
            INVALID_REGISTRATION (119) for log directories that cannot be.
    """
    _check_registration(command, image, active_since)
    before = image.brokers.get(command.broker_id)
    if before is not None and before.incarnation_id == command.incarnation_id:
        epoch, in_shutdown, fenced = before.epoch, before.in_controlled_shutdown, before.fenced
        cleanup: list[Message] = []
    else:
        in_shutdown, fenced = False, True
        # An unclean stop may have lost what was acknowledged: out of ISR and ELR first (966-03).
        unclean = before is not None and command.previous_epoch != before.epoch
        cleanup = list(changes_without(image, command.broker_id, rules_of, unclean=unclean))
        epoch = image.last_offset + 1 + len(cleanup)
    broker = BrokerImage(
        broker_id=command.broker_id,
        epoch=epoch,
        incarnation_id=command.incarnation_id,
        endpoints=command.endpoints,
        features=command.features,
        rack=command.rack,
        fenced=fenced,
        in_controlled_shutdown=in_shutdown,
        log_dirs=tuple(sorted(command.log_dirs)),
        cordoned_log_dirs=(),
    )
    return Decision([*cleanup, broker.record()], Registered(epoch))


def _check_registration(command: RegisterBroker, image: ClusterImage, active_since: int) -> None:
    if command.cluster_id != image.cluster_id:
        raise KafkaError(
            ErrorCode.INCONSISTENT_CLUSTER_ID,
            f"Expected cluster ID {image.cluster_id}, but got cluster ID {command.cluster_id}",
        )
    before = image.brokers.get(command.broker_id)
    has_session = before is not None and not before.fenced and before.epoch >= active_since
    if has_session and before is not None and before.incarnation_id != command.incarnation_id:
        raise KafkaError(
            ErrorCode.DUPLICATE_BROKER_REGISTRATION,
            "Another broker is registered with that broker id. If the broker was recently "
            "restarted this should self-resolve once the heartbeat manager expires the broker's "
            "session.",
        )
    directories = command.log_dirs
    if not directories:
        fault = "No directories specified in request"
    elif any(one <= DIRECTORY_LOST for one in directories):
        fault = "Reserved directory ID in request"
    elif len(set(directories)) != len(directories):
        fault = "Duplicate directory ID in request"
    else:
        return
    raise KafkaError(ErrorCode.INVALID_REGISTRATION, fault)


def _broker(image: ClusterImage, broker_id: int, epoch: int) -> BrokerImage:
    broker = image.brokers.get(broker_id)
    if broker is None:
        raise KafkaError(
            ErrorCode.BROKER_ID_NOT_REGISTERED, f"No broker registration found for {broker_id}"
        )
    if broker.epoch != epoch:
        raise KafkaError(
            ErrorCode.STALE_BROKER_EPOCH,
            f"Expected broker epoch {broker.epoch}, but got broker epoch {epoch}",
        )
    return broker


def decide_unfence_broker(
    command: UnfenceBroker, image: ClusterImage, rules_of: RulesOf
) -> Decision:
    """The broker may serve; partitions without a leader that it holds get one."""
    from barnabas.protocol.messages.broker_registration_change_record import (
        BrokerRegistrationChangeRecord,
    )

    broker = _broker(image, command.broker_id, command.broker_epoch)
    if not broker.fenced:
        return Decision([])
    change = BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id, broker_epoch=broker.epoch, fenced=UNFENCE
    )
    return Decision([change, *changes_with(image, broker.broker_id, rules_of)])


def decide_fence_broker(command: FenceBroker, image: ClusterImage, rules_of: RulesOf) -> Decision:
    """The broker is gone: it leads nothing and is in no ISR."""
    from barnabas.protocol.messages.broker_registration_change_record import (
        BrokerRegistrationChangeRecord,
    )

    broker = _broker(image, command.broker_id, command.broker_epoch)
    if broker.fenced:
        return Decision([])
    change = BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id, broker_epoch=broker.epoch, fenced=FENCE
    )
    return Decision([*changes_without(image, broker.broker_id, rules_of), change])


def decide_stop_broker(command: StopBroker, image: ClusterImage, rules_of: RulesOf) -> Decision:
    """The broker wants to stop: its leaderships go to others, where there are any."""
    from barnabas.protocol.messages.broker_registration_change_record import (
        BrokerRegistrationChangeRecord,
    )

    broker = _broker(image, command.broker_id, command.broker_epoch)
    if broker.in_controlled_shutdown:
        return Decision([])
    change = BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id, broker_epoch=broker.epoch, in_controlled_shutdown=1
    )
    return Decision([change, *changes_without(image, broker.broker_id, rules_of)])


def decide_unregister_broker(
    command: UnregisterBroker, image: ClusterImage, rules_of: RulesOf
) -> Decision:
    """Forget the broker."""
    from barnabas.protocol.messages.unregister_broker_record import UnregisterBrokerRecord

    broker = image.brokers.get(command.broker_id)
    if broker is None:
        raise KafkaError(
            ErrorCode.BROKER_ID_NOT_REGISTERED,
            f"Broker ID {command.broker_id} is not currently registered",
        )
    gone = UnregisterBrokerRecord(broker_id=broker.broker_id, broker_epoch=broker.epoch)
    return Decision([*changes_without(image, broker.broker_id, rules_of), gone])


def decide_register_controller(command: RegisterController) -> Decision:
    """A controller tells its addresses and what it can do."""
    controller = ControllerImage(
        controller_id=command.controller_id,
        incarnation_id=command.incarnation_id,
        endpoints=command.endpoints,
        features=command.features,
    )
    return Decision([controller.record()])

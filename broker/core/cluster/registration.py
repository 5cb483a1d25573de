"""Brokers and controllers that come, go, and stop: 631-01 to 631-03.

| command | needs | records |
|---|---|---|
| register | no live session of another incarnation | leaders elsewhere, registration (fenced) |
| unfence | its epoch | change of the registration, leaders where there were none |
| fence | its epoch | leaders elsewhere, change of the registration |
| stop | its epoch | change of the registration, leaders elsewhere |
| unregister | nothing | leaders elsewhere, registration removed |

What brokers bring about by their heartbeats, and by missing them, is in `liveness`.
"""

from __future__ import annotations

from collections.abc import Iterable

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from barnabas.protocol.messages.unregister_broker_record import UnregisterBrokerRecord
from barnabas.protocol.primitives import uuid_to_text

from .broker_image import (
    FENCE,
    PLAINTEXT,
    SASL_SSL,
    UNFENCE,
    BrokerImage,
    ControllerImage,
    Endpoint,
    FeatureRange,
)
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
from .leaders import changes_after
from .situation import Situation
from .topic_image import DIRECTORY_LOST


def decide_register_broker(command: RegisterBroker, situation: Situation) -> Decision[Registered]:
    """Register a broker, fenced; its epoch is the offset of the registration.

    Raises:
        KafkaError: INCONSISTENT_CLUSTER_ID (104) for another cluster's id,
            DUPLICATE_BROKER_REGISTRATION (101) while another incarnation is alive,
            INVALID_REGISTRATION (119) for log directories that cannot be, or are another broker's,
            and for an address of a security protocol that there is not,
            UNSUPPORTED_VERSION (35) if it cannot work at the cluster's feature levels.
    """
    _check_registration(command, situation)
    image = situation.image
    before = image.brokers.get(command.broker_id)
    broker = BrokerImage(
        broker_id=command.broker_id,
        epoch=-1,
        incarnation_id=command.incarnation_id,
        endpoints=command.endpoints,
        features=command.features,
        rack=command.rack,
        log_dirs=tuple(sorted(command.log_dirs)),
        cordoned_log_dirs=(),
    )
    if before is not None and before.incarnation_id == command.incarnation_id:
        broker = broker._replace(
            epoch=before.epoch,
            in_controlled_shutdown=before.in_controlled_shutdown,
            fenced=before.fenced,
        )
        # It may name other directories than before: one has failed since.
        cleanup = list(changes_after(image, [broker], situation.rules_of))
    else:
        # An unclean stop may have lost what was acknowledged: out of ISR and ELR first (966-03).
        unclean = before is None or command.previous_epoch != before.epoch
        cleanup = list(changes_after(image, [broker], situation.rules_of, unclean=unclean))
        broker = broker._replace(epoch=image.last_offset + 1 + len(cleanup))
    situation.sessions.begin(broker, situation.now_ms)
    return Decision([*cleanup, broker.record()], Registered(broker.epoch))


def _check_registration(command: RegisterBroker, situation: Situation) -> None:
    image = situation.image
    if command.cluster_id != image.cluster_id:
        raise KafkaError(
            ErrorCode.INCONSISTENT_CLUSTER_ID,
            f"Expected cluster ID {image.cluster_id}, but got cluster ID {command.cluster_id}",
        )
    before = image.brokers.get(command.broker_id)
    if (
        before is not None
        and before.incarnation_id != command.incarnation_id
        and situation.sessions.epoch_of(command.broker_id) == before.epoch
        and situation.sessions.is_alive(command.broker_id, situation.now_ms)
    ):
        raise KafkaError(
            ErrorCode.DUPLICATE_BROKER_REGISTRATION,
            "Another broker is registered with that broker id. If the broker was recently "
            "restarted this should self-resolve once the heartbeat manager expires the broker's "
            "session.",
        )
    _check_directories(command.broker_id, command.log_dirs, image)
    _check_endpoints(command.endpoints)
    _check_features(command.features, image, "broker")


def _check_directories(broker_id: int, directories: tuple[bytes, ...], image: ClusterImage) -> None:
    """A log directory belongs to one broker only: a copy of it, or a disk moved to another machine,
    would hold replicas that the cluster counts as the first broker's."""
    owners = {
        one: broker.broker_id
        for broker in image.brokers.values()
        if broker.broker_id != broker_id
        for one in broker.log_dirs
    }
    taken = [one for one in directories if one in owners]
    if not directories:
        fault = "No directories specified in request"
    elif any(one <= DIRECTORY_LOST for one in directories):
        fault = "Reserved directory ID in request"
    elif len(set(directories)) != len(directories):
        fault = "Duplicate directory ID in request"
    elif taken:
        fault = (
            f"Broker {owners[taken[0]]} is already registered with directory "
            f"{uuid_to_text(taken[0])}"
        )
    else:
        return
    raise KafkaError(ErrorCode.INVALID_REGISTRATION, fault)


def _check_endpoints(endpoints: tuple[Endpoint, ...]) -> None:
    """Values that are not known must not get into a record: other brokers could not read it."""
    for one in endpoints:
        if not PLAINTEXT <= one.security_protocol <= SASL_SSL:
            raise KafkaError(
                ErrorCode.INVALID_REGISTRATION,
                f"Listener {one.name} has the unknown security protocol {one.security_protocol}",
            )


def _check_features(features: Iterable[FeatureRange], image: ClusterImage, kind: str) -> None:
    """Refuse a node that cannot work at a finalised level."""
    ranges = {one.name: one for one in features}
    for name in sorted(image.features):
        level, known = image.features[name], ranges.get(name)
        if known is None or not known.minimum <= level <= known.maximum:
            can = "none" if known is None else f"{known.minimum} to {known.maximum}"
            raise KafkaError(
                ErrorCode.UNSUPPORTED_VERSION,
                f"Unable to register because the {kind} does not support finalized version "
                f"{level} of {name}. The {kind} wants a version between {can}.",
            )


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


def registration_change(
    before: BrokerImage, after: BrokerImage
) -> BrokerRegistrationChangeRecord | None:
    """The record that turns `before` into `after`; None if no part of it that can change
    differs."""
    change = BrokerRegistrationChangeRecord(broker_id=before.broker_id, broker_epoch=before.epoch)
    nothing = BrokerRegistrationChangeRecord(broker_id=before.broker_id, broker_epoch=before.epoch)
    if after.fenced != before.fenced:
        change.fenced = FENCE if after.fenced else UNFENCE
    if after.in_controlled_shutdown != before.in_controlled_shutdown:
        change.in_controlled_shutdown = 1
    if after.log_dirs != before.log_dirs:
        change.log_dirs = list(after.log_dirs)
    if after.cordoned_log_dirs != before.cordoned_log_dirs:
        change.cordoned_log_dirs = list(after.cordoned_log_dirs or ())
    return None if change == nothing else change


def decide_unfence_broker(command: UnfenceBroker, situation: Situation) -> Decision[None]:
    """The broker may serve; partitions without a leader get it as leader where it is eligible."""
    image = situation.image
    before = _broker(image, command.broker_id, command.broker_epoch)
    after = before._replace(fenced=False)
    change = registration_change(before, after)
    if change is None:
        return Decision([], None)
    return Decision([change, *changes_after(image, [after], situation.rules_of)], None)


def decide_fence_broker(command: FenceBroker, situation: Situation) -> Decision[None]:
    """The broker is gone: it leads nothing and leaves every ISR."""
    image = situation.image
    before = _broker(image, command.broker_id, command.broker_epoch)
    after = before._replace(fenced=True)
    change = registration_change(before, after)
    situation.sessions.end(before.broker_id)
    if change is None:
        return Decision([], None)
    return Decision([*changes_after(image, [after], situation.rules_of), change], None)


def decide_stop_broker(command: StopBroker, situation: Situation) -> Decision[None]:
    """The broker wants to stop: its leaderships move to other replicas, where there are any."""
    image = situation.image
    before = _broker(image, command.broker_id, command.broker_epoch)
    after = before._replace(in_controlled_shutdown=True)
    change = registration_change(before, after)
    if change is None:
        return Decision([], None)
    records: list[Message] = [change, *changes_after(image, [after], situation.rules_of)]
    offset = image.last_offset + len(records)
    situation.sessions.begin_shutdown(before, offset, situation.now_ms)
    return Decision(records, None)


def decide_unregister_broker(command: UnregisterBroker, situation: Situation) -> Decision[None]:
    """Remove the broker's registration."""
    image = situation.image
    broker = image.brokers.get(command.broker_id)
    if broker is None:
        raise KafkaError(
            ErrorCode.BROKER_ID_NOT_REGISTERED,
            f"Broker ID {command.broker_id} is not currently registered",
        )
    situation.sessions.end(broker.broker_id)
    gone = UnregisterBrokerRecord(broker_id=broker.broker_id, broker_epoch=broker.epoch)
    left = changes_after(image, [broker._replace(fenced=True)], situation.rules_of)
    return Decision([*left, gone], None)


def decide_register_controller(command: RegisterController, image: ClusterImage) -> Decision[None]:
    """A controller tells its addresses and features; nothing is written if they have not changed.

    Raises KafkaError UNSUPPORTED_VERSION (35) if it cannot work at the cluster's feature levels.
    """
    _check_features(command.features, image, "controller")
    controller = ControllerImage(
        controller_id=command.controller_id,
        incarnation_id=command.incarnation_id,
        endpoints=command.endpoints,
        features=command.features,
    )
    if image.controllers.get(command.controller_id) == controller:
        return Decision([], None)
    return Decision([controller.record()], None)

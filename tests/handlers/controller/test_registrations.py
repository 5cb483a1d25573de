"""Registrations, heartbeats and producer ids on the controllers' listener, in all versions."""

from __future__ import annotations

from typing import Any

import pytest
from kit.controllers import CLUSTER_ID

from barnabas.broker.core.cluster.broker_image import (
    Endpoint,
    FeatureRange,
    endpoint_structs,
    feature_structs,
)
from barnabas.broker.core.cluster.features import SUPPORTED
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import broker_registration_request, controller_registration_request
from barnabas.protocol.messages.allocate_producer_ids_request import AllocateProducerIdsRequest
from barnabas.protocol.messages.broker_heartbeat_request import BrokerHeartbeatRequest
from barnabas.protocol.messages.broker_registration_request import BrokerRegistrationRequest
from barnabas.protocol.messages.controller_registration_request import (
    ControllerRegistrationRequest,
)

from .asking import Asking

DIRECTORY = b"d" * 16
ENDPOINTS = (Endpoint("PLAINTEXT", "a.example", 9092), Endpoint("INSIDE", "b.example", 65535, 3))


def registration(broker: int, **fields: Any) -> BrokerRegistrationRequest:
    made = BrokerRegistrationRequest(
        broker_id=broker,
        cluster_id=CLUSTER_ID,
        incarnation_id=bytes([broker]) * 16,
        listeners=endpoint_structs(broker_registration_request.Listener, ENDPOINTS),
        features=feature_structs(broker_registration_request.Feature, SUPPORTED),
        rack="r1",
        log_dirs=[DIRECTORY],
    )
    for name, value in fields.items():
        setattr(made, name, value)
    return made


@pytest.mark.parametrize("version", [2, 3, 4])
async def test_a_broker_registers_beats_and_serves(version: int) -> None:
    """631-01, 631-02: its epoch is the offset of its registration; it is fenced until it beats."""
    asking = Asking(0)
    answer = await asking.ask(registration(5), version)
    cluster = asking.cluster
    assert (answer.error_code, answer.broker_epoch) == (0, len(cluster.log) - 1)
    broker = cluster.image.brokers[5]
    assert (broker.endpoints, broker.features) == (ENDPOINTS, SUPPORTED)
    assert (broker.rack, broker.log_dirs, broker.fenced) == ("r1", (DIRECTORY,), True)
    beat = BrokerHeartbeatRequest(
        broker_id=5, broker_epoch=answer.broker_epoch, current_metadata_offset=answer.broker_epoch
    )
    told = await asking.ask(beat, 0)
    assert (told.error_code, told.is_caught_up, told.is_fenced) == (0, True, False)
    assert cluster.image.brokers[5].is_active


async def test_registrations_are_refused_with_their_codes() -> None:
    """631-01: another cluster (104), another incarnation (101), directories (119), ZooKeeper."""
    asking = Asking(1)
    epoch = asking.cluster.image.brokers[1].epoch
    alive = BrokerHeartbeatRequest(broker_id=1, broker_epoch=epoch, current_metadata_offset=epoch)
    await asking.ask(alive, 0)
    for request, version, code in (
        (registration(2, cluster_id="other"), 4, ErrorCode.INCONSISTENT_CLUSTER_ID),
        (registration(1), 4, ErrorCode.DUPLICATE_BROKER_REGISTRATION),
        (registration(2, log_dirs=[]), 4, ErrorCode.INVALID_REGISTRATION),
        (registration(2), 1, ErrorCode.INVALID_REGISTRATION),
        (registration(2, is_migrating_zk_broker=True), 4, ErrorCode.INVALID_REGISTRATION),
    ):
        answer = await asking.ask(request, version)
        assert (answer.error_code, answer.broker_epoch) == (code, -1)


async def test_the_epoch_of_a_clean_stop_is_told() -> None:
    """966-03: with it the replica keeps its place in the ELR."""
    asking = Asking(1)
    cluster = asking.cluster
    cluster.create("t", assignments=((0, (1,)),))
    cluster.fence(1)
    clean = registration(1, previous_broker_epoch=cluster.epoch(1))
    await asking.ask(clean, 3)
    assert cluster.partition().elr == (1,)
    cluster.now_ms = float(cluster.config.broker_session_timeout_ms)
    await asking.ask(registration(1, incarnation_id=b"2" * 16), 3)
    assert cluster.partition().elr == (), "it does not say that it stopped cleanly"


@pytest.mark.parametrize("version", [0, 1, 2])
async def test_a_shutdown_by_heartbeats(version: int) -> None:
    """631-03: told to go when it leads nothing and the others know; a stale epoch is 77."""
    asking = Asking(2)
    cluster = asking.cluster
    cluster.create("t", assignments=((0, (1, 2)),))

    async def beat(broker: int, *, stop: bool = False, epoch: int | None = None) -> Any:
        request = BrokerHeartbeatRequest(
            broker_id=broker,
            broker_epoch=cluster.epoch(broker) if epoch is None else epoch,
            current_metadata_offset=cluster.image.last_offset,
            want_shut_down=stop,
        )
        return await asking.ask(request, version)

    assert not (await beat(1, stop=True)).should_shut_down
    await beat(2)
    answer = await beat(1, stop=True)
    assert (answer.should_shut_down, answer.is_fenced) == (True, True)
    assert (await beat(1, epoch=0)).error_code == ErrorCode.STALE_BROKER_EPOCH


async def test_directories_go_with_heartbeats() -> None:
    asking = Asking(1)
    directory = asking.cluster.image.brokers[1].log_dirs[0]
    beat = BrokerHeartbeatRequest(
        broker_id=1,
        broker_epoch=asking.cluster.epoch(1),
        current_metadata_offset=asking.cluster.image.last_offset,
        cordoned_log_dirs=[directory],
    )
    await asking.ask(beat, 2)
    assert asking.cluster.image.brokers[1].cordoned_log_dirs == (directory,)
    beat.cordoned_log_dirs = None
    beat.offline_log_dirs = [directory]
    answer = await asking.ask(beat, 2)
    assert answer.is_fenced, "its only directory"


async def test_a_controller_registers() -> None:
    asking = Asking(0)
    request = ControllerRegistrationRequest(
        controller_id=3,
        incarnation_id=b"c" * 16,
        listeners=endpoint_structs(controller_registration_request.Listener, ENDPOINTS),
        features=feature_structs(controller_registration_request.Feature, SUPPORTED),
    )
    answer = await asking.ask(request, 0)
    assert (answer.error_code, answer.error_message) == (0, None)
    controller = asking.cluster.image.controllers[3]
    assert (controller.endpoints, controller.features) == (ENDPOINTS, SUPPORTED)
    few = (FeatureRange("group.version", 0, 1),)
    request.features = feature_structs(controller_registration_request.Feature, few)
    answer = await asking.ask(request, 0)
    assert answer.error_code == ErrorCode.UNSUPPORTED_VERSION
    assert "does not support" in answer.error_message


async def test_blocks_of_producer_ids_follow_each_other() -> None:
    """98-01: a thousand at a time, to brokers that are registered."""
    asking = Asking(2)
    for number, broker in enumerate((1, 2, 1)):
        request = AllocateProducerIdsRequest(
            broker_id=broker, broker_epoch=asking.cluster.epoch(broker)
        )
        answer = await asking.ask(request, 0)
        assert (answer.producer_id_start, answer.producer_id_len) == (1000 * number, 1000)
    stale = AllocateProducerIdsRequest(broker_id=1, broker_epoch=0)
    assert (await asking.ask(stale, 0)).error_code == ErrorCode.STALE_BROKER_EPOCH

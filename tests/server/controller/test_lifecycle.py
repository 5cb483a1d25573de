"""A broker's life: it registers, is let in, lives, leaves; over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from kit.list_logger import ListLogger
from kit.waiting import until

from barnabas.broker.core.cluster.broker_image import BrokerImage, Endpoint
from barnabas.broker.core.cluster.commands import FenceBroker, UnregisterBroker
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.server.formatting import Identity
from barnabas.broker.server.lifecycle import broker_lifecycle as lifecycle_module
from barnabas.broker.server.lifecycle.broker_lifecycle import BrokerLifecycle
from barnabas.broker.server.lifecycle.channel import ControllerChannel
from barnabas.broker.server.peer_errors import PeerError
from barnabas.broker.storage.files import real_env
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.feature_level_record import FeatureLevelRecord

from .parts import create
from .servers import Controller, Leader, channel_to, controllers

ENDPOINTS = [Endpoint("PLAINTEXT", "127.0.0.1", 9092)]


class Living:
    """One broker process, without partitions."""

    def __init__(
        self, one: Controller, broker_id: int, cluster_id: str = "a-cluster", **settings: Any
    ) -> None:
        self.voters_checks: list[bool] = []
        """What looking for voters finds, one after the other; then that they are there."""
        self.log = ListLogger()
        self.leader = Leader(one.address)
        self.channel: ControllerChannel = channel_to(self.leader)
        self.life = BrokerLifecycle(
            Identity(cluster_id, broker_id, (bytes([100 + broker_id]) * 16,), "/nowhere"),
            self.channel,
            one.parts.publisher,
            BrokerConfig(**settings),
            real_env(),
            self.log,
            is_quorum_gone=self._is_quorum_gone,
        )
        self._one = one
        self._broker_id = broker_id

    async def _is_quorum_gone(self) -> bool:
        return self.voters_checks.pop(0) if self.voters_checks else False

    @property
    def image(self) -> BrokerImage:
        return self._one.parts.publisher.image.brokers[self._broker_id]

    async def come(self, previous_epoch: int = -1) -> None:
        await self.life.register(ENDPOINTS, previous_epoch)
        self.life.start()
        await asyncio.wait_for(self.life.let_in(), 10)

    async def die(self) -> None:
        """As a killed process: no more heartbeats, and its connection is reset."""
        await self.life.stop()
        self.channel.close()


@asynccontextmanager
async def living(one: Controller, *broker_ids: int, **settings: Any) -> AsyncIterator[list[Living]]:
    """Brokers that are let in; ended at the end."""
    made = [Living(one, broker_id, **settings) for broker_id in broker_ids]
    try:
        for broker in made:
            await broker.come()
        yield made
    finally:
        for broker in made:
            await broker.die()


async def test_a_broker_registers_and_is_let_in() -> None:
    """631-01, 631-02: fenced first, its epoch the registration's offset, let in when caught up."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        broker = Living(one, 7)
        await broker.life.register(ENDPOINTS, -1)
        assert broker.image.fenced
        assert broker.image.epoch == broker.life.broker_epoch
        assert broker.image.endpoints == tuple(ENDPOINTS)
        broker.life.start()
        await asyncio.wait_for(broker.life.let_in(), 10)
        assert not broker.image.fenced
        await broker.die()


async def test_a_killed_broker_is_fenced_at_once() -> None:
    """Its connection goes with it: within the grace, long before its session is over."""
    async with (
        controllers(broker_connection_loss_grace_ms=30) as (one,),
    ):
        one.parts.quorum.lead()
        async with living(one, 7) as (broker,):
            await broker.die()
            await asyncio.wait_for(until(lambda: broker.image.fenced), 5)


async def test_a_broker_that_was_fenced_comes_back_by_itself() -> None:
    """631-02: the next heartbeat lets it in again, under the same epoch."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        async with living(one, 7, broker_heartbeat_interval_ms=20) as (broker,):
            epoch = broker.life.broker_epoch
            await one.parts.service.submit(FenceBroker(7, epoch))
            await asyncio.wait_for(until(lambda: not broker.image.fenced), 5)
            assert broker.image.epoch == epoch


async def test_a_broker_that_was_forgotten_registers_again() -> None:
    """102 to a heartbeat: the registration is gone, so it is made anew."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        async with living(one, 7, broker_heartbeat_interval_ms=20) as (broker,):
            await one.parts.service.submit(UnregisterBroker(7))
            brokers = one.parts.publisher.image.brokers
            await asyncio.wait_for(until(lambda: 7 in brokers and not brokers[7].fenced), 5)
            assert broker.life.broker_epoch == brokers[7].epoch


@pytest.mark.parametrize(("level", "registers"), [(16, False), (17, True)])
async def test_a_broker_whose_directories_the_metadata_has_a_place_for_now(
    level: int, registers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KIP-858: from 3.7-IV2 (17) on records name directories; who registered before, and so without
    them, registers once more, under the same epoch."""
    async with controllers() as (one,):
        quorum = one.parts.quorum
        quorum.lead()
        async with living(one, 7, broker_heartbeat_interval_ms=20) as (broker,):
            asked: list[str] = []
            call = broker.channel.call

            async def noted(request: Any, **options: Any) -> Any:
                asked.append(request.NAME)
                return await call(request, **options)

            monkeypatch.setattr(broker.channel, "call", noted)
            log_dirs, epoch = broker.image.log_dirs, broker.image.epoch
            quorum.append_records(
                broker.image._replace(log_dirs=()).record(),
                FeatureLevelRecord(name="metadata.version", feature_level=level),
            )
            asked.clear()
            await asyncio.wait_for(until(lambda: len(asked) >= 6), 5)
            assert asked.count("BrokerRegistrationRequest") == registers
            assert broker.image.log_dirs == (log_dirs if registers else ())
            assert (broker.image.epoch, broker.image.fenced) == (epoch, False)


async def test_a_refusal_for_good_ends_the_start() -> None:
    """631-01: the cluster id of another cluster (104)."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        broker = Living(one, 7, "another-cluster")
        with pytest.raises(KafkaError) as caught:
            await broker.life.register(ENDPOINTS, -1)
        assert caught.value.code == ErrorCode.INCONSISTENT_CLUSTER_ID
        await broker.die()


async def test_the_place_of_a_living_broker_is_taken_when_it_is_gone() -> None:
    """631-01: 101 while the old incarnation has a session, tried again until it has none."""
    async with controllers(broker_connection_loss_grace_ms=30) as (one,):
        one.parts.quorum.lead()
        async with living(one, 7) as (old,):
            new = Living(one, 7)
            registering = asyncio.ensure_future(new.life.register(ENDPOINTS, -1))
            await until(lambda: len(one.server.connections) == 2)
            assert new.life.broker_epoch == -1
            await old.die()
            await asyncio.wait_for(registering, 10)
            assert new.life.broker_epoch > old.life.broker_epoch
            await new.die()


async def test_without_a_controller_the_start_ends_by_its_setting() -> None:
    """initial.broker.registration.timeout.ms, by name."""
    async with controllers() as (one,):
        broker = Living(one, 7, initial_broker_registration_timeout_ms=50)
        with pytest.raises(KafkaError, match=r"initial\.broker\.registration\.timeout\.ms \(50\)"):
            await broker.life.register(ENDPOINTS, -1)
        await broker.die()


async def test_who_leaves_gives_its_leaderships_away_first() -> None:
    """631-03: let go once it leads nothing and the other broker knows."""
    async with controllers() as (one,):
        one.parts.quorum.lead()
        async with living(one, 7, 8, broker_heartbeat_interval_ms=20) as (first, second):
            await one.parts.service.submit(create("t", replicas=2))
            partition = one.parts.publisher.image.partition("t", 0)
            assert partition is not None
            leader, other = (first, second) if partition.leader == 7 else (second, first)
            await asyncio.wait_for(leader.life.leave(), 10)
            partition = one.parts.publisher.image.partition("t", 0)
            assert partition is not None
            assert partition.leader == (8 if leader is first else 7)
            assert leader.image.fenced
            assert not other.image.fenced


async def test_leaving_without_a_controller_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody lets go, so it goes: after one unanswered request, not after all the time there is."""
    monkeypatch.setattr(lifecycle_module, "LEAVE_ANSWER_TIMEOUT_MS", 50)
    async with controllers() as (one,):
        one.parts.quorum.lead()
        async with living(one, 7) as (broker,):
            one.parts.quorum.lead(2)
            with pytest.raises(PeerError):
                await asyncio.wait_for(broker.life.leave(), 60)


async def test_leaving_when_no_quorum_is_left_ends_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """631-03: nobody can let it go any more, so it goes, without waiting for the answer's time."""
    monkeypatch.setattr(lifecycle_module, "LEAVE_ANSWER_TIMEOUT_MS", 3_600_000)
    monkeypatch.setattr(lifecycle_module, "VOTERS_CHECK_MS", 1)
    async with controllers() as (one,):
        one.parts.quorum.lead()
        async with living(one, 7) as (broker,):
            one.parts.quorum.lead(2)
            broker.voters_checks = [False, False, True]
            with pytest.raises(Exception, match="most voters of the metadata quorum do not run"):
                await asyncio.wait_for(broker.life.leave(), 60)
            assert broker.voters_checks == [], "as long as there is a majority it waits"


async def test_heartbeats_go_to_the_next_controller() -> None:
    """A new active controller hears every broker as soon as the broker knows of it."""
    async with controllers(2) as (first, second):
        first.parts.quorum.lead()
        async with living(first, 7) as (broker,):
            second.parts.quorum.lead()
            assert second.parts.service.reign is not None
            # The other controller never heard of it: it says so, and gets the registration.
            broker.leader.address = second.address
            broker.channel.on_leader_changed()
            broker.life.beat_now()
            await asyncio.wait_for(until(lambda: 7 in second.parts.publisher.image.brokers), 5)

"""Brokers that are gone are fenced: soon if a connection tells it, else by their sessions."""

from __future__ import annotations

import asyncio

import pytest
from kit.logs import ManualClock, env_of
from kit.waiting import until

from barnabas.broker.core.cluster.broker_image import Endpoint
from barnabas.broker.core.cluster.commands import BrokerHeartbeat
from barnabas.broker.server.controller.periodic import LATE_MAX, LATE_MS, Periodic
from barnabas.testing.cluster_layout import free_ports

from .servers import Controller, controllers

CONNECTION = object()


def is_fenced(one: Controller, broker_id: int) -> bool:
    return one.parts.publisher.image.brokers[broker_id].fenced


async def test_a_lost_heartbeat_connection_fences_after_the_grace() -> None:
    """631-02, sooner: the broker's session has 60 s left, its connection is gone."""
    async with controllers(
        broker_connection_loss_grace_ms=20, broker_session_timeout_ms=60_000
    ) as (one,):
        one.parts.quorum.lead()
        epoch = await one.parts.register(7)
        one.liveness.heard(7, epoch, CONNECTION)
        one.liveness.lost(CONNECTION)
        assert not is_fenced(one, 7)
        await asyncio.wait_for(until(lambda: is_fenced(one, 7)), 5)


async def test_a_broker_that_is_back_within_the_grace_stays() -> None:
    """A heartbeat over another connection ends the doubt."""
    async with controllers(
        broker_connection_loss_grace_ms=60, broker_session_timeout_ms=60_000
    ) as (one,):
        one.parts.quorum.lead()
        epoch = await one.parts.register(7)
        other = await one.parts.register(8)
        for broker_id, its_epoch in ((7, epoch), (8, other)):
            connection = object()
            one.liveness.heard(broker_id, its_epoch, connection)
            one.liveness.lost(connection)
        await one.parts.service.submit(BrokerHeartbeat(7, epoch, 0))
        await asyncio.wait_for(until(lambda: is_fenced(one, 8)), 5)
        assert not is_fenced(one, 7)


async def test_an_older_connection_does_not_matter() -> None:
    """Heartbeats come over a newer one: what happens to the old one proves nothing."""
    async with controllers(
        broker_connection_loss_grace_ms=20, broker_session_timeout_ms=60_000
    ) as (one,):
        one.parts.quorum.lead()
        epoch = await one.parts.register(7)
        other = await one.parts.register(8)
        old, new, last = object(), object(), object()
        one.liveness.heard(7, epoch, old)
        one.liveness.heard(7, epoch, new)
        one.liveness.heard(8, other, last)
        one.liveness.lost(old)
        one.liveness.lost(last)
        await asyncio.wait_for(until(lambda: is_fenced(one, 8)), 5)
        assert not is_fenced(one, 7)


async def test_the_own_broker_is_not_lost_with_a_connection() -> None:
    """631-02: elected, but not yet active, a controller is asked by its own broker over a
    connection, which ends when the reign begins. That fences nobody but those who are gone."""
    async with controllers(
        broker_connection_loss_grace_ms=20, broker_session_timeout_ms=60_000
    ) as (one,):
        one.parts.quorum.lead()
        own = await one.parts.register(1)
        other = await one.parts.register(8)
        one.liveness.heard(1, own, CONNECTION)
        one.liveness.heard(8, other, CONNECTION)
        one.liveness.lost(CONNECTION)
        await asyncio.wait_for(until(lambda: is_fenced(one, 8)), 5)
        assert not is_fenced(one, 1)


async def test_without_a_grace_only_the_session_counts() -> None:
    """631-02: `broker.session.timeout.ms` of silence."""
    async with controllers(
        broker_connection_loss_grace_ms=0,
        broker_heartbeat_interval_ms=10,
        broker_session_timeout_ms=150,
    ) as (one,):
        one.parts.quorum.lead()
        epoch = await one.parts.register(7)
        loop = asyncio.get_running_loop()
        before = loop.time()
        one.liveness.heard(7, epoch, CONNECTION)
        one.liveness.lost(CONNECTION)
        await asyncio.wait_for(until(lambda: is_fenced(one, 7)), 5)
        assert loop.time() - before >= 0.14


async def test_a_new_reign_dials_who_is_silent() -> None:
    """The node that led before died as a broker too: nobody listens where it did."""
    async with controllers(
        2, broker_connection_loss_grace_ms=20, broker_session_timeout_ms=60_000
    ) as (one, other):
        one.parts.quorum.lead()
        (gone,) = free_ports(1)
        await one.parts.register(7, Endpoint("PLAINTEXT", "127.0.0.1", gone))
        host, port = other.address
        await one.parts.register(8, Endpoint("PLAINTEXT", host, port))
        one.parts.quorum.lead(2)
        one.parts.quorum.lead()
        await asyncio.wait_for(until(lambda: is_fenced(one, 7)), 5)
        assert not is_fenced(one, 8), "it listens: only its session can tell"


async def test_who_reigns_no_more_fences_nobody() -> None:
    async with controllers(
        broker_connection_loss_grace_ms=10, broker_session_timeout_ms=60_000
    ) as (one,):
        one.parts.quorum.lead()
        epoch = await one.parts.register(7)
        one.liveness.heard(7, epoch, CONNECTION)
        one.parts.quorum.lead(2)
        end = one.parts.quorum.log_end_offset
        one.liveness.lost(CONNECTION)
        loop = asyncio.get_running_loop()
        later = loop.time() + 0.05
        await until(lambda: loop.time() > later)
        assert one.parts.quorum.log_end_offset == end


@pytest.mark.parametrize("idle_ms", [60_000, 0])
async def test_no_op_records_come_four_times_in_a_lease(idle_ms: int) -> None:
    """207-09: leaders stay fresh by them, also where idle intervals are long, or switched off."""
    async with controllers(
        metadata_max_idle_interval_ms=idle_ms, leader_metadata_staleness_max_ms=40
    ) as (one,):
        one.has_readers = True
        one.parts.quorum.lead()
        end = one.parts.quorum.log_end_offset
        await asyncio.wait_for(until(lambda: one.parts.quorum.log_end_offset > end + 2), 5)


async def led(one: Controller) -> int:
    """The controller reigns without timers, and broker 7 is there; its epoch."""
    one.parts.quorum.lead()
    epoch = await one.parts.register(7)
    one.periodic.stop()
    return epoch


def periodic_of(one: Controller, clock: ManualClock) -> Periodic:
    """Timers by this clock; broker 7 was heard just now."""
    reign = one.parts.service.reign
    assert reign is not None
    env = reign._env = env_of(clock=clock)
    controller = reign.controller
    controller.sessions.touch(controller.image.brokers[7], clock.now_ms)
    return Periodic(one.parts.service, one.parts.config, env, one.log, lambda: False)


def expiry_ms(one: Controller) -> float | None:
    reign = one.parts.service.reign
    assert reign is not None
    return reign.controller.sessions.next_expiry_ms(reign.controller.image)


async def test_a_controller_that_stood_still_fences_nobody_for_it() -> None:
    """631-02: its timer is late, and heartbeats that came meanwhile are not read yet."""
    async with controllers(broker_session_timeout_ms=60_000) as (one,):
        epoch = await led(one)
        clock = ManualClock()
        periodic = periodic_of(one, clock)
        clock.now_ms = 90_000.0
        periodic._expire(30_000.0)
        assert not is_fenced(one, 7)
        assert expiry_ms(one) == 120_000.0
        clock.now_ms = 120_000.0
        periodic._expire(clock.now_ms)
        assert is_fenced(one, 7), "what it was forgiven is over too"
        assert one.parts.service.reign is not None
        assert one.parts.service.reign.controller.sessions.epoch_of(7) != epoch
        periodic.stop()


async def test_a_controller_that_is_always_late_still_fences_who_is_gone() -> None:
    """631-02: what waits unread is read between two looks; so many in a row excuse nobody."""
    async with controllers(broker_session_timeout_ms=60_000) as (one,):
        await led(one)
        clock = ManualClock()
        periodic = periodic_of(one, clock)
        for _ in range(LATE_MAX):
            clock.now_ms += 30_000 + 2 * LATE_MS
            periodic._expire(clock.now_ms - 2 * LATE_MS)
            assert not is_fenced(one, 7)
        clock.now_ms += 30_000 + 2 * LATE_MS
        periodic._expire(clock.now_ms - 2 * LATE_MS)
        assert is_fenced(one, 7)
        periodic.stop()


async def test_a_controller_that_is_late_now_and_then_forgives_each_time() -> None:
    """631-02: a look in time between them, and late ones count anew."""
    async with controllers(broker_session_timeout_ms=60_000) as (one,):
        await led(one)
        clock = ManualClock()
        periodic = periodic_of(one, clock)
        for times in range(1, 4):
            for _ in range(LATE_MAX):
                clock.now_ms += 30_000
                periodic._expire(clock.now_ms - 30_000)
            periodic._expire(clock.now_ms)
            assert not is_fenced(one, 7)
            assert expiry_ms(one) == 60_000 + times * LATE_MAX * 30_000
        periodic.stop()


async def test_no_op_records_only_for_those_who_read() -> None:
    """207-09: other nodes learn that what they have is fresh; a node alone writes nothing."""
    async with controllers(metadata_max_idle_interval_ms=10) as (one,):
        one.parts.quorum.lead()
        await one.parts.register(1)
        end = one.parts.quorum.log_end_offset
        loop = asyncio.get_running_loop()
        later = loop.time() + 0.05
        await until(lambda: loop.time() > later)
        assert one.parts.quorum.log_end_offset == end
        one.has_readers = True
        await asyncio.wait_for(until(lambda: one.parts.quorum.log_end_offset > end + 2), 5)
        kinds = [record.NAME for _, _, records, _ in one.parts.quorum.log for record in records]
        assert kinds[-3:] == ["NoOpRecord"] * 3


async def test_a_no_op_is_due_for_a_timer_that_is_early_by_a_rounding_error() -> None:
    """207-09: what is left to wait for then may be too short for the clock ever to pass."""
    async with controllers(metadata_max_idle_interval_ms=10) as (one,):
        one.has_readers = True
        clock = ManualClock()
        env = env_of(clock=clock)
        service = one.parts.service
        periodic = Periodic(service, one.parts.config, env, one.log, lambda: True)
        one.parts.quorum.lead()
        one.periodic.stop()
        end = one.parts.quorum.log_end_offset
        assert service.reign is not None
        service.reign.last_append_ms = clock.monotonic_ms() - 10 + 1e-9
        periodic.on_reign(service.reign)
        await asyncio.wait_for(until(lambda: one.parts.quorum.log_end_offset > end), 5)
        periodic.stop()

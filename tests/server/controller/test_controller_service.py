"""The controller of a node: active while it leads, asleep else; answers mean done."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from kit.waiting import until

from barnabas.broker.core.cluster.commands import (
    SAFE_DOWNGRADE,
    BrokerHeartbeat,
    Command,
    CreateTopics,
    FeatureUpdate,
    FenceBroker,
    NewTopic,
    UpdateFeatures,
)
from barnabas.broker.core.cluster.features import FINALISED_AT_FIRST
from barnabas.broker.core.cluster.heartbeats import SUSPECT_SESSION_MS
from barnabas.broker.server.controller import controller_service
from barnabas.broker.storage.files import RealClock
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.topic_record import TopicRecord

from .parts import Parts, create, own


async def refusal(work: Any) -> ErrorCode:
    with pytest.raises(KafkaError) as caught:
        await work
    return ErrorCode(caught.value.code)


async def test_a_first_reign_bootstraps_and_registers_itself() -> None:
    """595-03: active with the first batch of its own epoch, and not before."""
    parts = Parts()
    assert not parts.service.is_active
    assert await refusal(parts.service.submit(create("t"))) == ErrorCode.NOT_CONTROLLER
    parts.quorum.commits_at_once = False
    parts.quorum.lead()
    assert not parts.service.is_active, "its LeaderChange is not committed"
    parts.quorum.commits_at_once = True
    parts.quorum.commit()
    assert parts.service.is_active
    assert parts.publisher.image.features == dict(FINALISED_AT_FIRST)
    assert parts.publisher.image.controllers[1].incarnation_id == own(1).incarnation_id


async def test_an_answer_waits_until_the_records_are_committed_and_applied() -> None:
    """The answer is given when the image that brokers read has the topic."""
    parts = Parts()
    parts.quorum.lead()
    await parts.register(1)
    parts.quorum.commits_at_once = False
    answer = asyncio.ensure_future(parts.service.submit(create("t")))
    await asyncio.sleep(0)
    assert not answer.done()
    assert "t" not in parts.publisher.image.topics_by_name
    parts.quorum.commit()
    (created,) = await answer
    assert created.code == ErrorCode.NONE
    assert "t" in parts.publisher.image.topics_by_name


async def test_what_is_decided_without_records_waits_for_those_before_it() -> None:
    """A refusal that rests on a topic nobody has committed yet would be a lie."""
    parts = Parts()
    parts.quorum.lead()
    await parts.register(1)
    parts.quorum.commits_at_once = False
    first = asyncio.ensure_future(parts.service.submit(create("t")))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(parts.service.submit(create("t")))
    await asyncio.sleep(0)
    assert not second.done()
    parts.quorum.commit()
    assert [one.code for one in (*await first, *await second)] == [
        ErrorCode.NONE,
        ErrorCode.TOPIC_ALREADY_EXISTS,
    ]


async def test_who_loses_the_lead_answers_not_controller_and_forgets() -> None:
    """631-02: 41 for what waited; the next reign begins from what was committed."""
    parts = Parts()
    parts.quorum.lead()
    await parts.register(1)
    parts.quorum.commits_at_once = False
    waiting = asyncio.ensure_future(parts.service.submit(create("lost")))
    await asyncio.sleep(0)
    parts.quorum.lose()
    parts.quorum.commits_at_once = True
    parts.quorum.lead(2)
    assert await refusal(waiting) == ErrorCode.NOT_CONTROLLER
    assert await refusal(parts.service.submit(create("t"))) == ErrorCode.NOT_CONTROLLER
    parts.quorum.lead()
    (created,) = await parts.service.submit(create("lost"))
    assert created.code == ErrorCode.NONE, "the lost one left no trace"


async def test_a_reign_begins_when_this_node_has_applied_everything() -> None:
    """631-04: a listener that still works on older records holds the reign up."""
    parts = Parts()
    parts.quorum.lead()
    await parts.register(1)
    parts.publisher.add_listener(lambda image, changes: None)
    parts.quorum.lead(2)
    parts.quorum.append_records(TopicRecord(name="t", topic_id=b"t" * 16))
    parts.quorum.lead()
    assert not parts.service.is_active
    await parts.quorum.settle()
    assert parts.service.is_active
    assert parts.service.reign is not None
    assert "t" in parts.service.reign.controller.image.topics_by_name


async def test_records_of_the_quorum_itself_move_broker_epochs() -> None:
    """631-01: an epoch is the offset of the registration, whoever else wrote to the log."""
    parts = Parts()
    parts.quorum.lead()
    parts.quorum.append_control(3)
    epoch = await parts.register(7)
    registrations = {
        base + number
        for base, _, records, _ in parts.quorum.log
        for number, record in enumerate(records)
        if record.NAME == "RegisterBrokerRecord"
    }
    assert registrations == {epoch}
    assert parts.publisher.image.brokers[7].epoch == epoch


async def test_too_many_commands_are_told_to_come_later() -> None:
    parts = Parts(controller_queue_max_commands=2)
    parts.quorum.lead()
    await parts.register(1)
    parts.quorum.commits_at_once = False
    waiting = [asyncio.ensure_future(parts.service.submit(create(name))) for name in "ab"]
    await asyncio.sleep(0)
    assert await refusal(parts.service.submit(create("c"))) == ErrorCode.REQUEST_TIMED_OUT
    parts.quorum.commit()
    assert [one.code for (one,) in await asyncio.gather(*waiting)] == [ErrorCode.NONE] * 2


async def test_answers_mean_that_every_active_broker_has_it() -> None:
    """Decision 4: a create is answered when the other active broker has applied the topic."""
    parts = Parts()
    parts.quorum.lead()
    await parts.register(1)
    await parts.register(2)
    answer = asyncio.ensure_future(parts.service.submit(create("t")))
    await until(lambda: "t" in parts.publisher.image.topics_by_name)
    for told in (parts.quorum.log_end_offset - 1, parts.quorum.log_end_offset):
        assert not answer.done()
        parts.quorum.progress[2] = told
        parts.service.on_progress()
        for _ in range(5):
            await asyncio.sleep(0)
    assert (await answer)[0].code == ErrorCode.NONE


async def test_a_broker_that_hangs_holds_no_answer_up_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was done anyway: after a bounded time the answer says so."""
    monkeypatch.setattr(controller_service, "EVERYWHERE_TIMEOUT_MS", 5)
    parts = Parts()
    parts.quorum.lead()
    await parts.register(1)
    await parts.register(2)
    (created,) = await asyncio.wait_for(parts.service.submit(create("t")), 5)
    assert created.code == ErrorCode.NONE


async def test_a_bug_in_a_decision_ends_the_reign() -> None:
    """An image that may be half changed never decides again; the quorum elects somebody."""
    parts = Parts()
    parts.quorum.lead()
    assert parts.service.reign is not None
    epoch = parts.service.reign.epoch
    with pytest.raises(KeyError):
        await parts.service.submit(Command[None]())
    assert not parts.service.is_active
    assert parts.quorum.resigned == [epoch]
    assert parts.log.events("the controller failed and resigns")


async def test_a_quorum_that_failed_refuses_everything_with_its_reason() -> None:
    """What waits and what comes later; and this node begins no other reign."""
    parts = Parts()
    parts.quorum.lead()
    await parts.register(1)
    parts.quorum.commits_at_once = False
    waiting = asyncio.ensure_future(parts.service.submit(create("t")))
    await asyncio.sleep(0)
    parts.service.fail(KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, "the disk"))
    assert await refusal(waiting) == ErrorCode.KAFKA_STORAGE_ERROR
    assert await refusal(parts.service.submit(create("u"))) == ErrorCode.KAFKA_STORAGE_ERROR
    parts.quorum.commits_at_once = True
    parts.quorum.lead()
    assert not parts.service.is_active


async def test_listeners_hear_of_begin_and_end() -> None:
    parts = Parts()
    heard: list[bool] = []
    parts.service.reign_listeners.append(lambda reign: heard.append(reign is not None))
    parts.quorum.lead()
    parts.quorum.lead(2)
    parts.quorum.lead()
    assert heard == [True, False, True]


async def test_the_quorums_level_is_raised_before_other_levels_change() -> None:
    """853-01: its records are in the log between the image's, and the answer waits for all."""
    parts = Parts()
    parts.quorum.lead()
    parts.quorum.kraft_version = 0
    parts.quorum.commits_at_once = False
    updates = (FeatureUpdate("kraft.version", 1), FeatureUpdate("group.version", 0, SAFE_DOWNGRADE))
    answer = asyncio.ensure_future(parts.service.submit(UpdateFeatures(updates)))
    await asyncio.sleep(0)
    assert (parts.quorum.kraft_version, answer.done()) == (1, False)
    assert [count for *_, count in parts.quorum.log[-2:]] == [2, 1]
    parts.quorum.commit()
    await answer
    assert "group.version" not in parts.publisher.image.features
    parts.quorum.commits_at_once = True
    await parts.register(1)  # broker epochs are right behind the quorum's records


async def test_what_was_handed_over_rests_with_the_next_controller_too() -> None:
    """501-13: a controller that only follows the log knows how long ago its leader wrote that."""
    parts = Parts(follower_fetch_relinquish_cooldown_ms=60_000)
    parts.quorum.lead()
    for broker in (1, 2):
        await parts.register(broker)
    command = CreateTopics((NewTopic("t", 2, 2),))
    (created,) = await parts.service.submit(command)
    parts.quorum.lead(2)
    now_ms = RealClock().wall_ms()
    for number, age_ms in ((0, 1000), (1, 60_000)):
        parts.quorum.append_wall_ms = now_ms - age_ms
        before = parts.publisher.image.topics_by_name["t"].partitions[number]
        first, second = before.isr
        change = PartitionChangeRecord(topic_id=created.topic_id, partition_id=number)
        change.leader, change.isr = second, [second, first]
        assert before.leader == first
        parts.quorum.append_records(change)
    parts.quorum.lead()
    assert parts.service.reign is not None
    resting = parts.service.reign.controller.relinquished
    monotonic_ms = RealClock().monotonic_ms()
    assert resting.is_cooling(created.topic_id, 0, monotonic_ms)
    assert not resting.is_cooling(created.topic_id, 0, monotonic_ms + 59_001)
    assert not resting.is_cooling(created.topic_id, 1, monotonic_ms)


async def test_a_heartbeat_that_changes_nothing_needs_no_disk() -> None:
    """631-02: it is answered while records wait for their fsync; what it asks for waits as well."""
    parts = Parts()
    parts.quorum.lead()
    epoch = await parts.register(7)
    parts.quorum.commits_at_once = False
    made = asyncio.ensure_future(parts.service.submit(create("t")))
    await asyncio.sleep(0)
    offset = parts.publisher.applied_offset
    answer = await asyncio.wait_for(parts.service.submit(BrokerHeartbeat(7, epoch, offset)), 5)
    assert not answer.is_fenced
    assert not made.done()
    leaving = asyncio.ensure_future(
        parts.service.submit(BrokerHeartbeat(7, epoch, offset, wants_shutdown=True))
    )
    broken = asyncio.ensure_future(
        parts.service.submit(BrokerHeartbeat(7, epoch, offset, offline_log_dirs=(b"d" * 16,)))
    )
    for _ in range(3):
        await asyncio.sleep(0)
    assert not leaving.done()
    assert not broken.done()
    parts.quorum.commit()
    await asyncio.gather(made, leaving, broken)


async def test_a_heartbeat_that_rests_on_what_is_not_committed_waits() -> None:
    """631-02: a broker that was let in by records that may be lost is not told so yet."""
    parts = Parts()
    parts.quorum.lead()
    epoch = await parts.register(7)
    await parts.service.submit(FenceBroker(7, epoch))
    parts.quorum.commits_at_once = False
    offset = parts.publisher.applied_offset
    beats = [
        asyncio.ensure_future(parts.service.submit(BrokerHeartbeat(7, epoch, offset)))
        for _ in range(2)
    ]
    for _ in range(3):
        await asyncio.sleep(0)
    assert not any(one.done() for one in beats)
    parts.quorum.commit()
    assert [one.is_fenced for one in await asyncio.gather(*beats)] == [False, False]


async def test_a_new_reign_suspects_the_node_that_reigned_before() -> None:
    """631-02: a majority has not heard it for a fetch time-out; as a broker it is silent too."""
    parts = Parts()
    parts.quorum.lead()
    await parts.register(7)
    await parts.register(8)
    parts.quorum.lead(7)
    parts.quorum.lead(-1)
    parts.quorum.lead()
    reign = parts.service.reign
    assert reign is not None
    sessions, image = reign.controller.sessions, reign.controller.image
    began_ms = RealClock().monotonic_ms()
    assert sessions.expired(image, began_ms + SUSPECT_SESSION_MS) == (7,)
    session_ms = parts.config.broker_session_timeout_ms
    assert sessions.expired(image, began_ms + session_ms) == (7, 8)

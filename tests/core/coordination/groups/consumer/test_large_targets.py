"""Targets of large groups, which come some time after the heartbeat that asks for them (848-12)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from kit.examples import examples

from barnabas.broker.core.coordination.groups.consumer import targets
from barnabas.broker.core.coordination.groups.consumer.assignors import ASSIGNORS
from barnabas.broker.core.coordination.groups.consumer.large_targets import (
    STEPS_AT_ONCE,
    WRITTEN_AT_ONCE,
)
from barnabas.broker.core.coordination.groups.consumer.subscriber import Subscriber
from barnabas.broker.core.coordination.groups.consumer.timer_keys import targets_key
from barnabas.protocol.errors import ErrorCode

from .eventful import Groups
from .scene import GROUP, Consumer, Scene, settle

PARTITIONS = 2_400


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.topics.make("t", PARTITIONS)
    return scene


def begun(scene: Scene) -> tuple[Consumer, Consumer]:
    """Two members, the second of which waits for its target, which is being worked out."""
    one, two = Consumer(scene, "a", "t"), Consumer(scene, "b", "t", instance_id="i")
    one.join()
    assert len(one.owned) == PARTITIONS, "the first member waits for nothing"
    two.join()
    scene.shard.timers._clock.now_ms += 1000  # time passes, and no timer has its turn yet
    two.beat()
    return one, two


def turn(scene: Scene) -> None:
    """The next of the work's turns."""
    _, operation = scene.shard.timers.due.pop(targets_key(GROUP))
    scene.shard.write(operation)


def is_working(scene: Scene) -> bool:
    return scene.shard.timers.is_set(targets_key(GROUP))


def assignment_epoch(scene: Scene) -> int:
    return scene.group.state.numbers.assignment_epoch


def test_members_see_the_old_target_until_the_new_one_is_there(scene: Scene) -> None:
    """It is written some at a time, and its epoch at the end (848-12)."""
    one, two = begun(scene)
    assert scene.epoch == 3
    seen = set()
    start = len(scene.shard.log)
    while is_working(scene):
        seen.add(assignment_epoch(scene))
        assert two.beat(full=False).member_epoch == 2
        assert one.beat(full=False).assignment is None
        turn(scene)
    assert seen == {2}
    assert assignment_epoch(scene) == 3
    assert scene.keys_since(start) == [7, 7, 6]
    settle(scene, one, two)
    assert len(one.owned) == len(two.owned) == PARTITIONS / 2


def test_what_one_turn_does_is_bounded(scene: Scene) -> None:
    """Few records in each, and few steps, whatever the clock says."""
    members = [Consumer(scene, f"m{number:04}", "t") for number in range(1_200)]
    for member in members:
        member.join()
    scene.shard.largest_step = 0
    scene.wait(1000)
    members[0].beat(full=False)
    turns = 0
    while is_working(scene):
        turn(scene)
        turns += 1
    assert scene.shard.largest_step <= WRITTEN_AT_ONCE
    assert turns >= 2 * len(members) / STEPS_AT_ONCE
    assert scene.group.state.numbers.assignment_epoch == scene.epoch


@pytest.mark.parametrize("name", list(ASSIGNORS))
def test_assignors_give_others_their_turn(name: str) -> None:
    """For each member, and for each hundred partitions where topics differ (848-14)."""
    topics = [bytes([number]) * 16 for number in (1, 2)]
    alike = {f"m{number}": Subscriber(frozenset(topics)) for number in range(50)}
    other = {**alike, "n": Subscriber(frozenset(topics[:1]))}
    for members in (alike, other):
        steps = ASSIGNORS[name](members, dict.fromkeys(topics, 1_000))
        assert sum(1 for _ in steps) >= 50


def test_a_member_that_joins_meanwhile_is_of_the_next_target(scene: Scene) -> None:
    """What was begun is written for its own epoch, and the next heartbeat begins anew (848-12)."""
    one, two = begun(scene)
    turn(scene)
    three = Consumer(scene, "c", "t")
    assert three.join().member_epoch == 2
    while is_working(scene):
        turn(scene)
    assert (scene.epoch, assignment_epoch(scene)) == (4, 3)
    assert "c" not in scene.group.state.targets
    settle(scene, one, two, three)
    assert [len(each.owned) for each in (one, two, three)] == [PARTITIONS / 3] * 3


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_member_that_leaves_meanwhile_gets_nothing(scene: Scene, turns: int) -> None:
    """No record is written of it any more (REC-02)."""
    one, two = begun(scene)
    for _ in range(turns):
        turn(scene)
    two.leave()
    scene.wait(0)
    assert list(scene.group.state.targets) == ["a"]
    settle(scene, one)
    assert len(one.owned) == PARTITIONS


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_static_member_that_comes_back_meanwhile_has_its_target(scene: Scene, turns: int) -> None:
    """Under another member id it is the same (848-08)."""
    one, two = begun(scene)
    for _ in range(turns):
        turn(scene)
    two.leave(-2)
    again = Consumer(scene, "b2", "t", instance_id="i")
    again.join()
    scene.wait(0)
    assert len(scene.group.state.target("b2")) == PARTITIONS / 2
    settle(scene, one, again)
    assert len(again.owned) == PARTITIONS / 2


def test_a_beginning_that_is_taken_back_is_none(scene: Scene) -> None:
    """Another member may have the epoch that was never written (CRT-07)."""
    one = Consumer(scene, "a", "t")
    one.join()
    scene.wait(1000)
    scene.shard.commits_at_once = False
    Consumer(scene, "b", "t").join()
    turn(scene)
    scene.shard.fail(ErrorCode.NOT_ENOUGH_REPLICAS)
    scene.shard.commits_at_once = True
    assert not is_working(scene)
    three = Consumer(scene, "c", "t")
    three.join()
    settle(scene, one, three)
    assert len(one.owned) == len(three.owned) == PARTITIONS / 2


@pytest.mark.parametrize("turns", range(1, 6))
def test_another_coordinator_begins_anew(scene: Scene, turns: int) -> None:
    """What was written of a target without its epoch does no harm (CRT-13)."""
    one, two = begun(scene)
    for _ in range(turns):
        if is_working(scene):
            turn(scene)
    scene.reload()
    settle(scene, one, two)
    assert len(one.owned) == len(two.owned) == PARTITIONS / 2


def test_a_part_that_cannot_be_written_ends_it(scene: Scene) -> None:
    """A later heartbeat begins anew (CRT-07)."""
    one, two = begun(scene)
    while len(scene.group.state.targets) < 2:
        scene.shard.commits_at_once = False
        turn(scene)
        if len(scene.group.state.targets) < 2:
            scene.shard.commit()
    scene.shard.fail(ErrorCode.NOT_ENOUGH_REPLICAS)
    scene.shard.commits_at_once = True
    assert not is_working(scene)
    assert assignment_epoch(scene) == 2
    settle(scene, one, two)
    assert len(one.owned) == len(two.owned) == PARTITIONS / 2


def test_a_group_that_is_no_more_needs_no_target(scene: Scene) -> None:
    """It went, or is one of the classic protocol by now (848-43)."""
    one, two = begun(scene)
    turn(scene)
    for each in (one, two):
        each.leave()
    for offset, record in enumerate(scene.group.tombstones(), len(scene.shard.log)):
        scene.machine.replay(record, offset, None)
    while is_working(scene):
        turn(scene)
    assert GROUP not in scene.around.groups


def test_an_assignor_that_fails_writes_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is reported, and a later heartbeat begins anew (848-13)."""
    one, two = begun(scene)

    def fails(*_: Any) -> Any:
        yield None
        raise RuntimeError("an assignor's bug")

    with monkeypatch.context() as patched:
        patched.setitem(ASSIGNORS, "uniform", fails)
        turn(scene)
        operation = scene.shard.timers.due[targets_key(GROUP)][1]
        with pytest.raises(RuntimeError):
            turn(scene)
        scene.shard.write(operation)  # as the shard's timers do: tried again, it does nothing
    assert assignment_epoch(scene) == 2
    settle(scene, one, two)
    assert len(two.owned) == PARTITIONS / 2


@pytest.mark.slow
def test_all_groups_as_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens meanwhile, no partition has two owners, and all come to rest (848-18)."""
    monkeypatch.setattr(targets, "AT_ONCE_MAX", 0)
    run_state_machine_as_test(
        Groups, settings=settings(max_examples=examples(200), stateful_step_count=50, deadline=None)
    )

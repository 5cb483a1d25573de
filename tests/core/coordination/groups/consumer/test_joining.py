"""Joining, epochs and errors of consumer groups (848-02 to 848-09)."""

from __future__ import annotations

from typing import Any

import pytest
from kit.logs import env_of

from barnabas.broker.core.coordination.groups.embedded_protocol import TOPICS_MAX
from barnabas.protocol.errors import KafkaError

from .scene import REBALANCE_MS, Consumer, Scene, refusal, settle

INVALID_REQUEST = 42
UNKNOWN_MEMBER_ID = 25
GROUP_ID_NOT_FOUND = 69
GROUP_MAX_SIZE_REACHED = 81
FENCED_INSTANCE_ID = 82
FENCED_MEMBER_EPOCH = 110
UNRELEASED_INSTANCE_ID = 111
UNSUPPORTED_ASSIGNOR = 112


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.topics.make("t", 4)
    return scene


def test_the_first_member_has_epoch_two_and_everything(scene: Scene) -> None:
    """A group begins at epoch 1, the first join makes it 2, records in their order (848-04,
    REC-01)."""
    one = Consumer(scene, "a", "t")
    answer = one.join()
    assert (answer.member_id, answer.member_epoch, answer.heartbeat_interval_ms) == ("a", 2, 5000)
    assert one.numbers == [0, 1, 2, 3]
    assert scene.keys_since(0) == [5, 3, 7, 6, 8]
    assert scene.state_name() == "Stable"


def test_a_join_without_topics_leaves_the_epoch_at_one(scene: Scene) -> None:
    """Neither an empty list nor a pattern that was not looked up yet bumps the epoch (848-04)."""
    assert Consumer(scene, "a").join().member_epoch == 1
    assert Consumer(scene, "b", pattern="none.*").join().member_epoch == 1
    assert scene.epoch == 1


def test_a_second_member_waits_for_the_next_assignment(scene: Scene) -> None:
    """Within the interval a joining member gets the epoch there is, and nothing (848-12)."""
    one, two = Consumer(scene, "a", "t"), Consumer(scene, "b", "t")
    one.join()
    start = len(scene.shard.log)
    answer = two.join()
    assert (answer.member_epoch, two.numbers) == (2, [])
    assert answer.assignment is not None
    assert scene.keys_since(start) == [5, 3, 8]
    assert scene.state_name() == "Assigning"
    scene.wait(1000)
    start = len(scene.shard.log)
    assert two.beat().member_epoch == 3
    assert scene.keys_since(start) == [7, 7, 6, 8]
    assert scene.state_name() == "Reconciling"
    settle(scene, one, two)
    assert (len(one.numbers), len(two.numbers)) == (2, 2)
    assert scene.state_name() == "Stable"


@pytest.mark.parametrize(
    "changes",
    [
        {"group_id": ""},
        {"member_id": ""},
        {"instance_id": ""},
        {"rack_id": ""},
        {"member_epoch": -3},
        {"member_epoch": -2},
        {"rebalance_timeout_ms": -1},
        {"topic_partitions": None},
        {"subscribed_topic_names": None},
    ],
    ids=str,
)
def test_a_malformed_join_is_refused(scene: Scene, changes: dict[str, Any]) -> None:
    """What a request must say is checked before the group is looked at (848-02)."""
    request = Consumer(scene, "a", "t").request(**changes)
    assert refusal(lambda: scene.ask(request)) == INVALID_REQUEST


def test_very_many_names_are_refused(scene: Scene) -> None:
    """More topics than the coordinator looks at in one step must be subscribed by a pattern
    (848-02)."""
    request = Consumer(scene, "a", "t").request(subscribed_topic_names=["t"] * (TOPICS_MAX + 1))
    assert refusal(lambda: scene.ask(request)) == INVALID_REQUEST


def test_a_join_that_owns_partitions_is_refused(scene: Scene) -> None:
    """Who joins has nothing yet (848-02)."""
    one = Consumer(scene, "a", "t")
    one.owned = {(bytes(16), 0)}
    assert refusal(one.beat) == INVALID_REQUEST


def test_version_0_may_join_without_an_id_but_not_go_on(scene: Scene) -> None:
    """In version 0 the coordinator makes the id of a member that joins (848-02)."""
    one = Consumer(scene, "", "t")
    answer = scene.ask(one.request(), api_version=0)
    assert len(answer.member_id or "") == 22
    going_on = one.request(member_epoch=2)
    assert refusal(lambda: scene.ask(going_on, api_version=0)) == INVALID_REQUEST


def test_an_unknown_assignor_is_refused(scene: Scene) -> None:
    """Only the assignors of the broker's setting may be asked for (848-02)."""
    one = Consumer(scene, "a", "t", assignor="sticky")
    assert refusal(one.join) == UNSUPPORTED_ASSIGNOR


def test_unknown_groups_and_members(scene: Scene) -> None:
    """Any epoch but 0 is for groups and members that are there (848-06)."""
    one, stranger = Consumer(scene, "a", "t"), Consumer(scene, "b", "t")
    stranger.epoch = 5
    assert refusal(stranger.beat) == GROUP_ID_NOT_FOUND
    assert refusal(stranger.leave) == GROUP_ID_NOT_FOUND
    one.join()
    assert refusal(stranger.beat) == UNKNOWN_MEMBER_ID
    assert refusal(stranger.leave) == UNKNOWN_MEMBER_ID


def test_epochs_that_a_member_does_not_have(scene: Scene) -> None:
    """A higher epoch is fenced, the previous one only if an answer may be lost (848-05)."""
    one, two = Consumer(scene, "a", "t"), Consumer(scene, "b", "t")
    one.join()
    two.join()
    settle(scene, one, two)
    assert one.epoch == 3
    for epoch, partitions, code in (
        (4, one.owned, FENCED_MEMBER_EPOCH),
        (3, one.owned, 0),
        (2, one.owned, 0),
        (2, set(), 0),
        (2, two.owned, FENCED_MEMBER_EPOCH),
        (1, one.owned, FENCED_MEMBER_EPOCH),
    ):
        asker = Consumer(scene, "a", "t")
        asker.epoch, asker.owned = epoch, set(partitions)
        assert refusal(asker.beat) == code, epoch
    silent = one.request(full=False, member_epoch=2, topic_partitions=None)
    assert refusal(lambda: scene.ask(silent)) == FENCED_MEMBER_EPOCH


@pytest.mark.parametrize("instance_id", [None, "i"])
def test_a_member_may_join_again_at_any_time(scene: Scene, instance_id: str | None) -> None:
    """Epoch 0 of the same member id keeps epoch and assignment, static or not (848-05, 848-08)."""
    one = Consumer(scene, "a", "t", instance_id=instance_id)
    one.join()
    start = len(scene.shard.log)
    answer = one.join()
    assert (answer.member_epoch, one.numbers) == (2, [0, 1, 2, 3])
    assert scene.keys_since(start) == []


def test_a_group_has_a_size() -> None:
    """One member more than the setting allows is refused; who is in stays in (848-07)."""
    scene = Scene(group_consumer_max_size=2)
    scene.topics.make("t", 4)
    consumers = [Consumer(scene, name, "t") for name in "abc"]
    consumers[0].join()
    consumers[1].join()
    assert refusal(consumers[2].join) == GROUP_MAX_SIZE_REACHED
    consumers[0].join()


def test_a_static_member_comes_back_under_another_id(scene: Scene) -> None:
    """What it had is kept for it, at the same group epoch, its old id is gone (848-08, 848-09)."""
    one = Consumer(scene, "a", "t", instance_id="i")
    one.join()
    assert one.leave(-2).member_epoch == -2
    assert scene.state_name() == "Reconciling"
    back = Consumer(scene, "b", "t", instance_id="i")
    start = len(scene.shard.log)
    answer = back.join()
    assert (answer.member_epoch, back.numbers, scene.epoch) == (2, [0, 1, 2, 3], 2)
    assert scene.keys_since(start) == [-8, -7, -5, 5, 7, 8, 8]
    assert refusal(one.beat) == FENCED_INSTANCE_ID
    assert list(scene.group.state.members) == ["b"]


def test_an_instance_that_is_in_use(scene: Scene) -> None:
    """Another member id gets 111 on joining, 82 otherwise, 25 for an unknown one (848-08)."""
    one = Consumer(scene, "a", "t", instance_id="i")
    one.join()
    other = Consumer(scene, "b", "t", instance_id="i")
    assert refusal(other.join) == UNRELEASED_INSTANCE_ID
    other.epoch = 2
    assert refusal(other.beat) == FENCED_INSTANCE_ID
    assert refusal(other.leave) == FENCED_INSTANCE_ID
    other.instance_id = "j"
    assert refusal(other.beat) == UNKNOWN_MEMBER_ID
    assert refusal(other.leave) == UNKNOWN_MEMBER_ID
    assert one.beat().member_epoch == 2


def test_a_static_member_that_left_for_a_while_may_be_back_as_itself(scene: Scene) -> None:
    """The same member id is the same member, whatever the epoch it left with (848-08)."""
    one = Consumer(scene, "a", "t", instance_id="i")
    one.join()
    one.leave(-2)
    assert one.join().member_epoch == 2
    assert one.numbers == [0, 1, 2, 3]
    one.leave(-1)
    assert scene.group.is_empty


def test_a_member_that_takes_a_released_instance_gives_up_its_own_place(scene: Scene) -> None:
    """A member that joins anew as another instance has the place of that one alone (848-08)."""
    one, two = Consumer(scene, "a", "t", instance_id="i"), Consumer(scene, "b", "t")
    one.join()
    two.join()
    settle(scene, one, two)
    one.leave(-2)
    two.instance_id = "i"
    two.join()
    settle(scene, two)
    assert list(scene.group.state.members) == ["b"]
    assert two.numbers == [0, 1, 2, 3]


def test_a_leave_frees_everything_and_raises_the_epoch(scene: Scene) -> None:
    """Tombstones first, then the epoch; the session is over (REC-02, 848-03, 848-10)."""
    one, two = Consumer(scene, "a", "t"), Consumer(scene, "b", "t")
    one.join()
    two.join()
    settle(scene, one, two)
    start = len(scene.shard.log)
    answer = one.leave()
    assert (answer.member_id, answer.member_epoch) == ("a", -1)
    assert scene.keys_since(start) == [-8, -7, -5, 3]
    settle(scene, two)
    assert two.numbers == [0, 1, 2, 3]
    assert all("a" not in key for key in scene.shard.timers.due if isinstance(key, tuple))


def test_what_changes_the_record_and_not_the_epoch(scene: Scene) -> None:
    """Racks and timeouts are noted, and nothing is assigned anew (848-10)."""
    one = Consumer(scene, "a", "t")
    one.join()
    start = len(scene.shard.log)
    one.beat(rack_id="r1", rebalance_timeout_ms=REBALANCE_MS + 1)
    assert scene.keys_since(start) == [5]
    one.topics = ["t", "u"]
    one.beat()
    assert scene.keys_since(start)[:3] == [5, 5, 3]


def test_an_answer_shows_the_assignment_only_where_it_matters(scene: Scene) -> None:
    """To who joins, says everything, or has another assignment now; else null (848-20)."""
    one = Consumer(scene, "a", "t")
    assert one.join().assignment is not None
    assert one.beat().assignment is not None
    assert one.beat(full=False).assignment is None
    assert one.beat(full=False, topic_partitions=None).assignment is None
    scene.topics.grow("t", 5)
    scene.change("t")
    scene.wait(1000)
    assert one.beat(full=False).assignment is not None
    assert one.numbers == [0, 1, 2, 3, 4]


def test_nothing_changes_where_an_error_is_told(scene: Scene) -> None:
    """An operation that is refused writes no record and moves no timer (848-06)."""
    one = Consumer(scene, "a", "t")
    one.join()
    due = dict(scene.shard.timers.due)
    log = list(scene.shard.log)
    with pytest.raises(KafkaError):
        one.beat(subscribed_topic_regex="(")
    assert (scene.shard.timers.due, scene.shard.log) == (due, log)
    assert env_of(clock=scene.clock).clock is scene.clock

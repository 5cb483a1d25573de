"""From one assignment to the next: epochs, topics, timers, rollback, reload (848-10 to 848-21)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.coordination.groups.consumer.member import MemberState
from barnabas.protocol.errors import ErrorCode

from .scene import GROUP, REBALANCE_MS, SESSION_MS, Consumer, Scene, refusal, settle

UNKNOWN_MEMBER_ID = 25


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.topics.make("t", 4)
    return scene


def two_members(scene: Scene) -> tuple[Consumer, Consumer]:
    one, two = Consumer(scene, "a", "t"), Consumer(scene, "b", "t")
    one.join()
    two.join()
    return one, two


def test_what_moves_is_given_up_before_it_is_given(scene: Scene) -> None:
    """A partition goes to its new owner when the old one has said that it has it no more
    (848-16, 848-17)."""
    one, two = two_members(scene)
    one.gives_up = False
    scene.wait(1000)
    two.beat()
    assert (two.epoch, two.numbers) == (3, [])
    answer = one.beat()
    assert answer.assignment is not None
    assert answer.member_epoch == 2
    assert scene.group.state.current("a").state is MemberState.UNREVOKED_PARTITIONS
    one.beat(full=False, topic_partitions=None)  # it says nothing: it still has them
    two.beat()
    assert two.numbers == []
    kept = {
        (topic.topic_id, number)
        for topic in answer.assignment.topic_partitions
        for number in topic.partitions
    }
    one.gives_up, one.owned = True, kept
    assert one.beat().member_epoch == 3
    two.beat()
    assert len(two.numbers) == 2
    assert not one.owned & two.owned


def test_a_partition_that_is_given_back_while_it_is_given_up(scene: Scene) -> None:
    """It is the member's again, and nobody else's in between (848-18)."""
    one, two = two_members(scene)
    one.gives_up = False
    scene.wait(1000)
    two.beat()
    one.beat()  # it must give two up
    two.leave()
    scene.wait(1000)
    one.beat()
    owners = {scene.group.state.owner_of(partition) for partition in one.owned}
    assert owners == {"a"}
    three = Consumer(scene, "c", "t")
    three.join()
    assert not three.owned
    one.gives_up = True
    settle(scene, one, three)
    assert len(one.numbers) == len(three.numbers) == 2
    assert not one.owned & three.owned


def test_a_member_that_does_not_give_up_goes(scene: Scene) -> None:
    """Its rebalance timeout ends it, though it sends heartbeats (848-21)."""
    one, two = two_members(scene)
    one.gives_up = False
    scene.wait(1000)
    two.beat()
    one.beat()
    scene.wait(REBALANCE_MS - 1)
    one.beat()
    two.beat()
    scene.wait(1)
    assert refusal(one.beat) == UNKNOWN_MEMBER_ID
    settle(scene, two)
    assert two.numbers == [0, 1, 2, 3]


def test_a_member_that_gave_up_in_time_stays(scene: Scene) -> None:
    """The rebalance timeout is for the epoch in which it began (848-21)."""
    one, two = two_members(scene)
    settle(scene, one, two)
    for _ in range(int(2 * REBALANCE_MS / 1000)):
        scene.wait(1000)
        one.beat()
        two.beat()
    assert len(scene.group.state.members) == 2


def test_a_member_that_is_silent_goes(scene: Scene) -> None:
    """The session ends after its timeout, and each heartbeat begins it anew (848-21)."""
    one, two = two_members(scene)
    settle(scene, one, two)
    scene.wait(SESSION_MS - 2000)
    two.beat()
    scene.wait(2000)
    assert list(scene.group.state.members) == ["b"]
    settle(scene, two)
    assert two.numbers == [0, 1, 2, 3]


def test_a_static_member_that_does_not_come_back_goes(scene: Scene) -> None:
    """Leaving for a while does not stop the session (848-09)."""
    one = Consumer(scene, "a", "t", instance_id="i")
    one.join()
    one.leave(-2)
    two = Consumer(scene, "b", "t")
    two.join()
    for _ in range(int(SESSION_MS / 1000) - 1):
        scene.wait(1000)
        two.beat()
    assert two.numbers == []
    settle(scene, two)
    assert two.numbers == [0, 1, 2, 3]


def test_a_narrowed_subscription_is_followed_at_once(scene: Scene) -> None:
    """What a member does not subscribe to it gives up before there is a next target (848-19)."""
    scene.topics.make("u", 2)
    one, two = Consumer(scene, "a", "t", "u"), Consumer(scene, "b", "t")
    one.join()
    two.join()
    one.topics = ["t"]
    one.beat()  # too early for another target
    assert len(one.owned) == 4
    assert scene.state_name() == "Assigning"
    assert scene.group.state.current("a").state is MemberState.UNREVOKED_PARTITIONS
    settle(scene, one, two)
    assert len(one.numbers) == len(two.numbers) == 2


def test_topics_that_come_grow_and_go(scene: Scene) -> None:
    """A change of a topic that the group uses raises its epoch at the next heartbeat (848-11,
    848-15)."""
    one = Consumer(scene, "a", "t", "later")
    one.join()
    assert (scene.epoch, len(one.owned)) == (2, 4)
    scene.topics.make("later", 2)
    scene.change("later")
    assert scene.epoch == 2
    settle(scene, one)
    assert (scene.epoch, len(one.owned)) == (3, 6)
    scene.topics.remove("t")
    scene.change("t")
    settle(scene, one)
    assert (scene.epoch, len(one.owned)) == (4, 2)
    scene.topics.make("other", 1)
    scene.change("other", "later")  # altered in what does not matter
    settle(scene, one)
    assert scene.epoch == 4


def test_a_topic_that_is_made_again_is_another(scene: Scene) -> None:
    """Partitions are those of a topic id: old ones are given up, new ones are given (848-11)."""
    one = Consumer(scene, "a", "t")
    one.join()
    old = set(one.owned)
    scene.topics.remove("t")
    scene.topics.make("t", 4)
    scene.change("t")
    settle(scene, one)
    assert len(one.owned) == 4
    assert not one.owned & old


def test_assignors_are_voted_for(scene: Scene) -> None:
    """The one that most members ask for assigns (848-13)."""
    names = [("a", "range"), ("b", "range"), ("c", "uniform")]
    members = [Consumer(scene, name, "t", assignor=assignor) for name, assignor in names]
    for member in members:
        member.join()
    settle(scene, *members)
    assert [member.numbers for member in members] == [[0, 1], [2], [3]]
    described = scene.described()
    assert described.assignor_name == "range"


def test_settings_of_a_group_hold_at_its_next_heartbeat(scene: Scene) -> None:
    """Session, heartbeat and assignment interval of one group, within the broker's bounds
    (848-26)."""
    one, two = two_members(scene)
    scene.topics.configure(GROUP, "consumer.heartbeat.interval.ms", "7000")
    scene.topics.configure(GROUP, "consumer.assignment.interval.ms", "15000")
    scene.topics.configure(GROUP, "consumer.session.timeout.ms", "60000")
    scene.wait(1000)
    assert one.beat().heartbeat_interval_ms == 7000
    two.beat()
    assert scene.state_name() == "Assigning"
    scene.wait(14_000)
    one.beat()
    two.beat()
    assert scene.state_name() == "Reconciling"
    settle(scene, one, two)
    scene.wait(60_000 - 1001)  # the last heartbeats were a second ago
    assert len(scene.group.state.members) == 2
    scene.wait(1)
    assert scene.group.is_empty
    scene.topics.configure(GROUP, "consumer.heartbeat.interval.ms", "1")
    assert one.join().heartbeat_interval_ms == 5000


def test_a_heartbeat_that_could_not_be_written_is_as_if_it_never_was(scene: Scene) -> None:
    """Members, epochs, owners and the look at the metadata are taken back (CRT-07)."""
    one = Consumer(scene, "a", "t")
    one.join()
    before = scene.described()
    scene.shard.commits_at_once = False
    scene.topics.grow("t", 6)
    scene.change("t")
    scene.wait(1000)
    scene.ask(one.request())
    scene.ask(Consumer(scene, "b", "t").request())
    assert scene.described() == before
    scene.shard.fail(ErrorCode.NOT_COORDINATOR)
    scene.shard.commits_at_once = True
    assert scene.described() == before
    one.beat()
    assert one.numbers == [0, 1, 2, 3, 4, 5]


def test_a_leave_that_could_not_be_written_leaves_the_session_running(scene: Scene) -> None:
    """A member whose end was taken back still goes when its session ends (CRT-07, 848-21)."""
    one = Consumer(scene, "a", "t")
    one.join()
    scene.shard.commits_at_once = False
    one.leave()
    scene.shard.fail(ErrorCode.NOT_COORDINATOR)
    scene.shard.commits_at_once = True
    assert list(scene.group.state.members) == ["a"]
    scene.wait(SESSION_MS)
    assert scene.group.is_empty


def test_a_shard_that_is_loaded_goes_on_where_it_was(scene: Scene) -> None:
    """The same state from the log, and fresh timers for all members (CRT-14, CRT-17)."""
    one, two = two_members(scene)
    one.gives_up = False
    scene.wait(1000)
    two.beat()
    one.beat()
    before = scene.described()
    scene.wait(REBALANCE_MS - 1)
    scene.reload()
    assert scene.described() == before
    scene.wait(REBALANCE_MS - 1)
    assert len(scene.group.state.members) == 2
    scene.wait(1)
    assert list(scene.group.state.members) == ["b"]
    scene.wait(SESSION_MS)
    assert scene.group.is_empty


def test_an_empty_group_can_be_removed(scene: Scene) -> None:
    """Its tombstones leave nothing, also when they are replayed (REC-02, 848-28)."""
    one = Consumer(scene, "a", "t", pattern="t")
    one.join()
    scene.wait(0)
    assert refusal(scene.group.check_delete) == 68
    one.leave()
    scene.group.check_delete()
    start = len(scene.shard.log)
    tombstones = scene.group.tombstones()
    for offset, record in enumerate(tombstones, start):
        scene.machine.replay(record, offset, None)
        scene.shard.log.append(record)
    scene.shard.commit()
    assert GROUP not in scene.around.groups
    assert scene.keys_since(start) == [-6, -4, -3]
    scene.reload()
    assert GROUP not in scene.around.groups
    assert one.join().member_epoch == 2

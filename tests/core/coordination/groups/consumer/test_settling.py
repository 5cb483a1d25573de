"""Groups that form: members are asked to come back soon, and as usual when the group rests.

Kafka has nothing of the kind; what it says of intervals (848-12, 848-20, 848-26) holds for groups
at rest, for groups that were given intervals of their own, and where the setting is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.core.config.group import check_group_config
from barnabas.broker.core.coordination.groups.consumer.member import MemberState
from barnabas.broker.core.coordination.groups.consumer.pace import (
    BEAT_MS,
    EarlyBeats,
    TargetPace,
    early_ms,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)

from .scene import GROUP, REBALANCE_MS, SESSION_MS, Consumer, Scene

USUAL_MS = 5000
ASSIGNMENT_MS = 1000


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.topics.make("t", 12)
    return scene


class Playing:
    """Members that heartbeat as often as they are told, and at once when what they own changed."""

    def __init__(self, scene: Scene, late_ms: float = 0.0) -> None:
        """`late_ms`: after so long an answer has come, and the member has done as it says."""
        self.scene = scene
        self.late_ms = late_ms
        self.due: dict[str, float] = {}
        self.members: dict[str, Consumer] = {}
        self.answers: list[ConsumerGroupHeartbeatResponse] = []

    @property
    def now(self) -> float:
        return self.scene.clock.monotonic_ms()

    def join(self, member_id: str) -> Consumer:
        member = self.members[member_id] = Consumer(self.scene, member_id, "t")
        self._beat(member)
        return member

    def _beat(self, member: Consumer) -> None:
        before = set(member.owned)
        answer = member.beat(full=member.epoch == 0)
        self.answers.append(answer)
        is_other = member.owned != before
        wait_ms = self.late_ms if is_other else answer.heartbeat_interval_ms
        self.due[member.member_id] = self.now + wait_ms

    def until(self, end: float) -> None:
        """All heartbeats up to this time."""
        while (member_id := min(self.due, key=lambda one: self.due[one])) and (
            self.due[member_id] <= end
        ):
            self.scene.wait(self.due[member_id] - self.now)
            self._beat(self.members[member_id])
        self.scene.wait(end - self.now)

    def share(self, limit_ms: float) -> float:
        """How long it takes until everybody has an equal share, at most `limit_ms`."""
        began = self.now
        quota = 12 // len(self.members)
        while any(len(one.owned) != quota for one in self.members.values()):
            assert self.now - began < limit_ms, [one.owned for one in self.members.values()]
            self.until(min(self.due.values()))
        return self.now - began

    def beats_within(self, ms: float) -> int:
        """How many heartbeats there are from now on in so much time."""
        before = len(self.answers)
        self.until(self.now + ms)
        return len(self.answers) - before


@pytest.mark.parametrize("pauses", [(0, 0), (1, 2), (20, 20), (60, 0), (0, 90)])
def test_a_group_of_three_forms_in_a_moment(scene: Scene, pauses: Sequence[int]) -> None:
    """Each has its third within 300 ms of the last join, though an answer and what it brings take
    20 ms (848-12, 848-16)."""
    playing = Playing(scene, late_ms=20)
    playing.join("a")
    for member_id, pause in zip("bc", pauses, strict=True):
        playing.until(playing.now + pause)
        playing.join(member_id)
    assert playing.share(300) <= 300
    assert scene.state_name() == "Stable"


def test_the_fourth_member_waits_for_the_others_heartbeats(scene: Scene) -> None:
    """Members of a group at rest hear of it as usual, and what they give up is taken soon."""
    playing = Playing(scene, late_ms=20)
    for member_id in "abc":
        playing.join(member_id)
    playing.until(60_000)
    playing.join("d")
    assert playing.share(1.25 * USUAL_MS + 300) > 300


def test_who_joins_and_has_everything_is_told_what_is_usual(scene: Scene) -> None:
    """It speaks at once in any case; others are asked to come back when there is a target for
    them (848-20)."""
    one, two = Consumer(scene, "a", "t"), Consumer(scene, "b", "t")
    assert one.join().heartbeat_interval_ms == USUAL_MS
    assert one.beat().heartbeat_interval_ms == 50
    scene.wait(30)
    assert two.join().heartbeat_interval_ms == 70
    assert one.beat().heartbeat_interval_ms == 70
    scene.wait(70)
    assert two.beat().member_epoch == 3
    scene.wait(1000)
    assert two.beat().heartbeat_interval_ms == 250
    scene.wait(4 * USUAL_MS)
    assert two.beat().heartbeat_interval_ms == USUAL_MS


def test_groups_at_rest_heartbeat_as_usual(scene: Scene) -> None:
    """Four members that have settled speak once in the interval each (848-26)."""
    playing = Playing(scene)
    for member_id in "abcd":
        playing.join(member_id)
    playing.share(1000)
    assert playing.beats_within(4 * USUAL_MS) < 4 * 32
    playing.until(playing.now + USUAL_MS)
    assert playing.beats_within(20 * USUAL_MS) == 4 * 20


def test_a_group_that_does_not_settle_is_heard_of_less_and_less(scene: Scene) -> None:
    """One member gives nothing up until its rebalance timeout ends it (848-21)."""
    playing = Playing(scene)
    stubborn = playing.join("a")
    stubborn.gives_up = False
    playing.join("b")
    playing.until(500)
    assert scene.group.state.current("a").state is MemberState.UNREVOKED_PARTITIONS
    assert playing.beats_within(REBALANCE_MS - 500) < 2 * 30
    assert playing.answers[-1].heartbeat_interval_ms == USUAL_MS
    del playing.due["a"], playing.members["a"]
    playing.until(playing.now + 2 * USUAL_MS)
    assert len(playing.members["b"].owned) == 12


def test_nothing_is_early_where_the_setting_is_0() -> None:
    """As in Kafka: intervals and the wait for a target are what is configured (848-12, 848-26)."""
    scene = Scene(group_consumer_settling_interval_ms=0)
    scene.topics.make("t", 12)
    playing = Playing(scene)
    for member_id in "abc":
        playing.join(member_id)
    playing.until(ASSIGNMENT_MS - 1)
    scene.ask(playing.members["b"].request())
    assert scene.group.state.numbers.assignment_epoch == 2
    playing.until(30_000)
    assert {one.heartbeat_interval_ms for one in playing.answers} == {USUAL_MS}


def test_a_group_with_an_interval_of_its_own_keeps_to_it(scene: Scene) -> None:
    """Unless it is told how often to heartbeat while it settles, too (848-26)."""
    one = Consumer(scene, "a", "t")
    one.join()
    scene.topics.configure(GROUP, "consumer.heartbeat.interval.ms", "7000")
    assert one.beat().heartbeat_interval_ms == 7000
    scene.topics.configure(GROUP, "consumer.settling.interval.ms", "80")
    assert one.beat().heartbeat_interval_ms == 80
    scene.topics.configure(GROUP, "consumer.settling.interval.ms", "0")
    assert one.beat().heartbeat_interval_ms == 7000
    scene.topics.configure(GROUP, "consumer.heartbeat.interval.ms", None)
    assert one.beat().heartbeat_interval_ms == USUAL_MS
    scene.topics.configure(GROUP, "consumer.settling.interval.ms", None)
    scene.topics.configure(GROUP, "consumer.assignment.interval.ms", "3000")
    assert one.beat().heartbeat_interval_ms == USUAL_MS


@pytest.mark.parametrize("value", ["-1", "5001", "soon"])
def test_bounds_of_the_setting(value: str) -> None:
    """A group's settling interval is 0 to 5000 ms (848-26)."""
    with pytest.raises(ConfigError, match=r"consumer\.settling\.interval\.ms"):
        check_group_config({"consumer.settling.interval.ms": value}, BrokerConfig())


def test_another_coordinator_goes_on_with_it(scene: Scene) -> None:
    """When the group was assigned is in the log; a clock that is behind means as usual (CRT-13)."""
    one = Consumer(scene, "a", "t")
    one.join()
    scene.wait(100)
    scene.reload()
    assert one.beat().heartbeat_interval_ms == 50
    scene.clock.now_ms -= 1000
    assert one.beat().heartbeat_interval_ms == USUAL_MS


def test_members_that_keep_coming_are_assigned_no_more_often_than_usual(scene: Scene) -> None:
    """But for the first few targets, which come in quick succession (848-12)."""
    playing = Playing(scene)
    epochs = set()
    for number in range(200):
        playing.join(f"m{number:03}")
        playing.until(playing.now + 50)
        epochs.add(scene.group.state.numbers.assignment_epoch)
    assert len(epochs) <= 10_000 / ASSIGNMENT_MS + 6


def test_sessions_are_as_long_as_ever(scene: Scene) -> None:
    """A member that was asked to come back soon may be silent for its session (848-21)."""
    one = Consumer(scene, "a", "t")
    one.join()
    one.beat()
    scene.wait(SESSION_MS - 1)
    assert "a" in scene.group.state.members
    scene.wait(1)
    assert scene.group.is_empty


def test_a_broker_asks_for_no_more_early_heartbeats_than_it_bears() -> None:
    """Two thousand members that settle at once speak as often as usual, or 500 times a second
    all together."""
    beats = EarlyBeats()
    waits = [beats.after(50, USUAL_MS, 0) for _ in range(3000)]
    assert waits[0] == 50
    assert waits == sorted(waits)
    early = [one for one in waits if one < USUAL_MS]
    assert len(early) <= USUAL_MS / BEAT_MS
    assert waits[-1] == USUAL_MS
    assert beats.after(50, USUAL_MS, 10_000) == 50, "the turns that passed are over"


def test_how_soon() -> None:
    """When the target is due, or after a quarter of its age; never at once."""
    assert early_ms(50, 0, 0) == 50
    assert early_ms(50, 400, 0) == 100
    assert early_ms(50, 40, 60) == 60
    assert early_ms(50, 100, 1) == early_ms(1, 0, 0) == 10


def test_the_wait_between_targets_grows() -> None:
    """It is twice as long each time, up to the usual one, and short again after a pause; large
    groups have no haste (848-12)."""
    pace = TargetPace()
    waits = []
    for _ in range(6):
        waits.append(pace.wait_ms(1000, 50, 10))
        pace.made(1000, 100)
    assert waits == [100, 200, 400, 800, 1000, 1000]
    pace.made(1000, 1999)
    assert pace.wait_ms(1000, 50, 10) == 1000
    pace.made(1000, 2000)
    assert pace.wait_ms(1000, 50, 10) == 100
    assert pace.wait_ms(1000, 50, 5000) == 500
    assert pace.wait_ms(1000, 50, 11_000) == 1000
    assert pace.wait_ms(1000, 0, 10) == 1000
    assert pace.wait_ms(0, 50, 10) == 0

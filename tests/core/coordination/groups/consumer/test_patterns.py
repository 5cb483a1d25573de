"""Subscriptions by regular expression: syntax, lookups, what they cost (848-22, 848-23)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.coordination.groups.consumer import pattern_search, topic_pattern
from barnabas.broker.core.coordination.groups.consumer.topic_pattern import TopicPattern
from barnabas.broker.storage.files import RealClock
from barnabas.protocol.errors import ErrorCode, KafkaError

from .scene import Consumer, Scene, refusal, settle

INVALID_REGULAR_EXPRESSION = 128


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.topics.make("orders-eu", 2)
    scene.topics.make("orders-us", 2)
    scene.topics.make("users", 1)
    return scene


@pytest.mark.parametrize(
    ("pattern", "name", "matches"),
    [
        ("orders.*", "orders-eu", True),
        ("orders", "orders-eu", False),
        ("rders-eu", "orders-eu", False),
        ("orders-(?:eu|us)", "orders-us", True),
        (r"\d+[[:alpha:]]?", "12x", True),
        ("(?i)ORDERS-EU", "orders-eu", True),
        (r"\Qa.b\E", "a.b", True),
        (r"\Qa.b\E", "axb", False),
        ("a{2,3}", "aaaa", False),
        ("a|ab", "ab", True),
        (r"\pL+", "abc", True),
    ],
)
def test_the_whole_name_must_match(pattern: str, name: str, matches: bool) -> None:
    """RE2's syntax, over whole topic names (848-22)."""
    assert TopicPattern(pattern).matches(name) is matches


@pytest.mark.parametrize(
    "pattern", [r"(a)\1", "(?=a)b", "(?<!a)b", "(", "[", "a**", "a{9999}", "\udc80"]
)
def test_what_re2_does_not_have_is_refused(scene: Scene, pattern: str) -> None:
    """Back references, look-around and mistakes: 128, with what is wrong (848-22)."""
    with pytest.raises(KafkaError) as raised:
        TopicPattern(pattern)
    assert raised.value.code is ErrorCode.INVALID_REGULAR_EXPRESSION
    assert refusal(Consumer(scene, "a", pattern=pattern).join) == INVALID_REGULAR_EXPRESSION


def test_patterns_are_bounded(scene: Scene) -> None:
    """Neither length nor memory of a pattern is without limit (848-22)."""
    longest = "a*" * (topic_pattern.LENGTH_MAX // 2)
    assert TopicPattern(longest).matches("aaa")
    # The last two would take some ten milliseconds for each name of a topic.
    slow = ("a{1000}" * 20, "(?i)" + "|".join(f"topic.*{n}" for n in range(1300)))
    for pattern in (longest + "a", "(?:" + "x{1000}" * 1000 + ")", *slow):
        assert refusal(Consumer(scene, "a", pattern=pattern).join) == INVALID_REGULAR_EXPRESSION
    hostile = "(" * 200 + "a*" + ")*" * 200
    assert TopicPattern(hostile).matches("a" * 200)
    assert not TopicPattern(hostile).matches("a" * 200 + "b")


def test_topics_of_a_pattern_come_with_a_later_heartbeat(scene: Scene) -> None:
    """The first answer is empty; the lookup is a write of its own, and raises the epoch
    (848-23)."""
    one = Consumer(scene, "a", pattern="orders.*")
    assert one.join().member_epoch == 1
    assert not one.owned
    start = len(scene.shard.log)
    scene.wait(0)
    assert scene.keys_since(start) == [16, 3]
    settle(scene, one)
    assert (scene.epoch, len(one.owned)) == (2, 4)


def test_names_and_patterns_add_up(scene: Scene) -> None:
    """A member reads what it names and what its pattern matches (848-23)."""
    one = Consumer(scene, "a", "users", pattern="orders-e.")
    one.join()
    settle(scene, one)
    assert len(one.owned) == 3
    assert scene.group.is_subscribed("users")
    assert scene.group.is_subscribed("orders-eu")
    assert not scene.group.is_subscribed("orders-us")


def test_a_second_member_with_the_same_pattern_does_not_wait(scene: Scene) -> None:
    """What a pattern stands for is known once it was looked up (848-23, 848-10)."""
    one, two = Consumer(scene, "a", pattern="orders.*"), Consumer(scene, "b", pattern="orders.*")
    one.join()
    settle(scene, one)
    start = len(scene.shard.log)
    two.join()
    assert scene.keys_since(start)[:2] == [5, 3]
    settle(scene, one, two)
    assert len(one.owned) == len(two.owned) == 2


def test_topics_that_appear_are_found(scene: Scene) -> None:
    """Not more often than every ten seconds, though (848-23)."""
    one = Consumer(scene, "a", pattern="orders.*")
    one.join()
    settle(scene, one)
    scene.topics.make("orders-asia", 1)
    scene.change("orders-asia")
    scene.wait(10_000)
    settle(scene, one, rounds=4)
    assert len(one.owned) == 5
    scene.topics.make("orders-mars", 1)
    scene.change("orders-mars")
    one.beat()
    start = len(scene.shard.log)
    scene.wait(0)
    one.beat()
    assert 16 not in scene.keys_since(start)
    scene.wait(10_000)
    settle(scene, one)
    assert len(one.owned) == 6
    scene.topics.remove("orders-mars")
    scene.change("orders-mars")
    scene.wait(10_000)
    settle(scene, one)
    assert len(one.owned) == 5


def test_patterns_are_looked_up_again_after_a_while(scene: Scene) -> None:
    """Every ten minutes, whatever was told of topics (848-23)."""
    one = Consumer(scene, "a", pattern="orders.*")
    one.join()
    settle(scene, one)
    scene.topics.make("orders-asia", 1)  # and nobody says so
    for _ in range(59):
        scene.wait(10_000)
        one.beat()
    assert len(one.owned) == 4
    scene.wait(10_000)
    settle(scene, one)
    assert len(one.owned) == 5


def test_the_last_user_of_a_pattern_takes_it_along(scene: Scene) -> None:
    """Dropping a pattern raises the epoch, and its record goes with its last user (848-10,
    848-23)."""
    one, two = Consumer(scene, "a", pattern="orders.*"), Consumer(scene, "b", pattern="orders.*")
    one.join()
    two.join()
    settle(scene, one, two)
    start = len(scene.shard.log)
    one.pattern, one.topics = "", ["users"]
    one.beat()
    assert scene.keys_since(start)[:2] == [5, 3]
    settle(scene, one, two)
    assert (len(one.owned), len(two.owned)) == (1, 4)
    start = len(scene.shard.log)
    two.leave()
    assert scene.keys_since(start) == [-8, -7, -5, -16, 3]


def test_a_pattern_that_changes(scene: Scene) -> None:
    """The topics of the old one are for others at once, those of the new one come (848-10)."""
    one = Consumer(scene, "a", pattern="orders.*")
    two = Consumer(scene, "b", "orders-eu")
    one.join()
    two.join()
    settle(scene, one, two)
    assert len(one.owned) == len(two.owned) == 2
    one.pattern = "nothing"
    settle(scene, one, two, rounds=25)
    assert (len(one.owned), len(two.owned)) == (0, 2)
    one.pattern = "use.."
    settle(scene, one, two, rounds=25)
    assert (len(one.owned), len(two.owned)) == (1, 2)


def test_a_lookup_goes_on_piece_by_piece(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """No turn of the loop tries more than some names, and heartbeats go on meanwhile (848-23)."""
    monkeypatch.setattr(pattern_search, "MATCHES_AT_ONCE", 2)
    one = Consumer(scene, "a", pattern=".*")
    one.join()
    turns = 0
    while scene.group.state.patterns.get(".*") is None:
        key = ("consumer patterns", "g")
        _, operation = scene.shard.timers.due.pop(key)
        scene.shard.write(operation)
        one.beat()
        turns += 1
    assert turns == 3  # to compile it is a step as well
    settle(scene, one)
    assert len(one.owned) == 5


def test_slow_patterns_take_short_turns(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn ends by the clock, and no more than one pattern is compiled at a time (848-23)."""
    clock = scene.around.env.clock
    now_ms = clock.monotonic_ms()
    compiled: list[str] = []

    class Slow:
        def __init__(self, pattern: str) -> None:
            nonlocal now_ms
            now_ms += pattern_search.TURN_MS
            compiled.append(pattern)

        def matches(self, name: str) -> bool:
            nonlocal now_ms
            now_ms += pattern_search.TURN_MS
            return name == "users"

    class Ticking:
        def monotonic_ms(self) -> float:
            return now_ms

        def wall_ms(self) -> int:
            return clock.wall_ms()

    monkeypatch.setattr(pattern_search, "TopicPattern", Slow)
    search = pattern_search.PatternSearch(["a", "b"], scene.around.image(), Ticking())
    turns = 1
    while not search.advance():
        assert len(compiled) <= 1 + turns // 4
        turns += 1
    assert turns == 2 * (1 + 3) + 1
    assert search.found == {"a": {"users"}, "b": {"users"}}


def test_a_lookup_that_could_not_be_stored_is_done_again(scene: Scene) -> None:
    """A later heartbeat begins it anew (848-23, CRT-07)."""
    one = Consumer(scene, "a", pattern="orders.*")
    one.join()
    scene.shard.commits_at_once = False
    scene.wait(0)
    scene.shard.fail(ErrorCode.NOT_COORDINATOR)
    scene.shard.commits_at_once = True
    assert scene.group.state.patterns.get("orders.*") is None
    settle(scene, one)
    assert len(one.owned) == 4


def test_patterns_are_there_after_a_reload(scene: Scene) -> None:
    """What was found is in the log, and is used before it is looked up again (848-23)."""
    one = Consumer(scene, "a", pattern="orders.*")
    one.join()
    settle(scene, one)
    scene.reload()
    start = len(scene.shard.log)
    settle(scene, one, rounds=1)
    assert len(one.owned) == 4
    settle(scene, one)
    assert 7 not in scene.keys_since(start)


def test_a_pattern_that_another_broker_allowed_stands_for_nothing(scene: Scene) -> None:
    """A log may hold what RE2 does not take; the group goes on (CRT-16)."""
    one = Consumer(scene, "a", "users", pattern="orders.*")
    one.join()
    scene.shard.log[0].value.subscribed_topic_regex = "(?=a)"  # type: ignore[union-attr]
    scene.reload()
    one.pattern = None
    settle(scene, one)
    assert one.numbers == [0]
    assert scene.group.state.patterns["(?=a)"].topics == frozenset()


def test_topics_that_the_asker_may_not_see(scene: Scene) -> None:
    """ACL-18: a pattern does not tell of topics that may not be described."""
    image, clock = scene.topics.image, RealClock()
    search = pattern_search.PatternSearch(
        ["orders.*", "u.*"], image, clock, lambda name: name == "orders-eu"
    )
    while not search.advance():
        pass
    assert search.found == {"orders.*": {"orders-eu"}, "u.*": set()}

"""The quorum, brokers that come and go, readers of every kind, operators."""

from __future__ import annotations

from random import Random

from barnabas.testing.simulation.profile import Profile

from .family import Family, Knobs, Round
from .replication import small

CUT_OFF_S_MAX = 2.5
"""Longer than that it would be the only round of a run."""

# --- a leader that does not know that it was replaced -------------------------------------------


def _unaware(random: Random) -> Knobs:
    return small(
        random,
        partitions=1,
        consumers=0,
        pollers=random.choice((4, 8)),
        poll_pause_s=random.choice((0.02, 0.05)),
        timeouts_divisor=random.choice((3.0, 10.0, 10.0)),
        sends_per_s=30.0,
        delay_mean_ms=random.choice((0.3, 1.0)),
        min_insync_replicas=1,
        request_timeout_ms=300,
        metadata_age_ms=random.choice((100, 100, 300)),
    )


def _cut_leader_off(played: Round, profile: Profile) -> None:
    session_s = 9.0 / profile.timeouts_divisor
    seconds = min(played.between(0.4, 1.6) * session_s, CUT_OFF_S_MAX)
    trouble = played.random.random()
    if trouble < 0.35:
        played.add("cut", "leader", seconds, "isolate-reset")
    elif trouble < 0.55:
        played.add("cut", "leader", seconds, "isolate-reset-told")
    elif trouble < 0.75:
        played.add("cut", "leader", seconds, played.either("isolate", "isolate-in", "isolate-out"))
    else:
        played.add("pause", "leader", seconds)


# --- readers ------------------------------------------------------------------------------------


def _readers(random: Random) -> Knobs:
    return small(
        random,
        has_selector=True,
        consumers=3,
        pollers=1,
        probers=2,
        replication_factor=3,
        retention_bytes=random.choice((-1, 6000, 12000)),
        retention_check_s=0.4,
        segment_bytes=random.choice((3000, 6000)),
        delay_mean_ms=random.choice((0.5, 3.0, 8.0)),
        client_crashes=10.0,
        fetch_bytes=random.choice((2000, 1 << 20)),
        fetch_session_slots=random.choice((0, 1000)),
    )


def _late_reader(played: Round, profile: Profile) -> None:
    del profile
    kind = played.either("kill", "cut", "cut", "pause")
    detail = played.either("isolate", "controllers", "follower-of-it") if kind == "cut" else ""
    played.add(kind, played.either("leader", "follower"), played.between(0.1, 0.8), detail)


def _sessions(random: Random) -> Knobs:
    return _readers(random) | {
        "fetch_session_slots": random.choice((1, 2, 3)),
        "partitions": random.choice((3, 5)),
        "consumers": 3,
        "sends_per_s": 10.0,
        "churns_topics": random.random() < 0.5,
        "has_selector": random.random() < 0.5,
        "buggify": random.random() < 0.5,
    }


# --- brokers come and go ------------------------------------------------------------------------


def _registrations(random: Random) -> Knobs:
    return small(
        random,
        flush_messages=random.choice((0, 0, 1)),
        min_insync_replicas=2,
        down_s=0.1,
        buggify=random.random() < 0.5,
        old_copies=random.choice((0.0, 3.0)),
    )


def _come_again(played: Round, profile: Profile) -> None:
    del profile
    trouble = played.random.random()
    down_s = played.between(0.01, 0.4)
    if trouble < 0.35:
        # What it had sent before it died arrives when it is registered anew.
        played.add("cut", "follower", played.between(0.6, 1.2), "to-leader")
        played.add("kill", "follower", 0.02, after_s=played.between(0.05, 0.2))
    elif trouble < 0.6:
        played.add(played.either("power-loss", "wipe"), "any", down_s)
    elif trouble < 0.8:
        played.add("kill", played.either("leader", "follower"), down_s)
        played.add("kill", "active-controller", down_s, after_s=played.between(0.0, 0.3))
    else:
        played.add("unregister", "follower", down_s)


# --- nobody who is complete is left for a while --------------------------------------------------


def _eligible(random: Random) -> Knobs:
    return small(
        random,
        min_insync_replicas=random.choice((2, 2, 3)),
        flush_messages=random.choice((0, 1, 1)),
        controllers=3,
        lag_divisor=10.0,
    )


def _one_after_the_other(played: Round, profile: Profile) -> None:
    """All replicas of a partition go, and come back in another order, some with less."""
    del profile
    order = ["node-1", "node-2", "node-3"]
    played.random.shuffle(order)
    ends = [played.between(0.8, 1.6) for _ in order]
    for number, node in enumerate(order):
        begins_s = number * played.between(0.15, 0.4)
        kind = played.either("kill", "kill", "power-loss", "stop")
        played.add(kind, node, max(ends[number] - begins_s, 0.1), after_s=begins_s)


# --- metadata -----------------------------------------------------------------------------------


def _metadata(random: Random) -> Knobs:
    return small(
        random,
        controllers=random.choice((0, 3)),
        producers=1,
        consumers=1,
        pollers=1,
        sends_per_s=8.0,
        churns_topics=True,
        cuts_metadata=True,
        snapshot_records=random.choice((5, 20, 20, 60)),
        snapshot_chunk_bytes=random.choice((200, 512, 4096)),
        buggify=random.random() < 0.5,
        leaves_behind=random.random() < 0.4,
        disk_delay_ms=random.choice((0.5, 3.0)),
    )


def _far_behind(played: Round, profile: Profile) -> None:
    del profile
    kind = played.either("kill", "power-loss", "cut", "pause", "wipe", "blackout")
    detail = played.either("isolate", "isolate-in", "isolate-out") if kind == "cut" else ""
    played.add(kind, played.either("any", "active-controller"), played.between(0.1, 1.5), detail)
    if played.random.random() < 0.4:
        played.add("kill", "active-controller", 0.1, after_s=played.between(0.1, 1.0))


def _quorum(random: Random) -> Knobs:
    return small(
        random,
        brokers=random.choice((3, 3, 5)),
        controllers=random.choice((0, 3)),
        producers=1,
        sends_per_s=8.0,
        churns_topics=True,
        snapshot_records=random.choice((30, 16384)),
        disk_delay_ms=random.choice((0.5, 5.0, 15.0)),
        delay_mean_ms=random.choice((1.0, 5.0)),
        buggify=random.random() < 0.5,
        clock_rate_spread=random.choice((0.0, 0.05)),
    )


def _no_quorum(played: Round, profile: Profile) -> None:
    del profile
    seconds = played.between(0.1, 1.0)
    kind = played.either("kill", "power-loss", "blackout", "cut", "cut", "pause", "stall")
    detail = played.either("isolate", "isolate-in", "split", "bridge", "isolate-out", "pair")
    played.add(kind, "active-controller", seconds, detail if kind == "cut" else "")
    if played.random.random() < 0.5:
        played.add("kill", "any", played.between(0.05, 0.5), after_s=played.between(0.0, seconds))


# --- operators ----------------------------------------------------------------------------------


def _operators(random: Random) -> Knobs:
    return small(
        random,
        brokers=random.choice((4, 5)),
        replication_factor=random.choice((2, 3)),
        partitions=2,
        moves_per_min=random.choice((60.0, 120.0)),
        churns_topics=random.random() < 0.5,
        retention_ms=random.choice((-1, 1500)),
        retention_check_s=0.5,
    )


def _trouble_while_moving(played: Round, profile: Profile) -> None:
    del profile
    kind = played.either("kill", "stop", "cut", "unregister", "pause")
    detail = played.either("isolate", "controllers") if kind == "cut" else ""
    played.add(kind, played.either("leader", "follower", "any"), played.between(0.1, 0.8), detail)


FAMILIES = (
    Family("unaware-leader", "207-09, 207-01", _unaware, _cut_leader_off, (0.3, 1.0)),
    Family("readers", "392, 74, 320", _readers, _late_reader),
    Family("sessions", "227, 74, 516", _sessions, _late_reader),
    Family("registrations", "631, 903, 966, 841", _registrations, _come_again),
    Family("nobody-left", "966, 631-02", _eligible, _one_after_the_other, (0.8, 1.5)),
    Family("metadata", "630, 631-04", _metadata, _far_behind),
    Family("quorum", "595, 996", _quorum, _no_quorum),
    Family("operators", "497-01, 516, 631", _operators, _trouble_while_moving),
)

"""Leaders that move, followers that are late, logs that part, disks that forget."""

from __future__ import annotations

from random import Random

from barnabas.testing.simulation.profile import Profile

from .family import Family, Knobs, Round


def small(random: Random, **knobs: object) -> Knobs:
    """Three brokers, short timers, small segments: much happens in eight seconds."""
    return {
        "brokers": 3,
        "partitions": random.choice((1, 1, 2)),
        "producers": 2,
        "consumers": 1,
        "pollers": 2,
        "probers": 1,
        "poll_pause_s": 0.04,
        "sends_per_s": random.choice((15.0, 30.0)),
        "value_bytes_max": random.choice((50, 200)),
        "timeouts_divisor": 10.0,
        "lag_divisor": random.choice((1.0, 5.0)),
        "min_insync_replicas": random.choice((1, 2, 2)),
        "delay_mean_ms": random.choice((0.3, 1.0, 4.0)),
        "segment_bytes": random.choice((3000, 8000, 1 << 20)),
        "index_interval_bytes": random.choice((64, 1024)),
        **knobs,
    }


# --- leaders move while followers are late ------------------------------------------------------


def _moving(random: Random) -> Knobs:
    return small(
        random,
        pollers=3,
        poll_pause_s=0.02,
        delay_mean_ms=random.choice((1.0, 4.0, 8.0)),
        buggify=random.random() < 0.4,
    )


def _move_leader(played: Round, profile: Profile) -> None:
    del profile
    down_s = played.between(0.02, 0.5)
    if played.random.random() < 0.6:
        played.add("cut", "leader", played.between(0.05, 0.4), "follower-of-it")
    kind = played.either("kill", "kill", "stop", "stop", "pause")
    played.add(kind, "leader", down_s, after_s=played.between(0.0, 0.3))


# --- the in-sync set shrinks and grows ----------------------------------------------------------


def _in_sync(random: Random) -> Knobs:
    return small(
        random,
        partitions=1,
        lag_divisor=10.0,
        producers=3,
        min_insync_replicas=random.choice((1, 1, 2)),
        buggify=random.random() < 0.5,
        keeps_pending_in_sync=random.random() < 0.3,
    )


def _late_follower(played: Round, profile: Profile) -> None:
    del profile
    seconds = played.between(0.4, 1.2)
    kind = played.either("cut", "cut", "pause", "stall", "kill")
    played.add(kind, "follower", seconds, "isolate" if kind == "cut" else "")
    if played.random.random() < 0.7:
        # The controller hears late of it, or its answer comes late.
        after_s = played.between(0.15, 0.5)
        detail = played.either("controllers", "controllers-in", "controllers-out")
        played.add("cut", "leader", played.between(0.1, 0.6), detail, after_s=after_s)
    if played.random.random() < 0.3:
        played.add("kill", "leader", played.between(0.05, 0.4), after_s=played.between(0.2, 0.9))


# --- logs part ----------------------------------------------------------------------------------


def _parting(random: Random) -> Knobs:
    return small(
        random,
        producers=3,
        weak_producers=2,
        min_insync_replicas=1,
        sends_per_s=30.0,
        flush_messages=random.choice((0, 0, 1)),
        delay_mean_ms=random.choice((0.5, 2.0)),
        lag_divisor=random.choice((1.0, 10.0)),
    )


def _alone_with_clients(played: Round, profile: Profile) -> None:
    """The leader is cut off from the other nodes and goes on taking records; then the next one."""
    del profile
    played.add("cut", "leader", played.between(0.3, 1.4), played.either("isolate", "isolate-reset"))
    if played.random.random() < 0.4:
        played.add("kill", "leader", played.between(0.05, 0.3), after_s=played.between(0.1, 1.2))
    if played.random.random() < 0.3:
        played.add("kill", "follower", played.between(0.05, 0.3), after_s=played.between(0.5, 1.5))


# --- power --------------------------------------------------------------------------------------


def _power(random: Random) -> Knobs:
    return small(
        random,
        flush_messages=1,
        segment_bytes=random.choice((2500, 6000, 1 << 20)),
        replication_factor=random.choice((1, 2, 3, 3)),
        disk_delay_ms=random.choice((0.5, 2.0, 8.0)),
        churns_topics=random.random() < 0.3,
        consumers=1,
        min_insync_replicas=1,
    )


def _lose_power(played: Round, profile: Profile) -> None:
    del profile
    down_s = played.between(0.02, 0.4)
    if played.random.random() < 0.5:
        played.add("blackout", "leader", down_s)
    else:
        played.add("power-loss", played.either("leader", "follower", "any"), down_s)
        if played.random.random() < 0.5:
            played.add("power-loss", "any", down_s, after_s=played.between(0.0, 0.8))


def _broken_disk(random: Random) -> Knobs:
    return _power(random) | {
        "flush_messages": random.choice((1, 1, 0)),
        "replication_factor": 3,
        "min_insync_replicas": 2,
    }


def _break_disk(played: Round, profile: Profile) -> None:
    del profile
    kind = played.either("disk-error", "disk-error", "full-disk")
    detail = played.either("fsync", "fsync", "write", "read") if kind == "disk-error" else ""
    played.add(kind, played.either("leader", "follower"), played.between(0.2, 0.8), detail)
    if played.random.random() < 0.3:
        played.add("blackout", "leader", 0.1, after_s=played.between(0.1, 0.9))


# --- producers that send again ------------------------------------------------------------------


def _retries(random: Random) -> Knobs:
    return small(
        random,
        resets_per_min=random.choice((60.0, 200.0)),
        producers=3,
        sends_per_s=random.choice((20.0, 40.0)),
        delay_mean_ms=random.choice((1.0, 5.0)),
        segment_bytes=random.choice((2500, 5000)),
        flush_messages=random.choice((0, 0, 1)),
        producer_life_s=random.choice((0.0, 2.0)),
        request_timeout_ms=random.choice((150, 400, 3000)),
        buggify=random.random() < 0.5,
    )


def _lost_answers(played: Round, profile: Profile) -> None:
    del profile
    trouble = played.random.random()
    if trouble < 0.4:
        played.add("cut", "leader", played.between(0.1, 0.6), "clients-out")
    elif trouble < 0.7:
        # Followers are late, so that who sends again meets what is not committed.
        played.add("cut", "leader", played.between(0.3, 1.2), "followers-in")
        played.add("cut", "leader", 0.2, "clients-out", after_s=0.05)
    else:
        played.add("stall", "follower", played.between(0.2, 0.6))
    if played.random.random() < 0.6:
        kind = played.either("kill", "kill", "stop", "power-loss")
        played.add(kind, "leader", played.between(0.05, 0.4), after_s=played.between(0.0, 0.6))


# --- slow disks ---------------------------------------------------------------------------------


def _slow_disk(random: Random) -> Knobs:
    return small(
        random,
        keeps_pending_in_sync=random.random() < 0.8,
        lag_divisor=random.choice((2.0, 5.0)),
        min_insync_replicas=random.choice((1, 2)),
        partitions=2,
    )


def _stall(played: Round, profile: Profile) -> None:
    del profile
    played.add("stall", played.either("leader", "leader", "follower"), played.between(0.3, 2.5))
    if played.random.random() < 0.3:
        played.add("pause", "follower", played.between(0.3, 1.5), after_s=played.between(0.0, 0.5))
    if played.random.random() < 0.2:
        played.add("reset", "follower", 0.0, after_s=played.between(0.0, 0.5))


FAMILIES = (
    Family("leaders-move", "101, 279, 207-01, 951, 497-04, 98-04", _moving, _move_leader),
    Family("in-sync", "497, 501, 966-01", _in_sync, _late_follower),
    Family("logs-part", "101, 279, 595-06", _parting, _alone_with_clients),
    Family("power", "595-01, 595-04, 966-03, I-5", _power, _lose_power, (0.3, 1.0)),
    Family("broken-disk", "I-5, 497", _broken_disk, _break_disk),
    Family("retries", "98, 966-01", _retries, _lost_answers),
    Family("slow-disk", "501", _slow_disk, _stall),
)

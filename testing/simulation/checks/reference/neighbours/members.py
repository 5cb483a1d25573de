"""Hand-overs, fetches that are worked on, and preferred replicas."""

from __future__ import annotations

import copy
from random import Random
from typing import Any, Final

from barnabas.broker.core.cluster.relinquishing import Relinquished
from barnabas.broker.core.replication.pending import PendingFetches

from .altered import NEAR, QUESTIONS, Altered, Questions

COOLDOWN_MS: Final = 1_000


class Unsent:
    """A way to the controller that goes nowhere."""

    def propose(self, change: Any, done: Any) -> None:
        """Nobody is asked."""


def quiet(part: Any) -> Any:
    """It tells no check of what it does: what is asked here does not happen."""
    return Altered(part, hooks=None)


def handed_over(random: Random, in_sync: Any) -> Questions:
    members = list(in_sync.committed)
    for _ in range(QUESTIONS):
        near = copy.copy(in_sync)
        random.shuffle(members)
        near.committed = near.maximal = tuple(members)
        near._replica = quiet(in_sync._replica)
        near._around = Altered(in_sync._around, isr=Unsent())
        near.change = random.choice((None, Altered(None)))
        yield (near,)


def handed_out(random: Random, proposal: Any, before: Any, situation: Any) -> Questions:
    for _ in range(QUESTIONS):
        relinquished = Relinquished(COOLDOWN_MS)
        if random.random() < 0.5:
            ago_ms = random.choice((0.0, COOLDOWN_MS / 2, float(COOLDOWN_MS)))
            relinquished.note(
                proposal.topic_id, proposal.partition, situation.now_ms, age_ms=ago_ms
            )
        yield proposal, before, Altered(situation, relinquished=relinquished)


def enough(random: Random, in_sync: Any) -> Questions:
    """A copy works out by itself how many it wants, as it does after a change of settings."""
    for _ in range(QUESTIONS):
        near = copy.copy(in_sync)
        near.committed = in_sync.committed[: random.randint(1, max(len(in_sync.committed), 1))]
        near.count = len(near.committed)
        wanted = near.count + random.choice(NEAR)
        config = Altered(in_sync._replica.config, min_insync_replicas=wanted)
        near._replica = Altered(in_sync._replica, config=config)
        near.find_min_count()
        yield (near,)


def begun(random: Random, leader: Any, replica_id: int, offset: int) -> Questions:
    if replica_id not in leader.followers:
        return
    for _ in range(QUESTIONS):
        progress = copy.copy(leader.followers[replica_id])
        progress.last_fetch_leader_end = random.choice((-1, offset - 1, offset, offset + 1))
        yield (
            Altered(
                leader,
                _pending=None,
                _replica=quiet(leader._replica),
                _around=Altered(leader._around, keeps_pending_in_sync=True),
                followers={**leader.followers, replica_id: progress},
            ),
            replica_id,
            offset,
        )


def expired(random: Random, leader: Any, now_ms: float) -> Questions:
    """Late followers, with and without a fetch that is worked on."""
    lag_ms, end = leader._around.lag_time_max_ms, leader._log.log_end_offset
    for _ in range(QUESTIONS):
        pending = PendingFetches()
        followers = {}
        for replica_id, known in leader.followers.items():
            progress = followers[replica_id] = copy.copy(known)
            progress.log_end_offset = end - random.choice((0, 1))
            progress.last_caught_up_ms = now_ms - lag_ms - random.choice(NEAR)
            if random.random() < 0.5:
                pending.begin(replica_id)
        in_sync = Altered(leader.in_sync, propose=_nobody, change=None)
        yield (
            Altered(leader, _pending=pending, followers=followers, in_sync=in_sync, settle=int),
            now_ms,
        )


def _nobody(members: Any) -> None:
    """Nobody is asked to change the set."""


def ended(random: Random, leader: Any, fetch: Any, now_ms: float) -> Questions:
    del random
    progress = leader.followers.get(fetch.replica_id)
    if progress is not None:
        pending = PendingFetches()
        near = copy.copy(progress)
        near.last_caught_up_ms = now_ms - 1.0
        yield (
            Altered(
                leader,
                _pending=pending,
                _replica=quiet(leader._replica),
                followers={**leader.followers, fetch.replica_id: near},
            ),
            pending.begin(fetch.replica_id),
            now_ms,
        )


def offered(random: Random, selector: Any, partition: Any, *came: Any) -> Questions:
    """A follower in the client's rack that is a little behind."""
    offset, client, cluster, now_ms = came
    del offset
    role = partition.leader
    if role is None or not role.followers:
        return
    end = partition.log.log_end_offset
    for _ in range(QUESTIONS):
        replica_id = random.choice(tuple(role.followers))
        progress = copy.copy(role.followers[replica_id])
        progress.log_start_offset = 0
        progress.log_end_offset = max(end - random.randint(1, 2), 0)
        near_role = Altered(role, followers={replica_id: progress})
        near = Altered(partition, leader=near_role, as_leader=lambda near=near_role: near)
        wanted = progress.log_end_offset + random.choice(NEAR)
        rack = cluster.rack(replica_id) or ""
        yield selector, near, wanted, client._replace(rack=rack), cluster, now_ms


def eligible_after(
    random: Random, before: Any, replicas: Any, elected: Any, *rest: Any
) -> Questions:
    rules, incomplete = rest
    for _ in range(QUESTIONS):
        wanted = max(len(elected.isr) + random.choice(NEAR), 1)
        near = Altered(rules, min_insync_replicas=wanted)
        yield before, replicas, elected, near, incomplete


def is_late(random: Random, follower: Any, asked_at: Any) -> Questions:
    end_offset, last_epoch, _ = follower.position()
    for _ in range(QUESTIONS):
        yield (
            follower,
            Altered(
                asked_at,
                fetch_offset=end_offset + random.choice((-1, 0, 0)),
                last_fetched_epoch=last_epoch + random.choice((-1, 0, 1)),
            ),
        )

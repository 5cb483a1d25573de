"""Who is waited for when a leader begins (501-03), and how it hands over (501-10 to 501-12)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from barnabas.broker.core.cluster import leaders
from barnabas.broker.core.replication.isr import InSyncSet
from barnabas.broker.core.replication.progress import NEVER_MS, Progress
from barnabas.broker.server.replication import copying

from .comparing import Rule


def waited_for(
    progress: Any, *begun_at: int, is_in_sync: bool, now_ms: float
) -> Generator[None, Any, None]:
    """501-03: members have the whole lag to find a new leader; others were never caught up."""
    del begun_at
    yield
    expected = now_ms if is_in_sync else NEVER_MS
    found = progress.last_caught_up_ms
    assert found == expected, f"caught up at {found}, should be {expected} (member {is_in_sync})"


def handed_over(in_sync: Any) -> Generator[None, Any, None]:
    """501-11, 501-12: not during a change, not to nobody; the same members, this leader last."""
    before = in_sync.change
    own, cluster = in_sync._around.node_id, in_sync._around.cluster
    others = [one for one in in_sync.committed if one != own]
    may = before is None and any(cluster.is_active(one) for one in others)
    answer = yield
    assert (answer is None) == may, f"it is asked for: {answer is None}, {others} are there"
    if may:
        asked = in_sync.change
        members = [one for one, _ in asked.isr]
        assert asked.relinquish, "nobody learns that it is a hand-over"
        assert members == [*others, own], f"asked for {members}, {own} leads"


def eligible_after(
    before: Any, replicas: Any, elected: Any, rules: Any, incomplete: Any
) -> Generator[None, Any, None]:
    """966-02: with enough in sync, or after an unclean election, nobody else is eligible."""
    del before, incomplete
    answer = yield
    wanted = min(rules.min_insync_replicas, len(replicas))
    if elected.unclean or len(elected.isr) >= wanted:
        assert answer == ((), ()), f"{answer} though {elected.isr} of {wanted} are in sync"
    elif elected.leader >= 0:
        assert answer[1] == (), f"{answer[1]} led last, though {elected.leader} leads"


def is_late(follower: Any, asked_at: Any) -> bool:
    """279-03: an answer counts where the log still ends as it did, in offset and in epoch."""
    end_offset, last_epoch, *_ = follower.position()
    return bool((end_offset, last_epoch) != (asked_at.fetch_offset, asked_at.last_fetched_epoch))


RULES = (
    Rule("501-03", Progress, "__init__", waited_for, is_after=True),
    Rule("501-03", Progress, "begin_epoch", waited_for, is_after=True),
    Rule("501-12", InSyncSet, "relinquish", handed_over, is_after=True),
    Rule("966-02", leaders, "_elr", eligible_after, is_after=True),
    Rule("279-03", copying, "is_late", is_late),
)

"""What a client takes from brokers' hints and refusals (392, 951, 320), and how it repeats (98)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from barnabas.broker.serving.leader_hints import LeaderHints
from barnabas.client.consuming.refusals import Course, Refusal
from barnabas.client.consuming.resets import Resets
from barnabas.client.producing.partition_queue import PartitionQueue
from barnabas.client.wire.metadata import MetadataCache

from .comparing import Rule

NAMES_LEADERS_SINCE = 12
NAMES_ADDRESSES_SINCE = 16
TAKES_NO_HALF_HINT = "kafka-python"


def named(hints: Any, version: int) -> bool:
    """951-01: in which answers to Fetch leaders are named."""
    if version < NAMES_LEADERS_SINCE:
        return False
    return version >= NAMES_ADDRESSES_SINCE or hints._peer.client_software != TAKES_NO_HALF_HINT


def addressed(hints: Any, leader_id: int) -> Generator[None, Any, None]:
    """951-03: nobody is sent to a broker that is fenced, or that nobody knows."""
    broker = hints._node.image.brokers.get(leader_id)
    yield
    if broker is None or broker.fenced:
        told = hints._leaders.get(leader_id)
        assert told is None, f"leader {leader_id} is fenced or unknown, told is {told}"


def followed(
    cache: Any, topic: str, partition: int, leader: int, leader_epoch: int, node: Any
) -> bool:
    """951-06: only a newer epoch counts, and only of a leader that can be reached."""
    known = cache.partition(topic, partition)
    if known is None or leader < 0 or leader_epoch <= known.leader_epoch:
        return False
    return leader in cache.nodes or (node is not None and node.node_id == leader)


def must_be_looked_for(resets: Any, state: Any, leader_epoch: int) -> bool:
    """320-01: a position that was read in an older epoch is compared with a new leader's log."""
    del resets
    is_new: bool = leader_epoch > state.validated_epoch
    return is_new and 0 <= state.fetch_epoch < leader_epoch


def course(refusal: Any) -> Course:
    """392-11, line by line of its table."""
    is_below = 0 <= refusal.offset < refusal.log_start_offset
    says_nothing = refusal.log_start_offset < 0 or refusal.high_watermark < 0
    is_beyond = says_nothing or refusal.offset > refusal.high_watermark
    if is_below:
        return Course.RESET if refusal.is_leader else Course.ASK_LEADER
    if not is_beyond:
        return Course.ASK_AGAIN
    if refusal.epoch >= 0:
        return Course.COMPARE_EPOCHS
    return Course.RESET if refusal.is_leader else Course.ASK_LEADER


def put_back(
    queue: Any, batch: Any, not_before: float, *, renumber: bool = False
) -> Generator[None, Any, None]:
    """98-03: a batch that is sent again goes before all that were filled after it."""
    del batch, not_before, renumber
    yield
    orders = [one.order for one in queue.waiting]
    assert orders == sorted(orders), f"batches wait in the order {orders}"


RULES = (
    Rule("951-01", LeaderHints, "may_name", named),
    Rule("951-03", LeaderHints, "_note", addressed, is_after=True),
    Rule("951-06", MetadataCache, "apply_leader_hint", followed),
    Rule("320-01", Resets, "must_compare", must_be_looked_for),
    Rule("392-11", Refusal, "course", course),
    Rule("98-03", PartitionQueue, "put_back", put_back, is_after=True),
)

"""Planted bugs in the controller, in what clients are told, and in the client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from barnabas.broker.core.cluster import controller, registration, topic_creation
from barnabas.broker.core.cluster import image as cluster_image
from barnabas.broker.core.cluster.commands import Decision, ProducerIdBlock
from barnabas.broker.core.cluster.leaders import Brokers
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.raft import snapshots as raft_snapshots
from barnabas.broker.handlers import offset_for_leader_epoch
from barnabas.broker.handlers.list_offsets import handler as list_offsets
from barnabas.broker.handlers.list_offsets.answer import OffsetsAnswer
from barnabas.broker.server.background import Background
from barnabas.client.consuming.positions import PartitionState
from barnabas.client.producing.batch import ProducerBatch
from barnabas.client.wire import metadata as client_metadata
from barnabas.client.wire.metadata import MetadataCache
from barnabas.testing.simulation.incarnation import CURRENT

from .mutant import CALM, ROUGH, Mutant, replacing, wrapping

Method = Callable[..., Any]

POWER_WITHOUT_FLUSH = ROUGH.replaced(
    kills=30.0,
    graceful_restarts=0.0,
    cuts_per_min=0.0,
    power_losses=15.0,
    down_s=0.05,
    replication_factor=2,
    min_insync_replicas=2,
)
PAUSES = ROUGH.replaced(
    duration_s=40.0,
    kills=0.0,
    graceful_restarts=0.0,
    cuts_per_min=0.0,
    resets_per_min=0.0,
    pauses=8.0,
    pause_s=3.0,
    consumers=0,
    pollers=40,
    poll_pause_s=1.0,
)
"""Leaders stop responding, while clients that have been idle still take them for leaders: a client
that waits for an answer all the time refreshes its metadata soon, and then asks the new leader."""
LAGGING = ROUGH.replaced(
    delay_mean_ms=20.0, cuts_per_min=20.0, cut_s=2.0, kills=8.0, producers=3, sends_per_s=30.0
)
"""Brokers that lag behind, and clients that ask them."""
CHURN = CALM.replaced(churns_topics=True, duration_s=10.0)
ID = bytes(15) + b"\7"


def _never_unclean(original: Method) -> Method:
    def changes(*args: Any, **options: Any) -> Any:
        options["unclean"] = False
        return original(*args, **options)

    return changes


def _same_block(original: Method) -> Method:
    def decide(command: Any, image: Any) -> Any:
        decision = original(command, image)
        return Decision(decision.records, ProducerIdBlock(0, decision.answer.size))

    return decide


def _deaf() -> Any:
    """One node misses that a broker changes its state."""
    kind = "BrokerRegistrationChangeRecord"
    original = cluster_image._APPLY[kind]

    def change(image: Any, record: Any) -> None:
        owner = CURRENT.get()
        if owner is None or owner.node != "node-2":
            original(image, record)

    return patch.dict(cluster_image._APPLY, {kind: change})


def _without_lease(answer: Any) -> Any:
    return answer.response


def _one_less(original: Method) -> Method:
    calls = 0

    def find(partition: Any, timestamp: int, *rest: Any) -> Any:
        nonlocal calls
        calls += 1
        found = original(partition, timestamp, *rest)
        if timestamp == -1 and calls % 10 == 0 and found[1] > 3:
            return found[0], found[1] - 3, found[2]
        return found

    return find


def _lost_row(original: Method) -> Method:
    calls = 0

    def fill(state: Any, only: Any = None) -> Any:
        nonlocal calls
        found = original(state, only)
        calls += 1
        if calls % 40 == 0 and state.row_at + 1 < len(state.rows):
            state.row_at += 1
        return found

    return fill


def _row_again(original: Method) -> Method:
    calls = 0

    def fill(state: Any, only: Any = None) -> Any:
        nonlocal calls
        found = original(state, only)
        calls += 1
        if calls % 40 == 0 and state.row_at == 0 and state.rows:
            state.rows = [state.rows[0], *state.rows]
        return found

    return fill


def _lost_answer(original: Method) -> Method:
    calls = 0

    def complete(batch: Any, *args: Any) -> None:
        nonlocal calls
        calls += 1
        if calls % 30:
            original(batch, *args)
        else:
            batch.is_done = True

    return complete


def _old_hint(
    cache: Any, topic: str, partition: int, leader: int, leader_epoch: int, node: Any
) -> bool:
    """Every hint counts, even one about an earlier leader."""
    known = cache.topics[topic].partitions[partition]
    if leader < 0 or leader not in cache.nodes:
        return False
    cache.topics[topic].partitions[partition] = known._replace(
        leader=leader, leader_epoch=leader_epoch
    )
    cache.version += 1
    return True


def _latest_wins(before: Any, answer: Any) -> Any:
    """Metadata of a broker that lags behind undoes what a hint told."""
    del before
    return client_metadata.PartitionMetadata(
        answer.partition_index,
        answer.leader_id,
        answer.leader_epoch,
        tuple(answer.replica_nodes),
        tuple(answer.isr_nodes),
        tuple(answer.offline_replicas),
        answer.error_code,
    )


async def _nothing(background: Any) -> None:
    """Tasks go on after the stop of their node."""
    del background


def _raising(original: Method) -> Method:
    calls = 0

    async def checkpoints(background: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise TypeError("planted")
        await original(background)

    return checkpoints


def _kept_on_disk(directory: Any, topic: str, partition: int) -> None:
    """The folder of a deleted partition is left in place."""
    directory.logs.pop((topic, partition))


def _left_there(directory: Any, folder: Any) -> None:
    """What has a new log's name is not set aside."""
    del directory, folder


def _ends_too_early(original: Method) -> Method:
    """Consumers are told that an epoch ended earlier than it did."""

    def find(*args: Any, is_replica: bool) -> tuple[int, int]:
        epoch, end_offset = original(*args, is_replica=is_replica)
        return epoch, end_offset if is_replica else max(end_offset - 5, 0)

    return find


def _open_gate(replica: Any, snapshot: Any, now_ms: float) -> bool:
    """The leader waits for nobody."""
    del now_ms
    start = replica.log.start_offset
    return bool(start < snapshot.end_offset <= replica.high_watermark)


MUTANTS = (
    Mutant(
        "unclean-registration",
        "a broker that lost power stays in the in-sync set (966-03)",
        ("I-3", "I-5", "I-10", "966-03"),
        wrapping(registration, "changes_after", _never_unclean),
        POWER_WITHOUT_FLUSH,
    ),
    Mutant(
        "fenced-may-lead",
        "fenced brokers stay in sync and may lead",
        ("I-10", "L-2", "L-3", "L-1", "841-01", "966-02"),
        replacing(Brokers, "may_lead", lambda *_: True),
    ),
    Mutant(
        "producer-ids-twice",
        "every broker gets the same block of producer ids (98-01)",
        ("I-22", "I-21", "I-4", "I-5", "L-4", "98-03", "98-04"),
        wrapping(controller, "decide_allocate_producer_ids", _same_block),
        ROUGH.replaced(producers=6, partitions=1, producer_life_s=1.0),
    ),
    Mutant(
        "topic-id-twice",
        "a topic gets an id that another one had",
        ("I-22", "I-2", "I-1", "I-3", "L-1"),
        replacing(topic_creation, "random_uuid", lambda _: ID),
        CHURN,
    ),
    Mutant(
        "deaf-node",
        "one node does not apply that a broker is fenced or at work again",
        ("I-16", "I-10"),
        _deaf,
    ),
    Mutant(
        "latest-goes-back",
        "LATEST is now and then too low",
        ("I-18",),
        wrapping(list_offsets, "_find", _one_less),
        CALM,
    ),
    Mutant(
        "no-lease",
        "a leader that was paused answers LATEST at once (207-09)",
        ("I-18",),
        replacing(OffsetsAnswer, "make", _without_lease),
        PAUSES,
    ),
    Mutant(
        "skipped-row",
        "the consumer drops a record",
        ("I-19",),
        wrapping(PartitionState, "fill", _lost_row),
        CALM,
    ),
    Mutant(
        "row-twice",
        "the consumer hands a record out twice",
        ("I-19",),
        wrapping(PartitionState, "fill", _row_again),
        CALM,
    ),
    Mutant(
        "lost-answer",
        "the producer never ends some of its calls",
        ("L-4",),
        wrapping(ProducerBatch, "complete", _lost_answer),
        CALM,
    ),
    Mutant(
        "old-hint",
        "the client follows a hint of an earlier leader (951-06)",
        ("I-25",),
        replacing(MetadataCache, "apply_leader_hint", _old_hint),
        LAGGING,
    ),
    Mutant(
        "stale-metadata",
        "the client takes back what a newer answer told (I-25)",
        ("I-25",),
        replacing(client_metadata, "newer", _latest_wins),
        LAGGING,
    ),
    Mutant(
        "deleted-and-served",
        "a topic of the same name finds the records of the one that was deleted",
        ("I-27", "I-2", "I-3", "I-4", "I-13", "101-01"),
        lambda: patch.multiple(LogDirectory, delete=_kept_on_disk, _clear_the_way=_left_there),
        CHURN,
    ),
    Mutant(
        "gate-is-open",
        "the leader lets metadata go that live nodes still need (630-07)",
        ("I-15",),
        replacing(raft_snapshots, "may_raise_start", _open_gate),
        ROUGH.replaced(cuts_metadata=True, snapshot_records=20, pauses=8.0, delay_mean_ms=20.0),
    ),
    Mutant(
        "epoch-ends-too-early",
        "consumers are told that what they read was cut off (KIP-320)",
        ("I-20",),
        wrapping(offset_for_leader_epoch, "_find", _ends_too_early),
        ROUGH.replaced(consumers=3),
    ),
    Mutant(
        "tasks-after-stop",
        "a node's background tasks outlive it",
        ("I-30",),
        replacing(Background, "stop", _nothing),
        CALM,
    ),
    Mutant(
        "raising-task",
        "a periodic task raises what nobody expected",
        ("I-30",),
        wrapping(Background, "write_checkpoints", _raising),
        CALM,
    ),
)

"""What product code tells the simulator: names of events and the fields that each carries.

Told as `if (hooks := env.hooks) is not None: hooks.on("name", field=..., ...)`, right after the
fact and in the same turn of the event loop, by the part that did it. `hooks` belongs to a node:
node id and incarnation are known. Fields are live objects or plain values; checks read what else
they need from the objects (a `Partition`, a `PartitionLog`, a `ClusterImage`) in that instant.

The log of a partition (`core/log`; `__cluster_metadata-0` is one too)
    log-opened      log: as recovery left it, with what it holds
    append          log, batches: bytes-like, whole batches as stored, offsets and epochs included
    truncate        log, offset: everything from there on is gone; also after `truncate_fully…`
    compacted       log, old: list of Segment, new: Segment: readers find the new one instead of the
                    old ones, whose files are still there
    log-start       log, offset: nothing below it is served any more (retention, DeleteRecords,
                    what the leader told)

A replica (`core/replication`)
    leader          partition: this broker began to lead `partition.leader_epoch`, log assigned
    follower        partition, leader_id, leader_epoch: it follows, or there is nobody to follow
    hw              partition, high_watermark, as_leader: bool: the watermark has moved
    isr-proposed    partition, change: IsrChange as handed to the IsrPort
    isr-committed   partition, isr: tuple of broker ids, partition_epoch: the leader knows it
    pending-added   partition, replica_id, fetch_offset, key: a follower's fetch is being served
    pending-removed partition, replica_id, key: it was answered, or its connection is gone
    relinquish      partition: the leader asked to hand over (501-10)
    records-deleted partition, offset: an administrator is told that all below it is deleted
    produce-acked   partition, base_offset, last_offset, acks: the answer says success
    fetch-answered  partition, replica_id (-1: a consumer), fetch_offset, end_offset: what was
                    read, exclusive; read_committed: bool
    latest-answered partition, offset, read_committed: bool: a ListOffsets answer for LATEST
    fetch-told      fetch: the FetchContext, response, reader, replicas: the broker's, max_bytes,
                    max_wait_ms, waited_ms: since the request came; the answer leaves now
    metadata-told   image: the ClusterImage at the answer, response
    hint            partition (topic, index), leader_id, leader_epoch, host, port: a CurrentLeader
                    hint with its endpoint (KIP-951)

The metadata quorum (`server/quorum`, `core/raft`)
    vote            epoch, voted_id: written durably
    epoch           epoch: a higher quorum epoch was written durably
    elected         epoch: this node is the leader of the quorum now
    resigned        epoch
    quorum-hw       high_watermark, epoch: the quorum's watermark as this node knows it
    snapshot-written end_offset, epoch
    snapshot-loaded end_offset, epoch

Metadata on its way (`server/quorum/publisher.py`, `server/lifecycle`)
    metadata-applied offset: last offset that is in the image now, image: the ClusterImage
    decided         records: the messages of one decision, base_offset; seen_offset: last one of
                    the image that it was made on; told by the active controller when they are
                    appended
    fenced          broker_id, broker_epoch; told by the active controller
    unfenced        broker_id, broker_epoch

A node (`broker/node.py`)
    started         node
    stopped         log_dirs: in good order; told by its machine (`machine.py`)
    ended           log_dirs: its process is gone, in whatever way; told by its machine

Names that nothing listens to cost nothing; a listener never changes what it is handed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

NAMES = (
    "log-opened",
    "append",
    "truncate",
    "compacted",
    "log-start",
    "leader",
    "follower",
    "hw",
    "isr-proposed",
    "isr-committed",
    "pending-added",
    "pending-removed",
    "relinquish",
    "records-deleted",
    "produce-acked",
    "fetch-answered",
    "latest-answered",
    "fetch-told",
    "metadata-told",
    "hint",
    "vote",
    "epoch",
    "elected",
    "resigned",
    "quorum-hw",
    "snapshot-written",
    "snapshot-loaded",
    "metadata-applied",
    "decided",
    "fenced",
    "unfenced",
    "started",
    "stopped",
    "ended",
)
"""Every event that product code or a machine may tell."""


class Event(NamedTuple):
    """One event with its place and time."""

    at_s: float
    """The virtual time of the event."""
    node: str
    incarnation: int
    name: str
    fields: dict[str, Any]


Listener = Callable[[Event], object]
"""A check. It raises `InvariantError` when the condition that it watches is broken."""

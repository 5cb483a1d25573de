"""All of them, by their references, and what is asked at the beginning of a run."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from barnabas.broker.core.log.leader_epochs import LeaderEpochs
from barnabas.broker.core.log.producer_entry import ProducerEntry
from barnabas.broker.core.replication.replica_selector import RackAwareReplicaSelector
from barnabas.broker.core.replication.truncation import EpochEnd, LocalLog
from barnabas.testing.simulation.disk import SimulatedDisk

from .. import logs, quorum, replication
from . import logs as near_logs
from . import quorum as near_quorum
from . import replicas as near_replicas
from .altered import Questions

Neighbours = Callable[..., Questions]
"""random, then the arguments that came -> arguments to ask as well."""

NEIGHBOURS: Final[dict[Callable[..., Any], Neighbours]] = {
    replication.readable: near_replicas.readable,
    replication.diverging: near_replicas.diverging,
    replication.nearest: near_replicas.nearest,
    replication.caught_up: near_replicas.caught_up,
    replication.noted: near_replicas.noted,
    replication.fetched: near_replicas.fetched,
    replication.joined: near_replicas.joined,
    replication.may_join: near_replicas.may_join,
    replication.answered: near_replicas.answer,
    replication.acknowledged: near_replicas.acknowledged,
    logs.end_of_epoch: near_logs.epochs,
    logs.truncation: near_logs.truncation,
    logs.out_of_range: near_logs.out_of_range,
    logs.producer_check: near_logs.sequence,
    logs.rolled_back: near_logs.rolled_back,
    logs.go_on: near_replicas.session,
    logs.is_news: near_replicas.news,
    logs.weaker: near_replicas.weaker,
    logs.may_answer: near_logs.may_answer,
    logs.epoch_question: near_logs.epoch_question,
    quorum.in_epoch: near_quorum.epoch,
    quorum.majority: near_quorum.majority,
    quorum.heard: near_quorum.heard,
    quorum.wanted: near_quorum.wanted,
    quorum.open_gate: near_quorum.gate,
    quorum.piece: near_quorum.piece,
    quorum.epochs_fit: near_quorum.epochs_fit,
    quorum.isr_fits: near_quorum.isr_fits,
    quorum.eligible: near_quorum.eligible,
    quorum.elected: near_quorum.elected,
    quorum.let_in: near_quorum.let_in,
    quorum.alive: near_quorum.alive,
}
"""By the reference."""


def _some_epochs() -> LeaderEpochs:
    """Epochs that were skipped are those that nobody wrote in."""
    epochs = LeaderEpochs(SimulatedDisk(Random(0)), "/epochs")
    epochs.epochs, epochs.starts = [1, 2, 5, 6], [0, 4, 9, 12]
    return epochs


def _some_entry() -> ProducerEntry:
    """One that wrote four batches of two records, with records of others between."""
    entry = ProducerEntry(7, 0)
    for number in range(4):
        entry.add_batch(0, 2 * number + 1, 10 * number + 1, 1, 0)
    return entry


SELDOM: Final[dict[Callable[..., Any], tuple[Any, ...]]] = {
    replication.nearest: (RackAwareReplicaSelector(),),
    logs.out_of_range: (5, 0, 9),
    logs.rolled_back: (_some_entry(), 0),
    logs.truncation: (LocalLog(_some_epochs(), 10, 14), EpochEnd(5, 12)),
}
"""Decisions that many runs never come to, and arguments to begin with."""

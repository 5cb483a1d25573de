"""All of them, by their references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .. import (
    clients,
    coordinators,
    groups,
    logs,
    members,
    quorum,
    replication,
    steps,
    transactions,
)
from . import clients as near_clients
from . import coordinators as near_coordinators
from . import groups as near_groups
from . import logs as near_logs
from . import members as near_members
from . import quorum as near_quorum
from . import replicas as near_replicas
from . import steps as near_steps
from . import transactions as near_transactions
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
    quorum.handed_over: near_members.handed_out,
    replication.offered: near_members.offered,
    replication.begun: near_members.begun,
    replication.ended: near_members.ended,
    replication.expired: near_members.expired,
    replication.enough: near_members.enough,
    members.handed_over: near_members.handed_over,
    members.eligible_after: near_members.eligible_after,
    members.is_late: near_members.is_late,
    steps.own_vote: near_steps.own_vote,
    steps.took_piece: near_steps.took_piece,
    clients.named: near_clients.named,
    clients.addressed: near_clients.addressed,
    clients.followed: near_clients.followed,
    clients.must_be_looked_for: near_clients.must_be_looked_for,
    clients.course: near_clients.course,
    clients.put_back: near_clients.put_back,
    coordinators.tried_again: near_coordinators.tried_again,
    groups.named: near_groups.named,
    groups.classic_commit: near_groups.classic_commit,
    groups.synced: near_groups.synced,
    groups.beat: near_groups.beat,
    groups.consumer_commit: near_groups.consumer_commit,
    groups.consumer_fetch: near_groups.consumer_fetch,
    groups.epoch_known: near_groups.epoch_known,
    groups.spoke: near_groups.spoke,
    groups.held: near_groups.held,
    groups.next_step: near_groups.next_step,
    groups.expiry_start: near_groups.expiry_start,
    groups.expired: near_groups.expired,
    transactions.ended: near_transactions.ended,
    transactions.marker_fits: near_transactions.marker_fits,
    transactions.asked_to_add: near_transactions.asked_to_add,
    transactions.taken_over_by_a_cut: near_transactions.taken_over_by_a_cut,
    transactions.commit_allowed: near_transactions.commit_allowed,
    transactions.begins: near_transactions.begins,
    transactions.told: near_transactions.told,
    transactions.overdue_now: near_transactions.overdue_now,
}
"""By the reference."""

"""All decisions that are compared with their rules."""

from __future__ import annotations

from . import (
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
from .comparing import Rule

RULES: tuple[Rule, ...] = (
    *logs.RULES,
    *replication.RULES,
    *members.RULES,
    *quorum.RULES,
    *steps.RULES,
    *clients.RULES,
    *groups.RULES,
    *coordinators.RULES,
    *transactions.RULES,
)

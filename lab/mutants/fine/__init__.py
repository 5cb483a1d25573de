"""Fine planted bugs: one condition each, by the rules that they break."""

from __future__ import annotations

from ..planting import FineMutant
from . import (
    cluster,
    compaction,
    coordinators,
    deletions,
    first_ten,
    groups,
    in_transactions,
    lease,
    memory,
    reading,
    replicas,
)

FINE: tuple[FineMutant, ...] = (
    *first_ten.MUTANTS,
    *reading.MUTANTS,
    *replicas.MUTANTS,
    *cluster.MUTANTS,
    *lease.MUTANTS,
    *deletions.MUTANTS,
    *memory.MUTANTS,
    *compaction.MUTANTS,
    *groups.MUTANTS,
    *coordinators.MUTANTS,
    *in_transactions.MUTANTS,
)

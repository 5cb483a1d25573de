"""The lease of a leader: until when it tells where its log ends, and who waits for it (207-09)."""

from __future__ import annotations

from ..planting import FineMutant

FORMER = "broker/core/replication/former_leaders.py"
FRESHNESS = "broker/core/raft/freshness.py"
RULE = "207-09"

MUTANTS = (
    FineMutant(
        "former-leader-not-waited-for",
        RULE,
        "a new leader tells its end at once, whoever may believe to lead",
        FORMER,
        "        return not self._until_ms\n",
        "        return True\n",
    ),
    FineMutant(
        "half-a-lease-waited-for",
        RULE,
        "a new leader waits for half of a lease",
        FORMER,
        "CLOCKS_APART: Final = 1.2\n",
        "CLOCKS_APART: Final = 0.5\n",
    ),
    FineMutant(
        "unknown-epochs-not-waited-for",
        RULE,
        "leaders of epochs that this broker has not seen are not waited for",
        FORMER,
        "            self.note(UNKNOWN, until_ms)\n",
        "            pass\n",
    ),
    FineMutant(
        "proof-outlives-its-epoch",
        RULE,
        "what an earlier leader of the quorum proved counts in the next epoch",
        FRESHNESS,
        "        self._tail_ms = -inf\n"
        "        self.seeks_tail = False\n"
        "        self._proofs.clear()\n",
        "",
    ),
    FineMutant(
        "proof-before-it-is-applied",
        RULE,
        "a record proves that metadata is fresh before it is applied",
        FRESHNESS,
        "        while proofs and proofs[0][0] < applied_end:\n",
        "        while proofs:\n",
    ),
    FineMutant(
        "row-of-another-epoch",
        RULE,
        "an end that was found in an earlier leader epoch is told in a later one",
        "broker/core/replication/partition.py",
        "        if self.leader is None or self.leader.leader_epoch != leader_epoch:\n",
        "        if self.leader is None:\n",
    ),
)

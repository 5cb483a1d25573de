"""What clients can have a node hold: the limits of I-28."""

from __future__ import annotations

from ..planting import FineMutant

RULE = "I-28"
ANSWERS = "broker/server/answer_budget.py"
RECEIVED = "broker/server/receive_budget.py"
FOUND = "broker/handlers/fetch/found.py"

MUTANTS = (
    FineMutant(
        "answers-have-no-budget",
        RULE,
        "large answers are made however many are unread",
        ANSWERS,
        "        return key not in PROMPT or (size",
        "        return key < 0 or (size",
    ),
    FineMutant(
        "half-requests-have-no-budget",
        RULE,
        "large requests are received whatever others have sent half of",
        RECEIVED,
        "        if self.used <= self._limit or holder is",
        "        if self.used or holder is",
    ),
    FineMutant(
        "sessions-have-no-budget",
        RULE,
        "fetch sessions are begun however many partitions the others have",
        "broker/core/replication/fetch_session.py",
        "            or self.partitions_cached + size > self._partitions_max\n",
        "            or size > self._partitions_max\n",
    ),
    FineMutant(
        "waiting-fetches-keep-records",
        RULE,
        "a fetch that waits keeps what it has found",
        FOUND,
        "        if self.size <= PARKED_BYTES_MAX:\n",
        "        if self.size >= 0:\n",
    ),
)

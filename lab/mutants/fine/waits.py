"""Who waits for what in a coordinator that was just loaded, for producer ids, and whose offsets a
transaction commits that has waited."""

from __future__ import annotations

from ..planting import FineMutant
from .transactions import BugAndTests

WAITS: tuple[BugAndTests, ...] = (
    BugAndTests(
        FineMutant(
            "a-loaded-state-is-told-at-once",
            "CRT-14",
            "members are told a generation that the next leader of the log may not know",
            "broker/core/coordination/shard.py",
            "        return _AfterLoad(self, reply) if self.is_behind else reply",
            "        return reply",
        ),
        ("tests/core/coordination/test_reads_after_a_load.py",),
    ),
    BugAndTests(
        FineMutant(
            "each-waits-for-a-block-of-its-own",
            "98-01",
            "each producer that starts has the controller asked for another block of ids",
            "broker/server/producer_ids.py",
            "        if self._fetching is None:",
            "        if self._fetching is None or not self._fetching.done():",
        ),
        ("tests/server/test_producer_ids.py",),
    ),
    BugAndTests(
        FineMutant(
            "a-partition-that-came-back-is-committed",
            "I-36",
            "a transaction takes back the offsets of a partition that another member had meanwhile",
            "client/consuming/commits.py",
            "        return state is not None and state is self._claimed[key]",
            "        return state is not None",
        ),
        ("tests/client/test_transaction_offsets.py",),
    ),
)

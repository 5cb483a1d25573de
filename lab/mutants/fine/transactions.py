"""Transactions: fences, markers, and what readers may see before a decision (sections 7 and TXN).

These are hunted by tests: `python -m lab.mutants.tested`. Those that drawn runs hunt are in
`in_transactions.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from ..planting import FineMutant

CORE = "broker/core/coordination/transactions"
PRODUCERS = "broker/core/log/producers.py"
MARKERS = "broker/core/replication/end_markers.py"
UNIT = "tests/core/coordination/transactions"
OVER_THE_WIRE = "tests/handlers/test_epoch_for_each_transaction.py"


class BugAndTests(NamedTuple):
    """A bug, and the test files that are to find it."""

    bug: FineMutant
    tests: tuple[str, ...]


def _of(tests: str, name: str, rule: str, what: str, file: str, old: str, new: str) -> BugAndTests:
    return BugAndTests(FineMutant(name, rule, what, file, old, new), (tests,))


TESTED: tuple[BugAndTests, ...] = (
    _of(
        "tests/core/log/test_failures.py",
        "a-refused-entry-is-forgotten",
        "98-06",
        "an abort whose index entry the disk refuses is unknown to readers of the log",
        "broker/core/log/segment.py",
        "        self.transactions.append(entry)\n"
        "        with closing(self.disk.open(self.path(TRANSACTION_INDEX), create=True)) as file:\n"
        "            file.append([entry.encode()])\n",
        "        with closing(self.disk.open(self.path(TRANSACTION_INDEX), create=True)) as file:\n"
        "            file.append([entry.encode()])\n"
        "        self.transactions.append(entry)\n",
    ),
    _of(
        "tests/core/log/test_failures.py",
        "noting-stops-at-a-refused-entry",
        "98-06",
        "a follower forgets the transactions that came behind an abort the index refused",
        "broker/core/log/writer.py",
        '                return self._health.fail("writing to", error)\n',
        '                raise self._health.fail("writing to", error) from error\n',
    ),
    _of(
        f"{UNIT}/test_adding.py",
        "older-epoch-may-add",
        "TXN-10",
        "a fenced producer still adds partitions",
        f"{CORE}/table.py",
        "        if producer.epoch != found.epoch:",
        "        if producer.epoch > found.epoch:",
    ),
    _of(
        f"{UNIT}/test_ending.py",
        "markers-before-the-decision-counts",
        "TXN-20",
        "markers are sent before the Prepare record is committed",
        f"{CORE}/ending.py",
        "    ending = transactions.ending_of(transactional_id, after)\n    return",
        "    ending = transactions.ending_of(transactional_id, after)\n"
        "    transactions.around.markers.send(ending)\n    return",
    ),
    _of(
        f"{UNIT}/test_ending.py",
        "late-completion-counts",
        "TXN-33",
        "the markers of an earlier end complete a later transaction",
        f"{CORE}/ending.py",
        "current) != ending:",
        "current).producer_id != ending.producer_id:",
    ),
    _of(
        f"{UNIT}/test_ending.py",
        "lost-answer-is-fenced",
        "TXN-13",
        "an end that is asked for again is another producer's",
        f"{CORE}/ending.py",
        "        return producer.epoch + 1 == current.epoch",
        "        return producer.epoch + 2 == current.epoch",
    ),
    _of(
        f"{UNIT}/test_ending.py",
        "next-producer-keeps-the-epoch",
        "TXN-13",
        "a producer id that takes over begins with the last epoch of the one before",
        f"{CORE}/transaction.py",
        "            producer_id=self.next_producer_id,\n            epoch=0,",
        "            producer_id=self.next_producer_id,\n            epoch=self.epoch,",
    ),
    _of(
        "tests/core/log/test_producers.py",
        "stable-past-the-oldest",
        "TXN-40",
        "the last stable offset passes the oldest open transaction",
        PRODUCERS,
        "        first = next(iter(self._ongoing), NONE_OPEN)\n",
        "        first = next(reversed(self._ongoing), NONE_OPEN)\n",
    ),
    _of(
        "tests/core/log/test_producers.py",
        "stable-before-the-marker-is-replicated",
        "TXN-40",
        "readers see a decision whose marker may still be lost",
        PRODUCERS,
        "        self._undelivered[first] = offset\n",
        "",
    ),
    _of(
        "tests/core/log/test_producers.py",
        "expires-in-a-transaction",
        "TXN-43",
        "a silent producer is forgotten although its transaction is open",
        PRODUCERS,
        "        return not open_transaction and now_ms",
        "        return now_ms",
    ),
    _of(
        "tests/core/replication/test_end_markers.py",
        "marker-of-the-open-epoch",
        "TXN-31",
        "a marker without an epoch of its own ends a transaction that has one",
        MARKERS,
        "        marker.client_version >= EPOCH_BUMPS",
        "        marker.client_version > EPOCH_BUMPS",
    ),
    _of(
        "tests/core/replication/test_end_markers.py",
        "replaced-coordinator-marks",
        "TXN-31",
        "the coordinator before the last one is not fenced",
        MARKERS,
        "    if marker.coordinator_epoch < entry.coordinator_epoch:",
        "    if marker.coordinator_epoch < entry.coordinator_epoch - 1:",
    ),
    _of(
        "tests/core/coordination/groups/test_committed_offsets.py",
        "offsets-before-the-commit",
        "TXN-54",
        "offsets of a transaction count at once",
        "broker/core/coordination/groups/offsets/group_offsets.py",
        "        if producer is None:",
        "        if producer is not None:",
    ),
    _of(
        "tests/core/replication/test_end_markers.py",
        "marker-leaves-the-epoch",
        "TXN-32",
        "a marker does not fence late batches of the transaction that it ends",
        PRODUCERS,
        "        if epoch != entry.epoch:\n            entry.start_epoch",
        "        if epoch < entry.epoch:\n            entry.start_epoch",
    ),
    _of(
        OVER_THE_WIRE,
        "any-first-sequence",
        "TXN-52",
        "a transaction may begin with its second batch",
        PRODUCERS,
        "        lowest = 0 if is_first_known else",
        "        lowest = None if is_first_known else",
    ),
    _of(
        OVER_THE_WIRE,
        "leaders-add-for-everybody",
        "TXN-51",
        "what an older producer has not added is added for it",
        "broker/handlers/produce/verifying.py",
        "            verify_only=self._version < ADDS_SINCE,",
        "            verify_only=False,",
    ),
    _of(
        "tests/handlers/test_verification.py",
        "answer-outlives-the-transaction",
        "TXN-50",
        "an answer of the coordinator still counts after the transaction's marker",
        PRODUCERS,
        "        self.verifications.ended(producer_id, epoch)\n",
        "        self.verifications.forget(producer_id)\n",
    ),
    _of(
        "tests/core/log/test_verifications.py",
        "last-marker-voids-the-next-transaction",
        "TXN-53",
        "a marker of the transaction before refuses the first batch of the next",
        "broker/core/log/verifications.py",
        "epoch + 1 if has_own_epoch else ANY_EPOCH",
        "ANY_EPOCH",
    ),
    _of(
        "tests/core/log/test_verifications.py",
        "own-epoch-outlives-its-marker",
        "TXN-50",
        "the marker of a transaction with an epoch of its own does not void what was asked for it",
        "broker/core/log/verifications.py",
        "            if epoch >= one.ended_from:\n",
        "            if epoch > one.ended_from:\n",
    ),
    _of(
        "tests/server/coordinators/test_group_coordinator.py",
        "reads-do-not-wait-for-what-was-loaded",
        "CRT-14",
        "a new coordinator tells an offset that is older than one whose commit was answered",
        "broker/core/coordination/shard.py",
        "        self._loaded = self.writer.latest\n",
        "",
    ),
    _of(
        "tests/server/replication/test_follower_truncation.py",
        "batch-around-the-start-is-refused",
        "C9",
        "a replica whose leader's log starts within a batch does not take that batch",
        "broker/server/replication/copying.py",
        "    if first is None or not first.base_offset < end_offset <= first.last_offset:",
        "    if first is None or not end_offset < first.base_offset <= first.last_offset:",
    ),
    _of(
        "tests/core/log/test_producers.py",
        "a-snapshot-decides-too-early",
        "TXN-40",
        "a snapshot behind the high watermark counts the transactions below it as decided",
        "broker/core/log/opening.py",
        "        if begun > watermark and any(",
        "        if begun > self.log_end_offset and any(",
    ),
    _of(
        "tests/core/log/test_producers.py",
        "a-cut-decides-too-early",
        "TXN-40",
        "a log that was cut forgets which markers the high watermark has not passed",
        "broker/core/log/producers.py",
        "        self._undelivered = held | other._undelivered",
        "        self._undelivered = other._undelivered",
    ),
)
"""One condition each, with the tests that find it."""

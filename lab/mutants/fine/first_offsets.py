"""Where a log begins after a loss of power, and what a quorum's leader says of that place."""

from __future__ import annotations

from ..planting import FineMutant
from .transactions import BugAndTests

LIVES = ("tests/core/log/test_lives.py",)

FIRST_OFFSETS: tuple[BugAndTests, ...] = (
    BugAndTests(
        FineMutant(
            "the-first-name-may-go",
            "I-2",
            "a second segment may be on the disk for good before the first one is",
            "broker/core/log/durability.py",
            "len(self._segments) == 1 and (self._names_changed or self._segments.is_held)",
            "len(self._segments) == 0",
        ),
        LIVES,
    ),
    BugAndTests(
        FineMutant(
            "begun-anew-in-name-only",
            "I-2",
            "of a log that began anew, segments that were cut off may come back alone",
            "broker/core/log/cutter.py",
            "            self._env.disk.fsync_directory(self._segments.directory)\n",
            "",
        ),
        LIVES,
    ),
    BugAndTests(
        FineMutant(
            "the-snapshots-epoch-is-unknown",
            "630-10",
            "who ends where the leader's snapshot ends is told to cut, and has nothing to cut",
            "broker/server/quorum/raft_log.py",
            "            if snapshot.end_offset == start and snapshot.epoch <= epoch:",
            "            if snapshot.end_offset == start and snapshot.epoch < epoch:",
        ),
        ("tests/server/quorum/test_divergence.py",),
    ),
)
"""One condition each, with the tests that find it."""

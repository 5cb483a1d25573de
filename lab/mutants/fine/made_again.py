"""Checkpoints of a deleted log, where another of its name is (I-3, I-5, CMP-15)."""

from __future__ import annotations

from ..planting import FineMutant
from .transactions import BugAndTests

DIRECTORY = "broker/core/log/log_directory.py"
TESTS = ("tests/core/log/test_made_again.py",)

MADE_AGAIN: tuple[BugAndTests, ...] = (
    BugAndTests(
        FineMutant(
            "offsets-of-a-former-log",
            "I-5",
            "a log that takes the place of a deleted one is opened with that one's checkpoints",
            DIRECTORY,
            "        if self._offsets.may_name(key):\n",
            "        if self._offsets.may_name(key) and key in self.logs:\n",
        ),
        TESTS,
    ),
    BugAndTests(
        FineMutant(
            "cleaning-of-a-former-log",
            "CMP-15",
            "a log that takes the place of a deleted one counts as cleaned as far as that was",
            DIRECTORY,
            "        if self._cleaner.may_name(key):\n",
            "        if self._cleaner.may_name(key) and key in self.logs:\n",
        ),
        TESTS,
    ),
    BugAndTests(
        FineMutant(
            "an-old-word-comes-last",
            "I-5",
            "a write of checkpoints that ends late puts back what a newer one has replaced",
            "broker/core/log/checkpoints.py",
            "            if number < self._written:\n",
            "            if number < self._written - 1:\n",
        ),
        TESTS,
    ),
)

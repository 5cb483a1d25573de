"""What a clean stop leaves to the next start if the power fails afterwards (98-06, 101-01)."""

from __future__ import annotations

from ..planting import FineMutant
from .transactions import BugAndTests

TESTS = ("tests/core/log/test_power_loss.py",)

CLEAN_STOPS: tuple[BugAndTests, ...] = (
    BugAndTests(
        FineMutant(
            "new-index-is-not-named",
            "98-06",
            "the name of a transaction index that is begun after its segment is not made durable",
            "broker/core/log/writer.py",
            "                if self._segments.active.add_aborted(aborted):\n",
            "                if not self._segments.active.add_aborted(aborted):\n",
        ),
        TESTS,
    ),
    BugAndTests(
        FineMutant(
            "cut-index-is-not-named",
            "98-06",
            "the name of a transaction index that a cut wrote anew is not made durable",
            "broker/core/log/cutter.py",
            "        self._durability.note_names()\n",
            "        if cut.segment.base_offset != self._segments.active.base_offset:\n"
            "            self._durability.note_names()\n",
        ),
        TESTS,
    ),
    BugAndTests(
        FineMutant(
            "epochs-of-a-killed-node-count-as-flushed",
            "101-01",
            "epochs that are in the file at an unclean start are not flushed any more",
            "broker/core/log/opening.py",
            "            self.epochs.dirty = not self.clean ",
            "            self.epochs.dirty = False ",
        ),
        TESTS,
    ),
    BugAndTests(
        FineMutant(
            "a-stop-counts-on-flushes-under-way",
            "I-5",
            "names that a flush has taken down count as durable when a node stops before it ends",
            "broker/core/log/durability.py",
            "        if self._segments.is_held:\n            self._count_on_nobody()\n",
            "",
        ),
        TESTS,
    ),
)

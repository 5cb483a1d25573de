"""What a replica may believe of records below the start of its leader's log (I-2, 98-03)."""

from __future__ import annotations

from ..planting import FineMutant
from .transactions import BugAndTests

EPOCHS = "broker/core/log/leader_epochs.py"
LEADERS_OWN = "tests/core/log/test_leader_epochs.py"
COPIES = "tests/server/replication/test_leader_log_starts.py"

LOG_STARTS: tuple[BugAndTests, ...] = (
    BugAndTests(
        FineMutant(
            "the-record-before-is-not-compared",
            "I-2",
            "a follower that ends where its leader's log begins keeps records of its own below",
            "broker/handlers/fetch/rules.py",
            "    is_at_start = 0 < offset == log.log_start_offset\n",
            "    is_at_start = 0 < offset < log.log_start_offset\n",
        ),
        (COPIES,),
    ),
    BugAndTests(
        FineMutant(
            "producers-stay-below-the-start",
            "98-03",
            "a follower cuts what it alone holds below its leader's start, and keeps the rest",
            "broker/server/replication/copying.py",
            "        if decided.offset < leader_log_start or (",
            "        if decided.offset < log.log_start_offset or (",
        ),
        (COPIES,),
    ),
    BugAndTests(
        FineMutant(
            "an-epoch-outlives-its-log",
            "I-2",
            "a log that began anew vouches for a record that it never held",
            EPOCHS,
            '        """Forget everything: the log begins anew."""\n'
            "        self._before = _NOTHING_BEFORE\n",
            '        """Forget everything: the log begins anew."""\n',
        ),
        (LEADERS_OWN, COPIES),
    ),
    BugAndTests(
        FineMutant(
            "an-epoch-outlives-a-cut",
            "I-2",
            "a log that was cut below its start vouches for a record that it holds no more",
            EPOCHS,
            "        if end_offset < self._before[0]:\n",
            "        if end_offset < 0:\n",
        ),
        (LEADERS_OWN,),
    ),
)

"""What members of consumer groups take in memory: I-28."""

from __future__ import annotations

from ..planting import FineMutant
from .transactions import BugAndTests

CONSUMER = "broker/core/coordination/groups/consumer"
TESTS = ("tests/core/coordination/groups/consumer/test_member_weights.py",)

WEIGHED: tuple[BugAndTests, ...] = (
    BugAndTests(
        FineMutant(
            "heavy-members-grow",
            "I-28",
            "a member may say what it likes once it is in",
            f"{CONSUMER}/heartbeats.py",
            "check_weight(group, None if found.is_new else before, member)",
            "check_weight(group, None if found.is_new else member, member)",
        ),
        TESTS,
    ),
    BugAndTests(
        FineMutant(
            "gone-members-weigh",
            "I-28",
            "members that are gone keep others out",
            f"{CONSUMER}/group_state.py",
            "        self.members.pop(member_id)\n        self._weights.pop(member_id)\n",
            "        self.members.pop(member_id)\n",
        ),
        TESTS,
    ),
)

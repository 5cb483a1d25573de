"""A line in the log about a classic group whose record could not be written."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode

from ..surroundings import GroupSurroundings
from .classic_group import ClassicGroup


def report_lost(around: GroupSurroundings, group: ClassicGroup, code: ErrorCode) -> None:
    """Write a line about a group whose record was not written, such as one too large (CRT-11)."""
    fields: dict[str, object] = {
        "group": group.group_id,
        "generation": group.generation,
        "members": len(group.roster),
        "error": code.name,
    }
    around.report("group-not-written", fields)

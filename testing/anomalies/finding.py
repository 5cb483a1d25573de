"""All anomalies of a history, by the names that Jepsen's Kafka workload gives them."""

from __future__ import annotations

from collections.abc import Sequence

from .cycles import cycles
from .operations import Anomaly, Operation
from .order import polls, sends
from .places import Places
from .records import duplicates, inconsistent_offsets, losses, torn_reads, wrong_reads

KINDS = (
    "inconsistent-offsets",
    "duplicate",
    "lost-write",
    "unseen",
    "unwritten",
    "G1a",
    "dirty-read",
    "G1b",
    "nonmonotonic-poll",
    "poll-skip",
    "int-nonmonotonic-poll",
    "int-poll-skip",
    "nonmonotonic-send",
    "int-nonmonotonic-send",
    "G0",
    "G1c",
    "G1c-ww",
)
"""Everything that can be found."""

ALLOWED = frozenset(("G0", "G1c-ww"))
"""Kafka's transactions do not keep each other's writes apart: their records lie between one another
in the order of their arrival, in each partition in another one."""


def find_anomalies(
    operations: Sequence[Operation],
    *,
    drained: bool = True,
    allowed: frozenset[str] = ALLOWED,
) -> list[Anomaly]:
    """What the history shows, without what is allowed.

    `drained`: readers were given all the time that they need, so that what is committed and was
    never read counts. Raises ValueError for a value that was written twice.
    """
    places = Places(operations)
    found = (
        *inconsistent_offsets(places),
        *duplicates(places),
        *losses(places, drained=drained),
        *wrong_reads(places),
        *torn_reads(operations, places),
        *polls(operations, places),
        *sends(operations),
        *cycles(operations, places),
    )
    return [one for one in found if one.kind not in allowed]

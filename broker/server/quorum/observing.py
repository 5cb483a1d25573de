"""What a node's log and figures say of the metadata quorum."""

from __future__ import annotations

from ...observe.logging import Logger
from .quorum import Quorum


def log_quorum(quorum: Quorum, log: Logger) -> None:
    """Log what was found when the metadata log was opened, and from now on what goes wrong."""
    for note in quorum.notes:
        log.warning("metadata log", note=note)
    quorum.on_note = lambda note: log.warning("metadata log", note=note)
    quorum.driver.alarm = lambda text: log.error("metadata quorum", error=text)
    reach = quorum.reachability
    reach.on_lost = lambda text: log.warning(
        "nodes of the metadata quorum cannot be reached",
        nodes=text,
        controller=quorum.publisher.leader.leader_id,
    )
    reach.on_found = lambda name: log.info("answers again", peer=name)


def quorum_figures(quorum: Quorum) -> dict[str, float]:
    """Claims of other nodes that were not proven, and whether this voter abstains (0 or 1)."""
    return {
        "raft-metrics.unproven-claims": quorum.raft.unproven_claims,
        "raft-metrics.abstains": float(quorum.raft.abstains),
    }

"""What a node's log and figures say of the metadata quorum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from barnabas.protocol.errors import KafkaError

from ...observe.logging import Logger
from .events import QuorumEvents
from .quorum import Quorum

_LOGGER: Final = "barnabas.quorum"


def log_notes(quorum: Quorum, log: Logger) -> None:
    """Log what was found when the metadata log was opened."""
    for note in quorum.notes:
        log.named(_LOGGER).warning("metadata log", note=note)


def logged_events(
    quorum: Quorum,
    log: Logger,
    *,
    failed: Callable[[KafkaError], object],
    hopeless: Callable[[KafkaError], object],
) -> QuorumEvents:
    """What goes wrong from now on goes to the log; a failure, and that there is no hope, go on."""
    log = log.named(_LOGGER)
    return QuorumEvents(
        failed=failed,
        hopeless=hopeless,
        noted=lambda note: log.warning("metadata log", note=note),
        alarmed=lambda text: log.error("metadata quorum", error=text),
        lost=lambda text: log.warning(
            "nodes of the metadata quorum cannot be reached",
            nodes=text,
            controller=quorum.publisher.leader.leader_id,
        ),
        found=lambda name: log.info("answers again", peer=name),
    )


def quorum_figures(quorum: Quorum) -> dict[str, float]:
    """Claims of other nodes that were not proven, and whether this voter abstains (0 or 1)."""
    return {
        "raft-metrics.unproven-claims": quorum.raft.unproven_claims,
        "raft-metrics.abstains": float(quorum.raft.abstains),
    }

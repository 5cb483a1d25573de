"""What a node's log and metrics say about the metadata quorum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from barnabas.protocol.errors import KafkaError

from ...observe.logging import Logger
from .events import QuorumEvents
from .quorum import Quorum

_LOGGER: Final = "barnabas.quorum"


def log_notes(quorum: Quorum, log: Logger) -> None:
    """Log what was unusual when the metadata log was opened."""
    for note in quorum.notes:
        log.named(_LOGGER).warning("metadata log", note=note)


def logged_events(
    quorum: Quorum,
    log: Logger,
    *,
    failed: Callable[[KafkaError], object],
    hopeless: Callable[[KafkaError], object],
) -> QuorumEvents:
    """Log what goes wrong from now on. A failure, or that there is no hope, is also passed on."""
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
    """Metrics: unproven claims of other nodes, and whether this voter abstains (0 or 1)."""
    return {
        "raft-metrics.unproven-claims": quorum.raft.unproven_claims,
        "raft-metrics.abstains": float(quorum.raft.abstains),
    }

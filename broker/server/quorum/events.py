"""The events of the quorum, and who is told of them: one record, given when the node takes part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from barnabas.protocol.errors import KafkaError


def _nobody(_: object) -> None:
    """Ignore the event."""


@dataclass(frozen=True, slots=True)
class QuorumEvents:
    """One listener for each event; all are called on the event loop, and none may raise."""

    failed: Callable[[KafkaError], object] = _nobody
    """Called once, if the disk fails or the quorum contradicts itself: this node must stop."""
    noted: Callable[[str], object] = _nobody
    """Something unusual, for the node's log."""
    alarmed: Callable[[str], object] = _nobody
    """Something that an operator must look at."""
    lost: Callable[[str], object] = _nobody
    """Which nodes cannot be reached, and why."""
    found: Callable[[str], object] = _nobody
    """A node that could not be reached answers again."""
    hopeless: Callable[[KafkaError], object] = _nobody
    """All nodes that this one may ask belong to other clusters, and it knows no leader."""


def relayed(current: Callable[[], QuorumEvents]) -> QuorumEvents:
    """Events that go to the current listeners: parts are created before their listeners are
    known."""
    return QuorumEvents(
        failed=lambda failure: current().failed(failure),
        noted=lambda text: current().noted(text),
        alarmed=lambda text: current().alarmed(text),
        lost=lambda text: current().lost(text),
        found=lambda name: current().found(name),
        hopeless=lambda failure: current().hopeless(failure),
    )

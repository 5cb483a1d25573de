"""What the quorum tells, and whom: one record, handed over when the node begins to take part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from barnabas.protocol.errors import KafkaError


def _nobody(_: object) -> None:
    """Hears nothing."""


@dataclass(frozen=True, slots=True)
class QuorumEvents:
    """One listener an event; all are called on the event loop, and none may raise."""

    failed: Callable[[KafkaError], object] = _nobody
    """Once, if the disk fails or the quorum contradicts itself: this node must stop."""
    noted: Callable[[str], object] = _nobody
    """Something odd, for the node's log."""
    alarmed: Callable[[str], object] = _nobody
    """What somebody must look at."""
    lost: Callable[[str], object] = _nobody
    """Which nodes cannot be reached, and why."""
    found: Callable[[str], object] = _nobody
    """A node that was told as lost answers again."""
    hopeless: Callable[[KafkaError], object] = _nobody
    """All whom this node may ask are of other clusters, and nobody leads it."""


def relayed(current: Callable[[], QuorumEvents]) -> QuorumEvents:
    """Events that go to the listeners of the moment: parts are made before these are known."""
    return QuorumEvents(
        failed=lambda failure: current().failed(failure),
        noted=lambda text: current().noted(text),
        alarmed=lambda text: current().alarmed(text),
        lost=lambda text: current().lost(text),
        found=lambda name: current().found(name),
        hopeless=lambda failure: current().hopeless(failure),
    )

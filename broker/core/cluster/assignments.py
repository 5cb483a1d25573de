"""Checks of assignments chosen by the user, for new partitions and for those that move."""

from __future__ import annotations

from collections.abc import Sequence

from barnabas.protocol.errors import ErrorCode, KafkaError

from .image import ClusterImage


def check_assignment(brokers: Sequence[int], factor: int | None, image: ClusterImage) -> None:
    """Raise KafkaError INVALID_REPLICA_ASSIGNMENT (39) unless these brokers can be replicas.

    `factor` is the required number of replicas; None if any number is allowed.
    """
    fault = None
    if not brokers:
        fault = "an empty replica list."
    else:
        before = None
        for broker in sorted(brokers):
            if broker not in image.brokers:
                fault = f"broker {broker}, but no such broker is registered."
                break
            if broker == before:
                fault = f"the broker {broker} more than once."
                break
            before = broker
    if fault is None and factor is not None and len(brokers) != factor:
        fault = (
            f"a partition with {len(brokers)} replica(s), but this is not consistent with "
            f"previous partitions, which have {factor} replica(s)."
        )
    if fault is not None:
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"The manual partition assignment includes {fault}",
        )


def check_active(brokers: Sequence[int], number: int, image: ClusterImage) -> None:
    """Raise KafkaError INVALID_REPLICA_ASSIGNMENT (39) if none of these brokers is active."""
    if not active_of(brokers, image):
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"All brokers specified in the manual partition assignment for partition {number} "
            "are fenced or in controlled shutdown.",
        )


def active_of(brokers: Sequence[int], image: ClusterImage) -> list[int]:
    """The active ones of these brokers, all of which are registered."""
    return [broker for broker in brokers if image.brokers[broker].is_active]

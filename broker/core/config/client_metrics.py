"""The settings of one subscription to clients' metrics, with the names of Kafka 4.3 (KIP-714)."""

from __future__ import annotations

from dataclasses import dataclass

from .field import HOUR_MS, MINUTE_MS, Names, Settings, setting

INTERVAL_MIN_MS = 100
INTERVAL_MAX_MS = HOUR_MS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ClientMetricsConfig(Settings):
    """Which metrics to ask of which clients. Kept and told; barnabas asks no client for any."""

    # The bounds of the interval are checked where subscriptions are: what is out of them is an
    # invalid request, and not an invalid setting.
    interval_ms: int = setting(
        5 * MINUTE_MS, unit="ms", doc="Time between two reports of a client.", has_effect=False
    )
    match: Names = setting(
        (),
        doc="Which clients are asked: properties, each with a regular expression.",
        has_effect=False,
    )
    metrics: Names = setting(
        (), doc="Prefixes of the names of the metrics that are asked for.", has_effect=False
    )

"""How fast and how evenly the links of a simulated network carry bytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class LinkProfile:
    """How the links of a simulated network behave; seconds and bytes."""

    delay_min_s: float = 0.0001
    delay_mean_s: float = 0.0003
    """Exponential on top of the minimum."""
    bytes_per_s: float = 1e9
    segment_bytes_max: int = 65536
    tiny_segment_probability: float = 0.05
    """How often a delivery is cut at a random byte, down to one."""
    connect_timeout_s: float = 10.0

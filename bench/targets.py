"""What is measured, in which unit, and how good it has to be beside Apache Kafka."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

SIZES = (100, 1024)
CONNECTIONS = (1, 16, 64)
REQUESTS_RATIO_MIN = {1: 1.7, 16: 1.5, 64: 1.1}
CPU_US_PER_REQUEST_MAX = 25.0


class Better(Enum):
    """Which way is good."""

    LESS = "at most"
    MORE = "at least"


@dataclass(frozen=True, slots=True)
class Metric:
    """One row of the report.

    `target_ratio` is ours over Kafka's, `target` a bound on ours alone; either may be absent, and
    a row without any is there to be read.
    """

    key: str
    title: str
    unit: str
    better: Better
    target_ratio: float | None = None
    target: float | None = None
    digits: int = 0

    def is_met(self, ours: float, ratio: float | None) -> bool | None:
        """Whether the row's targets are reached; None when there is none or nothing to compare."""
        checks = []
        if self.target_ratio is not None and ratio is not None:
            checks.append(self._reaches(ratio, self.target_ratio))
        if self.target is not None:
            checks.append(self._reaches(ours, self.target))
        return all(checks) if checks else None

    def target_text(self) -> str:
        """The target as a table shows it."""
        sign = "≤" if self.better is Better.LESS else "≥"
        parts = []
        if self.target_ratio is not None:
            parts.append(f"{sign} {self.target_ratio:.2g} x")
        if self.target is not None:
            parts.append(f"{sign} {self.target:g} {self.unit}")
        return ", ".join(parts)

    def _reaches(self, value: float, bound: float) -> bool:
        return value <= bound if self.better is Better.LESS else value >= bound


def size_text(size: int) -> str:
    """A record's size as people say it."""
    return f"{size // 1024} KiB" if size % 1024 == 0 else f"{size} B"


def _start_and_memory() -> list[Metric]:
    less = Better.LESS
    return [
        Metric("start.first_ack_s", "start to first ack", "s", less, 1 / 4, 0.6, digits=3),
        Metric("memory.after_start_mb", "resident after start", "MB", less),
        Metric("memory.after_load_mb", "resident after the run", "MB", less, 1 / 6),
        Metric("stop.seconds", "stop on SIGTERM", "s", less, digits=3),
    ]


def _bulk(size: int) -> list[Metric]:
    text, less, more = size_text(size), Better.LESS, Better.MORE
    produce, consume = f"produce_{size}", f"consume_{size}"
    return [
        Metric(f"{produce}.messages_per_s", f"produce {text}", "msg/s", more, 1.0),
        Metric(f"{produce}.mb_per_s", f"produce {text}", "MB/s", more),
        Metric(
            f"{produce}.cpu_s_per_gb", f"produce {text}, broker CPU", "s/GB", less, 0.4, None, 2
        ),
        Metric(f"{consume}.messages_per_s", f"consume {text}", "msg/s", more),
        Metric(f"{consume}.mb_per_s", f"consume {text}", "MB/s", more),
        Metric(
            f"{consume}.cpu_s_per_gb", f"consume {text}, broker CPU", "s/GB", less, 0.7, None, 2
        ),
    ]


def _load(connections: int) -> list[Metric]:
    key = f"load_{connections}"
    text = f"{connections} connection" + ("s" if connections > 1 else "")
    less, rate = Better.LESS, REQUESTS_RATIO_MIN[connections]
    cpu = CPU_US_PER_REQUEST_MAX
    return [
        Metric(f"{key}.requests_per_s", f"{text}, one record", "req/s", Better.MORE, rate),
        Metric(f"{key}.p50_ms", f"{text}, p50", "ms", less, digits=3),
        Metric(f"{key}.p99_ms", f"{text}, p99", "ms", less, 1.0, digits=3),
        Metric(f"{key}.p999_ms", f"{text}, p99.9", "ms", less, digits=3),
        Metric(f"{key}.cpu_us_per_request", f"{text}, broker CPU", "µs/req", less, None, cpu, 1),
    ]


METRICS: tuple[Metric, ...] = (
    *_start_and_memory(),
    *(metric for size in SIZES for metric in _bulk(size)),
    *(metric for connections in CONNECTIONS for metric in _load(connections)),
)

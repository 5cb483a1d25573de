"""Where the benchmarks keep what they build, start and write."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
DATA = BUILD / "data"
LOGS = BUILD / "logs"
VENV = BUILD / "venv"
KAFKA = ROOT / "build" / "kafka"

"""Makes `bench` importable: it lies at the top of the checkout and is no part of the package."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)  # last, so that nothing else is found there first

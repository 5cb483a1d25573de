"""Runs programs of the laboratory in processes: `python -m lab.…`, in any directory."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout: `lab` can be imported from here, and is part of no installation."""


def environment() -> dict[str, str]:
    """The variables of this process, with the checkout last in PYTHONPATH."""
    known = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [path for path in known if path and path != str(ROOT)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*paths, str(ROOT)])}

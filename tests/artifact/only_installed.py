"""A plugin for runs of the fast tests on the wheel: no test may see the checkout's modules."""

from __future__ import annotations

from pathlib import Path

import pytest

import barnabas
from barnabas.build_info import build_info


def pytest_configure() -> None:
    """Refuse to run on anything but an installation with compiled leaves."""
    where = Path(barnabas.__file__)
    if "site-packages" not in where.parts or not build_info().is_compiled:
        raise pytest.UsageError(f"{where} is no compiled installation")

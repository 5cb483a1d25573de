"""What targets keep open for a whole process, closed when the tests are over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .login_target import close_door


@pytest.fixture(scope="module", autouse=True)
def closed_door() -> Iterator[None]:
    """The broker of the target of logins."""
    yield
    close_door()

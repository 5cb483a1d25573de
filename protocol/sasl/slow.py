"""Steps of a login that take long: whoever drives the login runs them in a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Slow(NamedTuple):
    """Work in the place of a token: `run` gives the token, or raises what the step would have.

    Until it is over nothing else may be asked of the login that made it.
    """

    run: Callable[[], bytes]

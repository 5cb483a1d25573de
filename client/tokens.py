"""What a program may give for tokens of OAUTHBEARER."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol


class HasToken(Protocol):
    """Something of the program's that makes tokens."""

    def token(self) -> str | Awaitable[str]:
        """A token that a broker takes now."""
        ...


TokenProvider = Callable[[], str | Awaitable[str]] | HasToken
"""A function, async or not, or an object with a method `token`. What is not async may block: it is
called in a thread."""

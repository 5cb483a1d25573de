"""How many file descriptors this process may have, and how many of them logs may hold."""

from __future__ import annotations

import resource
from typing import Final

RESERVED: Final = 128
"""Descriptors for all that is neither a log's file nor a connection: listeners, checkpoints, …"""

FILES_MIN: Final = 64
"""Logs hold at least as many, however few descriptors there are."""

_SOFT_MAX: Final = 1 << 20
"""More is of no use, and some systems refuse to have no limit at all."""

_MACOS_MAX: Final = 10_240
"""OPEN_MAX of macOS, which refuses more although it says that there is no limit."""


def raise_limit() -> tuple[int, int]:
    """Raise the soft limit to the hard one, as far as the system lets us: before, and now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (_SOFT_MAX, _MACOS_MAX):
        limit = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        if soft == resource.RLIM_INFINITY or limit <= soft:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        except (OSError, ValueError):
            continue
        return soft, limit
    return soft, soft


def descriptor_limit() -> int:
    """The soft limit of now."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _SOFT_MAX if soft == resource.RLIM_INFINITY else soft


def connections_of(limit: int) -> int:
    """How many connections leave logs and the rest what they need; the others are closed again."""
    return max(limit - RESERVED - FILES_MIN, limit // 4)


def log_files_max(limit: int, connections_max: int) -> int:
    """How many files logs may have open: what connections and the rest leave, at least half."""
    left = limit - RESERVED - min(connections_max, limit // 2)
    return max(left, FILES_MIN)

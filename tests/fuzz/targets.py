"""The targets of the fuzzer by name: functions that take any bytes and raise only on a finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .batch_targets import batches
from .login_target import logins
from .message_targets import codecs, construct, headers
from .walk_target import walk

TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    "codecs": codecs,
    "construct": construct,
    "batches": batches,
    "headers": headers,
    "logins": logins,
    "walk": walk,
}

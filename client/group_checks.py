"""Whether the options of consumer groups go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .errors import ConfigurationError

ASSIGNORS = ("range", "roundrobin", "sticky", "cooperative-sticky")


class GroupOptions(Protocol):
    """The options that are looked at; `ConsumerConfig` has them."""

    @property
    def group_id(self) -> str | None: ...

    @property
    def group_instance_id(self) -> str | None: ...

    @property
    def session_timeout_ms(self) -> int: ...

    @property
    def heartbeat_interval_ms(self) -> int: ...

    @property
    def partition_assignment_strategy(self) -> Sequence[str]: ...


def check_group(config: GroupOptions) -> None:
    """Raise ConfigurationError where options of consumer groups contradict each other."""
    for name in ("group_id", "group_instance_id", "group_remote_assignor"):
        value = getattr(config, name)
        if value is not None and (not isinstance(value, str) or not value):
            raise ConfigurationError(f"{name}={value!r} is neither None nor a name")
    if config.group_instance_id is not None and config.group_id is None:
        raise ConfigurationError("group_instance_id needs a group_id")
    if config.heartbeat_interval_ms >= config.session_timeout_ms:
        raise ConfigurationError(
            f"heartbeat_interval_ms={config.heartbeat_interval_ms} is not less than"
            f" session_timeout_ms={config.session_timeout_ms}"
        )
    names = config.partition_assignment_strategy
    if isinstance(names, str) or not names or len(set(names)) != len(names):
        raise ConfigurationError(
            f"partition_assignment_strategy={names!r} is no sequence of different names"
        )
    for name in names:
        if name not in ASSIGNORS:
            listed = ", ".join(ASSIGNORS)
            raise ConfigurationError(
                f"partition_assignment_strategy: {name!r} is not one of {listed}"
            )

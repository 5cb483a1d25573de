"""`replica.selector.class`: the name of a selector becomes the selector (392-04, C15).

Empty or not set: consumers stay with the leader. Our two by their short names or by Kafka's class
names; anything else is the dotted path of a class, or of an object, with a method `select`.
"""

from __future__ import annotations

from typing import Final, cast

from ...core.config.field import ConfigError
from ...core.replication.replica_selector import ReplicaSelector, built_in_selector
from ..dotted_path import load

SETTING: Final = "replica.selector.class"
_WANTED: Final = "LeaderSelector, RackAwareReplicaSelector or the dotted path of a class"


def replica_selector(name: str | None) -> ReplicaSelector | None:
    """The selector of that name; None if there is no name.

    Raises ConfigError that names what is wrong with it: no such module, nothing of that name in
    it, a class that cannot be made without arguments, or no method `select`.
    """
    if not name:
        return None
    return built_in_selector(name) or _loaded(name)


def _loaded(path: str) -> ReplicaSelector:
    found = load(SETTING, path, _WANTED)
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise ConfigError(
                SETTING, path, f"cannot be made without arguments: {error!r}"
            ) from error
    if not callable(getattr(found, "select", None)):
        raise ConfigError(SETTING, path, "has no method select(client, leader, candidates)")
    return cast("ReplicaSelector", found)

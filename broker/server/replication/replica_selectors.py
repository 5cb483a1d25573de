"""`replica.selector.class`: the name of a selector becomes the selector (392-04, C15).

Empty or not set: consumers stay with the leader. Our two by their short names or by Kafka's class
names; anything else is the dotted path of a class, or of an object, with a method `select`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from ...core.config.field import ConfigError
from ...core.replication.replica_selector import ReplicaSelector, built_in_selector

SETTING: Final = "replica.selector.class"


def replica_selector(name: str | None) -> ReplicaSelector | None:
    """The selector of that name; None if there is no name.

    Raises ConfigError that names what is wrong with it: no such module, nothing of that name in
    it, a class that cannot be made without arguments, or no method `select`.
    """
    if not name:
        return None
    return built_in_selector(name) or _loaded(name)


def _loaded(path: str) -> ReplicaSelector:
    module_name, dot, attribute = path.rpartition(".")
    if not dot or not module_name:
        raise ConfigError(
            SETTING,
            path,
            "must be LeaderSelector, RackAwareReplicaSelector or the dotted path of a class",
        )
    try:
        module = import_module(module_name)
    except ImportError as error:
        raise ConfigError(SETTING, path, f"cannot be imported: {error}") from error
    except Exception as error:  # whatever the module does when it is imported
        raise ConfigError(SETTING, path, f"fails when it is imported: {error!r}") from error
    try:
        found = getattr(module, attribute)
    except AttributeError:
        raise ConfigError(SETTING, path, f"the module {module_name} has no {attribute}") from None
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

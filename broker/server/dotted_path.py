"""What a setting names by its dotted path: `package.module.name`."""

from __future__ import annotations

from importlib import import_module

from ..core.config.field import ConfigError


def load(setting: str, path: str, wanted: str) -> object:
    """The object there. Raises ConfigError that says what is wrong; `wanted` says what may stand in
    the setting."""
    module_name, dot, attribute = path.rpartition(".")
    if not dot or not module_name.strip("."):
        raise ConfigError(setting, path, f"must be {wanted}")
    try:
        module = import_module(module_name)
    except (ImportError, TypeError) as error:  # the second: a path that begins with a dot
        raise ConfigError(setting, path, f"cannot be imported: {error}") from error
    except Exception as error:  # whatever the module does when it is imported
        raise ConfigError(setting, path, f"fails when it is imported: {error!r}") from error
    try:
        found: object = getattr(module, attribute)
    except AttributeError:
        raise ConfigError(setting, path, f"the module {module_name} has no {attribute}") from None
    return found

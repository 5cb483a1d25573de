"""Values that a configuration only refers to: `${file:/path:key}`, `${dir:/path:file}`, `${env:X}`.

Which providers there are is configuration itself, as in Kafka (KIP-297, KIP-421, KIP-632):

- `config.providers=file,env` names them,
- `config.providers.<name>.class` says which of Kafka's three each one is,
- `config.providers.<name>.param.allowed.paths` bounds what files it reads, and
  `….param.allowlist.pattern` which variables.

A value is looked up once, where the configuration is read; what it gives is not looked at for
further references. Where Kafka leaves a reference that leads nowhere as it is, so that its text
becomes the password, here it is an error. Texts of errors have the reference, never a value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from barnabas.properties import PropertiesError, parse_properties

NAMES: Final = "config.providers"
_PREFIX: Final = NAMES + "."
_PACKAGE: Final = "org.apache.kafka.common.config.provider."
_REFERENCE: Final = re.compile(r"\$\{([^}:]*):(?:([^}:]*):)?([^}]*)\}")
_USUAL: Final = ("file", "dir", "env")
"""Names that stand in every example: who refers to them has forgotten to configure them."""

Params = Mapping[str, str]
LookUp = Callable[[str | None, str], str]
"""Path, if the reference has one, and key -> value. Raises ProviderError with the reason."""


class ProviderError(ValueError):
    """A reference that leads nowhere, or a provider that cannot be."""

    def __init__(self, name: str, reason: str) -> None:
        """`name`: the setting or property that is wrong."""
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


class _MissingError(Exception):
    """Why a reference leads nowhere; has no value in it."""


class _Kind(NamedTuple):
    params: tuple[str, ...]
    make: Callable[[Params, Mapping[str, str]], LookUp]


def is_of_provider(name: str) -> bool:
    """Whether the setting is about one provider: `config.providers.file.class`."""
    return name.startswith(_PREFIX)


class ConfigProviders:
    """The providers of one configuration, and what they have read."""

    def __init__(self, settings: Mapping[str, str], environment: Mapping[str, str]) -> None:
        """`settings`: `config.providers` and all that begin so; others are not looked at.

        Raises ProviderError for a provider without a class that is known, or a setting of none.
        """
        # Where a setting's name may be written with underscores, its provider's is, too.
        settings = {key.replace("_", "."): value for key, value in settings.items()}
        names = [one.strip() for one in settings.get(NAMES, "").split(",") if one.strip()]
        self._look_ups: dict[str, LookUp] = {}
        seen = {NAMES}
        for name in dict.fromkeys(names):
            own = f"{_PREFIX}{name.replace('_', '.')}."
            seen.update(key for key in settings if key.startswith(own))
            self._look_ups[name] = _provider(own, settings, environment)
        for key in settings:
            if is_of_provider(key) and key not in seen:
                raise ProviderError(key, f"{NAMES} does not name its provider")

    def resolve(self, name: str, text: str) -> str:
        """`text`, which is the value of the setting `name`, with what its references refer to.

        Raises ProviderError for a reference that leads nowhere.
        """
        if "${" not in text:
            return text

        def value_of(match: re.Match[str]) -> str:
            provider, path, key = match.groups()
            look_up = self._look_ups.get(provider)
            if look_up is None:
                if not self._look_ups and provider not in _USUAL:
                    return match[0]  # a text that only looks like one
                reason = f"{NAMES} does not name the provider {provider!r}"
                raise ProviderError(name, f"{match[0]}: {reason}")
            try:
                return look_up(path, key)
            except _MissingError as error:
                raise ProviderError(name, f"{match[0]}: {error}") from None

        return _REFERENCE.sub(value_of, text)


def _provider(own: str, settings: Mapping[str, str], environment: Mapping[str, str]) -> LookUp:
    """The provider whose settings begin with `own`."""
    kind = _KINDS.get(settings.get(own + "class", "").strip())
    if kind is None:
        known = ", ".join(_KINDS)
        raise ProviderError(own + "class", f"must be one of {known}")
    params = {}
    for key, value in settings.items():
        if key.startswith(own) and key != own + "class":
            param = key.removeprefix(own).removeprefix("param.")
            if param not in kind.params or key != f"{own}param.{param}":
                allowed = ", ".join(f"{own}param.{one}" for one in kind.params)
                raise ProviderError(key, f"is not known; there is {own}class, {allowed}")
            params[param] = value
    return kind.make(params, environment)


def _allowed(params: Params) -> Callable[[str], str]:
    """Makes of a path the one to open; raises _MissingError if it is outside of `allowed.paths`.

    Links are followed first: one inside that leads out is refused, too.
    """
    listed = params.get("allowed.paths", "").split(",")
    within = [os.path.realpath(one.strip()) for one in listed if one.strip()]

    def real(path: str) -> str:
        found = os.path.realpath(path)
        if within and not any(os.path.commonpath((one, found)) == one for one in within):
            raise _MissingError("the path is not within allowed.paths")
        return found

    return real


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except UnicodeDecodeError:
        raise _MissingError("the file is not UTF-8") from None
    except OSError as error:
        raise _MissingError(error.strerror or "the file cannot be read") from None


def _of_files(params: Params, environment: Mapping[str, str]) -> LookUp:
    del environment
    real = _allowed(params)
    read: dict[str, dict[str, str]] = {}

    def look_up(path: str | None, key: str) -> str:
        if not path:
            raise _MissingError("must be ${provider:path:key}")
        place = real(path)
        if place not in read:
            try:
                read[place] = parse_properties(_read(place))
            except PropertiesError as error:
                raise _MissingError(str(error)) from None
        if key not in read[place]:
            raise _MissingError("the file has no such key")
        return read[place][key]

    return look_up


def _of_directories(params: Params, environment: Mapping[str, str]) -> LookUp:
    del environment
    real = _allowed(params)

    def look_up(path: str | None, key: str) -> str:
        if not path:
            raise _MissingError("must be ${provider:path:file}")
        if key != os.path.basename(key) or key in ("", ".", ".."):
            raise _MissingError("a file is named without its directory")
        return _read(real(os.path.join(path, key)))

    return look_up


def _of_variables(params: Params, environment: Mapping[str, str]) -> LookUp:
    written = params.get("allowlist.pattern", ".*")
    try:
        pattern = re.compile(written)
    except re.error as error:
        raise ProviderError("allowlist.pattern", f"is no pattern: {error}") from None

    def look_up(path: str | None, key: str) -> str:
        if path:
            raise _MissingError("must be ${provider:NAME}; variables have no path")
        if pattern.fullmatch(key) is None:
            raise _MissingError("allowlist.pattern does not allow it")
        if key not in environment:
            raise _MissingError("there is no such variable")
        return environment[key]

    return look_up


_KINDS: Final = {
    _PACKAGE + "FileConfigProvider": _Kind(("allowed.paths",), _of_files),
    _PACKAGE + "DirectoryConfigProvider": _Kind(("allowed.paths",), _of_directories),
    _PACKAGE + "EnvVarConfigProvider": _Kind(("allowlist.pattern",), _of_variables),
}

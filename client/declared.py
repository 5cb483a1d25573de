"""How an option of the client is declared, and checked when a configuration is made."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeVar

from .errors import ConfigurationError

T = TypeVar("T")


class Declared(Protocol):
    """A dataclass whose fields are options."""

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]


C = TypeVar("C", bound=Declared)


def option(
    default: T,
    doc: str,
    *,
    unit: str = "",
    at_least: int | None = None,
    at_most: int | None = None,
    one_of: tuple[object, ...] = (),
    is_secret: bool = False,
) -> T:
    """Declare one option; the bounds are checked when a configuration is made.

    A secret is not among what `repr` shows.
    """
    metadata = {
        "doc": doc,
        "unit": unit,
        "at_least": at_least,
        "at_most": at_most,
        "one_of": one_of,
    }
    made: T = dataclasses.field(default=default, metadata=metadata, repr=not is_secret)
    return made


def milliseconds(default: int, doc: str, *, at_least: int = 0) -> int:
    """Declare a time of at most an hour and a day, in milliseconds."""
    return option(default, doc, unit="ms", at_least=at_least, at_most=25 * 3600 * 1000)


def check_option(each: dataclasses.Field[Any], value: object) -> None:
    """Raise ConfigurationError unless `value` is what this option allows."""
    declared = each.metadata
    allowed = declared["one_of"]
    if allowed:
        # By identity of type too: True == 1 must not pass for acks=1.
        if not any(value == one and type(value) is type(one) for one in allowed):
            listed = ", ".join(repr(one) for one in allowed)
            raise ConfigurationError(f"{each.name}={value!r} is not one of {listed}")
        return
    expected = type(each.default)
    if expected in (int, bool, str) and each.name != "bootstrap_servers":
        if type(value) is not expected:
            raise ConfigurationError(f"{each.name}={value!r} is not of type {expected.__name__}")
        if isinstance(value, int):
            check_bounds(each, value)


def check_bounds(each: dataclasses.Field[Any], value: int) -> None:
    """Raise ConfigurationError unless the number lies within what the option declares."""
    low, high, unit = (each.metadata[name] for name in ("at_least", "at_most", "unit"))
    if low is not None and value < low:
        raise ConfigurationError(f"{each.name}={value} is less than {low} {unit}".rstrip())
    if high is not None and value > high:
        raise ConfigurationError(f"{each.name}={value} is more than {high} {unit}".rstrip())


def make_config(cls: type[C], options: Mapping[str, Any]) -> C:
    """Make a configuration from keyword options; an unknown name is an error that says so."""
    names = [each.name for each in dataclasses.fields(cls)]
    unknown = [name for name in options if name not in names]
    if unknown:
        near = difflib.get_close_matches(unknown[0], names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ConfigurationError(f"{cls.__name__} has no option {unknown[0]!r}{hint}")
    return cls(**options)


def chosen_config(cls: type[C], config: object, options: Mapping[str, Any]) -> C:
    """The configuration that was given, or one made of keyword options; not both.

    Raises:
        TypeError: `config` is no configuration of this class, or options came beside it.
        ConfigurationError: as `make_config`.
    """
    if config is None:
        return make_config(cls, options)
    if not isinstance(config, cls):
        raise TypeError(
            f"config must be a {cls.__name__}, not {config!r}: options go by name,"
            " for instance bootstrap_servers='localhost:9092'"
        )
    if options:
        raise TypeError(f"{sorted(options)[0]} beside a {cls.__name__}, which has all options")
    return config

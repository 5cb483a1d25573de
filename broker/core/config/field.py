"""How one setting is declared: default, unit, one line of documentation, and what it may be.

A configuration is a frozen dataclass; every field is `name: kind = setting(default, …)`. The field
name is Kafka's own name with `_` for `.`, so files, environment, command line, DescribeConfigs and
`docs/configuration.md` are all filled by walking the fields; there is no second list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, TypeAlias, cast

Long: TypeAlias = int
"""A 64-bit integer. Kafka's type of a setting is read from the annotation: `int` is 32 bits."""

Names: TypeAlias = tuple[str, ...]
"""A comma-separated list."""

Password: TypeAlias = str
"""A text that nobody is shown: no answer, log line or error has it (SEC-01, SEC-04)."""

Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None

INT_MAX: Final = 2**31 - 1
LONG_MAX: Final = 2**63 - 1

KIB: Final = 1024
MIB: Final = 1024 * KIB
GIB: Final = 1024 * MIB
SECOND_MS: Final = 1000
MINUTE_MS: Final = 60 * SECOND_MS
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS

_KINDS: Final = {
    "bool": "BOOLEAN",
    "int": "INT",
    "Long": "LONG",
    "float": "DOUBLE",
    "str": "STRING",
    "Names": "LIST",
    "Password": "PASSWORD",
}
_BOUNDS: Final = {"INT": (-(2**31), INT_MAX), "LONG": (-(2**63), LONG_MAX)}


class ConfigError(ValueError):
    """A setting that may not be as it is: names the setting, its value and what is allowed."""

    def __init__(
        self, name: str, value: object, allowed: str, *, message: str | None = None
    ) -> None:
        self.name = name
        self.value = value
        self.allowed = allowed
        shown = f" {value}" if value is not None else ""
        super().__init__(message or f"Invalid value{shown} for configuration {name}: {allowed}")


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """One declared setting, with Kafka's name."""

    field_name: str
    name: str
    kind: str  # Kafka's ConfigDef type: BOOLEAN, STRING, INT, LONG, DOUBLE, LIST, PASSWORD
    default: Value
    nullable: bool
    unit: str
    doc: str
    minimum: float | None
    maximum: float | None
    choices: tuple[str, ...]
    dynamic: bool  # a broker's setting that can be changed while it runs
    internal: bool  # kept out of the documentation
    aliases: tuple[str, ...]  # other names under which it is accepted
    synonyms: tuple[tuple[str, int], ...]  # broker settings that give its default, and their factor
    has_effect: bool  # False: accepted and checked, but nothing reads it

    def allowed(self) -> str:
        """What a value may be, in words, for the configuration page."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        low, high = self.minimum, self.maximum
        if low is not None and high is not None:
            return f"{_number(low)} to {_number(high)}"
        if low is not None:
            return f"at least {_number(low)}"
        if high is not None:
            return f"no more than {_number(high)}"
        return _KIND_WORDS[self.kind]

    def parse(self, text: str) -> Value:
        """The value that `text` stands for; raises `ConfigError` (as Kafka's ConfigDef parses)."""
        trimmed = text.strip()
        if self.nullable and trimmed == "" and self.kind not in ("STRING", "PASSWORD"):
            return None
        value: Value
        if self.kind == "BOOLEAN":
            value = {"true": True, "false": False}.get(trimmed.lower())
        elif self.kind in ("INT", "LONG"):
            value = integer_of(trimmed)
        elif self.kind == "DOUBLE":
            value = _double(trimmed)
        elif self.kind == "LIST":
            parts = (part.strip() for part in trimmed.split(","))
            value = tuple(dict.fromkeys(parts)) if trimmed else ()
        else:
            value = trimmed
        if value is None:
            raise ConfigError(self.name, text, _NOT_OF_KIND[self.kind])
        self.check(value)
        return value

    def check(self, value: Value) -> None:
        """Raise `ConfigError`, in Kafka's words, unless `value` is within bounds and choices."""
        if value is None:
            if not self.nullable:
                raise ConfigError(self.name, None, "Value must be non-null")
        elif isinstance(value, bool) or (value == self.default and self.default is not None):
            return
        elif isinstance(value, tuple):
            self._check_list(value)
        elif isinstance(value, str):
            self._check_choice(value, value)
        else:
            self._check_number(value)

    def _check_list(self, values: tuple[str, ...]) -> None:
        whole = ",".join(values)
        for part in values:
            if part == "":
                message = f"Configuration '{self.name}' values must not be empty."
                raise ConfigError(self.name, whole, message, message=message)
            self._check_choice(part, whole)

    def _check_choice(self, part: str, whole: str) -> None:
        if self.choices and part not in self.choices:
            allowed = "String must be one of: " + ", ".join(self.choices)
            raise ConfigError(self.name, whole, allowed)

    def _check_number(self, value: float) -> None:
        low, high = _BOUNDS.get(self.kind, (None, None))
        if low is not None and high is not None and not low <= value <= high:
            raise ConfigError(self.name, value, _NOT_OF_KIND[self.kind])
        if self.minimum is not None and value < self.minimum:
            raise ConfigError(self.name, value, f"Value must be at least {_number(self.minimum)}")
        if self.maximum is not None and value > self.maximum:
            allowed = f"Value must be no more than {_number(self.maximum)}"
            raise ConfigError(self.name, value, allowed)

    @property
    def is_secret(self) -> bool:
        """Whether nobody is shown its value (SEC-01)."""
        return self.kind == "PASSWORD"

    def text(self, value: Value) -> str | None:
        """The value as Kafka shows it in answers and files; None for one that is never shown."""
        if value is None or self.is_secret:
            return None
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, tuple):
            return ",".join(value)
        if isinstance(value, float):
            return repr(value).replace("e+", "E").replace("e", "E")
        return str(value)


_KIND_WORDS: Final = {
    "BOOLEAN": "true or false",
    "INT": "a whole number of 32 bits",
    "LONG": "a whole number of 64 bits",
    "DOUBLE": "a number",
    "STRING": "text",
    "LIST": "a comma-separated list",
    "PASSWORD": "text that is never shown",
}


_NOT_OF_KIND: Final = {
    "BOOLEAN": "Expected value to be either true or false",
    "INT": "Not a number of type INT",
    "LONG": "Not a number of type LONG",
    "DOUBLE": "Not a number of type DOUBLE",
}


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def integer_of(text: str) -> int | None:
    """The number that a text is, as Java reads it; None if it is none, or too long for 64 bits."""
    # int() takes "1_000" and other scripts' digits, Java does not; and it raises for thousands
    # of digits, none of which is a number of 64 bits.
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    significant = digits.lstrip("0") or "0"
    return int(text[: len(text) - len(digits)] + significant) if len(significant) < 20 else None


def _double(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if "_" not in text and value == value else None  # noqa: PLR0124 (NaN)


def setting(  # noqa: PLR0913 (one keyword a property of a setting; most are left out)
    default: Value,
    *,
    doc: str,
    unit: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[str, ...] = (),
    dynamic: bool = False,
    internal: bool = False,
    aliases: tuple[str, ...] = (),
    synonyms: tuple[tuple[str, int], ...] = (),
    has_effect: bool = True,
) -> Any:
    """Declare a dataclass field as a setting.

    `synonyms` (topic settings): names of broker settings, most important first, each with the
    factor that turns it into this setting's unit; the first that is set gives the default.
    `has_effect=False`: it is there because Kafka has it, and nothing reads it; `doc` says why.
    """
    declared = {
        "unit": unit,
        "doc": doc,
        "minimum": minimum,
        "maximum": maximum,
        "choices": choices,
        "dynamic": dynamic,
        "internal": internal,
        "aliases": aliases,
        "synonyms": synonyms,
        "has_effect": has_effect,
    }
    return field(default=default, metadata=declared)


class Settings:
    """What every configuration class has: its settings by name, and checks when it is made."""

    __slots__ = ()
    _SETTINGS: ClassVar[dict[type, dict[str, Setting]]] = {}

    def __post_init__(self) -> None:
        for declared in settings_of(type(self)).values():
            declared.check(getattr(self, declared.field_name))
        self.check_relations()

    def check_relations(self) -> None:
        """Raise `ConfigError` if two settings, each fine alone, do not go together."""

    # Written by hand: what `dataclass` would generate costs every start some milliseconds.

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in _field_names(type(self)))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Settings)
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        """What is not the default."""
        shown = [
            f"{one.field_name}={_shown(one, getattr(self, one.field_name))}"
            for one in settings_of(type(self)).values()
            if getattr(self, one.field_name) != one.default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def value(self, name: str) -> Value:
        """The value of the setting with Kafka's name `name`."""
        declared = settings_of(type(self))[name]
        value: Value = getattr(self, declared.field_name)
        return value

    def text(self, name: str) -> str | None:
        """The value of `name` as Kafka shows it."""
        return settings_of(type(self))[name].text(self.value(name))


def _shown(setting: Setting, value: Value) -> str:
    return "[hidden]" if setting.is_secret else repr(value)


def _field_names(config: type) -> Iterable[str]:
    return (one.name for one in fields(config))


def settings_of(config: type) -> Mapping[str, Setting]:
    """The settings of a configuration class by Kafka's name, in order of declaration."""
    known = Settings._SETTINGS.get(config)
    if known is None:
        known = {found.name: found for found in _declared(config)}
        Settings._SETTINGS[config] = known
    return known


def without_effect(config: Settings) -> list[str]:
    """Names of settings that somebody changed and nothing reads, for the node's log."""
    return [
        one.name
        for one in settings_of(type(config)).values()
        if not one.has_effect and getattr(config, one.field_name) != one.default
    ]


def _declared(config: type) -> Iterable[Setting]:
    for one in fields(config):
        if not one.metadata:
            continue  # no setting: what is filled from names that are not known beforehand
        kind, _, rest = str(one.type).partition(" | ")
        yield Setting(
            field_name=one.name,
            name=one.name.replace("_", "."),
            kind=_KINDS[kind],
            default=cast("Value", one.default),
            nullable=rest == "None",
            **one.metadata,
        )

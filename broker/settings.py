"""Fills a node's configuration from a TOML file, the environment and the command line.

Every source is walked against the declared settings; the later wins: defaults, file, environment
(`BARNABAS_NUM_PARTITIONS`), `--set num.partitions=3`. Names are Kafka's, with dots or underscores.
A value may refer to a secret that is elsewhere: `barnabas.config_providers`.
`python -m barnabas.broker.settings --markdown [FILE]` prints (or writes) `docs/configuration.md`
from the same declarations, `--check FILE` fails when that page is stale.
"""

from __future__ import annotations

import difflib
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from barnabas.config_providers import NAMES, ConfigProviders, ProviderError, is_of_provider

from .core.config.broker import BrokerConfig
from .core.config.field import ConfigError, Setting, Value, settings_of
from .core.config.listeners import (
    PREFIX,
    canonical,
    check_listeners,
    named_listeners,
    parse_override,
)
from .core.config.security import Override
from .settings_page import configuration_page

T = TypeVar("T")

ENVIRONMENT_PREFIX = "BARNABAS_"
ENVIRONMENT_OF_OTHERS = frozenset(
    {
        "BARNABAS_BOOTSTRAP_SERVER",
        "BARNABAS_CLIENT_CONFIG",
        "BARNABAS_CLUSTER_DIR",
        "BARNABAS_COMPILE",
        "BARNABAS_KAFKA_LIB",
        "BARNABAS_TEST_BOOTSTRAP",
    }
)
"""Variables with our prefix that are no settings of a node: of commands, the build, the tests."""

_OF_A_SERVICE = (
    r"(?:\w+_)??"
    r"(?:SERVICE_HOST=.*|SERVICE_PORT(?:_\w+)?=\d+"
    r"|PORT(?:_\d+_(?:TCP|UDP|SCTP))?=(?:tcp|udp|sctp)://.*"
    r"|PORT_\d+_(?:TCP|UDP|SCTP)_(?:PROTO=(?:tcp|udp|sctp)|PORT=\d+|ADDR=.*))"
)
"""What Kubernetes (and `docker --link`) puts into containers about a Service called barnabas, or
barnabas-something, after the prefix: `PORT_9092_TCP=tcp://10.0.0.7:9092`. A port that a person
writes has no protocol before it, so `BARNABAS_PORT=9092` is still refused."""


class UnknownSettingError(ConfigError):
    """No setting has this name."""

    def __init__(self, name: str, value: object, nearest: str | None) -> None:
        hint = f"did you mean {nearest}?" if nearest else "docs/configuration.md lists them all"
        super().__init__(name, value, hint)
        self.args = (f"Unknown configuration {name}: {hint}",)


def load_config(
    *,
    file: str | None = None,
    environment: Mapping[str, str] | None = None,
    assignments: Sequence[str] = (),
    values: Mapping[str, Value] | None = None,
) -> BrokerConfig:
    """The configuration that all sources together give.

    Args:
        file: path of a TOML file.
        environment: usually `os.environ`; only `BARNABAS_…` is looked at.
        assignments: `name=value`, as `--set` takes them.
        values: settings already parsed, by Kafka's name; they win over everything.

    Raises:
        ConfigError: a name or value is wrong; the message names it, its source and what is allowed.
        OSError: the file cannot be read.
    """
    found: dict[str, Value] = {}
    overrides: dict[tuple[str, str, str], Override] = {}
    texts: dict[str, list[tuple[str, str]]] = {}
    if file is not None:
        with _source("file " + file):
            texts["file " + file] = list(_from_file(file))
    texts["environment"] = list(_from_environment(environment or {}))
    with _source("command line"):
        texts["command line"] = [_split(one) for one in assignments]
    about = _about_providers(texts.values())
    providers = _providers(about, environment or {})
    for source, pairs in texts.items():
        with _source(source):
            found.update(_read(pairs, overrides, providers))
    if values:
        found.update(values)
    if _is_alone(found):
        for topic in ("offsets.topic", "transaction.state.log"):
            found.setdefault(f"{topic}.replication.factor", 1)
        found.setdefault("transaction.state.log.min.isr", 1)
    known = settings_of(BrokerConfig)
    fields: dict[str, Any] = {known[name].field_name: value for name, value in found.items()}
    config = BrokerConfig(
        listener_overrides=tuple(overrides.values()),
        provider_settings=tuple(about.items()),
        **fields,
    )
    config = named_listeners(config)
    check_listeners(config)
    return config


def _is_alone(found: Mapping[str, Value]) -> bool:
    """Whether these settings make a node that is broker and quorum by itself."""
    others = ("voters", "bootstrap.servers", "initial.voters")
    return not any(found.get(f"controller.quorum.{name}") for name in others)


def _about_providers(sources: Iterable[Iterable[tuple[str, str]]]) -> dict[str, str]:
    """What is set of providers; any source may name it, the later wins."""
    named = ((_dotted(name), text) for pairs in sources for name, text in pairs)
    return {name: text for name, text in named if name == NAMES or is_of_provider(name)}


def _providers(about: Mapping[str, str], environment: Mapping[str, str]) -> ConfigProviders:
    """What references are resolved by. Raises ConfigError."""
    try:
        return ConfigProviders(about, environment)
    except ProviderError as error:
        raise ConfigError(error.name, None, error.reason) from None


def _dotted(name: str) -> str:
    return name.strip().replace("_", ".")


@contextmanager
def _source(name: str) -> Iterator[None]:
    """Errors within tell where the setting came from."""
    try:
        yield
    except ConfigError as error:
        error.args = (f"{error} ({name})",)
        raise


def _read(
    pairs: Iterable[tuple[str, str]],
    overrides: dict[tuple[str, str, str], Override],
    providers: ConfigProviders,
) -> dict[str, Value]:
    """The settings of one source; those with the prefix of a listener go to `overrides`."""
    found: dict[str, Value] = {}
    for name, text in pairs:
        if canonical(name).startswith(PREFIX):
            override = _resolved(name, text, providers, parse_override)
            overrides[override.listener, override.mechanism, override.field_name] = override
        elif not is_of_provider(_dotted(name)):
            declared = find_setting(name, text)
            found[declared.name] = _resolved(name, text, providers, _parser(declared))
    return found


def _resolved(
    name: str, text: str, providers: ConfigProviders, parse: Callable[[str, str], T]
) -> T:
    """What `parse` makes of a text and what it refers to; errors show the reference alone."""
    try:
        whole = providers.resolve(_dotted(name), text)
    except ProviderError as error:
        raise ConfigError(error.name, None, error.reason) from None
    try:
        return parse(name, whole)
    except ConfigError as error:
        if whole == text:
            raise
        raise ConfigError(error.name, text, error.allowed) from None


def _parser(declared: Setting) -> Callable[[str, str], Value]:
    return lambda _, text: declared.parse(text)


def find_setting(name: str, value: object = None) -> Setting:
    """The setting called `name`, with dots or underscores; raises `UnknownSettingError`."""
    known = settings_of(BrokerConfig)
    dotted = _dotted(name)
    if dotted in known:
        return known[dotted]
    for declared in known.values():
        if dotted in declared.aliases:
            return declared

    near = difflib.get_close_matches(dotted, known, n=1)
    raise UnknownSettingError(dotted, value, near[0] if near else None)


def _split(assignment: str) -> tuple[str, str]:
    name, equals, text = assignment.partition("=")
    if not equals or not name.strip():
        raise ConfigError("--set", assignment, "must be name=value")
    return name, text


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for variable, text in environment.items():
        if not variable.startswith(ENVIRONMENT_PREFIX) or variable in ENVIRONMENT_OF_OTHERS:
            continue
        if not _is_of_a_service(variable, text):
            yield variable.removeprefix(ENVIRONMENT_PREFIX).lower(), text


def variables_of_services(environment: Mapping[str, str]) -> list[str]:
    """Variables with our prefix that tell of Services and set nothing, in order."""
    return sorted(
        variable
        for variable, text in environment.items()
        if variable.startswith(ENVIRONMENT_PREFIX) and _is_of_a_service(variable, text)
    )


def _is_of_a_service(variable: str, text: str) -> bool:
    name = variable.removeprefix(ENVIRONMENT_PREFIX)
    return re.fullmatch(_OF_A_SERVICE, f"{name}={text}", re.ASCII) is not None


def _from_file(path: str) -> Iterator[tuple[str, str]]:
    with open(path, "rb") as stream:
        content = stream.read()
    try:
        # Some editors begin with a mark of the byte order.
        tables = tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        hint = "must be TOML (where one name begins another, write it with _ or in quotes)"
        raise ConfigError("--config", path, f"{hint}: {error}") from None
    yield from _flat("", tables)


def _flat(prefix: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    # In TOML `log.retention.ms = 1` is a table in a table; the path is the name.
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _flat(name + ".", value)
        else:
            yield name, _as_text(name, value)


def _as_text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(_as_text(name, part) for part in value)
    if isinstance(value, str | int | float):
        return str(value)
    raise ConfigError(name, value, "must be text, a number, true or false, or a list of these")


def main(arguments: Sequence[str]) -> int:
    """Print or check `docs/configuration.md`; returns the exit status."""
    page = configuration_page()
    if list(arguments) == ["--markdown"]:
        sys.stdout.write(page)
        return 0
    if len(arguments) == 2 and arguments[0] in ("--check", "--markdown"):
        return _check_or_write(arguments[0] == "--markdown", arguments[1], page)
    sys.stderr.write("usage: python -m barnabas.broker.settings --markdown [FILE] | --check FILE\n")
    return 2


def _check_or_write(write: bool, path: str, page: str) -> int:
    if write:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(page)
        return 0
    try:
        with open(path, encoding="utf-8") as stream:
            current = stream.read()
    except FileNotFoundError:
        current = ""
    if current == page:
        return 0
    sys.stderr.write(f"{path} is stale: run `make generate`\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

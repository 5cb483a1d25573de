"""Every setting with values that no one should give it: taken, or refused by name.

F-17; goal: the start stops with the field, the value and what is allowed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import ConfigError, Setting, settings_of
from barnabas.broker.core.config.topic import TopicConfig
from barnabas.broker.settings import load_config
from barnabas.testing.process import NodeDidNotStartError, NodeProcess

HOSTILE = {
    "empty": "",
    "blank": "   ",
    "negative": "-1",
    "very negative": "-9223372036854775809",
    "zero": "0",
    "huge": "9" * 40,
    "endless": "9" * 5000,
    "a float": "1.5",
    "infinity": "inf",
    "not a number": "nan",
    "exponent": "1e999",
    "hexadecimal": "0x10",
    "underscores": "1_000",
    "other digits": "٣",
    "unicode": "ключ-鍵-🔑",
    "control characters": "a\0b\r\nc\x1b[31m",
    "a surrogate": "\udc80",
    "commas": ",,,",
    "a word": "yes",
    "an address": "PLAINTEXT://:99999",
    "a long text": "x" * 100_000,
}

BROKER = list(settings_of(BrokerConfig).values())
TOPIC = list(settings_of(TopicConfig).values())


def names(declared: list[Setting]) -> list[str]:
    return [one.name for one in declared]


def is_named(error: ConfigError, declared: Setting) -> bool:
    """Whether the message says which setting it is; two that do not fit together name one."""
    text = str(error)
    named = (declared.name, declared.field_name, *names(BROKER))
    return any(name in text for name in named)


@pytest.mark.parametrize("declared", BROKER, ids=names(BROKER))
def test_values_on_the_command_line(declared: Setting) -> None:
    """Goal: nothing but ConfigError, and it names the setting."""
    for value in HOSTILE.values():
        try:
            config = load_config(assignments=[f"{declared.name}={value}"])
        except ConfigError as error:
            assert is_named(error, declared), error
        else:
            config.text(declared.name)


@pytest.mark.parametrize("declared", BROKER, ids=names(BROKER))
def test_values_in_the_environment(declared: Setting) -> None:
    """Goal: the same by another door."""
    variable = "BARNABAS_" + declared.field_name.upper()
    for value in HOSTILE.values():
        try:
            load_config(environment={variable: value})
        except ConfigError as error:
            assert is_named(error, declared), error


WRONG_TYPES = ("{}", "[[1], [2]]", '[1, "a", true]', "1979-05-27T07:32:00Z", "true", "[]", '""')


@pytest.mark.parametrize("declared", BROKER, ids=names(BROKER))
def test_types_in_a_file(declared: Setting, tmp_path: Path) -> None:
    """Goal: TOML's own types where they do not belong."""
    file = tmp_path / "node.toml"
    for value in WRONG_TYPES:
        file.write_text(f"{declared.field_name} = {value}\n")
        try:
            load_config(file=str(file))
        except ConfigError as error:
            assert is_named(error, declared), error


@pytest.mark.parametrize("declared", TOPIC, ids=names(TOPIC))
def test_values_of_topics(declared: Setting) -> None:
    """Goal: what CreateTopics and IncrementalAlterConfigs parse raises nothing else either."""
    for value in HOSTILE.values():
        try:
            declared.parse(value)
        except ConfigError as error:
            assert declared.name in str(error)


UNKNOWN_NAMES = (
    "no.such.thing",
    "",
    " ",
    "=",
    "num.partitions ",
    "NUM.PARTITIONS",
    "ключ",
    "a" * 9999,
)


@pytest.mark.parametrize("name", UNKNOWN_NAMES)
def test_unknown_names(name: str) -> None:
    """Goal: refused, unless it is a known one with blanks around it."""
    try:
        config = load_config(assignments=[f"{name}=3"])
    except ConfigError as error:
        assert name.strip()[:20] in str(error)
    else:
        assert config.num_partitions == 3


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe",
        b"num.partitions",
        b"[[[",
        b"num_partitions = 1\nnum_partitions = 2",
        b"\0" * 100,
    ],
)
def test_files_that_are_none(tmp_path: Path, content: bytes) -> None:
    """Goal: a ConfigError that names the file."""
    file = tmp_path / "node.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"node\.toml"):
        load_config(file=str(file))


@pytest.mark.slow
def test_a_node_does_not_start_with_them(tmp_path: Path) -> None:
    """Goal: exit, with name, value and what is allowed in one line, and without a traceback."""
    for name, value in (
        ("num.partitions", "0"),
        ("num.partitions", "9" * 5000),
        ("log.segment.bytes", "lots"),
        ("no.such.thing", "1"),
        ("listeners", "nonsense"),
        ("listeners", "PLAINTEXT://:99999"),
        ("process.roles", "king"),
    ):
        with pytest.raises(NodeDidNotStartError) as caught:
            NodeProcess(tmp_path / "data", settings={name: value}).start()
        said = str(caught.value)
        assert name in said, said
        assert "Traceback" not in said, said
        assert not (tmp_path / "data" / "meta.properties").exists()

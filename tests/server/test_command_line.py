"""`python -m barnabas.broker`: what its arguments say."""

from __future__ import annotations

import subprocess
import sys

import pytest

from barnabas.broker.__main__ import _all_options, _usual_options, _with_options
from barnabas.broker.settings import load_config

USUAL: list[list[str]] = [
    [],
    ["--dir", "d"],
    ["--set", "a=1", "--port", "0", "--set", "b=x=y", "--host", "::1", "--config", "f.toml"],
    ["--dir", "one", "--dir", "two"],
]

UNUSUAL: list[list[str]] = [
    ["--dir=d"],
    ["--por", "9"],
    ["--port", "9x"],
    ["--port", "-1"],
    ["--dir"],
    ["--help"],
    ["--dir", "--port"],
    ["d", "--dir"],
]


@pytest.mark.parametrize("arguments", USUAL, ids=" ".join)
def test_both_ways_read_the_same(arguments: list[str]) -> None:
    """Goal: the short way, which spares the start of argparse, says what argparse says."""
    assert _usual_options(arguments) == _all_options(arguments)


@pytest.mark.parametrize("arguments", UNUSUAL, ids=" ".join)
def test_what_is_unusual_is_left_to_argparse(arguments: list[str]) -> None:
    """Goal: abbreviations, mistakes and help are never guessed at."""
    assert _usual_options(arguments) is None


@pytest.mark.parametrize(
    ("listeners", "host", "port", "expected"),
    [
        (None, None, None, "PLAINTEXT://127.0.0.1:9092"),
        (None, None, 19092, "PLAINTEXT://127.0.0.1:19092"),
        (None, "0.0.0.0", None, "PLAINTEXT://0.0.0.0:9092"),
        (None, "::1", 0, "PLAINTEXT://::1:0"),
        ("PLAINTEXT://:9092", None, None, "PLAINTEXT://:9092"),
        ("PLAINTEXT://:9092", None, 19092, "PLAINTEXT://:19092"),
        ("A://10.0.0.7:1", None, 2, "A://10.0.0.7:2"),
    ],
)
def test_a_node_listens_on_this_machine_unless_told(
    listeners: str | None, host: str | None, port: int | None, expected: str
) -> None:
    """Goal: one rule: 127.0.0.1, unless --host or `listeners` says else; --port is the port only.

    A listener without a host means all addresses, as it does to Kafka.
    """
    assignments = [] if listeners is None else [f"listeners={listeners}"]
    config = _with_options(load_config(assignments=assignments), None, host, port)
    assert config.listeners == (expected,)


@pytest.mark.slow
def test_help_names_the_options() -> None:
    """Goal: the fall-back is connected."""
    command = [sys.executable, "-m", "barnabas.broker", "--help"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "--port" in found.stdout

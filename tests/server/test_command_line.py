"""`python -m barnabas.broker`: what its arguments say."""

from __future__ import annotations

import subprocess
import sys

import pytest

from barnabas.broker.__main__ import _all_options, _usual_options

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


@pytest.mark.slow
def test_help_names_the_options() -> None:
    """Goal: the fall-back is connected."""
    command = [sys.executable, "-m", "barnabas.broker", "--help"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "--port" in found.stdout

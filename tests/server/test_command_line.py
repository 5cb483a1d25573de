"""`python -m barnabas.broker`: what its arguments say."""

from __future__ import annotations

import subprocess
import sys

import pytest

from barnabas.broker.__main__ import _with_options
from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.settings import load_config


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
    assignments.append("listener.security.protocol.map=A:PLAINTEXT,PLAINTEXT:PLAINTEXT")
    config = _with_options(load_config(assignments=assignments), None, host, port)
    assert config.listeners == (expected,)


@pytest.mark.parametrize(
    ("listeners", "port"),
    [
        ("PLAINTEXT://127.0.0.1:1,SSL://127.0.0.1:1", None),
        ("PLAINTEXT://127.0.0.1:1,SSL://127.0.0.1:2", 2),
        ("PLAINTEXT://[::1]:1,SSL://[::1]:2", 2),
    ],
)
def test_two_listeners_at_one_address(listeners: str, port: int | None) -> None:
    """Goal: they are refused, also where --port makes them so; before, one was silently deaf."""
    with pytest.raises(ConfigError, match="each listener must have an address of its own"):
        _with_options(load_config(assignments=[f"listeners={listeners}"]), None, None, port)


def test_listeners_of_two_families_may_share_a_port() -> None:
    """Goal: as in Kafka; and any number of them may have free ports."""
    for listeners in ("A://127.0.0.1:1,SSL://[::1]:1", "A://127.0.0.1:0,SSL://127.0.0.1:0"):
        protocols = "listener.security.protocol.map=A:PLAINTEXT,SSL:SSL"
        config = load_config(assignments=[f"listeners={listeners}", protocols])
        assert config.listeners == tuple(listeners.split(","))


@pytest.mark.slow
def test_help_names_the_options() -> None:
    """Goal: whoever asks is told."""
    command = [sys.executable, "-m", "barnabas.broker", "--help"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "--port" in found.stdout

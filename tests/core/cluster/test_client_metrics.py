"""What subscriptions to clients' metrics may be set to, and what is told of them (KIP-714)."""

from __future__ import annotations

import pytest
from kit.controllers import Cluster

from barnabas.broker.core.cluster.client_metrics import client_metrics_entries
from barnabas.broker.core.cluster.commands import (
    DELETE,
    SET,
    AlterConfigs,
    ConfigChange,
    ResourceChange,
)

METRICS = 16
SET_HERE, DEFAULT = 7, 5


def change(
    cluster: Cluster, setting: str, value: str | None, *, name: str = "m", operation: int = SET
) -> tuple[int, str | None]:
    asked = ResourceChange(METRICS, name, (ConfigChange(setting, operation, value),))
    (answer,) = cluster.do(AlterConfigs((asked,)))
    return answer.code, answer.message


def told(cluster: Cluster, name: str = "m") -> dict[str, tuple[str | None, int]]:
    return {
        one.name: (one.value, one.source) for one in client_metrics_entries(cluster.image, name)
    }


@pytest.mark.parametrize(
    ("setting", "value", "code", "message"),
    [
        (
            "interval.ms",
            "99",
            42,
            "Invalid value 99 for interval.ms, interval must be between 100 and 3600000 (1 hour)",
        ),
        (
            "interval.ms",
            "3600001",
            42,
            "Invalid value 3600001 for interval.ms, "
            "interval must be between 100 and 3600000 (1 hour)",
        ),
        ("interval.ms", "x", 40, "Invalid value x for configuration interval.ms: "),
        ("match", "client_id", 40, "Illegal client matching pattern: client_id"),
        ("match", "client_id=", 40, "Illegal client matching pattern: client_id="),
        ("match", "client_id=a=b", 40, "Illegal client matching pattern: client_id=a=b"),
        ("match", "client_id=a,color=b", 40, "Illegal client matching pattern: color=b"),
        ("match", "client_id=[", 40, "Illegal client matching pattern: client_id=["),
        ("metrics", "a,,b", 40, "Configuration 'metrics' values must not be empty."),
        ("retention.ms", "1", 42, "Unknown client metrics configuration: retention.ms"),
    ],
)
def test_what_cannot_be(setting: str, value: str, code: int, message: str) -> None:
    """KIP-714: refused, with what is wrong; nothing is kept of it."""
    cluster = Cluster(1)
    found = change(cluster, setting, value)
    assert found[0] == code
    assert (found[1] or "").startswith(message)
    assert cluster.image.config_of(METRICS, "m") == {}


def test_a_subscription_has_a_name() -> None:
    """KIP-714: there is no subscription without a name, not even to take something from."""
    text = "Subscription name can't be empty"
    assert change(Cluster(1), "interval.ms", "1000", name="") == (42, text)
    assert change(Cluster(1), "interval.ms", None, name="", operation=DELETE) == (42, text)


def test_all_settings_are_told() -> None:
    """KIP-714: those that were set with their values, the others with their defaults."""
    cluster = Cluster(1)
    defaults: dict[str, tuple[str | None, int]] = {
        "interval.ms": ("300000", DEFAULT),
        "match": ("", DEFAULT),
        "metrics": ("", DEFAULT),
    }
    assert told(cluster) == defaults
    pattern = " client_id = a.* , client_source_port=1[0-9]+"
    assert change(cluster, "match", pattern) == (0, None)
    assert change(cluster, "metrics", "a,b,a") == (0, None)
    assert change(cluster, "interval.ms", "100") == (0, None)
    assert told(cluster) == {
        "interval.ms": ("100", SET_HERE),
        "match": ("client_id = a.*,client_source_port=1[0-9]+", SET_HERE),
        "metrics": ("a,b", SET_HERE),
    }
    for name in defaults:
        assert change(cluster, name, None, operation=DELETE) == (0, None)
    assert told(cluster) == defaults

"""Protocols of listeners, and settings that are made for one of them alone."""

from __future__ import annotations

import pytest

from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.core.config.listeners import (
    canonical,
    for_listener,
    inter_broker_listener,
    own_values,
    parse_override,
    protocol_of,
)
from barnabas.broker.core.config.live_overrides import override_of
from barnabas.broker.settings import load_config

MAP = "listener.security.protocol.map="


def test_the_names_are_their_own_protocols() -> None:
    """TLS-01: and listeners of controllers are PLAINTEXT while nobody says else."""
    config = load_config(assignments=["controller.listener.names=Quorum"])
    assert protocol_of(config, "sasl_ssl") == "SASL_SSL"
    assert protocol_of(config, "QUORUM") == "PLAINTEXT"


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        (["listeners=A://:1"], "must name A"),
        ([MAP + "A:TLS"], "protocols are PLAINTEXT, SSL"),
        ([MAP + "A"], "must be NAME:PROTOCOL"),
        (["listeners=SASL_SSL://:1"], "must name a mechanism for listener SASL_SSL"),
        (
            ["listeners=SASL_SSL://:1", "sasl.enabled.mechanisms=PLAIN"],
            "sasl.mechanism.inter.broker.protocol: must be set",
        ),
        (
            [
                "listeners=SASL_SSL://:1",
                "sasl.enabled.mechanisms=PLAIN",
                "sasl.mechanism.inter.broker.protocol=SCRAM-SHA-256",
            ],
            "is not enabled on listener SASL_SSL",
        ),
        (["sasl.enabled.mechanisms=GSSAPI"], "String must be one of: PLAIN"),
        (
            ["inter.broker.listener.name=PLAINTEXT", "security.inter.broker.protocol=SSL"],
            "inter.broker.listener.name is set, too",
        ),
        (["security.inter.broker.protocol=SSL"], "no listener has this protocol"),
        (["listeners=SSL://:1,SSL://:2"], "the name SSL is there twice"),
        (
            ["listeners=SSL://:1", "advertised.listeners=SLS://a.b:1"],
            "SLS is the name of no listener here; there is SSL",
        ),
        (["listener.name.other.ssl.client.auth=none"], "is the name of no listener here"),
        (["listener.name.plaintext.num.partitions=3"], "a setting of TLS, SASL or connections"),
        (["listener.name.plaintext.plain.ssl.client.auth=none"], "for one mechanism"),
    ],
)
def test_what_does_not_fit_ends_the_start(settings: list[str], what: str) -> None:
    """TLS-01..04, SASL-14: no port is open where somebody believes in more."""
    with pytest.raises(ConfigError, match=what):
        load_config(assignments=settings)


def test_a_prefix_beats_the_setting() -> None:
    """TLS-02: for the listener, then for the mechanism; however the name is written."""
    config = load_config(
        assignments=[
            f"{MAP}SASL_A:PLAINTEXT,B:PLAINTEXT",
            "listeners=SASL_A://:1,B://:2",
            "ssl.client.auth=requested",
            "listener.name.sasl_a.ssl.client.auth=required",
            "connections.max.reauth.ms=3",
            "listener.name.sasl_a.connections.max.reauth.ms=2",
            "listener_name_sasl_a_scram_sha_256_connections_max_reauth_ms=1",
        ]
    )
    assert for_listener(config, "SASL_A").ssl_client_auth == "required"
    assert for_listener(config, "b").ssl_client_auth == "requested"
    assert for_listener(config, "SASL_A", "PLAIN").connections_max_reauth_ms == 2
    assert for_listener(config, "SASL_A", "SCRAM-SHA-256").connections_max_reauth_ms == 1
    assert for_listener(config, "B", "SCRAM-SHA-256").connections_max_reauth_ms == 3


@pytest.mark.parametrize("name", ["SASL_PLAIN", "EXT-SCRAM-SHA-256", "oauthbearer.OAUTHBEARER"])
def test_a_listener_that_is_called_as_a_mechanism(name: str) -> None:
    """TLS-02: its own settings are its own, and those of a mechanism on it that mechanism's."""
    prefix = f"listener.name.{name.lower()}"
    config = load_config(
        assignments=[
            f"{MAP}PLAINTEXT:PLAINTEXT,{name}:SASL_PLAINTEXT",
            f"listeners=PLAINTEXT://:1,{name}://:2",
            f"{prefix}.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256",
            f"{prefix}.max.connections=5",
            f"{prefix}.connections.max.reauth.ms=2",
            f"{prefix}.plain.connections.max.reauth.ms=1",
        ]
    )
    assert for_listener(config, name).sasl_enabled_mechanisms == ("PLAIN", "SCRAM-SHA-256")
    assert for_listener(config, name, "PLAIN").connections_max_reauth_ms == 1
    assert for_listener(config, name, "SCRAM-SHA-256").connections_max_reauth_ms == 2
    assert own_values(config, "max_connections") == {canonical(name): 5}
    live = override_of(f"{prefix}.max.connections", "7")
    assert live is not None
    assert (live.listener, live.mechanism, live.value) == (canonical(name), "", 7)


def test_brokers_reach_each_other_by_protocol_or_name() -> None:
    """TLS-03: a listener of that protocol, one of that very name first."""
    names = [f"{MAP}X:SSL,SSL:SSL,PLAINTEXT:PLAINTEXT", "listeners=PLAINTEXT://:1,X://:2,SSL://:3"]
    assert inter_broker_listener(load_config(assignments=names)) == "PLAINTEXT"
    chosen = load_config(assignments=[*names, "security.inter.broker.protocol=SSL"])
    assert inter_broker_listener(chosen) == "SSL"
    named = load_config(assignments=[*names, "inter.broker.listener.name=X"])
    assert inter_broker_listener(named) == "X"


def test_nobody_is_shown_a_password() -> None:
    """SEC-01, SEC-04: not in texts of the configuration, nor of errors."""
    config = load_config(
        assignments=["ssl.key.password=secret", "listener.name.plaintext.sasl.jaas.config=secret"]
    )
    assert "secret" not in repr(config)
    assert config.text("ssl.key.password") is None
    assert parse_override("listener.name.a.ssl.key.password", "hidden").value == "hidden"

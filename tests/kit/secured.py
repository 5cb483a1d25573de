"""Settings, contexts and options for nodes and clients with TLS and logins.

The certificates are in `tests/data/tls/`, whose `make.sh` made them.
"""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import settings_of
from barnabas.broker.settings import load_config
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.sasl.client import new_client
from barnabas.tls import Own, Trust, client_context, key_and_chain, read_pem
from kit.logins import token_of
from kit.raw_client import RawClient

TLS = Path(__file__).resolve().parent.parent / "data" / "tls"
CA = str(TLS / "ca.pem")
ADMIN, ADMIN_PASSWORD = "admin", 'ad"min'
USER, PASSWORD = "alice", "wonder; land"
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
PLAIN_USERS = (
    "org.apache.kafka.common.security.plain.PlainLoginModule required "
    f'username="{ADMIN}" password="ad\\"min" user_{ADMIN}="ad\\"min" user_{USER}="{PASSWORD}";'
)
FIRST_USERS = " ".join(
    f'{mechanism}=[name={USER},password="{PASSWORD}"]' for mechanism in MECHANISMS[1:]
)

KEYS = {
    "ssl.keystore.location": str(TLS / "server.pem"),
    "ssl.truststore.location": CA,
}
"""The settings of a node's certificate."""


def logins(*listeners: str) -> dict[str, str]:
    """The settings for logins on these listeners, and of nodes by PLAIN."""
    names = [f"listener.name.{one.lower()}.plain.sasl.jaas.config" for one in listeners]
    return dict.fromkeys(names, PLAIN_USERS) | {
        "sasl.enabled.mechanisms": ",".join(MECHANISMS),
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "sasl.mechanism.controller.protocol": "PLAIN",
        "metadata.bootstrap.scram": FIRST_USERS,
        "connection.failed.authentication.delay.ms": "20",
    }


def assignments(settings: dict[str, str]) -> list[str]:
    """Settings as `load_config` takes them."""
    return [f"{name}={value}" for name, value in settings.items()]


def context(own: str | None = None, *, checks_names: bool = True) -> ssl.SSLContext:
    """A client's, with one of the certificates or without."""
    mine = None
    if own is not None:
        path = str(TLS / f"{own}.pem")
        mine = Own(key_and_chain(read_pem(path), path))
    return client_context(mine, Trust(file=CA), checks_names=checks_names)


def options(protocol: str, mechanism: str = "PLAIN", password: str = PASSWORD) -> dict[str, Any]:
    """What our client needs for a listener of this protocol."""
    found: dict[str, Any] = {"security_protocol": protocol}
    if protocol.endswith("SSL"):
        found["ssl_cafile"] = CA
    if protocol.startswith("SASL"):
        found |= {
            "sasl_mechanism": mechanism,
            "sasl_plain_username": USER,
            "sasl_plain_password": password,
        }
    return found


def fields_of(settings: dict[str, str]) -> dict[str, Any]:
    """The settings by field name, with those of single listeners, for `replace`."""
    config = load_config(assignments=assignments(settings))
    fields = {
        one.field_name: getattr(config, one.field_name)
        for one in settings_of(BrokerConfig).values()
        if getattr(config, one.field_name) != one.default
    }
    return {**fields, "listener_overrides": config.listener_overrides}


class SecureClient(RawClient):
    """A raw client over TLS, or without; it logs in by `log_in`."""

    def __init__(self, port: int, tls: ssl.SSLContext | None, name: str = "localhost") -> None:
        super().__init__("127.0.0.1", port)
        self._options: dict[str, Any] = {}
        if tls is not None:
            self._options = {"ssl": tls, "server_hostname": name}

    async def __aenter__(self) -> SecureClient:
        self.reader, self.writer = await asyncio.open_connection(*self._address, **self._options)
        return self


async def log_in(
    client: RawClient, mechanism: str = "PLAIN", user: str = USER, password: str = PASSWORD
) -> None:
    """Get to the end of a login; anything else is an assertion."""
    login = new_client(mechanism, user, password, "nonce")
    shaken = await client.ask(SaslHandshakeRequest(mechanism=mechanism), 1)
    assert shaken.error_code == 0, shaken
    token: bytes | None = login.first()
    while token is not None:
        answer = await client.ask(SaslAuthenticateRequest(auth_bytes=token), 2)
        assert answer.error_code == 0, answer
        step = login.next(bytes(answer.auth_bytes))
        token = None if step is None else token_of(step)

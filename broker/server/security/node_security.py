"""All that a node has of TLS and logins: of its listeners, and towards other nodes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from secrets import token_urlsafe
from typing import Final

from barnabas.protocol.sasl.client import SaslClient, new_client

from ...core.cluster.image import ClusterImage
from ...core.config.broker import BrokerConfig
from ...core.config.field import ConfigError
from ...core.config.listeners import (
    canonical,
    check_listeners,
    inter_broker_listener,
    names_of,
    protocol_of,
    protocols,
)
from ...core.ports import Clock
from .certificates import Certificates
from .jaas_entries import entry_of
from .listener_security import ListenerSecurity
from .peer_security import OPEN, Login, PeerSecurity

WITH_TLS: Final = ("SSL", "SASL_SSL")
_NONCE_BYTES: Final = 20


class NodeSecurity:
    """Made once, when the node starts."""

    def __init__(self, config: BrokerConfig, clock: Clock) -> None:
        """Reads keys and certificates. Raises ConfigError."""
        check_listeners(config)
        self._config = config
        self._clock = clock
        self.certificates = Certificates(config)
        """Of all listeners with TLS, and what becomes of them while the node runs."""
        self.notes: list[tuple[str, dict[str, object]]] = []
        """What should be in the node's log: event and fields."""
        self._trust_own()
        self.to_brokers = self._towards(
            inter_broker_listener(config), config.sasl_mechanism_inter_broker_protocol
        )
        """Where this node connects to brokers (TLS-03)."""
        self.to_controllers = OPEN
        """Where it connects to controllers (TLS-04)."""
        for name in config.controller_listener_names[:1]:
            self.to_controllers = self._towards(name, config.sasl_mechanism_controller_protocol)

    def _warn(self, event: str, **fields: object) -> None:
        if (event, fields) not in self.notes:
            self.notes.append((event, fields))

    def figures(self) -> dict[str, float]:
        """What monitoring should know, by name (SEC-07)."""
        return self.certificates.figures(self._clock.wall_ms())

    def listener(self, name: str, image_of: Callable[[], ClusterImage]) -> ListenerSecurity:
        """What this listener asks of those who connect. Raises ConfigError."""
        used = None
        if protocol_of(self._config, name) in WITH_TLS:
            used = self.certificates.use(name, self._warn, serves=True)
        tls = None if used is None else used.loaded.server
        made = ListenerSecurity(self._config, name, tls, image_of, self._clock, self._warn)
        if used is not None:
            used.listeners.append(made)
        return made

    def _towards(self, listener: str, mechanism: str | None) -> PeerSecurity:
        protocol = protocols(self._config).get(listener.upper(), "PLAINTEXT")
        made = PeerSecurity(login=self._login(listener, mechanism) if "SASL" in protocol else None)
        if protocol in WITH_TLS:
            used = self.certificates.use(listener, self._warn, dials=True)
            made.tls = used.loaded.client
            used.peers.append(made)
        return made

    def _login(self, listener: str, mechanism: str | None) -> Login | None:
        if mechanism is None:
            return None  # a controller that no broker's setting was given to: it dials nobody
        entry = entry_of(self._config, listener, mechanism)
        options = {} if entry is None else entry.options
        name, password = options.get("username"), options.get("password")
        if not name or not password:
            raise ConfigError(
                f"listener.name.{canonical(listener)}.{mechanism.lower()}.sasl.jaas.config",
                None,
                "must have username and password, by which this node logs in to others",
            )
        return partial(_new_login, mechanism, name, password)

    def _trust_own(self) -> None:
        """The inter-broker listener must take this node's own certificate (TLS-17): reading both
        sides at once sees to that."""
        config = self._config
        name = inter_broker_listener(config)
        is_tls = protocols(config).get(name.upper()) in WITH_TLS
        if config.is_broker and is_tls and name in names_of(config.listeners):
            self.certificates.use(name, self._warn, serves=True, dials=True)


def _new_login(mechanism: str, name: str, password: str) -> SaslClient:
    return new_client(mechanism, name, password, token_urlsafe(_NONCE_BYTES))

"""What holds on each listener: its protocol, and the settings that were made for it alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import (  # Any: `replace` takes fields of every kind
    Any,
    Final,
    NamedTuple,
)

from .broker import BrokerConfig
from .field import ConfigError, Setting, settings_of
from .network import DEFAULT_PROTOCOLS, NetworkSettings
from .security import MECHANISMS, PROTOCOLS, Override, SecuritySettings

PREFIX: Final = "listener.name."
MAP: Final = "listener.security.protocol.map"
_CONTROLLER: Final = "CONTROLLER"  # of a node that is alone, and has no listener for it
_COUNTS: Final = ("max.connections", "max.connection.creation.rate")
"""Limits of one listener that hold beside those of the node, and do not replace them."""
_ALSO: Final = (
    "connection.failed.authentication.delay.ms",
    "sasl.server.max.receive.size",
    *_COUNTS,
)
_OF_THE_NODE: Final = (
    "security.inter.broker.protocol",
    "metadata.bootstrap.scram",
    "ssl.reload.interval.ms",
)
_OF_MECHANISMS: Final = (
    "sasl.jaas.config",
    "connections.max.reauth.ms",
    "sasl.server.callback.handler.class",
)
_OF_TOKENS: Final = "sasl.oauthbearer."


class Address(NamedTuple):
    """One entry of `listeners` or `advertised.listeners`: NAME://host:port."""

    name: str
    host: str
    port: int


def parse_address(text: str, setting: str = "listeners") -> Address:
    """Raises ConfigError if it is not NAME://host:port."""
    name, separator, rest = text.partition("://")
    host, colon, port = rest.rpartition(":")
    if not separator or not colon or not name or not _is_port(port):
        raise ConfigError(setting, text, "must be NAME://host:port, the port at most 65535")
    return Address(name, host.strip("[]"), int(port))


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= 65_535


def canonical(name: str) -> str:
    """A listener's or mechanism's name as prefixes have it, whoever wrote it: `sasl.ssl`."""
    return name.strip().lower().replace("_", ".").replace("-", ".")


def prefixable() -> Mapping[str, Setting]:
    """The settings that a listener can have for itself, by name."""
    found = dict(settings_of(SecuritySettings))
    for name in _OF_THE_NODE:
        del found[name]
    network = settings_of(NetworkSettings)
    return found | {name: network[name] for name in _ALSO}


def parse_override(name: str, text: str) -> Override:
    """`listener.name.<listener>.[<mechanism>.]<setting>`; dots may be underscores.

    A listener's own name may end as a mechanism is called (`SASL_PLAIN`): see `named_listeners`.

    Raises ConfigError: there is no such setting, or not for one listener.
    """
    rest = canonical(name).removeprefix(PREFIX)
    known = prefixable()
    for setting in sorted(known.values(), key=lambda one: -len(one.name)):
        if not rest.endswith("." + setting.name):
            continue
        head = rest.removesuffix("." + setting.name)
        mechanism = ""
        if setting.name in _OF_MECHANISMS or setting.name.startswith(_OF_TOKENS):
            head, mechanism = _apart(head)
        value = setting.parse(text)
        if setting.name in _COUNTS and value == 0:
            raise ConfigError(name, text, "Value must be at least 1")
        return Override(head, mechanism, setting.field_name, value)
    raise ConfigError(
        name,
        None,
        f"must be {PREFIX}<listener>.[<mechanism>.] and a setting of TLS, SASL or connections",
    )


def _apart(head: str) -> tuple[str, str]:
    """A listener and a mechanism, both as `canonical` writes them; empty if none is named."""
    for mechanism in map(canonical, MECHANISMS):
        if head.endswith("." + mechanism):
            return head.removesuffix("." + mechanism), mechanism
    return head, ""


def named_listeners(config: BrokerConfig) -> BrokerConfig:
    """The same, now that it is known which listeners there are.

    `listener.name.sasl_plain.connections.max.reauth.ms` is about the listener SASL_PLAIN where
    there is one, and none that is called SASL.
    """
    known = _known(config)

    def found(one: Override) -> Override:
        whole = f"{one.listener}.{one.mechanism}"
        if one.mechanism and one.listener not in known and whole in known:
            return one._replace(listener=whole, mechanism="")
        return one

    overrides = tuple(map(found, config.listener_overrides))
    if overrides == config.listener_overrides:
        return config
    return replace(config, listener_overrides=overrides)


def _known(config: BrokerConfig) -> frozenset[str]:
    """All listeners that are named, as `canonical` writes them."""
    names = (*names_of(config.listeners), *config.controller_listener_names)
    return frozenset(map(canonical, names))


def for_listener(config: BrokerConfig, listener: str, mechanism: str = "") -> BrokerConfig:
    """The configuration as this listener sees it, or one mechanism on it (TLS-02)."""
    wanted = canonical(listener)
    changes: dict[str, Any] = {"listener_overrides": ()}
    for level in ("", canonical(mechanism)) if mechanism else ("",):
        for one in config.listener_overrides:
            if one.listener == wanted and one.mechanism == level:
                changes[one.field_name] = one.value
    return replace(config, **changes) if len(changes) > 1 else config


def is_own(config: BrokerConfig, listener: str, field_name: str) -> bool:
    """Whether the setting was made for this listener alone."""
    wanted = canonical(listener)
    return any(
        one.listener == wanted and one.field_name == field_name for one in config.listener_overrides
    )


def own_values(config: BrokerConfig, field_name: str) -> dict[str, int]:
    """Listener, as `canonical` writes it -> what a number is there, where it has one of its own."""
    return {
        one.listener: one.value
        for one in config.listener_overrides
        if one.field_name == field_name and isinstance(one.value, int)
    }


def names_of(addresses: Iterable[str]) -> list[str]:
    """The listeners of `NAME://host:port, …`, in order; what is none is left to `parse_address`."""
    return [text.partition("://")[0] for text in addresses if "://" in text]


def protocols(config: BrokerConfig) -> Mapping[str, str]:
    """Listener name, in upper case -> security protocol (TLS-01). Raises ConfigError."""
    found: dict[str, str] = {}
    for one in config.listener_security_protocol_map.split(","):
        if not one.strip():
            continue
        name, colon, protocol = (part.strip() for part in one.rpartition(":"))
        if not colon or not name or protocol.upper() not in PROTOCOLS:
            allowed = f"must be NAME:PROTOCOL, …; protocols are {', '.join(PROTOCOLS)}"
            raise ConfigError(MAP, one.strip(), allowed)
        found[name.upper()] = protocol.upper()
    if config.listener_security_protocol_map == DEFAULT_PROTOCOLS:
        for name in (*config.controller_listener_names, _CONTROLLER):
            found.setdefault(name.upper(), "PLAINTEXT")
    return found


def protocol_of(config: BrokerConfig, listener: str) -> str:
    """The security protocol of a listener. Raises ConfigError if the map lacks it."""
    found = protocols(config).get(listener.upper())
    if found is None:
        raise ConfigError(MAP, config.listener_security_protocol_map, f"must name {listener}")
    return found


def inter_broker_listener(config: BrokerConfig) -> str:
    """Name of the listener by which brokers reach each other: the first, if none is named.

    Raises ConfigError (TLS-03).
    """
    named, protocol = config.inter_broker_listener_name, config.security_inter_broker_protocol
    if named and protocol:
        raise ConfigError(
            "security.inter.broker.protocol", protocol, "inter.broker.listener.name is set, too"
        )
    if named:
        return named
    names = names_of(config.listeners)
    of_brokers = [one for one in names if one not in config.controller_listener_names] or names
    if not of_brokers:
        return ""  # `parse_address` will say what is wrong
    if protocol is None:
        return of_brokers[0]
    for name in sorted(of_brokers, key=lambda one: one.upper() != protocol):
        if protocol_of(config, name) == protocol:
            return name
    raise ConfigError("security.inter.broker.protocol", protocol, "no listener has this protocol")


def listener_of_brokers_alone(config: BrokerConfig) -> str | None:
    """The listener of brokers if clients have another one; None if they share it."""
    name = inter_broker_listener(config)
    names = set(names_of(config.listeners))
    return name if names.difference(config.controller_listener_names, {name}) else None


def check_listeners(config: BrokerConfig) -> None:
    """Raise ConfigError for listeners whose protocol or mechanisms do not fit (TLS-01, SASL-14)."""
    names = names_of(config.listeners)
    _check_names(config, names)
    _check_addresses(config)
    known = _known(config)
    for one in config.listener_overrides:
        if one.listener not in known:
            if _apart(one.listener)[0] in known:
                setting = f"{PREFIX}{one.listener}.{one.field_name.replace('_', '.')}"
                raise ConfigError(setting, None, "cannot be set for one mechanism")
            raise ConfigError(f"{PREFIX}{one.listener}", None, "is the name of no listener here")
    for name in names:
        of_this = for_listener(config, name)
        if protocol_of(config, name).startswith("SASL_") and not of_this.sasl_enabled_mechanisms:
            raise ConfigError(
                "sasl.enabled.mechanisms", None, f"must name a mechanism for listener {name}"
            )
    listener = inter_broker_listener(config)
    if config.is_broker and listener in names:
        mechanism = config.sasl_mechanism_inter_broker_protocol
        _check_mechanism(config, listener, "sasl.mechanism.inter.broker.protocol", mechanism)
    for listener in config.controller_listener_names[:1]:
        mechanism = config.sasl_mechanism_controller_protocol
        _check_mechanism(config, listener, "sasl.mechanism.controller.protocol", mechanism)


def _check_names(config: BrokerConfig, names: Sequence[str]) -> None:
    """A name stands for one listener, and only what listens can be advertised, as in Kafka."""
    twice = next((one for at, one in enumerate(names) if one in names[:at]), None)
    if twice is not None:
        whole = ",".join(config.listeners)
        raise ConfigError("listeners", whole, f"the name {twice} is there twice")
    for name in names_of(config.advertised_listeners):
        if name not in names:
            whole = ",".join(config.advertised_listeners)
            known = ", ".join(names)
            allowed = f"{name} is the name of no listener here; there is {known}"
            raise ConfigError("advertised.listeners", whole, allowed)


def _check_addresses(config: BrokerConfig) -> None:
    """Of two listeners at one address only one would be heard, perhaps the open one."""
    seen: set[tuple[str, int]] = set()
    for address in map(parse_address, config.listeners):
        place = address.host, address.port
        if address.port and place in seen:
            whole = ",".join(config.listeners)
            raise ConfigError("listeners", whole, "each listener must have an address of its own")
        seen.add(place)


def _check_mechanism(
    config: BrokerConfig, listener: str, setting: str, mechanism: str | None
) -> None:
    """Nodes must be able to log in to each other (TLS-03, TLS-04)."""
    if not protocol_of(config, listener).startswith("SASL_"):
        return
    of_this = for_listener(config, listener)
    if mechanism is None:
        raise ConfigError(setting, None, f"must be set, for nodes log in to listener {listener}")
    if listener in names_of(config.listeners) and mechanism not in of_this.sasl_enabled_mechanisms:
        raise ConfigError(setting, mechanism, f"is not enabled on listener {listener}")
